//! `nullable`: a presence byte before a value, as SciDB writes it.

use crate::support::wire::{
    assert_error, bad, bad_with, is_inside, lent, reads, reads_with, refused, same, same_be, short,
};
use binfmt::{BinFormat, ErrorKind, Nullable, Options};
use std::borrow::Cow;
use std::ffi::CString;

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct Cell {
    a: i8,
    #[binfmt(nullable)]
    b: Nullable<i16>,
    #[binfmt(nullable, var_len, nul)]
    c: Nullable<String>,
    #[binfmt(var_len, nul)]
    d: String,
    #[binfmt(skip(bytes = 4))]
    e: f64,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct CellRef<'a> {
    a: i8,
    #[binfmt(nullable)]
    b: Nullable<i16>,
    #[binfmt(nullable, var_len, nul)]
    c: Nullable<&'a str>,
    #[binfmt(var_len, nul)]
    d: &'a str,
    #[binfmt(skip(bytes = 4))]
    e: f64,
}

const PRESENT: &[u8] = b"\x01\xff\xfe\xff\xff\x02\0\0\0a\0\x03\0\0\0bc\0\0\0\0\0\0\0\0\0\0\0\xf0\x3f";
const MISSING: &[u8] = b"\x01\x35\0\0\x35\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xf0\x3f";

#[test]
fn a_scidb_cell() {
    let present =
        Cell { a: 1, b: Nullable::Value(-2), c: Nullable::Value("a".into()), d: "bc".into(), e: 1.0 };
    same(&present, PRESENT);
    same_be(&present, PRESENT);
    let missing =
        Cell { a: 1, b: Nullable::Missing(0x35), c: Nullable::Missing(0x35), d: String::new(), e: 1.0 };
    same(&missing, MISSING);
}

#[test]
fn a_scidb_cell_borrowed() {
    let value = CellRef { a: 1, b: Nullable::Value(-2), c: Nullable::Value("a"), d: "bc", e: 1.0 };
    let found = lent(&value, PRESENT);
    assert!(is_inside(PRESENT, found.d.as_bytes()));
    assert!(matches!(found.c, Nullable::Value(text) if is_inside(PRESENT, text.as_bytes())));
    lent(&CellRef { a: 1, b: Nullable::Missing(0x35), c: Nullable::Missing(0x35), d: "", e: 1.0 }, MISSING);
}

#[test]
fn every_presence_byte() {
    for b in 0..=255u8 {
        let bytes = [1, b, 0, 0];
        match b {
            0..=127 => reads(&(Small { a: 1, b: Nullable::Missing(b) }), &bytes),
            255 => reads(&(Small { a: 1, b: Nullable::Value(0) }), &bytes),
            _ => {
                let e = bad::<Small>(&bytes);
                assert_error!(e, 1, "b", ErrorKind::InvalidPresence { found, present: 255, missing: (0, 127) } if *found == b);
                let lenient = Options::new().lenient_presence(true);
                reads_with(&Small { a: 1, b: Nullable::Value(0) }, &bytes, &lenient);
            }
        }
    }
}

#[derive(BinFormat, Debug, PartialEq)]
struct Small {
    a: u8,
    #[binfmt(nullable)]
    b: Nullable<u16>,
}

#[test]
fn a_code_that_the_format_has_not_is_not_written() {
    let e = refused(&Small { a: 1, b: Nullable::Missing(128) });
    assert_error!(e, 1, "b", ErrorKind::InvalidMissingCode { found: 128, missing: (0, 127) });
}

