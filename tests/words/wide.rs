//! `text` in units of two and four bytes: lengths, NULs and fillings count them.

use crate::support::wire::{assert_error, bad, refused, same};
use binfmt::{BinFormat, ErrorKind, Layout, Options, TypedColumns};
use std::borrow::Cow;

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Wide {
    #[binfmt(length_prefixed(u8), text = utf16le)]
    units: String,
    #[binfmt(length_prefixed(u16, in = bytes, max = 8), text = utf16be)]
    bytes: String,
    #[binfmt(nul, text = utf16be)]
    ended: Box<str>,
    #[binfmt(count = 3, nul, text = utf32le)]
    padded: String,
    #[binfmt(count = 3, trim = b' ', text = utf16be)]
    filled: String,
    #[binfmt(length_prefixed(u8), nul, text = utf32be)]
    counted: String,
    #[binfmt(nullable, nul, text = utf16le)]
    maybe: Option<String>,
    #[binfmt(until_eof, text = utf16le)]
    rest: String,
}

fn wide() -> Wide {
    Wide {
        units: "a\u{1f600}".into(),
        bytes: "\u{20ac}b".into(),
        ended: "x\u{100}".into(),
        padded: "p".into(),
        filled: "f g".into(),
        counted: "c".into(),
        maybe: None,
        rest: "z".into(),
    }
}

const BYTES: &[u8] = b"\x03a\0\x3d\xd8\0\xde\
    \x04\0\x20\xac\0b\
    \0x\x01\0\0\0\
    p\0\0\0\0\0\0\0\0\0\0\0\
    \0f\0 \0g\
    \x02\0\0\0c\0\0\0\0\
    \0\0\0\
    z\0";

#[test]
fn lengths_are_of_units() {
    same(&wide(), BYTES);
    same(&Wide { maybe: Some("\u{3b1}".into()), rest: String::new(), ..wide() }, &{
        let mut bytes = BYTES[..BYTES.len() - 5].to_vec();
        bytes.extend(b"\xff\xb1\x03\0\0");
        bytes
    });
    assert_eq!(Wide::FACTS.sizes().min, 1 + 2 + 2 + 12 + 6 + 1 + 3);
}

#[test]
fn what_is_no_text_is_refused() {
    let cut = |place: usize, byte: u8| {
        let mut bytes = BYTES.to_vec();
        bytes[place] = byte;
        bad::<Wide>(&bytes)
    };
    // the second half of a pair is missing, or stands alone
    assert_error!(cut(6, 0x20), 3, "units", ErrorKind::InvalidText { encoding: "UTF-16LE", valid_up_to: 2 });
    assert_error!(cut(4, 0xdc), 3, "units", ErrorKind::InvalidText { valid_up_to: 2, .. });
    assert_error!(cut(21, 0x11), 19, "padded", ErrorKind::InvalidText { encoding: "UTF-32LE", .. });
    // an odd number of bytes
    assert_error!(cut(7, 3), 11, "bytes", ErrorKind::InvalidText { valid_up_to: 2, .. });
    assert_error!(bad::<Wide>(&BYTES[..BYTES.len() - 1]), 49, "rest", ErrorKind::InvalidText { .. });
    assert_error!(bad::<Wide>(&BYTES[..16]), 13, "ended", ErrorKind::Unterminated { .. });
}

#[test]
fn what_would_not_be_read_back_is_refused() {
    let e = refused(&Wide { padded: "abc".into(), ..wide() });
    assert_error!(e, 19, "padded", ErrorKind::TooLong { found: 4, max: 3 });
    let e = refused(&Wide { padded: "a\0".into(), ..wide() });
    assert_error!(e, 19, "padded", ErrorKind::EmbeddedNul);
    let e = refused(&Wide { filled: "a ".into(), ..wide() });
    assert_error!(e, 31, "filled", ErrorKind::TrimmedEnd { byte: b' ' });
    let e = refused(&Wide { bytes: "12345".into(), ..wide() });
    assert_error!(e, 7, "bytes", ErrorKind::LengthLimit { length: 10, max: 8 });
    let e = refused(&Wide { ended: "a\0b".into(), ..wide() });
    assert_error!(e, 13, "ended", ErrorKind::EmbeddedNul);
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Owned<'a> {
    #[binfmt(length_prefixed(u8), text = utf32be)]
    text: Cow<'a, str>,
}

