//! `ctx`, `args`, `tag_from` on a field: what a parent tells its children.

use crate::support::wire::{assert_error, bad_with, lent, refused, same, same_with, short, short_with};
use binfmt::{BinFormat, ErrorKind, Options};

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(width: u8))]
struct Column {
    #[binfmt(count = width)]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Table {
    width: u8,
    #[binfmt(args(*width))]
    one: Column,
    #[binfmt(args(width = *width + 1))]
    two: Column,
    #[binfmt(length_prefixed(u8), args(*width))]
    list: Vec<Column>,
    #[binfmt(args(*width))]
    array: [Column; 2],
    #[binfmt(args(*width))]
    boxed: Box<Column>,
    #[binfmt(nullable(present = 1, missing = 0, body = absent), args(*width))]
    option: Option<Column>,
    #[binfmt(if(*width > 0), args(*width))]
    some: Option<Column>,
}

fn column(bytes: &[u8]) -> Column {
    Column { bytes: bytes.to_vec() }
}

#[test]
fn args_reach_every_kind_of_child() {
    let value = Table {
        width: 1,
        one: column(&[1]),
        two: column(&[2, 3]),
        list: vec![column(&[4]), column(&[5])],
        array: [column(&[6]), column(&[7])],
        boxed: Box::new(column(&[8])),
        option: Some(column(&[9])),
        some: Some(column(&[10])),
    };
    same(&value, &[1, 1, 2, 3, 2, 4, 5, 6, 7, 8, 1, 9, 10]);
    let [slice, _] = short::<Table>(&[1, 1, 2, 3, 2, 4]);
    assert_error!(slice, 6, "list[1].bytes", ErrorKind::CountTooLarge { count: 1, .. });
    let e = refused(&Table { two: column(&[2]), ..value });
    assert_error!(e, 2, "two.bytes", ErrorKind::LengthMismatch { expected: 2, found: 1 });
}

#[derive(Debug)]
struct Header {
    columns: Vec<u8>,
    big: bool,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(header: &Header, index: usize))]
struct Cell {
    #[binfmt(count = header.columns[index])]
    bytes: Vec<u8>,
    #[binfmt(if(header.big))]
    extra: Option<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(header: &Header))]
struct Row {
    #[binfmt(args(header, 0))]
    first: Cell,
    #[binfmt(args(header = header, index = 1))]
    second: Cell,
}

#[test]
fn a_context_by_reference_goes_down() {
    let header = Header { columns: vec![1, 2], big: true };
    let options = Options::new().ctx(&header);
    let value = Row {
        first: Cell { bytes: vec![1], extra: Some(2) },
        second: Cell { bytes: vec![3, 4], extra: Some(5) },
    };
    same_with(&value, &[1, 2, 3, 4, 5], &options);
    let [slice, stream] = short_with::<Row, _>(&[1, 2, 3], &options);
    assert_error!(slice, 2, "second.bytes", ErrorKind::CountTooLarge { count: 2, .. });
    assert!(stream.is_incomplete());
    let e = bad_with::<Row, _>(&[1], &options);
    assert_error!(e, 1, "first.extra", ErrorKind::UnexpectedEnd { needed: 1, remaining: 0 });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(len: usize))]
struct Text<'a> {
    #[binfmt(count = len)]
    text: &'a str,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Texts<'a> {
    len: u8,
    #[binfmt(length_prefixed(u8), args(usize::from(*len)))]
    list: Vec<Text<'a>>,
}

#[test]
fn context_and_lifetime() {
    lent(&Texts { len: 2, list: vec![Text { text: "ab" }, Text { text: "cd" }] }, b"\x02\x02abcd");
}

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Kind {
    Byte = 1,
    Word,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(kind: Kind), tag_from = kind)]
enum Value {
    #[binfmt(tag = Kind::Byte)]
    Byte(u8),
    #[binfmt(tag = Kind::Word)]
    Word(u16),
}

