//! Types that are passed something: `ctx(..)` of a type, `args(..)` and `tag_from` of a field, known at run time.

use crate::dynamic::one_meaning::all;
use binfmt::columns::{Column, Plan};
use binfmt::schema::{Describe, Description, Schema};
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, Nullable, Options};

const EXTRA: u8 = 1;

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
struct Called {
    #[binfmt(range = 0..=6)]
    n: u8,
    kind: [u8; 2],
    on: bool,
    #[binfmt(args(*n))]
    one: Row,
    #[binfmt(args(rows = *n & 3, extra = EXTRA))]
    two: Two,
    #[binfmt(length_prefixed(u8), args(*n - 1))]
    list: Vec<Row>,
    #[binfmt(if(*on), args(*n))]
    maybe: Option<Row>,
    #[binfmt(nullable(body = absent), args(*n))]
    missing: Nullable<Row>,
    #[binfmt(region(*n, rest = skip), tag_from = kind)]
    choice: Chosen,
    #[binfmt(length_prefixed(u8))]
    widths: Vec<u8>,
    #[binfmt(each(widths.iter().copied()))]
    rows: Vec<Row>,
    #[binfmt(each(kind))]
    letters: Vec<Letter>,
    /// What is passed on, and a field that has the name of a parameter of its type.
    #[binfmt(args(kind, *on))]
    outer: Outer,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(columns: u8))]
struct Row {
    #[binfmt(count = columns)]
    cells: Vec<u16>,
}

/// An item of a field is a reference.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(letter: &u8))]
struct Letter {
    #[binfmt(if(*letter > b'b'))]
    n: Option<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(rows: u8, extra: u8))]
