//! `nul`, `text`, `borrow`, `bool_lax`: text in its encodings, and what ends it.

use crate::support::wire::{assert_error, bad, is_inside, lent, reads, reads_with, refused, same, short};
use binfmt::{BinFormat, ErrorKind, Options};
use std::borrow::Cow;

#[derive(BinFormat, Debug, PartialEq)]
struct Terminated {
    #[binfmt(nul)]
    a: String,
    #[binfmt(nul)]
    b: Vec<u8>,
    n: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct TerminatedRef<'a> {
    #[binfmt(nul)]
    a: &'a str,
    #[binfmt(nul)]
    b: &'a [u8],
    #[binfmt(nul, borrow)]
    c: Cow<'a, str>,
}

#[test]
fn nul_ends_text() {
    same(&Terminated { a: "ab".into(), b: vec![1], n: 9 }, b"ab\0\x01\0\x09");
    same(&Terminated { a: String::new(), b: vec![], n: 9 }, b"\0\0\x09");
    let bytes = b"ab\0\x01\0c\0";
    let found = lent(&TerminatedRef { a: "ab", b: &[1], c: "c".into() }, bytes);
    assert!(is_inside(bytes, found.a.as_bytes()) && matches!(found.c, Cow::Borrowed(_)));
    let e = bad::<Terminated>(b"ab");
    assert_error!(e, 0, "a", ErrorKind::Unterminated { needed: 3, remaining: 2, in_region: false, .. });
    assert_eq!(
        (e.needed(), e.to_string().as_str()),
        (Some(1), "a at byte 0x0: no NUL in the 2 bytes that remain")
    );
    assert_eq!(std::io::Error::from(e).kind(), std::io::ErrorKind::UnexpectedEof);
    let e = bad::<Terminated>(b"a\xff\0");
    assert_error!(e, 1, "a", ErrorKind::InvalidText { encoding: "UTF-8", valid_up_to: 1 });
    let e = refused(&Terminated { a: "a\0b".into(), b: vec![], n: 9 });
    assert_error!(e, 0, "a", ErrorKind::EmbeddedNul);
    let e = refused(&Terminated { a: String::new(), b: vec![0], n: 9 });
    assert_error!(e, 1, "b", ErrorKind::EmbeddedNul);
}

#[derive(BinFormat, Debug, PartialEq)]
struct CountedNul {
    #[binfmt(length_prefixed(u8), nul)]
    a: String,
    #[binfmt(length_prefixed(u8), nul)]
    b: Vec<u8>,
}