#[derive(BinFormat, Debug, PartialEq)]
struct Tagged {
    kind: Kind,
    n: u8,
    #[binfmt(tag_from = *kind)]
    value: Value,
    #[binfmt(count = n, args(*kind))]
    values: Vec<Value>,
}

#[test]
fn a_tag_that_stands_elsewhere() {
    let value = Tagged { kind: Kind::Word, n: 1, value: Value::Word(2), values: vec![Value::Word(3)] };
    same(&value, &[2, 1, 2, 0, 3, 0]);
    let e = refused(&Tagged { kind: Kind::Byte, n: 0, value: Value::Word(2), values: vec![] });
    assert_error!(e, 2, "value", ErrorKind::VariantMismatch { of: "Value", found: "Word" });
}

/// A context of any type, which a struct passes on to what it holds.
#[test]
fn a_context_of_any_type() {
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(ctx(outer: _))]
    struct Sized<T> {
        #[binfmt(len_of(value, bytes, u8))]
        size: (),
        #[binfmt(region = *size, args(outer))]
        value: T,
    }
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(tag(u8), ctx(outer: _))]
    enum Either<T, U> {
        A,
        B(#[binfmt(args(outer))] T, U),
    }
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(be, ctx(scale: u8, all: _))]
    struct List<T> {
        #[binfmt(assert(*n > u16::from(scale)))]
        n: u16,
        #[binfmt(length_prefixed(u8), args(all))]
        items: Vec<Sized<T>>,
        #[binfmt(with = doubled::<_, _>, args(all))]
        twice: T,
    }
    mod doubled {
        use binfmt::{Decode, Encode, Order, Result, Sink, Source};
        pub(super) fn decode<'de, O: Order, S: Source<'de>, T: Decode<'de, C>, C: Copy>(
            src: &mut S,
            ctx: C,
        ) -> Result<T> {
            T::decode::<O, S>(src, ctx)?;
            T::decode::<O, S>(src, ctx)
        }
        pub(super) fn encode<O: Order, W: Sink, T: Encode<C>, C: Copy>(
            value: &T,
            out: &mut W,
            ctx: C,
        ) -> Result<()> {
            value.encode::<O, W>(out, ctx)?;
            value.encode::<O, W>(out, ctx)
        }
    }
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(ctx(n: &u8))]
    struct Bytes(#[binfmt(count = n)] Vec<u8>);

    // none, and one
    same(&Sized { size: (), value: 7u16 }, b"\x02\x07\0");
    let with = Options::new().ctx(&2u8);
    let value = Sized { size: (), value: Bytes(vec![1, 2]) };
    assert_eq!(binfmt::to_vec_with(&value, &with).unwrap(), [2, 1, 2]);
    assert_eq!(binfmt::from_slice_with::<Sized<Bytes>, _>(&[2, 1, 2], &with).unwrap(), value);
    let value = Either::B(Bytes(vec![1, 2]), 3u8);
    assert_eq!(binfmt::to_vec_with(&value, &with).unwrap(), [1, 1, 2, 3]);
    assert_eq!(binfmt::from_slice_with::<Either<Bytes, u8>, _>(&[1, 1, 2, 3], &with).unwrap(), value);

    let with = Options::new().ctx((1u8, &1u8));
    let list = List { n: 2, items: vec![Sized { size: (), value: Bytes(vec![5]) }], twice: Bytes(vec![6]) };
    let bytes = [0, 2, 1, 1, 5, 6, 6];
    assert_eq!(binfmt::to_vec_with(&list, &with).unwrap(), bytes);
    assert_eq!(binfmt::from_slice_with::<List<Bytes>, _>(&bytes, &with).unwrap(), list);
    let e = binfmt::from_slice_with::<List<Bytes>, _>(&[0, 2, 1, 1], &with).unwrap_err();
    assert_eq!(e.to_string(), "items[0].value at byte 0x4: count 1 needs 1 byte, 0 remain");
}
