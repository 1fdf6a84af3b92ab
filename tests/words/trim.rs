//! `trim`: text and bytes whose filling is not part of the value.

use crate::support::wire::{assert_error, bad, is_inside, lent, reads, refused, same, short};
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, ErrorKind, Nullable, Options, TypedColumns, dump, schema::Describe};
use std::borrow::Cow;

#[derive(BinFormat, Debug, PartialEq)]
struct Header {
    #[binfmt(count = 6, trim = b' ')]
    name: String,
    n: u8,
    #[binfmt(count = *n, trim = 0xff)]
    code: Vec<u8>,
    #[binfmt(pad_to = 4, trim = b'.', text = latin1)]
    kind: Box<str>,
    #[binfmt(region = *n, trim = b'_')]
    inside: String,
}

#[test]
fn a_filling_is_taken_off_and_put_on() {
    let header = Header { name: "a b".into(), n: 3, code: vec![1], kind: "é".into(), inside: "_xy".into() };
    same(&header, b"a b   \x03\x01\xff\xff\xe9..._xy");
    let full = Header {
        name: "abcdef".into(),
        n: 3,
        code: vec![1, 0xff, 0],
        kind: "abcd".into(),
        inside: "xyz".into(),
    };
    same(&full, b"abcdef\x03\x01\xff\x00abcdxyz");
    let blank = Header { name: String::new(), n: 0, code: vec![], kind: "".into(), inside: String::new() };
    same(&blank, b"      \0....");
    reads(&Header { inside: "x".into(), n: 3, ..blank }, b"      \x03\xff\xff\xff....x__");
}

#[test]
fn a_text_that_would_be_read_back_short_is_refused() {
    let header = |name: &str, inside: &str| Header {
        name: name.into(),
        n: 3,
        code: vec![],
        kind: "".into(),
        inside: inside.into(),
    };
    let e = refused(&header("a ", "xyz"));
    assert_error!(e, 0, "name", ErrorKind::TrimmedEnd { byte: b' ' });
    assert_eq!(
        e.to_string(),
        "name at byte 0x0: text that ends with \" \", which is taken off when it is read"
    );
    assert_error!(refused(&header("abcdefg", "xyz")), 0, "name", ErrorKind::TooLong { found: 7, max: 6 });
    // a region has no filling of its own: `region(n, rest = skip)` has
    assert_error!(refused(&header("", "xy")), 14, "inside", ErrorKind::LengthMismatch { .. });
}

#[test]
fn bytes_that_are_missing_or_no_text() {
    let [slice, stream] = short::<Header>(b"abc");
    assert_error!(slice, 0, "name", ErrorKind::UnexpectedEnd { .. } | ErrorKind::CountTooLarge { .. });
    assert_error!(stream, 0, "name", ErrorKind::UnexpectedEnd { .. });
    let e = bad::<Header>(b"ab\xff   \0....");
    assert_error!(e, 2, "name", ErrorKind::InvalidText { .. });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le, columns)]
struct Row {
    #[binfmt(count = 4, trim = b' ')]
    name: String,
    #[binfmt(ends(b','), trim = b' ')]
    data: Vec<u8>,
    #[binfmt(nullable(body = absent), length_prefixed(u8), trim = b' ')]
    maybe: Nullable<String>,
}

#[test]
fn columns_and_other_ends() {
    let row = Row { name: "a".into(), data: b"b".into(), maybe: Nullable::Value("c".into()) };
    let none = Row { name: String::new(), data: b"".into(), maybe: Nullable::Missing(3) };
    let bytes = b"a   b,\xff\x01c    ,\x03";
    let columns = RowColumns::from_slice(bytes).unwrap();
    assert_eq!(columns.rows().collect::<Vec<Row>>(), [row, none]);
    assert_eq!(columns.to_vec().unwrap(), bytes);
    reads(
        &Row { name: "a".into(), data: b"b".into(), maybe: Nullable::Value("c".into()) },
        b"a   b ,\xff\x02c ",
    );
}

#[derive(BinFormat, Debug, PartialEq)]
struct Lent<'a> {
    #[binfmt(count = 3, trim = b' ')]
    a: &'a str,
    #[binfmt(count = 3, trim = b' ', borrow)]
    b: Cow<'a, [u8]>,
    #[binfmt(until_eof, trim = b'\n')]
    c: &'a str,
}

#[test]
fn text_is_lent() {
    let bytes = b"ab c  de";
    let found = lent(&Lent { a: "ab", b: b"c"[..].into(), c: "de" }, bytes);
    assert!(is_inside(bytes, found.a.as_bytes()) && matches!(found.b, Cow::Borrowed(_)));
    assert_eq!(binfmt::from_slice::<Lent<'_>>(b"      a\n\n").unwrap().c, "a");
}

#[test]
fn at_run_time_and_in_a_dump() {
    let program = Program::new(&Header::SCHEMA.description()).unwrap();
    let bytes = b"a b   \x03\x01\xff\xff\xe9..._xy";
    let value: Value = binfmt::from_slice_with(bytes, &Options::new().ctx(&program)).unwrap();
    assert_eq!(value.get("name").and_then(Value::as_str), Some("a b"));
    assert_eq!(binfmt::to_vec_with(&value, &Options::new().ctx(&program)).unwrap(), bytes);
    let trace = dump::trace::<Header>(bytes);
    assert!(trace.error().is_none());
    let fills: Vec<_> =
        trace.nodes().filter(|node| node.piece() == Some("fill")).map(|node| node.range()).collect();
    assert_eq!(fills, [3..6, 8..10, 11..14]);
}
