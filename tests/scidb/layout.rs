//! The annotated types of the layout, on files of the real software: as fields of a struct, at run time, and as columns.

use binfmt::columns::Plan;
use binfmt::formats::scidb::layout::{
    Bool, Char, Datetime, Datetimetz, FixedBinary, FixedText, NullOr, SizedBinary, SizedSkip, SizedText, Skip,
};
use binfmt::formats::scidb::{Reader, Template, save};
use binfmt::schema::Describe;
use binfmt::value::Value;
use binfmt::{BinFormat, DecodeOwned, Encode, Nullable, Options};
use std::fmt::Debug;
use std::path::Path;

fn read(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scidb").join(name)).unwrap()
}

/// Reads a case from a slice and from a stream, and writes it again: by the struct, by the description of the struct, and in
/// columns.
fn round_trip<T: DecodeOwned + Encode + Describe + Debug + PartialEq>(case: &str) -> Vec<T> {
    let json: serde_json::Value = serde_json::from_slice(&read(&format!("{case}/content.json"))).unwrap();
    let format: Template = json["format"].as_str().unwrap().parse().unwrap();
    let bytes = read(&format!("{case}/input.bin"));
    let strict = Reader::strict();
    let cells = strict.checked_cells::<T>(&bytes, &format).unwrap_or_else(|e| panic!("{case}: {e}"));
    let cells: Vec<T> = cells.map(Result::unwrap).collect();
    let streamed = strict.checked_cells_from_reader::<T, _>(&bytes[..], &format).unwrap();
    let streamed: Vec<T> = streamed.map(Result::unwrap).collect();
    assert_eq!(format!("{cells:?}"), format!("{streamed:?}"), "{case}");
    assert_eq!(save(&cells).unwrap(), bytes, "{case}");

    let layout = T::SCHEMA.description();
    let options = Options::new().ctx(&*layout);
    let values: Vec<Value> = binfmt::decode_all_with(&bytes, &options).unwrap();
    let again: Vec<u8> =
        values.iter().flat_map(|value| binfmt::to_vec_with(value, &options).unwrap()).collect();
    assert_eq!(again, bytes, "{case}");
    let plan = Plan::new(&layout).unwrap();
    let columns = plan.decode(&bytes).unwrap();
    assert_eq!(plan.encode(&columns).unwrap(), bytes, "{case}");
    cells
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
struct All {
    a: Bool,
    b: Char,
    c: i8,
    d: i16,
    e: i32,
    f: i64,
    g: u8,
    h: u16,
    i: u32,
    j: u64,
    k: f32,
    l: f64,
    m: Datetime,
    n: Datetimetz,
    o: SizedText,
    p: SizedBinary,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct AllNull {
    a: NullOr<Bool>,
    b: NullOr<Char>,
    c: NullOr<i8>,
    d: NullOr<i16>,
    e: NullOr<i32>,
    f: NullOr<i64>,
    g: NullOr<u8>,
    h: NullOr<u16>,
    i: NullOr<u32>,
    j: NullOr<u64>,
    k: NullOr<f32>,
    l: NullOr<f64>,
    m: NullOr<Datetime>,
    n: NullOr<Datetimetz>,
    o: NullOr<SizedText>,
    p: NullOr<SizedBinary>,
}

#[test]
fn every_type_required_and_nullable() {
    assert_eq!(round_trip::<All>("all_types").len(), 4);
    let cells = round_trip::<AllNull>("all_types_null");
    assert_eq!(cells.len(), 6);
    assert!(cells.iter().any(|c| c.o.0.missing().is_some() || c.p.0.missing().is_some()));
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
struct Text {
    a: i64,
    b: FixedText<10>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
struct TextNull {
    a: i64,
    b: NullOr<FixedText<8>>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Binary {
    a: FixedBinary<5>,
    b: i8,
}

#[test]
fn fixed_sizes() {
    assert_eq!(round_trip::<Text>("fixed_string")[2].b.0, "123456789");
    assert_eq!(round_trip::<TextNull>("fixed_string_null")[1].b.0, Nullable::Missing(7));
    assert_eq!(round_trip::<Binary>("fixed_binary")[1].a.0, [0xff; 5]);
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
struct SkipFixed {
    a: i64,
    skipped: Skip<4>,
    b: SizedText,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
struct SkipFixedNull {
    a: i64,
    skipped: Skip<5>,
    b: SizedText,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
struct SkipSized {
    a: i64,
    skipped: SizedSkip,
    b: SizedText,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
struct SkipSizedNull {
    a: i64,
    presence: Skip<1>,
    skipped: SizedSkip,
    b: SizedText,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
struct SkipNullable {
    a: i64,
    skipped: NullOr<SizedSkip>,
    b: SizedText,
}

#[test]
fn skip_in_its_four_forms() {
    assert_eq!(round_trip::<SkipFixed>("skip_fixed").len(), 3);
    assert_eq!(round_trip::<SkipFixedNull>("skip_fixed_null").len(), 3);
    assert_eq!(round_trip::<SkipSized>("skip_var").len(), 3);
    assert_eq!(round_trip::<SkipSizedNull>("skip_var_null").len(), 3);
    let format: Template = "(int64, skip null, string)".parse().unwrap();
    assert!(format.check_struct::<SkipNullable>().is_ok());
}

/// What a format says of a column is what the annotated type says of itself.
#[test]
fn a_format_describes_its_columns_by_these_types() {
    let format: Template = "(bool null, datetimetz, string(3) null, binary, skip(2), skip)".parse().unwrap();
    assert_eq!(
        format.description().to_string(),
        "record, le\n  a: bool, nullable, bool_lax\n  b: record\n    0: i64\n    1: i64\n  c: text, nullable, count = 3, nul, text = bytes\n  \
         d: bytes, length_prefixed(u32)\n  _: skip(bytes = 2)\n  _: ignored, length_prefixed(u32)\n"
    );
    #[derive(BinFormat)]
    #[binfmt(le)]
    #[allow(dead_code)]
    struct Cell {
        a: Bool,
        b: FixedText<4>,
    }
    let e = "(bool, string(5))".parse::<Template>().unwrap().check_struct::<Cell>().unwrap_err();
    assert_eq!(
        e.to_string(),
        "1 difference between struct `Cell` and the format (bool, string(5)):\n  \
         b: struct has FixedText<4>, file has string(5) (text, count = 5, nul, text = bytes)"
    );
}
