//! `as = u24` and its like: integers of a fixed size that is not their own, as fields, elements, lengths, tags.

use crate::support::wire::{assert_error, bad, bad_with, refused, same, same_be, short};
use binfmt::dump::trace;
use binfmt::integer::FixedInt;
use binfmt::{Array, BinFormat, Describe, Endian, ErrorKind, Layout, Options, TypedColumns};

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Widths {
    #[binfmt(as = u24)]
    a: u32,
    #[binfmt(as = i24)]
    b: i32,
    #[binfmt(as = u40)]
    c: u64,
    #[binfmt(as = i40)]
    d: i64,
    #[binfmt(as = u48)]
    e: u64,
    #[binfmt(as = i48)]
    f: i64,
    #[binfmt(as = u56)]
    g: u64,
    #[binfmt(as = i56)]
    h: i64,
}

fn widths() -> Widths {
    Widths {
        a: 0x010203,
        b: -2,
        c: 0x0102030405,
        d: -3,
        e: 0x010203040506,
        f: -4,
        g: 0x01020304050607,
        h: -5,
    }
}

#[test]
fn each_width_in_both_byte_orders() {
    #[rustfmt::skip]
    let little = [
        3, 2, 1, 0xfe, 0xff, 0xff, 5, 4, 3, 2, 1, 0xfd, 0xff, 0xff, 0xff, 0xff, 6, 5, 4, 3, 2, 1,
        0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 7, 6, 5, 4, 3, 2, 1, 0xfb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    ];
    #[rustfmt::skip]
    let big = [
        1, 2, 3, 0xff, 0xff, 0xfe, 1, 2, 3, 4, 5, 0xff, 0xff, 0xff, 0xff, 0xfd, 1, 2, 3, 4, 5, 6,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xfc, 1, 2, 3, 4, 5, 6, 7, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfb,
    ];
    same(&widths(), &little);
    same_be(&widths(), &big);
    assert_eq!(Widths::FACTS.sizes().exact(), Some(42));
    for n in 0..42 {
        let e = binfmt::from_slice::<Widths>(&little[..n]).unwrap_err();
        assert!(e.is_incomplete(), "{e}");
    }
    let [slice, stream] = short::<Widths>(&little[..4]);
    for e in [slice, stream] {
        assert_error!(e, 3, "b", ErrorKind::UnexpectedEnd { needed: 3, remaining: 1 });
    }
}

#[test]
fn limits_of_each_width() {
    #[derive(BinFormat, Debug, PartialEq)]
    struct Pair {
        #[binfmt(as = u24)]
        a: u64,
        #[binfmt(as = i24)]
        b: i64,
    }
    same(&Pair { a: 0xff_ffff, b: -0x80_0000 }, &[0xff, 0xff, 0xff, 0, 0, 0x80]);
    same(&Pair { a: 0, b: 0x7f_ffff }, &[0, 0, 0, 0xff, 0xff, 0x7f]);
    let e = refused(&Pair { a: 0x100_0000, b: 0 });
    assert_error!(e, 0, "a", ErrorKind::IntegerOverflow { bits: 24, signed: false, .. });
    assert_eq!(e.to_string(), "a at byte 0x0: 16777216 does not fit in u24");
    for b in [-0x80_0001, 0x80_0000] {
        assert_error!(
            refused(&Pair { a: 0, b }),
            3,
            "b",
            ErrorKind::IntegerOverflow { bits: 24, signed: true, .. }
        );
    }
}

