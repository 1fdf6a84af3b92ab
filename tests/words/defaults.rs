//! `ctx(a: u8 = 3)`: contexts that are left out.

use crate::support::wire::{assert_error, refused, same, same_with};
use binfmt::schema::{Description, Schema};
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, Describe, ErrorKind, Options};

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(fingerprint, ctx(width: u8, extra: u8 = 1, scale: u8 = 2 - 1))]
struct Wide {
    #[binfmt(count = (width + extra) * scale)]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Defaults {
    #[binfmt(args(1))]
    one: Wide,
    #[binfmt(args(width = 1, extra = 2))]
    two: Wide,
    #[binfmt(args(1, 1, 2))]
    all: Wide,
    #[binfmt(length_prefixed(u8), args(0))]
    list: Vec<Wide>,
}

fn wide(bytes: &[u8]) -> Wide {
    Wide { bytes: bytes.to_vec() }
}

#[test]
fn what_has_a_default_may_be_left_out() {
    let value = Defaults {
        one: wide(&[2, 9]),
        two: wide(&[3, 4, 5]),
        all: wide(&[6, 7, 8, 9]),
        list: vec![wide(&[1]), wide(&[2])],
    };
    let bytes = [2, 9, 3, 4, 5, 6, 7, 8, 9, 2, 1, 2];
    same(&value, &bytes);
    same_with(&wide(&[1, 2, 3]), &[1, 2, 3], &Options::new().ctx(2));
    same_with(&wide(&[1, 2, 3, 4]), &[1, 2, 3, 4], &Options::new().ctx((1, 1, 2)));
    assert_error!(
        refused(&Defaults { one: wide(&[2]), ..value }),
        0,
        "one.bytes",
        ErrorKind::LengthMismatch { expected: 2, .. }
    );
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(size: u16 = LIMIT, is_long: bool = true), tag(u8))]
enum Alone<T> {
    #[binfmt(tag = 1)]
    Text(#[binfmt(count = size)] Vec<T>),
    #[binfmt(tag = 2)]
    Flag(#[binfmt(if(is_long))] Option<u8>),
}
const LIMIT: u16 = 2;

#[derive(BinFormat, Debug, PartialEq)]
struct Around {
    alone: Alone<u8>,
    #[binfmt(args(1, false))]
    told: Alone<u8>,
}

#[test]
fn all_may_have_defaults() {
    same(&Alone::Text(vec![5u8, 6]), &[1, 5, 6]);
    same(&Alone::<u8>::Flag(Some(7)), &[2, 7]);
    same_with(&Alone::Text(vec![5u8, 6, 7]), &[1, 5, 6, 7], &Options::new().ctx(3));
    same(&Around { alone: Alone::Flag(Some(7)), told: Alone::Flag(None) }, &[2, 7, 2]);
}

/// At run time a description has the defaults.
#[test]
fn defaults_of_values() {
    let program = Program::new(&Defaults::SCHEMA.description()).unwrap();
    let bytes = [2, 9, 3, 4, 5, 6, 7, 8, 9, 2, 1, 2];
    let value: Value = binfmt::from_slice_with(&bytes, &Options::new().ctx(&program)).unwrap();
    assert_eq!(binfmt::to_vec_with(&value, &Options::new().ctx(&program)).unwrap(), bytes);
    let program = Program::new(&Wide::SCHEMA.description()).unwrap();
    let given = [2u8.into()];
    let value: Value =
        binfmt::from_slice_with(&[1, 2, 3], &Options::new().ctx((&program, &given[..]))).unwrap();
    assert_eq!(binfmt::to_vec_with(&value, &Options::new().ctx((&program, &given[..]))).unwrap(), [1, 2, 3]);
    let e = binfmt::from_slice_with::<Value, _>(&[1], &Options::new().ctx((&program, &[][..]))).unwrap_err();
    assert_eq!(
        e.to_string(),
        "at byte 0x0: the layout has `ctx(width, extra, scale)`, and 0 values are passed"
    );
    let alone = "Alone: record, ctx(n: u8 = 1 + 1)\n  a: bytes, count = n\n";
    let program = Program::new(&alone.parse().unwrap()).unwrap();
    let value: Value = binfmt::from_slice_with(&[1, 2], &Options::new().ctx(&program)).unwrap();
    assert_eq!(binfmt::to_vec_with(&value, &Options::new().ctx(&program)).unwrap(), [1, 2]);
}

#[derive(BinFormat)]
#[binfmt(fingerprint = 0x7c67ec873fdb0b30)]
struct Pinned {
    #[binfmt(args(1))]
    wide: Wide,
}

/// A default is part of what the bytes are.
#[test]
fn a_fingerprint_counts_defaults() {
    assert_eq!(Pinned::SCHEMA.fingerprint().to_string(), "7c67ec873fdb0b30");
    let text = Pinned::SCHEMA.to_string();
    let other: Description = text.replace("extra: u8 = 1", "extra: u8 = 2").parse().unwrap();
    assert_ne!(text, other.to_string());
    assert_ne!(Schema::from(other).fingerprint(), Pinned::SCHEMA.fingerprint());
}
