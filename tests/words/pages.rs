//! `text = with(Page)`: text in code pages.

use crate::support::wire::{Drip, assert_error, bad, refused, same};
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, CodePage, ErrorKind, Nullable, Options};
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
fn run_time_values_of_functions_are_the_bytes() {
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

/// Every place that text may have.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Places {
    #[binfmt(length_prefixed(u16), text = encoding(windows_1252))]
    long: String,
    #[binfmt(nul, text = encoding(shift_jis))]
    ended: String,
    #[binfmt(count = 4, trim = b' ', text = encoding(ibm437))]
    filled: String,
    #[binfmt(count = 4, nul, text = encoding(koi8_r))]
    room: String,
    #[binfmt(ends(b";"), text = encoding(windows_1251))]
    until: String,
    #[binfmt(nullable, length_prefixed(u8), text = encoding(iso_8859_2))]
    nullable: binfmt::Nullable<String>,
    len: u8,
    #[binfmt(if(*len > 0), count = *len, text = encoding(euc_kr))]
    counted: Option<String>,
    #[binfmt(until_eof, text = encoding(gbk))]
    rest: String,
}

fn places() -> Places {
    Places {
        long: "n€".into(),
        ended: "日本".into(),
        filled: "né".into(),
        room: "да".into(),
        until: "нет".into(),
        nullable: binfmt::Nullable::Value("Łódź".into()),
        len: 2,
        counted: Some("한".into()),
        rest: "中".into(),
    }
}

/// A program, which has what `T` has.
fn of<T: Describe>() -> Program {
    Program::new(&T::SCHEMA.description()).unwrap()
}

#[test]
fn run_time_values_of_known_encodings_are_text() {
    let bytes = binfmt::to_vec(&places()).unwrap();
    same(&places(), &bytes);
    let program = of::<Places>();
    let options = Options::new().ctx(&program);
    let value: Value = binfmt::from_slice_with(&bytes, &options).unwrap();
    for (name, text) in [
        ("long", "n€"),
        ("ended", "日本"),
        ("filled", "né"),
        ("room", "да"),
        ("until", "нет"),
        ("nullable", "Łódź"),
        ("counted", "한"),
        ("rest", "中"),
    ] {
        assert_eq!(value.get(name), Some(&Value::Text(text.into())), "{name}");
    }
    assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), bytes);
    assert_eq!(binfmt::encoded_len_with(&value, &options).unwrap(), bytes.len());
    let streamed: Value = binfmt::from_reader_with(&bytes[..], &options).unwrap();
    assert_eq!(streamed, value);
    // the dump of a value is that of the struct
    let typed = binfmt::dump::trace::<Places>(&bytes).to_string();
    assert_eq!(binfmt::dump::trace_with::<Value, _>(&bytes, &options).to_string(), typed);
    assert!(typed.contains(r#"long: "n€" (windows-1252)"#), "{typed}");
    // the schema is what it was, and a text of it says as much
    let text = Places::SCHEMA.to_string();
    assert!(text.contains("long: bytes, length_prefixed(u16), text = encoding(windows_1252)"), "{text}");
    let read = Program::new(&text.parse().unwrap()).unwrap();
    assert_eq!(binfmt::from_slice_with::<Value, _>(&bytes, &Options::new().ctx(&read)).unwrap(), value);
}

#[test]
fn errors_at_run_time_are_those_of_the_struct() {
    let program = of::<Known>();
    let options = Options::new().ctx(&program);
    for bytes in [&b"\0\x03a\x93\x01"[..], b"\x01a\x04\x93\xfa\x96", b"\x02a"] {
        let e = binfmt::from_slice_with::<Value, _>(bytes, &options).unwrap_err();
        assert_eq!(e.to_string(), binfmt::from_slice::<Known>(bytes).unwrap_err().to_string());
    }
    let known = Known { west: "n€".into(), japan: "日本".into(), rest: "да".into() };
    for (name, wrong) in [
        ("west", Known { west: "да".into(), ..known.clone() }),
        ("japan", Known { japan: "a€".into(), ..known.clone() }),
        ("rest", Known { rest: "€".into(), ..known.clone() }),
    ] {
        let text = [("west", &wrong.west), ("japan", &wrong.japan), ("rest", &wrong.rest)];
        let changed = Value::record(text.map(|(name, text)| (name, Value::Text(text.clone()))));
        let e = binfmt::to_vec_with(&changed, &options).unwrap_err();
        assert_eq!(e.to_string(), refused(&wrong).to_string(), "{name}");
        assert_eq!(e.path().to_string(), name);
    }
    // bytes are not text
    let bytes = Value::record([("west", Value::Bytes(vec![1])), ("japan", "".into()), ("rest", "".into())]);
    let e = binfmt::to_vec_with(&bytes, &options).unwrap_err();
    assert_eq!((e.offset(), e.path().to_string()), (Some(0), "west".into()), "{e}");
}

#[test]
fn columns_are_text() {
    use binfmt::columns::{Column, Plan};
    #[derive(BinFormat)]
    struct Row {
        #[binfmt(length_prefixed(u8), text = encoding(koi8_r))]
        name: String,
        #[binfmt(count = 3, trim = b' ', text = encoding(ibm437))]
        kind: String,
        #[binfmt(length_prefixed(u8), text = with(Cp437))]
        own: String,
    }
    let plan = Plan::new(&Row::SCHEMA.description()).unwrap();
    let bytes = b"\x02\xc4\xc1\x82  \x01\x82\x00abc\0";
    let columns = plan.decode(bytes).unwrap();
    for (row, texts) in [["да", "é"], ["", "abc"]].into_iter().enumerate() {
        for (i, text) in texts.into_iter().enumerate() {
            assert_eq!(columns.cell(row, i).unwrap().to_value(), Value::Text(text.into()));
        }
    }
    assert!(matches!(columns.get("name"), Some(Column::Text(_))));
    assert_eq!(plan.encode(&columns).unwrap(), bytes);
    let e = plan.decode(b"\0abc\0\x01").unwrap_err();
    assert_eq!(e.path().to_string(), "[1].name");
    assert!(matches!(columns.get("own"), Some(Column::Bytes(_))));
}

/// Texts that are missing, absent, or end with the input.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Gone {
    #[binfmt(nullable, length_prefixed(u8), text = encoding(koi8_r))]
    prefixed: Nullable<String>,
    #[binfmt(nullable, nul, text = encoding(koi8_r))]
    ended: Nullable<String>,
    #[binfmt(nullable, ends(b';'), text = encoding(koi8_r))]
    until: Nullable<String>,
    on: bool,
    #[binfmt(if(*on, else = "none".to_owned()), length_prefixed(u8), text = encoding(koi8_r))]
    said: String,
    #[binfmt(if(*on, else = Default::default()), nul, text = encoding(koi8_r))]
    empty: String,
}

