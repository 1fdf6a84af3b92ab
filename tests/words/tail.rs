//! `optional_tail`: fields that may be missing at the end of a region or file.

use crate::support::wire::{assert_error, bad, refused, same};
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, ErrorKind, Options};

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Header {
    width: u16,
    #[binfmt(optional_tail)]
    height: Option<u16>,
    #[binfmt(optional_tail, length_prefixed(u8))]
    name: Option<String>,
    #[binfmt(optional_tail, until_eof)]
    more: Option<Vec<u8>>,
}

const NONE: Header = Header { width: 1, height: None, name: None, more: None };

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct File {
    #[binfmt(length_prefixed(u8, in = bytes))]
    header: Header,
    n: u8,
}

#[test]
fn what_is_missing_is_absent() {
    let two = Header { height: Some(2), ..NONE };
    let three = Header { name: Some("a".into()), ..two.clone() };
    let all = Header { more: Some(vec![7, 8]), ..three.clone() };
    for (value, bytes) in [
        (NONE, &[1, 0][..]),
        (two, &[1, 0, 2, 0]),
        (three, &[1, 0, 2, 0, 1, b'a']),
        (all, &[1, 0, 2, 0, 1, b'a', 7, 8]),
    ] {
        same(&value, bytes);
        let inside = [&[bytes.len() as u8], bytes, &[9]].concat();
        same(&File { header: value, n: 9 }, &inside);
    }
    // a part of a field is not none
    let e = bad::<Header>(&[1, 0, 2]);
    assert_error!(e, 2, "height", ErrorKind::UnexpectedEnd { needed: 2, remaining: 1 });
}

/// Without another word that says how it lies on the wire.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[repr(C)]
struct Plain {
    one: u32,
    #[binfmt(optional_tail)]
    two: Option<u32>,
}

#[test]
fn plain_numbers() {
    same(&Plain { one: 1, two: None }, &[1, 0, 0, 0]);
    same(&Plain { one: 1, two: Some(2) }, &[1, 0, 0, 0, 2, 0, 0, 0]);
}

#[test]
fn nothing_comes_after_what_is_absent() {
    let gap = Header { name: Some("a".into()), ..NONE };
    let e = refused(&gap);
    assert_eq!(e.to_string(), "name at byte 0x2: a value after one that is absent at the end");
    // a list without elements would be read as none
    let all = Header { height: Some(2), name: Some(String::new()), more: Some(vec![]), ..NONE };
    let e = refused(&all);
    assert_eq!(e.to_string(), "more at byte 0x5: a value without bytes is absent when read: write None");
}

#[test]
fn run_time_values_end_early() {
    let layout = Header::SCHEMA.description();
    let program = Program::new(&layout).unwrap();
    let options = Options::new().ctx(&program);
    for bytes in [&[1, 0][..], &[1, 0, 2, 0], &[1, 0, 2, 0, 1, b'a'], &[1, 0, 2, 0, 1, b'a', 7]] {
        let value: Value = binfmt::from_slice_with(bytes, &options).unwrap();
        assert_eq!(value.get("height") == Some(&Value::Absent), bytes.len() == 2);
        assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), bytes);
    }
    let gap = Value::record([
        ("width", Value::from(1u16)),
        ("height", Value::Absent),
        ("name", Value::from("a")),
        ("more", Value::Absent),
    ]);
    let e = binfmt::to_vec_with(&gap, &options).unwrap_err();
    assert_eq!(e.to_string(), "name at byte 0x2: a value after one that is absent at the end");
}
