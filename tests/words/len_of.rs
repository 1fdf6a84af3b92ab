//! `len_of` is the length of what stands on the wire, whatever stands between it and the field.

use crate::support::wire::{assert_error, refused, same};
use binfmt::{BinFormat, Encode, ErrorKind, Order, Result, Sink, Source};
use std::fmt::Debug;

/// Two bytes for each byte of the value.
mod twice {
    #![expect(clippy::extra_unused_type_parameters, reason = "bytes have no order")]

    use super::*;

    pub(super) fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<Vec<u8>> {
        (0..2).map(|_| src.array::<2>().map(|[a, _]| a)).collect()
    }

    pub(super) fn encode<O: Order, W: Sink>(v: &[u8], out: &mut W) -> Result<()> {
        v.iter().try_for_each(|b| out.array([*b, *b]))
    }
}

fn narrow(v: Vec<u16>) -> Vec<u8> {
    v.into_iter().map(|n| n as u8).collect()
}

fn widen(v: &[u8]) -> Vec<u16> {
    v.iter().map(|n| u16::from(*n)).collect()
}

#[derive(BinFormat, Debug, PartialEq)]
struct Mapped {
    #[binfmt(len_of(body, bytes, auto))]
    n: u16,
    #[binfmt(length_prefixed(u8), map(decode = narrow, encode = widen, as = Vec<u16>))]
    body: Vec<u8>,
    z: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Utf16 {
    k: u8,
    #[binfmt(len_of(text, bytes))]
    n: u16,
    #[binfmt(until_eof, try_map(decode = |v: Vec<u16>| String::from_utf16(&v), encode = |s: &String| -> Result<Vec<u16>> { Ok(s.encode_utf16().collect()) }, as = Vec<u16>))]
    text: String,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Utf16Counted {
    #[binfmt(len_of(text, auto))]
    units: u8,
    #[binfmt(len_of(text, bytes, auto))]
    bytes: u8,
    #[binfmt(count = bytes / 2, try_map(decode = |v: Vec<u16>| String::from_utf16(&v), encode = |s: &String| -> Result<Vec<u16>> { Ok(s.encode_utf16().collect()) }))]
    text: String,
}

#[derive(BinFormat, Debug, PartialEq)]
struct With {
    #[binfmt(len_of(body, bytes, auto))]
    n: u16,
    #[binfmt(with = twice)]
    body: Vec<u8>,
    #[binfmt(len_of(body))]
    items: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Counted {
    #[binfmt(len_of(numbers, bytes, auto))]
    size: u32,
    #[binfmt(count = *size as usize / 4)]
    numbers: Vec<u32>,
    #[binfmt(len_of(label, auto))]
    len: u8,
    #[binfmt(count = len, text = latin1)]
    label: String,
    #[binfmt(len_of(name, auto))]
    room: u8,
    #[binfmt(count = room, nul)]
    name: String,
    #[binfmt(len_of(more, bytes, auto))]
    rest: u8,
    #[binfmt(if(*rest > 0), count = 2)]
    more: Option<Vec<u16>>,
}

/// Written with lengths that are wrong in memory, it is the value with those that are right.
fn filled<T: Encode + Debug + PartialEq + binfmt::DecodeOwned>(given: &T, right: &T, bytes: &[u8]) {
    assert_eq!(binfmt::to_vec(given).unwrap(), bytes);
    assert_eq!(binfmt::encoded_len(given).unwrap(), bytes.len());
    same(right, bytes);
}

#[test]
fn bytes_beside_map_and_with_are_those_on_the_wire() {
    let mapped = |n| Mapped { n, body: vec![1, 2, 3], z: 9 };
    filled(&mapped(0), &mapped(7), &[7, 0, 3, 1, 0, 2, 0, 3, 0, 9]);
    same(&Utf16 { k: 1, n: 6, text: "abc".into() }, &[1, 6, 0, 97, 0, 98, 0, 99, 0]);
    let e = refused(&Utf16 { k: 1, n: 3, text: "abc".into() });
    assert_error!(e, 0, "n", ErrorKind::LengthMismatch { expected: 6, found: 3 });
    let with = |n| With { n, body: vec![1, 2], items: 2 };
    filled(&with(0), &with(4), &[4, 0, 1, 1, 2, 2, 2]);
}

#[test]
fn elements_beside_map_are_those_on_the_wire() {
    let text = |units, bytes| Utf16Counted { units, bytes, text: "a𝄞".into() };
    filled(&text(0, 0), &text(3, 6), &[3, 6, 97, 0, 0x34, 0xD8, 0x1E, 0xDD]);
}

#[test]
fn a_length_that_a_count_is_made_of_is_found_without_it() {
    let counted = |size, len, room, rest| Counted {
        size,
        numbers: vec![5, 6],
        len,
        label: "né".into(),
        room,
        name: "uv".into(),
        rest,
        more: Some(vec![7, 8]),
    };
    let bytes = b"\x08\0\0\0\x05\0\0\0\x06\0\0\0\x02n\xe9\x03uv\0\x04\x07\0\x08\0";
    filled(&counted(0, 0, 0, 0), &counted(8, 2, 3, 4), bytes);
}

#[derive(BinFormat, Debug, PartialEq)]
struct Inner {
    #[binfmt(range = 0..=3)]
    a: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Outer {
    k: u8,
    #[binfmt(len_of(inner, bytes))]
    n: u8,
    #[binfmt(length_prefixed(u8))]
    inner: Vec<Inner>,
}

#[test]
fn a_value_that_cannot_be_measured_is_named() {
    let e = refused(&Outer { k: 1, n: 2, inner: vec![Inner { a: 4 }] });
    assert_eq!(e.path().to_string(), "inner[0].a");
    assert!(matches!(e.kind(), ErrorKind::OutOfRange { .. }), "{e}");
}

#[derive(BinFormat, Debug, PartialEq)]
struct MappedItems {
    #[binfmt(len_of(body, auto))]
    n: u8,
    #[binfmt(count = n, map(decode = narrow, encode = widen, as = Vec<u16>))]
    body: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Perhaps {
    #[binfmt(len_of(body, auto))]
    n: u8,
    flag: bool,
    #[binfmt(if(*flag), count = n)]
    body: Option<Vec<u16>>,
}

#[test]
fn elements_are_counted_as_they_are_on_the_wire() {
    same(&MappedItems { n: 2, body: vec![5, 6] }, &[2, 5, 0, 6, 0]);
    same(&Perhaps { n: 1, flag: true, body: Some(vec![5]) }, &[1, 1, 5, 0]);
    // what is absent has none
    same(&Perhaps { n: 0, flag: false, body: None }, &[0, 0]);
}