struct Two {
    #[binfmt(range = ..=rows)]
    least: u8,
    #[binfmt(count = rows + extra)]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(kind: &[u8; 2]), tag_from = kind)]
enum Chosen {
    #[binfmt(tag = b"ab")]
    Number(u16),
    #[binfmt(tag(b"cd" | b"ef"))]
    Nothing,
    #[binfmt(other)]
    Rest(#[binfmt(until_eof)] Vec<u8>),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(kind: &[u8; 2], on: bool))]
struct Outer {
    n: u8,
    #[binfmt(if(on && *n > 2))]
    more: Option<u8>,
    #[binfmt(tag_from = kind)]
    inner: Chosen,
}

fn good() -> Vec<Vec<u8>> {
    let called = |n: u8, kind: &[u8; 2], on: bool, choice: Chosen| Called {
        n,
        kind: *kind,
        on,
        one: Row { cells: vec![7; n.into()] },
        two: Two { least: n & 3, bytes: vec![1; usize::from(n & 3) + 1] },
        list: vec![Row { cells: vec![9; usize::from(n) - 1] }; 2],
        maybe: on.then(|| Row { cells: vec![3; n.into()] }),
        missing: if on { Nullable::Missing(9) } else { Nullable::Value(Row { cells: vec![4; n.into()] }) },
        choice: choice.clone(),
        widths: vec![1, 0, n],
        rows: [1, 0, n].map(|n| Row { cells: vec![5; n.into()] }).into(),
        letters: kind.map(|k| Letter { n: (k > b'b').then_some(k) }).into(),
        outer: Outer { n, more: (on && n > 2).then_some(5), inner: choice },
    };
    let all = [
        called(2, b"ab", true, Chosen::Number(0x0102)),
        called(3, b"ef", true, Chosen::Nothing),
        called(4, b"cd", false, Chosen::Nothing),
    ];
    all.iter().map(|called| binfmt::to_vec(called).unwrap()).collect()
}

#[test]
fn values_and_structs_agree() {
    for (seed, bytes) in good().iter().enumerate() {
        all::<Called>(seed as u64, bytes);
    }
}

/// As text, as JSON, and with the fields of a value in another order.
#[test]
fn every_form_of_the_description_runs() {
    let layout = Called::SCHEMA.description();
    let text: Description = layout.to_string().parse().unwrap();
    let json: Description = serde_json::from_str(&serde_json::to_string(&*layout).unwrap()).unwrap();
    assert_eq!(json, *layout);
    assert_eq!(Schema::from(json.clone()).fingerprint(), Called::SCHEMA.fingerprint());
    for bytes in good() {
        for layout in [&text, &json] {
            let program = Program::new(layout).unwrap();
            let options = Options::new().ctx(&program);
            let value: Value = binfmt::from_slice_with(&bytes, &options).unwrap();
            let Value::Record(fields) = &value else { panic!("{value:?}") };
            let fields = fields.iter().map(|(name, value)| (name.clone(), value.clone()));
            let turned = Value::record(fields.collect::<Vec<_>>().into_iter().rev());
            assert_eq!(binfmt::to_vec_with(&turned, &options).unwrap(), bytes);
            let seed = binfmt::value::ValueSeed::new(&program);
            let written = serde_json::to_string(&value).unwrap();
            let read = serde::de::DeserializeSeed::deserialize(
                seed,
                &mut serde_json::Deserializer::from_str(&written),
            );
            assert_eq!(binfmt::to_vec_with(&read.unwrap(), &options).unwrap(), bytes, "{written}");
        }
    }
}

#[test]
fn columns() {
    let layout: Description = "\
Line: record
  n: u8
  row: Row, args(n)
  kind: Kind, tag_from = n
Row: record, ctx(columns: u8)
  cells: [u16], count = columns
Kind: choice, tag_from = n, ctx(n: u8)
  1 => One
    0: u8
  _ => More
"
    .parse()
    .unwrap();
    let plan = Plan::new(&layout).unwrap();
    let bytes = [1, 7, 0, 9, 2, 1, 0, 2, 0, 0];
    let columns = plan.decode(&bytes).unwrap();
    assert_eq!(columns.get("n"), Some(&Column::from(vec![1u8, 2, 0])));
    let row = columns.cell(1, 1).unwrap().to_value();
    assert_eq!(row.get("cells"), Some(&Value::List(vec![1u16.into(), 2u16.into()])));
    assert_eq!(plan.encode(&columns).unwrap(), bytes);
    let e = plan.decode(&bytes[..8]).unwrap_err();
    assert_eq!(e.to_string(), "[1].row.cells at byte 0x5: count 2 needs 4 bytes, 3 remain");
}

#[test]
fn a_root_is_passed_values() {
    let (program, two) = (Program::new(&Row::SCHEMA.description()).unwrap(), [Value::from(2u8)]);
    let options = Options::new().ctx((&program, &two[..]));
    let value: Value = binfmt::from_slice_with(&[1, 0, 2, 0], &options).unwrap();
    assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), [1, 0, 2, 0]);
    let chosen = Program::new(&Chosen::SCHEMA.description()).unwrap();
    let kind = [Value::Bytes(b"ab".to_vec())];
    let value: Value = binfmt::from_slice_with(&[1, 0], &Options::new().ctx((&chosen, &kind[..]))).unwrap();
    assert!(matches!(value, Value::Variant { name, .. } if name == "Number"));
    let e =
        binfmt::from_slice_with::<Value, _>(&[1, 0], &Options::new().ctx((&program, &[][..]))).unwrap_err();
    assert_eq!(e.to_string(), "at byte 0x0: the layout has `ctx(columns)`, and 0 values are passed");
    // without them what needs them is refused
    let e = binfmt::from_slice_with::<Value, _>(&[1, 0], &Options::new().ctx(&program)).unwrap_err();
    assert_eq!(
        e.to_string(),
        "cells at byte 0x0: `columns` cannot be computed: `columns` is neither an earlier field of the record nor passed to it"
    );
}

#[test]
fn what_is_not_passed_is_refused() {
    let refused = |words: &str| {
        let text = format!(
            "Line: record\n  n: u8\n  row: Row{words}\n  m: u8\nRow: record, ctx(a: u8, b: u8)\n  x: bytes, count = a + b\n"
        );
        Program::new(&text.parse().unwrap()).map_err(|e| e.to_string())
    };
    assert_eq!(refused("").unwrap_err(), "row: `Row` needs `args(a, b)`, and 0 are passed");
    assert_eq!(refused(", args(n, n, n)").unwrap_err(), "row: `Row` needs `args(a, b)`, and 3 are passed");
    assert_eq!(refused(", args(n, m)").unwrap_err(), "row: `m` is needed here, which comes later");
    assert!(refused(", args(a = n, b = *n + 1)").is_ok());
}

#[test]
fn fingerprints_know_what_is_passed() {
    let of = |parameters: &str, passed: &str| {
        let text = format!(
            "Line: record\n  n: u8\n  row: Row, args({passed})\nRow: record, ctx({parameters})\n  x: bytes, count = a - b\n"
        );
        Schema::from(text.parse::<Description>().unwrap()).fingerprint()
    };
    let one = of("a: u8, b: u8", "n, 1");
    assert_ne!(one, of("a: u8, b: u8", "n, 2"));
    assert_ne!(one, of("b: u8, a: u8", "n, 1"));
    assert_eq!(one, of("a: u64, b: u64", "n, 1"));
}