#[test]
fn a_cow_is_owned() {
    same(&Owned { text: "a".into() }, b"\x01\0\0\0a");
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Lengths {
    #[binfmt(len_of(name, u8))]
    len: (),
    #[binfmt(len_of(name, bytes, u8))]
    size: (),
    #[binfmt(count = len, text = utf16le)]
    name: String,
}

#[test]
fn a_length_elsewhere_counts_units_or_bytes() {
    same(&Lengths { len: (), size: (), name: "\u{e9}\u{1f600}".into() }, b"\x03\x06\xe9\0\x3d\xd8\0\xde");
    assert_error!(bad::<Lengths>(b"\x01\x03a\0"), 1, "size", ErrorKind::LengthMismatch { .. });
}

#[test]
fn columns_have_text() {
    let rows = [Wide { rest: String::new(), ..wide() }];
    let bytes = binfmt::to_vec(&rows[0]).unwrap();
    let columns = WideColumns::from_slice(&bytes).unwrap();
    assert_eq!((columns.units.get(0), columns.ended.get(0)), (Some("a\u{1f600}"), Some("x\u{100}")));
    assert_eq!(columns.to_vec().unwrap(), bytes);
}

/// A length counts units wherever the text ends.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Counted {
    #[binfmt(len_of(ended, u8))]
    a: (),
    #[binfmt(len_of(prefixed, auto))]
    b: u8,
    #[binfmt(len_of(latin, u8))]
    c: (),
    #[binfmt(len_of(ended_latin, u8))]
    d: (),
    #[binfmt(nul, text = utf16le)]
    ended: String,
    #[binfmt(length_prefixed(u8), text = utf16le)]
    prefixed: String,
    #[binfmt(length_prefixed(u8), text = latin1)]
    latin: String,
    #[binfmt(nul, text = latin1)]
    ended_latin: String,
}

#[test]
fn lengths_count_units() {
    let value = Counted {
        a: (),
        b: 3,
        c: (),
        d: (),
        ended: "é€".into(),
        prefixed: "a😀".into(),
        latin: "éé".into(),
        ended_latin: "ü".into(),
    };
    let bytes = b"\x02\x03\x02\x01\xe9\0\xac\x20\0\0\x03a\0\x3d\xd8\0\xde\x02\xe9\xe9\xfc\0";
    same(&value, bytes);
    for (place, name) in [(0, "a"), (2, "c"), (3, "d")] {
        let mut wrong = *bytes;
        wrong[place] = 9;
        let e = bad::<Counted>(&wrong);
        assert_eq!((e.path().to_string().as_str(), e.offset()), (name, Some(place as u64)));
    }
}

#[derive(BinFormat, Debug, PartialEq)]
struct Long {
    #[binfmt(count = 70, trim = b' ', text = utf16be)]
    filled: String,
}

#[test]
fn a_filling_of_many_units_is_that_of_each() {
    let bytes = [&b"\0a"[..], &b"\0 ".repeat(69)].concat();
    same(&Long { filled: "a".into() }, &bytes);
}

#[derive(BinFormat, Debug, PartialEq)]
struct Fixed {
    #[binfmt(count = 2, text = utf16le)]
    units: String,
    #[binfmt(count = 2, text = latin1)]
    letters: String,
}

#[test]
fn as_many_units_are_written_as_the_count_says() {
    same(&Fixed { units: "ab".into(), letters: "é1".into() }, b"a\0b\0\xe91");
    let e = refused(&Fixed { units: "abc".into(), letters: "ab".into() });
    assert_error!(e, 0, "units", ErrorKind::LengthMismatch { expected: 2, found: 3 });
    let e = refused(&Fixed { units: "ab".into(), letters: "a".into() });
    assert_error!(e, 4, "letters", ErrorKind::LengthMismatch { expected: 2, found: 1 });
}

#[test]
fn the_memory_of_text_is_counted() {
    let bytes = [&[100, 0, 0, 0][..], &[b'a', 0].repeat(100)].concat();
    let read = |memory| binfmt::from_slice_with::<Units, _>(&bytes, &Options::new().max_memory(memory));
    // the bytes, and three bytes of text for each unit
    assert_eq!(read(500).unwrap().text.len(), 100);
    assert!(matches!(read(499).unwrap_err().kind(), ErrorKind::MemoryLimit { .. }));
}

#[derive(BinFormat, Debug, PartialEq)]
struct Units {
    #[binfmt(var_len, text = utf16le)]
    text: String,
}
