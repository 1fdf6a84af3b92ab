//! `text = with(Page)`: text in code pages.

use crate::wire::{assert_error, bad, refused, same};
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, CodePage, ErrorKind, Options};
use std::fmt;

/// The upper half of code page 437, as far as the tests need it.
const UPPER: &[(char, u8)] = &[('é', 0x82), ('ü', 0x81), ('€', 0xEE)];

struct Cp437;

#[derive(Debug)]
struct NoSuch(String);

impl fmt::Display for NoSuch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not in this code page", self.0)
    }
}

impl std::error::Error for NoSuch {}

impl CodePage for Cp437 {
    const NAME: &'static str = "CP437";
    type Error = NoSuch;

    fn decode(bytes: &[u8]) -> Result<String, NoSuch> {
        let one = |b: &u8| match UPPER.iter().find(|(_, byte)| byte == b) {
            Some((c, _)) => Ok(*c),
            None if b.is_ascii() => Ok(char::from(*b)),
            None => Err(NoSuch(format!("{b:#x}"))),
        };
        bytes.iter().map(one).collect()
    }

    fn encode(text: &str) -> Result<Vec<u8>, NoSuch> {
        let one = |c: char| match UPPER.iter().find(|(known, _)| *known == c) {
            Some((_, byte)) => Ok(*byte),
            None if c.is_ascii() => Ok(c as u8),
            None => Err(NoSuch(c.to_string())),
        };
        text.chars().map(one).collect()
    }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Names {
    #[binfmt(length_prefixed(u8), text = with(Cp437))]
    long: String,
    #[binfmt(count = 3, nul, text = with(Cp437))]
    fixed: String,
    #[binfmt(nul, text = with(Cp437))]
    ended: Box<str>,
    #[binfmt(count = 3, trim = b' ', text = with(Cp437))]
    filled: String,
    #[binfmt(ends(b';'), text = with(Cp437))]
    until: String,
    #[binfmt(len_of(rest, u8))]
    len: (),
    #[binfmt(count = len, text = with(Cp437))]
    rest: String,
}

fn names() -> Names {
    Names {
        long: "né".into(),
        fixed: "ü".into(),
        ended: "é".into(),
        filled: "é".into(),
        until: "aü".into(),
        len: (),
        rest: "éé".into(),
    }
}

const BYTES: &[u8] = b"\x02n\x82\x81\0\0\x82\0\x82  a\x81;\x02\x82\x82";

#[test]
fn lengths_are_those_of_the_bytes() {
    same(&names(), BYTES);
}

#[test]
fn errors_of_the_page_have_their_place() {
    let e = bad::<Names>(b"\x02n\xFF\x81\0\0");
    assert_error!(e, 1, "long", ErrorKind::Custom(_));
    assert_eq!(e.to_string(), "long at byte 0x1: 0xff is not in this code page");
    assert!(e.downcast_ref::<NoSuch>().is_some());
    let e = refused(&Names { ended: "я".into(), ..names() });
    assert_eq!((e.path().to_string().as_str(), e.offset()), ("ended", Some(6)), "{e}");
}

#[test]
fn run_time_values_are_the_bytes() {
    let layout = Names::SCHEMA.description();
    let program = Program::new(&layout).unwrap();
    let options = Options::new().ctx(&program);
    let value: Value = binfmt::from_slice_with(BYTES, &options).unwrap();
    assert_eq!(value.get("long"), Some(&Value::Bytes(b"n\x82".to_vec())));
    assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), BYTES);
    let text = Names::SCHEMA.to_string();
    assert!(text.contains("long: bytes, length_prefixed(u8), text = with(Cp437)"), "{text}");
    assert_eq!(text.parse::<binfmt::schema::Description>().unwrap().to_string(), text);
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Known {
    #[binfmt(length_prefixed(u8), text = encoding(windows_1252))]
    west: String,
    #[binfmt(length_prefixed(u8), text = encoding(shift_jis))]
    japan: String,
    #[binfmt(until_eof, text = encoding(koi8_r))]
    rest: String,
}

#[test]
fn encodings_have_names() {
    let value = Known { west: "n€".into(), japan: "日本".into(), rest: "да".into() };
    let bytes = b"\x02n\x80\x04\x93\xFA\x96\x7B\xC4\xC1";
    same(&value, bytes);
    let e = bad::<Known>(b"\0\x03a\x93\x01");
    assert_error!(e, 3, "japan", ErrorKind::InvalidText { encoding: "shift-jis", valid_up_to: 1 });
    let e = refused(&Known { west: "да".into(), ..value });
    assert_eq!(e.to_string(), "west at byte 0x1: invalid windows-1252 text");
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Ibm(#[binfmt(length_prefixed(u8), text = encoding(ibm437))] String);

#[test]
fn code_page_437() {
    same(&Ibm("a░é±".into()), b"\x04a\xb0\x82\xf1");
    // each byte is a character, and no two are the same
    let all: Vec<u8> = [255].into_iter().chain(0..255).collect();
    let text = binfmt::from_slice::<Ibm>(&all).unwrap();
    assert_eq!(binfmt::to_vec(&text).unwrap(), all);
    let last: Ibm = binfmt::from_slice(b"\x02\xe1\xff").unwrap();
    assert_eq!(last.0, "ß\u{a0}");
    let e = refused(&Ibm("aé日".into()));
    assert_error!(e, 1, "0", ErrorKind::InvalidText { encoding: "ibm437", valid_up_to: 3 });
}
