//! `region`: any type in as many bytes as an expression says, and what becomes of the bytes that it leaves.

use crate::support::wire::{assert_error, bad, is_inside, lent, refused, same, same_be, same_with, short};
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, ErrorKind, Kept, Nullable, Options, TypedColumns};
use std::borrow::Cow;

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Pair {
    a: u16,
    b: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Open {
    a: u8,
    #[binfmt(until_eof)]
    rest: Vec<u16>,
}

/// A length, then bytes that are not its own, then what it counts.
#[derive(BinFormat, Debug, PartialEq)]
struct Apart {
    #[binfmt(len_of(body, bytes, auto))]
    len: u8,
    kind: u8,
    #[binfmt(region = *len)]
    body: Open,
    end: u8,
}

#[test]
fn a_region_ends_what_is_in_it() {
    let value = Apart { len: 5, kind: 7, body: Open { a: 1, rest: vec![2, 3] }, end: 9 };
    same(&value, &[5, 7, 1, 2, 0, 3, 0, 9]);
    same_be(&value, &[5, 7, 1, 0, 2, 0, 3, 9]);
    let empty = Apart { len: 1, kind: 7, body: Open { a: 1, rest: vec![] }, end: 9 };
    same(&empty, &[1, 7, 1, 9]);
}

#[test]
fn the_length_is_filled_in() {
    let value = Apart { len: 0, kind: 7, body: Open { a: 1, rest: vec![2] }, end: 9 };
    assert_eq!(binfmt::to_vec(&value).unwrap(), [3, 7, 1, 2, 0, 9]);
    let long = Apart { len: 0, kind: 7, body: Open { a: 1, rest: vec![2; 128] }, end: 9 };
    assert_error!(refused(&long), 0, "len", ErrorKind::PrefixOverflow { value: 257, max: 255 });
}

#[test]
fn a_region_is_used_up() {
    // a whole number is cut
    let e = bad::<Apart>(&[4, 7, 1, 2, 0, 3, 9]);
    assert_error!(e, 5, "body.rest[1]", ErrorKind::RegionEnd { needed: 2, remaining: 1 });
    let e = bad::<Apart>(&[0, 7, 9]);
    assert_error!(e, 2, "body.a", ErrorKind::RegionEnd { needed: 1, remaining: 0 });
    assert!(!e.is_incomplete());
    let [slice, stream] = short::<Apart>(&[5, 7, 1, 2, 0]);
    assert_error!(slice, 2, "body", ErrorKind::CountTooLarge { count: 5, remaining: Some(3), .. });
    assert_error!(stream, 5, "body.rest", ErrorKind::UnexpectedEnd { .. });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Given {
    len: i16,
    #[binfmt(region = *len - 1)]
    body: Pair,
}

#[test]
fn the_size_is_that_of_the_expression() {
    same(&Given { len: 4, body: Pair { a: 1, b: 2 } }, &[4, 0, 1, 0, 2]);
    let e = bad::<Given>(&[6, 0, 1, 0, 2, 3, 4]);
    assert_error!(e, 5, "body", ErrorKind::UnconsumedRegion { count: 2 });
    let e = bad::<Given>(&[0, 0, 1, 0, 2]);
    assert_error!(e, 2, "body", ErrorKind::InvalidLength { found: -1 });
    let e = refused(&Given { len: 9, body: Pair { a: 1, b: 2 } });
    assert_error!(e, 2, "body", ErrorKind::LengthMismatch { expected: 8, found: 3 });
    assert_eq!(e.to_string(), "body at byte 0x2: the layout requires a length of 8, the value has 3");
}

#[derive(BinFormat, Debug, PartialEq)]
struct Skipping {
    len: u8,
    #[binfmt(region(*len, rest = skip), fill = 0xee)]
    body: Pair,
    #[binfmt(region(*len, rest = skip))]
    nothing: (),
    end: u8,
}

#[test]
fn the_rest_is_skipped() {
    let value = Skipping { len: 5, body: Pair { a: 1, b: 2 }, nothing: (), end: 9 };
    same(&value, &[5, 1, 0, 2, 0xee, 0xee, 0, 0, 0, 0, 0, 9]);
    let read: Skipping = binfmt::from_slice(&[5, 1, 0, 2, 3, 4, 1, 2, 3, 4, 5, 9]).unwrap();
    assert_eq!(read, value);
    same(&Skipping { len: 3, ..value }, &[3, 1, 0, 2, 0, 0, 0, 9]);
    let short = Skipping { len: 2, body: Pair { a: 1, b: 2 }, nothing: (), end: 9 };
    assert_error!(refused(&short), 1, "body", ErrorKind::TooLong { found: 3, max: 2 });
    assert_error!(bad::<Skipping>(&[2, 1, 0, 2, 9]), 3, "body.b", ErrorKind::RegionEnd { .. });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Filled {
    #[binfmt(len_of(body, bytes))]
    len: u8,
    #[binfmt(region(*len, rest = skip))]
    body: Pair,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Fitted {
    #[binfmt(len_of(body, bytes, auto))]
    len: u8,
    #[binfmt(region(*len, rest = skip))]
    body: Pair,
}

#[test]
fn a_length_that_is_given_is_filled_up_to() {
    same(&Filled { len: 5, body: Pair { a: 1, b: 2 } }, &[5, 1, 0, 2, 0, 0]);
    // one that is filled in is that of the value
    let bytes = binfmt::to_vec(&Fitted { len: 5, body: Pair { a: 1, b: 2 } }).unwrap();
    assert_eq!(bytes, [3, 1, 0, 2]);
}

#[derive(BinFormat, Debug, PartialEq)]
struct Keeping {
    #[binfmt(len_of(body, bytes, auto))]
    len: u8,
    #[binfmt(region(*len, rest = keep))]
    body: Kept<Pair>,
    #[binfmt(region(2, rest = keep))]
    one: Kept<u8>,
}

#[test]
fn the_rest_is_kept() {
    let pair = Pair { a: 1, b: 2 };
    let body = Kept { value: pair.clone(), rest: vec![3, 4] };
    let value = Keeping { len: 5, body, one: Kept { value: 5, rest: vec![6] } };
    same(&value, &[5, 1, 0, 2, 3, 4, 5, 6]);
    let value = Keeping { len: 3, body: pair.into(), one: Kept { value: 5, rest: vec![6] } };
    same(&value, &[3, 1, 0, 2, 5, 6]);
    let e = bad::<Keeping>(&[2, 1, 0, 2, 0]);
    assert_error!(e, 3, "body.value.b", ErrorKind::RegionEnd { needed: 1, remaining: 0 });
    let long = Keeping { len: 3, body: Pair { a: 1, b: 2 }.into(), one: Kept { value: 5, rest: vec![6, 7] } };
    assert_error!(refused(&long), 4, "one", ErrorKind::LengthMismatch { expected: 2, found: 3 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Lists {
    n: u8,
    len: u8,
    // the region around the list
    #[binfmt(region = *len, count = *n)]
    counted: Vec<u16>,
    #[binfmt(region = *len)]
    numbers: Vec<u16>,
    #[binfmt(region = *len, until_eof)]
    text: String,
    #[binfmt(region = *len, var_len)]
    prefixed: String,
    #[binfmt(region(*len, rest = skip), nul)]
    name: String,
    #[binfmt(region = *len)]
    array: [u16; 3],
    #[binfmt(region = *len, until = |x| *x == 7)]
    until: Vec<u8>,
}

#[test]
fn a_region_around_a_list() {
    let value = Lists {
        n: 3,
        len: 6,
        counted: vec![1, 2, 3],
        numbers: vec![4, 5, 6],
        text: "sixsix".into(),
        prefixed: "ab".into(),
        name: "nul".into(),
        array: [1, 2, 3],
        until: vec![1, 2, 3, 4, 5, 7],
    };
    let bytes = b"\x03\x06\x01\0\x02\0\x03\0\x04\0\x05\0\x06\0sixsix\x02\0\0\0abnul\0\0\0\x01\0\x02\0\x03\0\x01\x02\x03\x04\x05\x07";
    same(&value, bytes);
    let mut damaged = bytes.to_vec();
    damaged[0] = 2;
    assert_error!(bad::<Lists>(&damaged), 6, "counted", ErrorKind::UnconsumedRegion { count: 2 });
    let e = refused(&Lists { n: 2, counted: vec![1, 2], ..value });
    assert_error!(e, 2, "counted", ErrorKind::LengthMismatch { expected: 6, found: 4 });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(kind: u8), tag_from = kind)]
enum Body {
    #[binfmt(tag = 1)]
    Pair(Pair),
    #[binfmt(tag = 2)]
    Text {
        len: u8,
        #[binfmt(region = *len, until_eof)]
        text: String,
    },
    #[binfmt(other)]
    Unknown(#[binfmt(until_eof)] Vec<u8>),
}

/// Beside the other words, in a tuple struct, with parameters.
#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(be)]
struct Chunk<T>(
    #[binfmt(len_of(2, bytes, auto))] u32,
    u8,
    #[binfmt(region = *_0, tag_from = *_1, le)] Body,
    #[binfmt(if(*_1 == 1), region = 2)] Option<T>,
    #[binfmt(nullable(body = absent), region = *_1)] Nullable<T>,
    #[binfmt(pad_to = 4, region = 2, pad_before = 1)] T,
);

#[test]
fn beside_other_words() {
    let value: Chunk<u16> = Chunk(3, 1, Body::Pair(Pair { a: 1, b: 2 }), Some(3), Nullable::Missing(5), 4);
    same(&value, &[0, 0, 0, 3, 1, 1, 0, 2, 0, 3, 5, 0, 0, 4, 0, 0]);
    let text = Body::Text { len: 2, text: "hi".into() };
    let value: Chunk<u16> = Chunk(3, 2, text, None, Nullable::Value(6), 4);
    same(&value, &[0, 0, 0, 3, 2, 2, b'h', b'i', 255, 0, 6, 0, 0, 4, 0, 0]);
    let value: Chunk<u16> = Chunk(3, 9, Body::Unknown(vec![1, 2, 3]), None, Nullable::Missing(0), 4);
    same(&value, &[0, 0, 0, 3, 9, 1, 2, 3, 0, 0, 0, 4, 0, 0]);
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(len: u64))]
struct Outside {
    #[binfmt(region = len)]
    body: Open,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Lent<'a> {
    len: u8,
    #[binfmt(region = *len)]
    text: &'a str,
    #[binfmt(region = *len, borrow)]
    bytes: Cow<'a, [u8]>,
}

#[test]
fn lengths_of_the_caller_and_of_what_is_lent() {
    same_with(&Outside { body: Open { a: 1, rest: vec![2] } }, &[1, 2, 0], &Options::new().ctx(3));
    let bytes = b"\x02hi\x01\x02";
    let value = lent(&Lent { len: 2, text: "hi", bytes: Cow::Borrowed(&[1, 2]) }, bytes);
    assert!(is_inside(bytes, value.text.as_bytes()));
    assert!(matches!(value.bytes, Cow::Borrowed(_)));
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, columns)]
struct Row {
    len: u8,
    #[binfmt(region = *len)]
    numbers: Vec<u16>,
    #[binfmt(region(*len, rest = skip), nul)]
    name: String,
    #[binfmt(region(*len, rest = keep))]
    kept: Kept<u8>,
}

#[test]
fn columns_of_regions() {
    let rows: Vec<Row> = (1..9u8)
        .map(|n| Row {
            len: 2 * n,
            numbers: (0..n.into()).collect(),
            name: "a".repeat(n.into()),
            kept: Kept { value: n, rest: vec![n; usize::from(2 * n) - 1] },
        })
        .collect();
    let mut bytes = Vec::new();
    rows.iter().for_each(|row| binfmt::append(row, &mut bytes).unwrap());
    let columns = RowColumns::from_slice(&bytes).unwrap();
    assert_eq!(columns.len.len(), 8);
    assert_eq!(columns.numbers.get(2).unwrap(), [0, 1, 2]);
    assert_eq!(columns.name.get(3), Some("aaaa"));
    let back: Vec<Row> = columns.rows().collect();
    assert_eq!(back, rows);
    assert_eq!(columns.to_vec().unwrap(), bytes);
}

/// What a struct says, a value of its description says: both directions, and every damage.
#[track_caller]
fn as_values<T: binfmt::DecodeOwned + binfmt::Encode + Describe + std::fmt::Debug>(bytes: &[u8]) {
    let program = Program::new(&T::SCHEMA.description()).unwrap();
    let options = Options::new().ctx(&program);
    let value: Value = binfmt::from_slice_with(bytes, &options).unwrap();
    assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), bytes);
    for end in 0..bytes.len() {
        let typed = binfmt::from_slice::<T>(&bytes[..end]).unwrap_err();
        let found = binfmt::from_slice_with::<Value, _>(&bytes[..end], &options).unwrap_err();
        assert_eq!(typed.to_string(), found.to_string());
    }
}

#[test]
fn at_run_time() {
    as_values::<Apart>(&[5, 7, 1, 2, 0, 3, 0, 9]);
    as_values::<Given>(&[4, 0, 1, 0, 2]);
    as_values::<Skipping>(&[5, 1, 0, 2, 0xee, 0xee, 0, 0, 0, 0, 0, 9]);
    as_values::<Keeping>(&[5, 1, 0, 2, 3, 4, 5, 6]);
    let program = Program::new(&Skipping::SCHEMA.description()).unwrap();
    let options = Options::new().ctx(&program);
    let mut value: Value = binfmt::from_slice_with(&[3, 1, 0, 2, 0, 0, 0, 9], &options).unwrap();
    let Value::Record(fields) = &mut value else { panic!("{value:?}") };
    fields.values_mut()[0] = 2u8.into();
    let e = binfmt::to_vec_with(&value, &options).unwrap_err();
    assert_error!(e, 1, "body", ErrorKind::TooLong { found: 3, max: 2 });
}