#[test]
fn a_text_that_is_not_there_has_a_blank_or_another_value() {
    let text = |text: &str| Nullable::Value(text.to_owned());
    let gone = Gone {
        prefixed: Nullable::Missing(1),
        ended: Nullable::Missing(2),
        until: Nullable::Missing(3),
        on: false,
        said: "none".into(),
        empty: String::new(),
    };
    let there = Gone {
        prefixed: text("да"),
        ended: text("а"),
        until: text(""),
        on: true,
        said: "д".into(),
        empty: "а".into(),
    };
    let program = of::<Gone>();
    let options = Options::new().ctx(&program);
    for (typed, bytes) in
        [(gone, &b"\x01\0\x02\0\x03;\0"[..]), (there, b"\xff\x02\xc4\xc1\xff\xc1\0\xff;\x01\x01\xc4\xc1\0")]
    {
        same(&typed, bytes);
        let value: Value = binfmt::from_slice_with(bytes, &options).unwrap();
        assert_eq!(value.get("said"), Some(&Value::Text(typed.said)));
        assert_eq!(value.get("empty"), Some(&Value::Text(typed.empty)));
        assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), bytes);
    }
}

/// A stream is asked for more before a text is said to end with it.
#[test]
fn columns_of_texts_that_the_input_ends() {
    use binfmt::columns::Plan;
    #[derive(BinFormat)]
    struct Rest(u8, #[binfmt(until_eof, text = encoding(koi8_r))] String);
    #[derive(BinFormat)]
    struct Word(u8, #[binfmt(ends(b';', or_eof), text = encoding(koi8_r))] String);
    for layout in [Rest::SCHEMA, Word::SCHEMA] {
        let plan = Plan::new(&layout.description()).unwrap();
        for bytes in [b"\x01".to_vec(), b"\x01\xc4".to_vec(), [b"\x01", &[0xc1; 100_000][..]].concat()] {
            let whole = plan.decode(&bytes).unwrap();
            let read = plan.reader(Drip(&bytes), &Options::new()).next_batch(9).unwrap();
            assert_eq!(read.as_ref(), Some(&whole));
        }
    }
}
