//! `skip`: a field that is not on the wire; `skip(bytes = n)`: bytes that are not a field.

use crate::support::wire::{assert_error, bad, is_inside, lent, reads, refused, same, same_be};
use binfmt::{BinFormat, ErrorKind, Ignored, Layout};
use std::collections::HashMap;
use std::marker::PhantomData;

#[derive(BinFormat, Debug, PartialEq)]
struct Cached {
    a: u16,
    #[binfmt(skip)]
    memo: HashMap<String, usize>,
    #[binfmt(skip, default = 7 + 1)]
    level: usize,
    #[binfmt(skip, default = String::from("none"))]
    note: String,
    b: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct CachedRef<'a> {
    #[binfmt(length_prefixed(u8))]
    name: &'a str,
    #[binfmt(skip)]
    memo: Option<&'a str>,
    b: u8,
}

#[test]
fn skip_is_not_on_the_wire() {
    let value = Cached { a: 1, memo: HashMap::new(), level: 8, note: "none".into(), b: 2 };
    same(&value, &[1, 0, 2]);
    same_be(&value, &[0, 1, 2]);
    let other = Cached { a: 1, memo: HashMap::from([("x".into(), 1)]), level: 0, note: String::new(), b: 2 };
    crate::support::wire::writes(&other, &[1, 0, 2]);
    let names: Vec<_> = Cached::PARTS.iter().map(|part| part.name()).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(Cached::FACTS.sizes().exact(), Some(3));
}

#[test]
fn skip_beside_a_borrow() {
    let bytes = b"\x02hi\x09";
    let found = lent(&CachedRef { name: "hi", memo: None, b: 9 }, bytes);
    assert!(is_inside(bytes, found.name.as_bytes()));
}

#[test]
fn skip_does_not_hide_the_end() {
    assert_error!(bad::<Cached>(&[1, 0]), 2, "b", ErrorKind::UnexpectedEnd { needed: 1, remaining: 0 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Generic<T> {
    n: u8,
    #[binfmt(skip)]
    memo: T,
    mark: PhantomData<T>,
}

#[test]
fn a_skipped_type_needs_only_a_default() {
    same(&Generic { n: 1, memo: vec!["no wire format"; 0], mark: PhantomData }, &[1]);
}

#[derive(BinFormat, Debug, PartialEq)]
struct Numbers {
    a: u8,
    #[binfmt(skip)]
    b: u8,
    c: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Many {
    #[binfmt(length_prefixed(u8))]
    list: Vec<Numbers>,
}

#[test]
fn a_struct_with_a_skipped_number_is_not_copied_as_memory() {
    let list = vec![Numbers { a: 1, b: 0, c: 2 }, Numbers { a: 3, b: 0, c: 4 }];
    same(&Many { list }, &[2, 1, 2, 3, 4]);
}

#[derive(BinFormat, Debug, PartialEq)]
struct Gap {
    a: u8,
    #[binfmt(skip(bytes = 2))]
    b: u16,
    #[binfmt(skip(bytes = 1, fill = 0xEE))]
    c: u8,
}

#[test]
fn skip_bytes_are_ignored_and_written_as_the_fill() {
    let value = Gap { a: 1, b: 2, c: 3 };
    same(&value, &[1, 0, 0, 2, 0, 0xEE, 3]);
    reads(&value, &[1, 7, 8, 2, 0, 9, 3]);
    assert_eq!(Gap::FACTS.sizes().exact(), Some(7));
    let e = bad::<Gap>(&[1, 7]);
    assert_error!(e, 1, "b (padding)", ErrorKind::UnexpectedEnd { needed: 2, remaining: 1 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct GapRef<'a> {
    #[binfmt(skip(bytes = 1))]
    #[binfmt(length_prefixed(u8))]
    name: &'a str,
    #[binfmt(skip(bytes = 1), until_eof)]
    rest: &'a [u8],
}

#[test]
fn skip_bytes_before_a_borrow() {
    let bytes = b"\0\x02hi\0xyz";
    let found = lent(&GapRef { name: "hi", rest: b"xyz" }, bytes);
    assert!(is_inside(bytes, found.name.as_bytes()) && is_inside(bytes, found.rest));
}

#[derive(BinFormat, Debug, PartialEq)]
struct Strict {
    a: u8,
    #[binfmt(skip(bytes = 3, fill = 0x20, strict))]
    b: u8,
}

#[test]
fn strict_skip_bytes_are_checked() {
    same(&Strict { a: 1, b: 2 }, b"\x01   \x02");
    let e = bad::<Strict>(b"\x01 x \x02");
    assert_error!(e, 2, "b (padding)", ErrorKind::Padding { expected: 0x20, found: b'x' });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Counted {
    n: u8,
    #[binfmt(count = n)]
    unknown: binfmt::Ignored,
    b: u8,
}

#[test]
fn bytes_whose_number_is_a_field_are_stepped_over() {
    let value = Counted { n: 2, unknown: binfmt::Ignored, b: 9 };
    same(&value, &[2, 0, 0, 9]);
    assert_eq!(binfmt::from_slice::<Counted>(&[2, 7, 7, 9]).unwrap(), value);
    let e = binfmt::from_slice::<Counted>(&[200, 0, 0]).unwrap_err();
    assert_eq!(e.to_string(), "unknown at byte 0x1: count 200 needs 200 bytes, 2 remain");
}

mod named_alike {
    /// Not the one of `core`: it holds a value.
    #[derive(Debug, Default, PartialEq)]
    pub(super) struct PhantomData<T>(pub T);
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
#[repr(C)]
struct Alike {
    a: u32,
    b: named_alike::PhantomData<bool>,
}

#[test]
fn a_type_called_phantom_data_is_never_copied_from_the_input() {
    use binfmt::Layout;
    assert!(!Alike::FACTS.is_plain::<binfmt::Le>());
    let expected = [1, 2].map(|a| Alike { a, b: named_alike::PhantomData(false) });
    assert_eq!(binfmt::decode_all::<Alike>(&[1, 0, 0, 0, 2, 0, 0, 0]).unwrap(), expected);
}

#[derive(BinFormat, Debug, PartialEq)]
struct Passed {
    n: i8,
    #[binfmt(count = *n)]
    passed: Ignored,
}

#[test]
fn as_many_bytes_are_ignored_as_a_field_says() {
    reads(&Passed { n: 2, passed: Ignored }, &[2, 8, 9]);
    same(&Passed { n: 2, passed: Ignored }, &[2, 0, 0]);
    assert_error!(bad::<Passed>(&[0xff]), 1, "passed", ErrorKind::InvalidLength { found: -1 });
    assert_error!(
        refused(&Passed { n: -1, passed: Ignored }),
        1,
        "passed",
        ErrorKind::InvalidLength { found: -1 }
    );
}