/// A field may be narrower than its bytes, and of any integer type: what does not fit is an error in both directions.
#[test]
fn any_integer_in_any_width() {
    #[derive(BinFormat, Debug, PartialEq)]
    struct Any {
        #[binfmt(as = u16)]
        len: usize,
        #[binfmt(as = u32)]
        small: u8,
        #[binfmt(as = i24)]
        unsigned: u32,
        #[binfmt(as = u24)]
        signed: i16,
        #[binfmt(as = i64)]
        wide: u128,
        #[binfmt(as = u64)]
        negative: i128,
    }
    let any = Any { len: 513, small: 7, unsigned: 5, signed: 6, wide: 8, negative: 9 };
    let bytes = [1, 2, 7, 0, 0, 0, 5, 0, 0, 6, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0];
    same(&any, &bytes);
    let changed = |at: usize, to: &[u8]| {
        let mut bytes = bytes;
        bytes[at..at + to.len()].copy_from_slice(to);
        bad::<Any>(&bytes)
    };
    let overflow = |e: binfmt::Error, at, path: &str, text: &str| {
        assert_error!(e, at, path, ErrorKind::IntegerOverflow { .. });
        assert!(e.to_string().ends_with(text), "{e}");
    };
    overflow(changed(2, &[0, 1]), 2, "small", "256 does not fit in u8");
    overflow(changed(6, &[0xff, 0xff, 0xff]), 6, "unsigned", "-1 does not fit in u32");
    overflow(changed(9, &[0, 0x80]), 9, "signed", "32768 does not fit in i16");
    overflow(changed(12, &[0xff; 8]), 12, "wide", "-1 does not fit in u128");
    let any = |change: fn(&mut Any)| {
        let mut any = Any { len: 0, small: 0, unsigned: 0, signed: 0, wide: 0, negative: 0 };
        change(&mut any);
        refused(&any)
    };
    overflow(any(|any| any.len = 65536), 0, "len", "65536 does not fit in u16");
    overflow(any(|any| any.signed = -1), 9, "signed", "-1 does not fit in u24");
    overflow(
        any(|any| any.wide = u128::MAX),
        12,
        "wide",
        "340282366920938463463374607431768211455 does not fit in i64",
    );
    overflow(any(|any| any.negative = -1), 20, "negative", "-1 does not fit in u64");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Everywhere {
    #[binfmt(as = u24, be)]
    fixed_order: u32,
    #[binfmt(as = i24, count = 2)]
    counted: Vec<i32>,
    #[binfmt(as = u24)]
    array: [u32; 2],
    #[binfmt(as = u40, nullable)]
    maybe: Option<u64>,
    #[binfmt(as = u24, if(*fixed_order == 1))]
    when: Option<u32>,
    #[binfmt(as = u24, range = 1..=9)]
    digit: u32,
    #[binfmt(len_of(text, auto), as = u24)]
    text_len: u32,
    #[binfmt(count = *text_len)]
    text: String,
    #[binfmt(as = u24, until = |n: &u32| *n == 0)]
    ended: Vec<u32>,
    #[binfmt(as = u24, pad_to = 4)]
    padded: u32,
    #[binfmt(as = u24, map(decode = |n: u32| n + 1, encode = |n: &u32| n - 1))]
    mapped: u32,
    #[binfmt(as = u24, until_eof)]
    rest: Box<[u32]>,
}

fn everywhere() -> (Everywhere, Vec<u8>) {
    let value = Everywhere {
        fixed_order: 1,
        counted: vec![-1, 2],
        array: [3, 4],
        maybe: Some(5),
        when: Some(6),
        digit: 7,
        text_len: 2,
        text: "hi".into(),
        ended: vec![8, 0],
        padded: 9,
        mapped: 11,
        rest: [12, 13].into(),
    };
    let bytes = [
        &[0, 0, 1, 0xff, 0xff, 0xff, 2, 0, 0, 3, 0, 0, 4, 0, 0, 0xff, 5, 0, 0, 0, 0, 6, 0, 0, 7, 0, 0][..],
        &[2, 0, 0, b'h', b'i', 8, 0, 0, 0, 0, 0, 9, 0, 0, 0, 10, 0, 0, 12, 0, 0, 13, 0, 0],
    ];
    (value, bytes.concat())
}

#[test]
fn with_every_other_word() {
    let (value, bytes) = everywhere();
    same(&value, &bytes);
    let none = Everywhere {
        maybe: None,
        when: None,
        fixed_order: 2,
        text_len: 0,
        text: String::new(),
        ..value.clone()
    };
    let written = binfmt::to_vec(&none).unwrap();
    assert_eq!(binfmt::from_slice::<Everywhere>(&written).unwrap(), none);
    let mut wrong = bytes.clone();
    wrong[24] = 10;
    assert_error!(bad::<Everywhere>(&wrong), 24, "digit", ErrorKind::OutOfRange { .. });
    let e = refused(&Everywhere { counted: vec![0, 1 << 23], ..value });
    assert_error!(e, 6, "counted[1]", ErrorKind::IntegerOverflow { .. });
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(len = u24)]
struct Lengths {
    #[binfmt(var_len)]
    text: String,
    #[binfmt(length_prefixed(u24, max = 3))]
    bytes: Vec<u8>,
    #[binfmt(length_prefixed(u40, in = bytes, inclusive))]
    numbers: Vec<u16>,
    #[binfmt(nullable, length_prefixed(i24))]
    maybe: Option<String>,
    #[binfmt(shape(u24))]
    grid: Array<u8, 2>,
}

fn lengths() -> Lengths {
    let grid = Array::new([1, 2], vec![8, 9]).unwrap();
    Lengths { text: "a".into(), bytes: vec![5], numbers: vec![6], maybe: None, grid }
}

#[test]
fn lengths_and_dimensions() {
    let bytes = [1, 0, 0, b'a', 1, 0, 0, 5, 7, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 8, 9];
    same(&lengths(), &bytes);
    assert_eq!((Lengths::FACTS.sizes().min, Lengths::FACTS.sizes().head), (21, 3));
    let e = refused(&Lengths { bytes: vec![0; 4], ..lengths() });
    assert_error!(e, 4, "bytes", ErrorKind::LengthLimit { length: 4, max: 3 });
    assert_error!(
        bad::<Lengths>(&[0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0]),
        6,
        "numbers",
        ErrorKind::InvalidLength { found: 4 }
    );
    #[derive(BinFormat, Debug)]
    struct Long {
        #[binfmt(length_prefixed(i24))]
        bytes: Vec<u8>,
    }
    assert_error!(bad::<Long>(&[0, 0, 0x80]), 0, "bytes", ErrorKind::InvalidLength { found: -8388608 });
    let e = refused(&Long { bytes: vec![0; 0x80_0000] });
    assert_error!(e, 0, "bytes", ErrorKind::PrefixOverflow { value: 0x80_0000, max: 0x7f_ffff });
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(tag(u24, be))]
enum Chunk {
    #[binfmt(tag = 0x010203)]
    Data(u8),
    #[binfmt(tag(4..=5))]
    Some { tag: u32 },
    #[binfmt(other)]
    Other(u32),
}

#[test]
fn tags() {
    same(&Chunk::Data(7), &[1, 2, 3, 7]);
    same(&Chunk::Some { tag: 5 }, &[0, 0, 5]);
    same(&Chunk::Other(0xff_ffff), &[0xff, 0xff, 0xff]);
    assert_error!(refused(&Chunk::Other(0x0100_0000)), 0, "", ErrorKind::IntegerOverflow { bits: 24, .. });
    assert_eq!((Chunk::FACTS.sizes().min, Chunk::FACTS.sizes().max), (3, 4));

    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(tag(u8, as = FixedInt<5, false>))]
    enum Wide {
        A = 1,
        B,
    }
    same(&Wide::B, &[2, 0, 0, 0, 0]);
    let e = bad::<Wide>(&[0, 1, 0, 0, 0]);
    assert_error!(e, 0, "tag", ErrorKind::IntegerOverflow { bits: 8, .. });
    assert_error!(bad::<Wide>(&[3, 0, 0, 0, 0]), 0, "", ErrorKind::UnknownTag { .. });
}

