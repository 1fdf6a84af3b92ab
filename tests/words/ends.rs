//! `ends`: text and bytes up to a terminator, and what becomes of it.

use crate::support::wire::{
    assert_error, bad, bad_with, is_inside, lent, reads, reads_with, refused, same, short,
};
use binfmt::dump;
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, ErrorKind, Nullable, Options, TypedColumns};
use std::borrow::Cow;

const BAR: u8 = b'|';

#[derive(BinFormat, Debug, PartialEq)]
struct Parts {
    #[binfmt(ends(BAR))]
    name: String,
    #[binfmt(ends(0xff))]
    bytes: Vec<u8>,
    #[binfmt(ends(b"\r\n"), text = latin1)]
    line: Box<str>,
    n: u8,
}

#[test]
fn a_terminator_ends_text() {
    same(
        &Parts { name: "ab".into(), bytes: vec![1, 2], line: "né".into(), n: 9 },
        b"ab|\x01\x02\xffn\xe9\r\n\x09",
    );
    same(&Parts { name: String::new(), bytes: vec![], line: "\r".into(), n: 9 }, b"|\xff\r\r\n\x09");
    let long = Parts { name: "x".repeat(200), bytes: vec![7; 100_000], line: "\r x".repeat(50).into(), n: 9 };
    same(
        &long,
        &[&b"x".repeat(200)[..], b"|", &[7; 100_000], b"\xff", &b"\r x".repeat(50), b"\r\n\x09"].concat(),
    );
}

#[test]
fn a_terminator_that_is_missing() {
    let e = bad::<Parts>(b"ab");
    assert_error!(e, 0, "name", ErrorKind::Unterminated { needed: 3, remaining: 2, in_region: false, .. });
    assert!(e.is_incomplete());
    assert_eq!(e.to_string(), "name at byte 0x0: no terminator \"|\" in the 2 bytes that remain");
    let e = bad::<Parts>(b"ab|\xff\r");
    assert_error!(e, 4, "line", ErrorKind::UnexpectedEnd { needed: 2, remaining: 1 });
    let e = bad::<Parts>(b"ab|\xff\r\r\r");
    assert_error!(e, 4, "line", ErrorKind::Unterminated { needed: 5, remaining: 3, .. });
    let e = bad::<Parts>(b"a\xff|");
    assert_error!(e, 1, "name", ErrorKind::InvalidText { encoding: "UTF-8", valid_up_to: 1 });
}