#[test]
fn a_counted_nul() {
    let value = CountedNul { a: "hi".into(), b: vec![] };
    same(&value, b"\x03hi\0\x01\0");
    assert_error!(bad::<CountedNul>(b"\x02hi\x01\0"), 3, "a", ErrorKind::MissingNul);
    assert_error!(bad::<CountedNul>(b"\0\x01\0"), 1, "a", ErrorKind::MissingNul);
    reads_with(&value, b"\x02hi\0", &Options::new().optional_nul(true));
    let e = refused(&CountedNul { a: "x".repeat(255), b: vec![] });
    assert_error!(e, 0, "a", ErrorKind::PrefixOverflow { value: 256, max: 255 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Fixed {
    #[binfmt(count = 4, nul)]
    name: String,
    n: u8,
    #[binfmt(count = n, nul)]
    code: String,
}

#[derive(BinFormat, Debug, PartialEq)]
struct FixedRef<'a> {
    #[binfmt(count = 4, nul)]
    name: &'a str,
    #[binfmt(count = 2, nul)]
    code: &'a [u8],
}

#[test]
fn a_text_field_of_fixed_size() {
    let value = Fixed { name: "ab".into(), n: 3, code: "x".into() };
    same(&value, b"ab\0\0\x03x\0\0");
    // what stands after the first NUL is ignored
    reads(&value, b"ab\0z\x03x\0y");
    lent(&FixedRef { name: "abc", code: b"x" }, b"abc\0x\0");
    assert_error!(bad::<Fixed>(b"abcd\x01\0"), 4, "name", ErrorKind::MissingNul);
    reads_with(
        &Fixed { name: "abcd".into(), n: 1, code: String::new() },
        b"abcd\x01\0",
        &Options::new().optional_nul(true),
    );
    let e = refused(&Fixed { name: "abcd".into(), n: 3, code: "x".into() });
    assert_error!(e, 0, "name", ErrorKind::TooLong { found: 5, max: 4 });
    let e = refused(&Fixed { name: "a\0".into(), n: 3, code: "x".into() });
    assert_error!(e, 0, "name", ErrorKind::EmbeddedNul);
}

#[derive(BinFormat, Debug, PartialEq)]
struct Encodings {
    #[binfmt(length_prefixed(u8), text = latin1)]
    latin1: String,
    #[binfmt(length_prefixed(u8), text = ascii)]
    ascii: String,
    #[binfmt(length_prefixed(u8), text = utf8)]
    utf8: String,
    #[binfmt(length_prefixed(u8), text = bytes)]
    bytes: Vec<u8>,
    #[binfmt(nul, text = latin1)]
    end: String,
}

fn encodings() -> Encodings {
    Encodings {
        latin1: "é".into(), ascii: "a".into(), utf8: "é".into(), bytes: vec![0xFF], end: "ü".into()
    }
}

#[test]
fn text_in_its_encodings() {
    same(&encodings(), b"\x01\xe9\x01a\x02\xc3\xa9\x01\xff\xfc\0");
    let e = bad::<Encodings>(b"\0\x02a\x80");
    assert_error!(e, 3, "ascii", ErrorKind::InvalidText { encoding: "ASCII", valid_up_to: 1 });
    let e = bad::<Encodings>(b"\0\0\x01\xe9");
    assert_error!(e, 3, "utf8", ErrorKind::InvalidText { encoding: "UTF-8", valid_up_to: 0 });
    let e = refused(&Encodings { latin1: "a€".into(), ..encodings() });
    assert_error!(e, 2, "latin1", ErrorKind::InvalidText { encoding: "Latin-1", valid_up_to: 1 });
    let e = refused(&Encodings { ascii: "é".into(), ..encodings() });
    assert_error!(e, 3, "ascii", ErrorKind::InvalidText { encoding: "ASCII", valid_up_to: 0 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct EncodingsRef<'a> {
    #[binfmt(length_prefixed(u8), text = ascii)]
    ascii: &'a str,
    #[binfmt(length_prefixed(u8), text = latin1)]
    latin1: Cow<'a, str>,
    #[binfmt(length_prefixed(u8), borrow, text = ascii)]
    lent: Cow<'a, str>,
}

#[test]
fn encodings_that_can_be_lent() {
    let bytes = b"\x01a\x01\xe9\x01c";
    let found = lent(&EncodingsRef { ascii: "a", latin1: "é".into(), lent: "c".into() }, bytes);
    assert!(matches!(found.latin1, Cow::Owned(_)) && matches!(found.lent, Cow::Borrowed(_)));
    let e = binfmt::from_slice::<EncodingsRef<'_>>(b"\x01\x80").unwrap_err();
    assert_error!(e, 1, "ascii", ErrorKind::InvalidText { encoding: "ASCII", valid_up_to: 0 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Lax {
    #[binfmt(bool_lax)]
    lax: bool,
    strict: bool,
}

#[test]
fn bool_lax_takes_every_byte() {
    same(&Lax { lax: true, strict: true }, &[1, 1]);
    reads(&Lax { lax: true, strict: false }, &[0x80, 0]);
    assert_error!(bad::<Lax>(&[0x80, 0x80]), 1, "strict", ErrorKind::InvalidBool { found: 0x80 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Long {
    #[binfmt(var_len)]
    text: String,
    #[binfmt(var_len)]
    bytes: Vec<u8>,
}

#[test]
fn text_of_every_length_and_place_of_a_mistake() {
    // around the widths at which text is tested in wide words
    for len in (0..70usize).chain([127, 128, 129, 40_000]) {
        let mut bytes = (len as u32).to_le_bytes().to_vec();
        bytes.extend((0..len).map(|i| b'a' + (i % 26) as u8));
        bytes.extend([0, 0, 0, 0]);
        let text: String = bytes[4..4 + len].iter().map(|b| char::from(*b)).collect();
        reads(&Long { text, bytes: vec![] }, &bytes);
        for wrong in (0..len).filter(|i| len < 70 || i + 1 == len) {
            let mut bytes = bytes.clone();
            bytes[4 + wrong] = 0xFF;
            let e = bad::<Long>(&bytes);
            assert_error!(e, 4 + wrong as u64, "text", ErrorKind::InvalidText { valid_up_to, .. } if *valid_up_to == wrong);
        }
    }
}

#[test]
fn long_text_on_a_stream_that_ends() {
    let mut bytes = 50_000u32.to_le_bytes().to_vec();
    bytes.extend([b'x'; 40_000]);
    let [slice, stream] = short::<Long>(&bytes);
    assert_error!(slice, 0, "text", ErrorKind::CountTooLarge { count: 50_000, remaining: Some(40_000), .. });
    assert!(stream.is_incomplete());
}
