//! Words and types in combinations that are legal and unusual.

use crate::support::wire::{assert_error, bad, lent, refused, same, same_be, same_with};
use binfmt::{BinFormat, Describe, Endian, ErrorKind, Ignored, Layout, Nullable, Options};
use std::borrow::Cow;
use std::marker::PhantomData;

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag([u8; 2]))]
enum Chunk {
    #[binfmt(other)]
    Unknown {
        #[binfmt(length_prefixed(u8))]
        data: Vec<u8>,
        tag: [u8; 2],
    },
    #[binfmt(tag = b"IH")]
    Header(u16),
    #[binfmt(tag = [0, 1])]
    Numbers,
}

#[test]
fn a_kept_tag_behind_other_fields_and_other_in_front() {
    same(&Chunk::Header(1), b"IH\x01\0");
    same(&Chunk::Numbers, &[0, 1]);
    same(&Chunk::Unknown { data: vec![7], tag: *b"zz" }, b"zz\x01\x07");
    let e = refused(&Chunk::Unknown { data: vec![7], tag: *b"IH" });
    assert_error!(e, 0, "", ErrorKind::VariantMismatch { of: "Chunk", found: "Unknown" });
    let e = refused(&Chunk::Unknown { data: vec![7], tag: [0, 1] });
    assert_error!(e, 0, "", ErrorKind::VariantMismatch { .. });
}

const BASE: u8 = 5;

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(tag(u8))]
#[repr(u8)]
enum FromConst {
    Zero,
    Base = BASE,
    Next,
    Hex = 0x10 + 1,
    Last,
}

#[test]
fn discriminants_of_constants() {
    for (value, byte) in [
        (FromConst::Zero, 0),
        (FromConst::Base, 5),
        (FromConst::Next, 6),
        (FromConst::Hex, 17),
        (FromConst::Last, 18),
    ] {
        same(&value, &[byte]);
        assert_eq!(value as u8, byte);
    }
    assert_error!(bad::<FromConst>(&[1]), 0, "", ErrorKind::UnknownTag { .. });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(i8))]
enum Minus {
    #[binfmt(tag = -1)]
    One,
    #[binfmt(tag(-5..=-2))]
    Below { tag: i8 },
    #[binfmt(tag(0..))]
    Above(i8),
}

#[test]
fn negative_tags() {
    same(&Minus::One, &[0xFF]);
    same(&Minus::Below { tag: -4 }, &[0xFC]);
    same(&Minus::Above(7), &[7]);
    assert_error!(bad::<Minus>(&[0x80]), 0, "", ErrorKind::UnknownTag { found, .. } if found == "-128");
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u32), ctx(order: Endian, width: usize), endian = order)]
enum Dynamic {
    A(u16),
    B {
        #[binfmt(count = width, assert(!bytes.is_empty(), "empty"))]
        bytes: Vec<u8>,
        #[binfmt(len_of(list, auto))]
        n: u16,
        #[binfmt(count = n)]
        list: Vec<u16>,
    },
}

#[test]
fn an_enum_with_order_and_context() {
    let value = Dynamic::B { bytes: vec![1, 2], n: 1, list: vec![3] };
    let options = Options::new().ctx((Endian::Big, 2usize));
    same_with(&Dynamic::A(1), &[0, 0, 0, 0, 0, 1], &options);
    same_with(&value, &[0, 0, 0, 1, 1, 2, 0, 1, 0, 3], &options);
    let options = Options::new().endian(Endian::Big).ctx((Endian::Little, 2usize));
    same_with(&value, &[1, 0, 0, 0, 1, 2, 1, 0, 3, 0], &options);
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Generic<'a, T> {
    One(T),
    Text {
        #[binfmt(length_prefixed(u8))]
        text: &'a str,
        #[binfmt(skip)]
        seen: bool,
    },
    Boxed(Box<T>),
}

#[test]
fn a_generic_enum() {
    lent(&Generic::One(1u16), &[0, 1, 0]);
    let text: Generic<'_, u16> = Generic::Text { text: "x", seen: false };
    lent(&text, b"\x01\x01x");
    lent(&Generic::Boxed(Box::new(2u16)), &[2, 2, 0]);
}

#[derive(BinFormat, Debug, PartialEq)]
struct Defaults<'a: 'b, 'b, T: Copy = u8, const N: usize = 2>
where
    T: PartialEq,
{
    #[binfmt(count = N)]
    v: Vec<T>,
    #[binfmt(nul)]
    text: Cow<'static, str>,
    mark: PhantomData<(&'a T, &'b ())>,
}

#[test]
fn generics_with_defaults_and_clauses() {
    let value: Defaults<'_, '_> = Defaults { v: vec![1, 2], text: "x".into(), mark: PhantomData };
    same(&value, b"\x01\x02x\0");
    let e = refused(&Defaults::<'_, '_, u8, 2> { v: vec![1], text: "x".into(), mark: PhantomData });
    assert_error!(e, 0, "v", ErrorKind::LengthMismatch { expected: 2, found: 1 });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(key_order = lexicographic)]
struct Dictionary {
    values: u8,
    #[binfmt(count = *n)]
    r#type: Vec<u8>,
    n: u8,
    #[binfmt(skip, default = usize::from(*n) + 1)]
    zone: usize,
}