#[test]
fn a_terminator_inside_the_text_is_refused() {
    let parts = |name: &str, bytes: &[u8], line: &str| Parts {
        name: name.into(),
        bytes: bytes.into(),
        line: line.into(),
        n: 9,
    };
    let e = refused(&parts("a|", b"", ""));
    assert_error!(e, 0, "name", ErrorKind::EmbeddedEnd { .. });
    assert_eq!(e.to_string(), "name at byte 0x0: terminator \"|\" inside the text");
    assert_error!(refused(&parts("", &[0xff], "")), 1, "bytes", ErrorKind::EmbeddedEnd { .. });
    assert_error!(refused(&parts("", b"", "a\r\nb")), 2, "line", ErrorKind::EmbeddedEnd { .. });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Overlaps {
    #[binfmt(ends(b"--"))]
    text: String,
}

#[test]
fn a_terminator_that_begins_in_the_text_is_refused() {
    same(&Overlaps { text: "a-b".into() }, b"a-b--");
    assert_error!(refused(&Overlaps { text: "a-".into() }), 0, "text", ErrorKind::EmbeddedEnd { .. });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Kept {
    #[binfmt(ends(b'\n', keep))]
    line: String,
    #[binfmt(ends(b'\n', keep, or_eof))]
    last: Vec<u8>,
}

#[test]
fn a_terminator_that_is_kept_is_part_of_the_value() {
    same(&Kept { line: "a\n".into(), last: b"b\n".into() }, b"a\nb\n");
    same(&Kept { line: "\n".into(), last: b"b".into() }, b"\nb");
    let e = refused(&Kept { line: "a".into(), last: vec![] });
    assert_error!(e, 0, "line", ErrorKind::MissingEnd { .. });
    assert_eq!(e.to_string(), "line at byte 0x0: text without its terminator 0a");
    let e = refused(&Kept { line: "a\nb\n".into(), last: vec![] });
    assert_error!(e, 0, "line", ErrorKind::EmbeddedEnd { .. });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Unread {
    #[binfmt(ends(b':', unread))]
    key: String,
    #[binfmt(magic = b": ", until_eof)]
    value: String,
}

#[test]
fn a_terminator_that_is_unread_stays() {
    same(&Unread { key: "ab".into(), value: "c:d".into() }, b"ab: c:d");
    assert_error!(bad::<Unread>(b"ab:c"), 2, "value (magic)", ErrorKind::Magic { .. });
    assert_error!(
        refused(&Unread { key: ":".into(), value: String::new() }),
        0,
        "key",
        ErrorKind::EmbeddedEnd { .. }
    );
}

#[derive(BinFormat, Debug, PartialEq)]
struct Word {
    #[binfmt(ends(b' ', or_eof))]
    word: String,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Words {
    n: u8,
    #[binfmt(region = *n)]
    inside: Vec<Word>,
    #[binfmt(until_eof)]
    words: Vec<Word>,
}

#[test]
fn the_end_may_end_the_text_too() {
    let word = |word: &str| Word { word: word.into() };
    let words = Words { n: 2, inside: vec![word("a")], words: vec![word("bc"), word("d")] };
    // the terminator is always written
    same(&words, b"\x02a bc d ");
    reads(&words, b"\x02a bc d");
    reads(&Words { n: 2, inside: vec![word("xy")], words: vec![] }, b"\x02xy");
    let [_, stream] = short::<Words>(b"\x03xy");
    assert_error!(stream, 1, "inside[0].word", ErrorKind::UnexpectedEnd { .. });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Lent<'a> {
    #[binfmt(ends(b'|'))]
    a: &'a str,
    #[binfmt(ends(b'|', keep))]
    b: &'a [u8],
    #[binfmt(ends(b'|', or_eof), borrow)]
    c: Cow<'a, str>,
}

#[test]
fn text_is_lent() {
    let bytes = b"ab|c|d|";
    let found = lent(&Lent { a: "ab", b: b"c|", c: "d".into() }, bytes);
    assert!(is_inside(bytes, found.a.as_bytes()) && matches!(found.c, Cow::Borrowed(_)));
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le, columns)]
struct Row {
    #[binfmt(ends(b','))]
    name: String,
    #[binfmt(ends(b',', keep))]
    data: Vec<u8>,
    #[binfmt(nullable, ends(b';'))]
    maybe: Nullable<String>,
}

#[test]
fn columns_and_missing_values() {
    let row = Row { name: "a".into(), data: b"b,".into(), maybe: Nullable::Value("c".into()) };
    let none = Row { name: String::new(), data: b",".into(), maybe: Nullable::Missing(3) };
    let bytes = b"a,b,\xffc;,,\x03;";
    let columns = RowColumns::from_slice(bytes).unwrap();
    assert_eq!(columns.rows().collect::<Vec<Row>>(), [row, none]);
    assert_eq!(columns.to_vec().unwrap(), bytes);
}

#[derive(BinFormat, Debug, PartialEq)]
struct Counted {
    #[binfmt(len_of(name, bytes, auto))]
    all: u8,
    #[binfmt(len_of(name, auto))]
    text: u8,
    #[binfmt(ends(b'|'))]
    name: String,
}

#[test]
fn the_length_of_a_text_with_a_terminator() {
    let value = Counted { all: 0, text: 0, name: "abc".into() };
    assert_eq!(binfmt::to_vec(&value).unwrap(), b"\x04\x03abc|");
}

#[test]
fn at_run_time() {
    let program = Program::new(&Parts::SCHEMA.description()).unwrap();
    let bytes = b"ab|\x01\xffn\xe9\r\n\x09";
    let value: Value = binfmt::from_slice_with(bytes, &binfmt::Options::new().ctx(&program)).unwrap();
    assert_eq!(value.get("line").and_then(Value::as_str), Some("né"));
    assert_eq!(binfmt::to_vec_with(&value, &binfmt::Options::new().ctx(&program)).unwrap(), bytes);
}

#[test]
fn a_dump_names_the_terminator() {
    let trace = dump::trace::<Parts>(b"ab|\xff\r\n\x09");
    assert!(trace.error().is_none());
    let ends: Vec<_> =
        trace.nodes().filter(|node| node.piece() == Some("end")).map(|node| node.range()).collect();
    assert_eq!(ends, [2..3, 3..4, 4..6]);
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Units {
    #[binfmt(ends(b"\0\0"), text = utf16le)]
    dropped: String,
    #[binfmt(ends(b"\0\0", unread), text = utf16le)]
    unread: String,
    gap: u16,
    #[binfmt(ends(b"\0|\0|", keep), text = utf16be)]
    kept: String,
    #[binfmt(ends(b"\0\0\0\n", or_eof), trim = b' ', text = utf32be)]
    last: String,
}

#[test]
fn text_of_larger_units_ends_at_a_unit() {
    let units = Units {
        // in bytes, the terminator stands at odd places, too
        dropped: "aĀ\u{1}b".into(),
        unread: "€".into(),
        gap: 0,
        kept: "|x||".into(),
        last: "né".into(),
    };
    let bytes = b"a\0\0\x01\x01\0b\0\0\0\xac\x20\0\0\0|\0x\0|\0|\0\0\0n\0\0\0\xe9\0\0\0\n";
    same(&units, bytes);
    for n in 0..22 {
        short::<Units>(&bytes[..n]);
    }
    assert_eq!(binfmt::from_slice::<Units>(&bytes[..30]).unwrap(), units);
    let filled = [&bytes[..30], b"\0\0\0 "].concat();
    assert_eq!(binfmt::from_slice::<Units>(&filled).unwrap(), units);
    // half a unit before the end
    assert_eq!(bad::<Units>(&bytes[..29]).path().to_string(), "last");
    let e = refused(&Units { dropped: "a\0".into(), ..units.clone() });
    assert_error!(e, 0, "dropped", ErrorKind::EmbeddedEnd { .. });
    assert_error!(
        refused(&Units { kept: "x|".into(), ..units.clone() }),
        14,
        "kept",
        ErrorKind::MissingEnd { .. }
    );
    assert_error!(refused(&Units { kept: "|||".into(), ..units }), 14, "kept", ErrorKind::EmbeddedEnd { .. });
}

#[test]
fn values_of_larger_units_end_the_same() {
    let layout = Units::SCHEMA.description();
    assert!(
        layout.to_string().contains("kept: text, ends(b\"\\x00|\\x00|\", keep), text = utf16be"),
        "{layout}"
    );
    let program = Program::new(&layout).unwrap();
    let options = binfmt::Options::new().ctx(&program);
    let bytes = b"a\0\0\x01\x01\0b\0\0\0\xac\x20\0\0\0|\0x\0|\0|\0\0\0n\0\0\0\xe9\0\0\0\n";
    let value: Value = binfmt::from_slice_with(bytes, &options).unwrap();
    assert_eq!(value.get("kept"), Some(&Value::Text("|x||".into())));
    assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), bytes);
    let bad: binfmt::schema::Description =
        "T: record\n  a: text, ends(b'|'), text = utf16le\n".parse().unwrap();
    let e = Program::new(&bad).unwrap_err();
    assert_eq!(e.to_string(), "a: a terminator of UTF-16 and UTF-32 text has whole units");
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Measured {
    #[binfmt(len_of(wide, auto))]
    units: u8,
    #[binfmt(len_of(wide, bytes, u8))]
    size: (),
    #[binfmt(len_of(latin, auto))]
    chars: u8,
    #[binfmt(ends(b"\0\0"), text = utf16le)]
    wide: String,
    #[binfmt(ends(b'|', keep), text = latin1)]
    latin: String,
}

#[test]
fn lengths_count_the_units_of_the_value() {
    let value =
        Measured { units: 2, size: (), chars: 3, wide: "\u{e9}\u{20ac}".into(), latin: "\u{e9}a|".into() };
    same(&value, b"\x02\x06\x03\xe9\0\xac\x20\0\0\xe9a|");
    assert_eq!(
        binfmt::to_vec(&Measured { units: 0, chars: 9, ..value.clone() }).unwrap(),
        binfmt::to_vec(&value).unwrap()
    );
}

/// A line without its end is the last of the input, or of its region.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Line {
    #[binfmt(ends(b"\r\n", keep, or_eof))]
    line: String,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Wide {
    #[binfmt(ends(b"\0\0", keep, or_eof), text = utf16le)]
    line: String,
}

fn line(line: &str) -> Line {
    Line { line: line.into() }
}

#[test]
fn nothing_follows_a_kept_text_without_its_terminator() {
    same(&line("a"), b"a");
    same(&line(""), b"");
    #[derive(BinFormat, Debug, PartialEq)]
    struct Followed(Line, u8);
    same(&Followed(line("a\r\n"), 7), b"a\r\n\x07");
    let e = refused(&Followed(line("a"), 7));
    assert_error!(e, 0, "0.line", ErrorKind::MissingEnd { .. });
    // an empty one would be read back as what follows it
    refused(&Followed(line(""), 7));
    refused(&(Wide { line: "a".into() }, 7u8));
    same(&(Wide { line: "a\0".into() }, 7u8), b"a\0\0\0\x07");
    #[derive(BinFormat, Debug, PartialEq)]
    struct Lines(#[binfmt(until_eof)] Vec<Line>);
    same(&Lines(vec![line("a\r\n"), line("b")]), b"a\r\nb");
    refused(&Lines(vec![line("a"), line("b\r\n")]));
    // the end of a region is one
    #[derive(BinFormat, Debug, PartialEq)]
    struct Framed {
        #[binfmt(length_prefixed(u8, in = bytes))]
        line: Line,
        n: u8,
    }
    same(&Framed { line: line("a"), n: 7 }, b"\x01a\x07");
    #[derive(BinFormat, Debug, PartialEq)]
    struct Padded(#[binfmt(pad_to = 4)] Line);
    same(&Padded(line("ab\r\n")), b"ab\r\n");
    refused(&Padded(line("a")));
}

#[test]
fn the_same_holds_at_run_time() {
    #[derive(BinFormat)]
    struct Row {
        line: Line,
        second: Line,
    }
    let layout = Row::SCHEMA.description();
    let program = Program::new(&layout).unwrap();
    let options = binfmt::Options::new().ctx(&program);
    let plan = binfmt::columns::Plan::new(&layout).unwrap();
    let row = |a: &str, b: &str| {
        let line = |text: &str| Value::record([("line", Value::from(text))]);
        Value::record([("line", line(a)), ("second", line(b))])
    };
    let written = |rows: &[Value]| {
        let values = binfmt::encode_all_with(rows, &options);
        let mut file = Vec::new();
        let to_writer = binfmt::encode_all_to_writer_with(rows, &mut file, &options).map(|_| file);
        let columns = plan.columns_of(rows).unwrap();
        let mut file = Vec::new();
        let streamed = plan.encode_to(&columns, &mut file, &binfmt::Options::new()).map(|_| file);
        let all = [values, to_writer, plan.encode(&columns), streamed];
        all.map(|done| done.map_err(|e| (e.offset(), e.path().to_string(), e.to_string())))
    };
    let good = written(&[row("a\r\n", "b\r\n"), row("c\r\n", "")]);
    assert!(good.iter().all(|done| done.as_deref() == Ok(b"a\r\nb\r\nc\r\n")), "{good:?}");
    for (rows, path) in [
        ([row("a", "b"), row("c\r\n", "")], "[0].line.line"),
        ([row("a\r\n", "b"), row("c\r\n", "")], "[0].second.line"),
    ] {
        for done in written(&rows) {
            assert_eq!(done.as_ref().map_err(|(_, found, _)| &**found), Err(path), "{done:?}");
        }
    }
}

#[derive(BinFormat, Debug, PartialEq)]
struct Maybe {
    #[binfmt(nullable, ends(b';'))]
    dropped: Option<String>,
    #[binfmt(nullable, ends(b';', keep))]
    kept: Option<String>,
    #[binfmt(nullable, ends(b';', unread))]
    unread: Option<String>,
    #[binfmt(magic = b";")]
    end: (),
}

#[test]
fn a_missing_text_has_its_terminator_alone() {
    let missing = Maybe { dropped: None, kept: None, unread: None, end: () };
    same(&missing, b"\0;\0;\0;");
    reads(&missing, b"\0x;\0yz;\0w;");
    let options = Options::new().blank_missing(true);
    reads_with(&missing, b"\0;\0;\0;", &options);
    for (bytes, at, field) in
        [(b"\0x;\0;\0;", 1, "dropped"), (b"\0;\0x;\0;", 3, "kept"), (b"\0;\0;\0x;", 5, "unread")]
    {
        let e = bad_with::<Maybe, ()>(bytes, &options);
        assert!(matches!(e.kind(), ErrorKind::MissingNotBlank), "{e}");
        assert_eq!((e.offset(), e.path().to_string()), (Some(at), field.to_owned()));
    }
}
