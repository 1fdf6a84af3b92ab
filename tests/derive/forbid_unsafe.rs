//! What the derive writes needs no `unsafe` of the user and raises no warning: this file compiles, with every word.

#![forbid(unsafe_code)]
#![deny(warnings, missing_debug_implementations, unused_qualifications, non_snake_case, clippy::all)]

use binfmt::{BinFormat, Endian, Ignored, Nullable, Options};
use std::borrow::Cow;
use std::marker::PhantomData;

mod halves {
    use binfmt::{Decode, Encode, Order, Result, Sink, Source};

    pub(crate) fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<f32> {
        Ok(f32::from(u8::decode::<O, S>(src, ())?) / 2.0)
    }

    pub(crate) fn encode<O: Order, W: Sink>(v: &f32, out: &mut W) -> Result<()> {
        ((v * 2.0) as u8).encode::<O, W>(out, ())
    }
}

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(tag(u16, be), rename = "kind of value")]
enum Kind {
    #[binfmt(rename = "byte")]
    Byte = 1,
    Word,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(kind: Kind), tag_from = kind)]
enum Value {
    #[binfmt(tag = Kind::Byte)]
    Byte(u8),
    #[binfmt(tag = Kind::Word)]
    Word(u16),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Filter {
    None,
    #[binfmt(tag(2..=4))]
    Level {
        tag: u8,
        n: u16,
    },
    #[binfmt(other)]
    Unknown(u8, #[binfmt(length_prefixed(u8))] Vec<u8>),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(transparent)]
struct Meters(f64);

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(key_order = lexicographic, crate = ::binfmt, size = 3)]
struct Sorted {
    b: u8,
    a: u16,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(max_depth = 9, bound(T: binfmt::Layout + for<'de> binfmt::Decode<'de> + binfmt::Encode))]
struct Node<T> {
    value: T,
    #[binfmt(nullable(present = 1, missing = 0, body = absent))]
    next: Option<Box<Node<T>>>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, len = u16, max_len = 100, magic = b"ALL", ctx(order: Endian, kinds: &'a [Kind]))]
#[binfmt(assert(*low <= *high, "low is above high"))]
struct Words<'a> {
    #[binfmt(le)]
    low: u16,
    #[binfmt(be)]
    high: u16,
    #[binfmt(endian = order)]
    chosen: u32,
    #[binfmt(len_of(counted))]
    num_counted: u8,
    #[binfmt(len_of(text, bytes, auto))]
    len_text: u32,
    #[binfmt(nullable)]
    nullable: Nullable<i16>,
    #[binfmt(nullable, var_len)]
    option: Option<String>,
    #[binfmt(var_len)]
    text: Cow<'a, str>,
    #[binfmt(var_len, borrow)]
    lent: Cow<'a, str>,
    #[binfmt(length_prefixed(u8, max = 9), nul)]
    name: &'a str,
    #[binfmt(length_prefixed(u32, in = bytes))]
    region: Sorted,
    #[binfmt(length_prefixed(u8, inclusive))]
    inclusive: &'a [u8],
    #[binfmt(length_prefixed(u8))]
    ignored: Ignored,
    #[binfmt(skip)]
    cache: Option<String>,
    #[binfmt(skip, default = 7)]
    level: usize,
    #[binfmt(skip(bytes = 2, fill = 0xEE, strict))]
    after_gap: u8,
    #[binfmt(pad_before = 1, pad_after = 1, fill = 1)]
    padded: u8,
    #[binfmt(align_before = 4, align_after = 4)]
    aligned: u8,
    #[binfmt(length_prefixed(u8), pad_to = 4)]
    fixed: String,
    #[binfmt(reserved(2), strict)]
    reserved: (),
    #[binfmt(magic = 7u16)]
    behind_magic: bool,
    #[binfmt(bool_lax)]
    lax: bool,
    #[binfmt(count = num_counted)]
    counted: Vec<u16>,
    #[binfmt(each(kinds.iter().copied()))]
    values: Vec<Value>,
    #[binfmt(tag_from = kinds[0])]
    value: Value,
    #[binfmt(args(kind = kinds[0]))]
    again: Value,
    #[binfmt(until = |n: &u8| *n == 0)]
    until: Vec<u8>,
    #[binfmt(if(*low > 0), pad_before = 1)]
    some: Option<u8>,
    #[binfmt(nul, text = latin1)]
    latin1: String,
    #[binfmt(count = 3, text = ascii)]
    ascii: &'a str,
    #[binfmt(with = halves, size(1, 1))]
    half: f32,
    #[binfmt(decode_with = halves::decode, encode_with = halves::encode)]
    other_half: f32,
    #[binfmt(map(decode = |n: u8| u32::from(n), encode = |n: &u32| *n as u8, as = u8))]
    mapped: u32,
    #[binfmt(try_map(decode = char::try_from, encode = |c: &char| u8::try_from(u32::from(*c)), as = u8))]
    letter: char,
    #[binfmt(range = 1..=12, assert(*month != 2, "not in February"))]
    month: u8,
    #[binfmt(rename = "Filter")]
    filters: [Filter; 3],
    height: Meters,
    tree: Node<u8>,
    mark: PhantomData<u64>,
    #[binfmt(until_eof)]
    rest: &'a [u8],
}

fn words() -> Words<'static> {
    Words {
        low: 1,
        high: 2,
        chosen: 3,
        num_counted: 2,
        len_text: 4,
        nullable: Nullable::Missing(5),
        option: Some("o".into()),
        text: "te".into(),
        lent: "l".into(),
        name: "n",
        region: Sorted { b: 1, a: 2 },
        inclusive: b"i",
        ignored: Ignored,
        cache: None,
        level: 7,
        after_gap: 6,
        padded: 7,
        aligned: 8,
        fixed: "f".into(),
        reserved: (),
        behind_magic: true,
        lax: true,
        counted: vec![9, 10],
        values: vec![Value::Word(11), Value::Byte(12)],
        value: Value::Word(13),
        again: Value::Word(14),
        until: vec![1, 0],
        some: Some(15),
        latin1: "é".into(),
        ascii: "abc",
        half: 1.5,
        other_half: 2.5,
        mapped: 16,
        letter: 'x',
        month: 12,
        filters: [Filter::None, Filter::Level { tag: 3, n: 1 }, Filter::Unknown(99, vec![1])],
        height: Meters(1.0),
        tree: Node { value: 1, next: Some(Box::new(Node { value: 2, next: None })) },
        mark: PhantomData,
        rest: b"rest",
    }
}

#[test]
fn every_word_round_trips() {
    for order in [Endian::Little, Endian::Big] {
        let options = Options::new().ctx((order, &[Kind::Word, Kind::Byte][..]));
        let bytes = binfmt::to_vec_with(&words(), &options).unwrap();
        assert_eq!(binfmt::encoded_len_with(&words(), &options).unwrap(), bytes.len());
        assert_eq!(binfmt::from_slice_with::<Words<'_>, _>(&bytes, &options).unwrap(), words());
    }
}