#[test]
fn an_expression_sees_what_is_earlier_on_the_wire() {
    let value = Dictionary { values: 9, r#type: vec![1, 2], n: 2, zone: 3 };
    same(&value, &[2, 1, 2, 9]);
}

#[derive(BinFormat, Debug, PartialEq)]
struct FixedRecord {
    a: u8,
    ok: bool,
    #[binfmt(count = 2, nul)]
    text: String,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Batch {
    #[binfmt(length_prefixed(u8))]
    list: Vec<FixedRecord>,
    #[binfmt(length_prefixed(u8, in = bytes))]
    region: Vec<FixedRecord>,
    last: u8,
}

#[test]
fn batches_of_records_of_one_size() {
    let record = |a, text: &str| FixedRecord { a, ok: true, text: text.into() };
    let value = Batch { list: vec![record(1, "a"), record(2, "")], region: vec![record(3, "c")], last: 9 };
    let bytes = b"\x02\x01\x01a\0\x02\x01\0\0\x04\x03\x01c\0\x09";
    same(&value, bytes);
    assert_eq!(FixedRecord::FACTS.sizes().exact(), Some(4));
    let changed = |place: usize, b| {
        let mut bytes = bytes.to_vec();
        bytes[place] = b;
        bad::<Batch>(&bytes)
    };
    assert_error!(changed(6, 2), 6, "list[1].ok", ErrorKind::InvalidBool { found: 2 });
    assert_error!(changed(4, b'x'), 5, "list[0].text", ErrorKind::MissingNul);
    assert_error!(changed(9, 3), 12, "region[0].text", ErrorKind::RegionEnd { needed: 2, remaining: 1 });
    assert_error!(changed(9, 5), 15, "region[1].ok", ErrorKind::RegionEnd { needed: 1, remaining: 0 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Rows {
    rows: u8,
    #[binfmt(count = rows)]
    skipped: Ignored,
    #[binfmt(until_eof)]
    rest: Ignored,
}

#[test]
fn ignored_bytes_of_a_count_and_to_the_end() {
    crate::support::wire::reads(&Rows { rows: 2, skipped: Ignored, rest: Ignored }, &[2, 7, 8, 9, 9, 9]);
    crate::support::wire::writes(&Rows { rows: 2, skipped: Ignored, rest: Ignored }, &[2, 0, 0]);
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(big: bool, scale: &u8))]
struct Stack {
    n: u8,
    #[binfmt(
        if(*n > 0),
        endian = if big { Endian::Big } else { Endian::Little },
        length_prefixed(u16, in = bytes, inclusive),
        pad_before = 1,
        pad_to = 12,
        fill = 3,
        pad_after = 1
    )]
    list: Option<Vec<u16>>,
    #[binfmt(nullable, be, pad_to = 6, length_prefixed(u16), nul)]
    text: Nullable<String>,
    #[binfmt(count = *n * *scale)]
    level: Vec<u8>,
}

#[test]
fn many_words_on_one_field() {
    let scale = 2;
    let options = Options::new().ctx((true, &scale));
    let value = Stack { n: 1, list: Some(vec![1, 2]), text: Nullable::Value("ab".into()), level: vec![5, 6] };
    let bytes = b"\x01\x03\0\x06\0\x01\0\x02\x03\x03\x03\x03\x03\x03\x03\xff\0\x03ab\0\x05\x06";
    same_with(&value, bytes, &options);
}

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Wide {
    a: u64,
    b: [u16; 4],
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(be)]
struct BigBatch {
    #[binfmt(length_prefixed(u8))]
    swapped: Vec<Wide>,
    #[binfmt(length_prefixed(u8), le)]
    plain: Vec<Wide>,
    array: [Wide; 2],
}

#[test]
fn a_plain_struct_in_the_other_order() {
    let wide = |n: u16| Wide { a: n.into(), b: [n; 4] };
    let big = |n: u8| [0, 0, 0, 0, 0, 0, 0, n, 0, n, 0, n, 0, n, 0, n];
    let little = |n: u8| [n, 0, 0, 0, 0, 0, 0, 0, n, 0, n, 0, n, 0, n, 0];
    let value = BigBatch { swapped: vec![wide(1), wide(2)], plain: vec![wide(3)], array: [wide(4), wide(5)] };
    let bytes = [&[2][..], &big(1), &big(2), &[1], &little(3), &big(4), &big(5)].concat();
    same(&value, &bytes);
    same_be(&value, &bytes);
}

#[test]
fn a_layout_may_be_pinned() {
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(le, fingerprint)]
    struct Pinned {
        a: u16,
    }
    assert_eq!(binfmt::to_vec(&Pinned { a: 1 }).unwrap(), [1, 0]);
    assert_eq!(binfmt::from_slice::<Pinned>(&[1, 0]).unwrap(), Pinned { a: 1 });
}

/// A word with one value takes it after `=` or in parentheses.
#[test]
fn one_value_has_two_spellings() {
    #[derive(BinFormat, Debug, PartialEq)]
    struct Equals {
        #[binfmt(range = 1..=3)]
        n: u8,
        #[binfmt(count = n)]
        items: Vec<u8>,
        #[binfmt(reserved = 2)]
        gap: (),
    }
    #[derive(BinFormat, Debug, PartialEq)]
    struct Parentheses {
        #[binfmt(range(1..=3))]
        n: u8,
        #[binfmt(count(n))]
        items: Vec<u8>,
        #[binfmt(reserved(2))]
        gap: (),
    }
    assert_eq!(Equals::SCHEMA.to_string().replace("Equals", "Parentheses"), Parentheses::SCHEMA.to_string());
    let bytes = [2, 7, 8, 0, 0];
    same(&Equals { n: 2, items: vec![7, 8], gap: () }, &bytes);
    same(&Parentheses { n: 2, items: vec![7, 8], gap: () }, &bytes);
}