#[test]
fn generic_types() {
    #[derive(BinFormat, Debug, PartialEq)]
    struct Of<T> {
        #[binfmt(as = u24)]
        one: T,
        #[binfmt(as = u24, length_prefixed(u8))]
        many: Vec<T>,
    }
    same(&Of { one: 1u32, many: vec![2] }, &[1, 0, 0, 1, 2, 0, 0]);
    same(&Of { one: 1i64, many: vec![] }, &[1, 0, 0, 0]);
}

#[test]
fn description_and_dump() {
    let text = Everywhere::SCHEMA.to_string();
    for line in [
        "fixed_order: u24, be",
        "counted: [i24; 2]",
        "array: [u24; 2]",
        "maybe: u40, nullable",
        "when: u24, if(*fixed_order == 1)",
        "text_len: u24, len_of(text, auto)",
        "rest: [u24], until_eof",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    let text = Lengths::SCHEMA.to_string();
    for line in
        ["text, length_prefixed(u24)", "length_prefixed(u40, in = bytes, inclusive)", "shape(u24, rank = 2)"]
    {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert!(Chunk::SCHEMA.to_string().contains("tag(u24, be)"), "{}", Chunk::SCHEMA);
    let shown = trace::<Widths>(&binfmt::to_vec(&widths()).unwrap()).to_string();
    for text in ["66051", "-2", "u24 le", "i56 le", "-5"] {
        assert!(shown.contains(text), "{text} in {shown}");
    }
    let list = trace::<Everywhere>(&everywhere().1).to_string();
    assert!(list.contains("[-1, 2]") && list.contains("2 × i24 le"), "{list}");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(columns)]
struct Row {
    #[binfmt(as = u24)]
    a: u32,
    #[binfmt(as = i40, nullable)]
    b: Option<i64>,
    #[binfmt(as = u24)]
    c: [u16; 2],
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(columns)]
struct Ragged {
    #[binfmt(as = u24, length_prefixed(u24))]
    a: Vec<u32>,
    #[binfmt(length_prefixed(u24))]
    b: String,
}

#[test]
fn columns_of_rows() {
    let rows: Vec<Row> = (0..1000u32)
        .map(|i| Row { a: i * 7, b: (i % 3 != 0).then_some(-i64::from(i)), c: [i as u16, 1] })
        .collect();
    for (little, options) in [(true, Options::new()), (false, Options::new().endian(Endian::Big))] {
        let bytes = binfmt::encode_all_with(&rows, &options).unwrap();
        let columns = RowColumns::from_slice_with(&bytes, &options).unwrap();
        assert_eq!((&columns.a[..3], columns.a.len()), (&[0, 7, 14][..], 1000));
        assert!(columns.rows().eq(rows.iter().cloned()));
        assert_eq!(columns.to_vec_with(&options).unwrap(), bytes);
        assert_eq!(columns, RowColumns::from_reader(&bytes[..], &options).unwrap());
        let mut wrong = bytes.clone();
        // the high byte of `c[0]` in the row before the last
        let at = bytes.len() - 15 - 6 + if little { 2 } else { 0 };
        wrong[at] = 1;
        let e = RowColumns::from_slice_with(&wrong, &options).unwrap_err();
        let row = binfmt::decode_all_with::<Row, ()>(&wrong, &options).unwrap_err();
        assert_eq!(e.to_string(), row.to_string());
        assert!(matches!(e.kind(), ErrorKind::IntegerOverflow { .. }), "{e}");
    }
    let mut columns = RowColumns::from_rows(rows);
    columns.a[500] = 1 << 24;
    let e = columns.to_vec().unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::IntegerOverflow { .. }), "{e}");
    let rows: Vec<Ragged> =
        (0..50).map(|i| Ragged { a: vec![i; i as usize % 4], b: "x".repeat(i as usize) }).collect();
    let bytes = binfmt::encode_all(&rows).unwrap();
    let columns = RaggedColumns::from_slice(&bytes).unwrap();
    assert!(columns.rows().eq(rows));
    assert_eq!(columns.to_vec().unwrap(), bytes);
}

#[test]
fn limits_hold() {
    #[derive(BinFormat, Debug)]
    struct Many {
        #[binfmt(as = u24, length_prefixed(u32))]
        all: Vec<u32>,
    }
    let [slice, _] = short::<Many>(&[0xff, 0xff, 0xff, 0x7f, 0]);
    assert_error!(slice, 0, "all", ErrorKind::CountTooLarge { needed: 6442450941, .. });
    let bytes = binfmt::to_vec(&Many { all: vec![1; 1000] }).unwrap();
    let e = bad_with::<Many, ()>(&bytes, &Options::new().max_memory(1000));
    assert!(matches!(e.kind(), ErrorKind::MemoryLimit { .. }), "{e}");
}