#[test]
fn nullable_ends_early() {
    let e = bad::<Small>(&[1, 255, 0]);
    assert_error!(e, 1, "b", ErrorKind::UnexpectedEnd { needed: 3, remaining: 2 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Options4 {
    #[binfmt(nullable)]
    number: Option<u32>,
    #[binfmt(nullable, var_len)]
    text: Option<String>,
    #[binfmt(nullable, length_prefixed(u8))]
    list: Option<Vec<u16>>,
    #[binfmt(nullable)]
    pair: Option<(u8, u16)>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct OptionsRef<'a> {
    #[binfmt(nullable, var_len)]
    text: Option<&'a str>,
    #[binfmt(nullable, length_prefixed(u8))]
    bytes: Nullable<&'a [u8]>,
    #[binfmt(nullable, length_prefixed(u8), borrow)]
    cow: Option<Cow<'a, str>>,
}

#[test]
fn options_write_the_first_code() {
    let value = Options4 { number: Some(1), text: Some("x".into()), list: Some(vec![2]), pair: Some((3, 4)) };
    same(&value, b"\xff\x01\0\0\0\xff\x01\0\0\0x\xff\x01\x02\0\xff\x03\x04\0");
    let none = Options4 { number: None, text: None, list: None, pair: None };
    same(&none, &[0; 16]);
    reads(&none, b"\x07\0\0\0\0\x01\0\0\0\0\x02\0\x7f\0\0\0");
}

#[test]
fn options_borrow() {
    let bytes = b"\xff\x01\0\0\0x\xff\x02yz\xff\x01w";
    let value = OptionsRef { text: Some("x"), bytes: Nullable::Value(b"yz"), cow: Some("w".into()) };
    let found = lent(&value, bytes);
    assert!(matches!(found.cow, Some(Cow::Borrowed(_))));
    lent(&OptionsRef { text: None, bytes: Nullable::Missing(5), cow: None }, b"\0\0\0\0\0\x05\0\0\0");
}

#[test]
fn the_body_of_a_missing_value() {
    let none = || Options4 { number: None, text: None, list: None, pair: None };
    // not zero: stepped over, unless the caller is strict
    let dirty = b"\0\x09\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    reads(&none(), dirty);
    let strict = Options::new().blank_missing(true);
    reads_with(&none(), &[0; 16], &strict);
    assert_error!(bad_with::<Options4, _>(dirty, &strict), 1, "number", ErrorKind::MissingNotBlank);
    // a length before the body is honoured, as SciDB's loader does
    let long = b"\0\0\0\0\0\0\x02\0\0\0xy\0\x01\x09\x09\0\0\0\0";
    reads(&none(), long);
    assert_error!(bad_with::<Options4, _>(long, &strict), 6, "text", ErrorKind::MissingNotBlank);
    let [slice, stream] = short::<Options4>(b"\0\0\0\0\0\0\x09\0\0\0xy");
    assert_error!(slice, 6, "text", ErrorKind::CountTooLarge { count: 9, .. });
    assert!(stream.is_incomplete());
}

#[derive(BinFormat, Debug, PartialEq)]
struct Absent {
    #[binfmt(nullable(present = 1, missing = 0, body = absent))]
    a: Option<u32>,
    #[binfmt(nullable(present = 0, missing = 1..=3, body = absent), var_len)]
    b: Nullable<String>,
    #[binfmt(nullable(present = 1, missing = 0))]
    c: Option<u16>,
}

#[test]
fn other_codes_and_no_body() {
    let value = Absent { a: Some(1), b: Nullable::Value("x".into()), c: Some(2) };
    same(&value, b"\x01\x01\0\0\0\0\x01\0\0\0x\x01\x02\0");
    same(&Absent { a: None, b: Nullable::Missing(3), c: None }, &[0, 3, 0, 0, 0]);
    let e = bad::<Absent>(&[2]);
    assert_error!(e, 0, "a", ErrorKind::InvalidPresence { found: 2, present: 1, missing: (0, 0) });
    let e = bad::<Absent>(&[0, 4]);
    assert_error!(e, 1, "b", ErrorKind::InvalidPresence { found: 4, present: 0, missing: (1, 3) });
    let e = refused(&Absent { a: None, b: Nullable::Missing(0), c: None });
    assert_error!(e, 1, "b", ErrorKind::InvalidMissingCode { found: 0, missing: (1, 3) });
    // leniency is SciDB's: it does not change what other formats call present
    let e = bad_with::<Absent, _>(&[0x80], &Options::new().lenient_presence(true));
    assert_error!(e, 0, "a", ErrorKind::InvalidPresence { found: 0x80, .. });
}

#[derive(BinFormat, Debug, PartialEq)]
struct HalfOpen {
    #[binfmt(nullable(present = 9, missing = 0..4, body = absent))]
    a: Nullable<u8>,
}

#[test]
fn a_half_open_range_of_codes() {
    same(&HalfOpen { a: Nullable::Missing(3) }, &[3]);
    assert_error!(bad::<HalfOpen>(&[4]), 0, "a", ErrorKind::InvalidPresence { missing: (0, 3), .. });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Inner {
    x: u8,
    ok: bool,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Structs {
    #[binfmt(nullable)]
    inner: Option<Inner>,
    #[binfmt(nullable)]
    array: Nullable<[u16; 2]>,
    #[binfmt(nullable, pad_to = 4)]
    padded: Option<u8>,
    #[binfmt(nullable, be)]
    big: Option<u16>,
}

#[test]
fn nullable_structs_arrays_and_other_words() {
    let value = Structs {
        inner: Some(Inner { x: 1, ok: true }),
        array: Nullable::Value([2, 3]),
        padded: Some(4),
        big: Some(5),
    };
    same(&value, &[255, 1, 1, 255, 2, 0, 3, 0, 255, 4, 0, 0, 255, 0, 5]);
    let missing = Structs { inner: None, array: Nullable::Missing(7), padded: None, big: None };
    same(&missing, &[0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let e = bad::<Structs>(&[255, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_error!(e, 2, "inner.ok", ErrorKind::InvalidBool { found: 2 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Terminated {
    #[binfmt(nullable, nul)]
    text: Option<String>,
    #[binfmt(nullable, count = 4, nul)]
    fixed: Nullable<String>,
}

#[test]
fn a_missing_text_keeps_its_end() {
    same(&Terminated { text: Some("ab".into()), fixed: Nullable::Value("c".into()) }, b"\xffab\0\xffc\0\0\0");
    same(&Terminated { text: None, fixed: Nullable::Missing(1) }, b"\0\0\x01\0\0\0\0");
    let none = Terminated { text: None, fixed: Nullable::Missing(1) };
    reads(&none, b"\0ab\0\x01\0\0\0\0");
    let strict = Options::new().blank_missing(true);
    let e = bad_with::<Terminated, _>(b"\0ab\0\x01\0\0\0\0", &strict);
    assert_error!(e, 1, "text", ErrorKind::MissingNotBlank);
}

#[derive(BinFormat, Debug, PartialEq)]
struct Regions {
    #[binfmt(nullable, length_prefixed(u8, in = bytes))]
    inner: Option<Inner>,
    #[binfmt(nullable, length_prefixed(u16, in = bytes, inclusive))]
    list: Nullable<Vec<u16>>,
    #[binfmt(nullable, length_prefixed(i8))]
    signed: Option<Vec<u8>>,
}

#[test]
fn a_missing_region_has_no_length() {
    let value = Regions {
        inner: Some(Inner { x: 1, ok: true }),
        list: Nullable::Value(vec![2]),
        signed: Some(vec![3]),
    };
    same(&value, &[255, 2, 1, 1, 255, 4, 0, 2, 0, 255, 1, 3]);
    let none = Regions { inner: None, list: Nullable::Missing(9), signed: None };
    same(&none, &[0, 0, 9, 2, 0, 0, 0]);
    reads(&none, &[0, 2, 7, 7, 9, 3, 0, 8, 0, 1, 6]);
    let strict = Options::new().blank_missing(true);
    reads_with(&none, &[0, 0, 9, 2, 0, 0, 0], &strict);
    let e = bad_with::<Regions, _>(&[0, 0, 9, 3, 0, 8, 0, 0], &strict);
    assert_error!(e, 3, "list", ErrorKind::MissingNotBlank);
    let long = [&[0, 0, 9, 2, 0, 0, 0xFF][..], &[0; 300]].concat();
    assert_error!(bad::<Regions>(&long), 6, "signed", ErrorKind::InvalidLength { found: -1 });
}

#[test]
fn conversions_of_nullable() {
    assert_eq!(Nullable::from(3u8), Nullable::Value(3));
    assert_eq!(Option::from(Nullable::<u8>::Missing(4)), None::<u8>);
    assert_eq!(Nullable::<u8>::default(), Nullable::Missing(0));
    let json = serde_json::to_string(&[Nullable::Value(1), Nullable::Missing(53)]).unwrap();
    assert_eq!(json, r#"[1,{"missing":53}]"#);
    assert_eq!(
        serde_json::from_str::<Vec<Nullable<i32>>>(&json).unwrap(),
        [Nullable::Value(1), Nullable::Missing(53)]
    );
}

/// A struct that is its field may be missing as the field may.
#[test]
fn a_transparent_struct() {
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(transparent)]
    struct Name(#[binfmt(length_prefixed(u16), nul)] String);
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(be, transparent)]
    struct Big<T>(#[binfmt(be)] T);
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(transparent)]
    struct Sized<const N: usize>(#[binfmt(count = N)] Vec<u16>);
    #[derive(BinFormat, Debug, PartialEq)]
    struct Cell {
        #[binfmt(nullable)]
        a: Nullable<Name>,
        #[binfmt(nullable)]
        b: Option<Big<Name>>,
        #[binfmt(nullable)]
        c: Nullable<Sized<2>>,
    }
    let missing = Cell { a: Nullable::Missing(1), b: None, c: Nullable::Missing(2) };
    same(&missing, b"\x01\0\0\x00\0\0\x02\0\0\0\0");
    let present = Cell {
        a: Nullable::Value(Name("a".into())),
        b: Some(Big(Name("b".into()))),
        c: Nullable::Value(Sized(vec![3, 4])),
    };
    same(&present, b"\xff\x02\0a\0\xff\0\x02b\0\xff\x03\0\x04\0");
    // the length of a missing value is honoured, in the struct's own byte order
    reads(&missing, b"\x01\x01\0x\x00\0\x01y\x02\0\0\0\0");
    let e = bad_with::<Cell, ()>(b"\x01\x01\0x", &Options::new().blank_missing(true));
    assert_eq!(e.to_string(), "a at byte 0x1: the bytes of a missing value are not all zero");
}

#[derive(BinFormat, Debug, PartialEq)]
struct Codes {
    #[binfmt(nullable(present = 9, missing = 2..=3, body = absent))]
    some: Option<u8>,
    #[binfmt(nullable(present = 0xff, missing = 0..=3))]
    few: Nullable<u8>,
    #[binfmt(nullable(present = 0xf0, missing = 0..=127, body = absent))]
    other: Option<u8>,
}

#[test]
fn codes_begin_where_they_say() {
    same(&Codes { some: None, few: Nullable::Missing(3), other: None }, &[2, 3, 0, 0]);
    reads(&Codes { some: None, few: Nullable::Missing(0), other: Some(5) }, &[3, 0, 7, 0xf0, 5]);
    assert_error!(bad::<Codes>(&[1, 0, 0, 0]), 0, "some", ErrorKind::InvalidPresence { found: 1, .. });
    // other values are read only where the codes are those of SciDB
    let options = Options::new().lenient_presence(true);
    let e = bad_with::<Codes, ()>(&[0x80, 0, 0, 0], &options);
    assert_error!(e, 0, "some", ErrorKind::InvalidPresence { found: 0x80, .. });
    let e = bad_with::<Codes, ()>(&[2, 0x80, 0, 0], &options);
    assert_error!(e, 1, "few", ErrorKind::InvalidPresence { found: 0x80, .. });
    let e = bad_with::<Codes, ()>(&[2, 0, 0, 0x80], &options);
    assert_error!(e, 3, "other", ErrorKind::InvalidPresence { found: 0x80, .. });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(transparent)]
struct BigLength(#[binfmt(length_prefixed(u16, inclusive), be)] String);

#[derive(BinFormat, Debug, PartialEq)]
struct Texts {
    #[binfmt(nullable)]
    own_order: Option<BigLength>,
    #[binfmt(nullable, length_prefixed(u8))]
    list: Option<Vec<CString>>,
}

#[test]
fn a_missing_value_has_the_length_of_none() {
    same(&Texts { own_order: None, list: None }, &[0, 0, 2, 0, 0]);
    // elements of a size that is not known cannot be passed over
    assert_error!(bad::<Texts>(&[0, 0, 2, 0, 1, 0]), 4, "list", ErrorKind::MissingNotBlank);
}
