//! `region(ends(..))`: any type in the bytes before a terminator.

use crate::support::wire::{assert_error, bad, lent, reads, refused, same, short};
use binfmt::dump;
use binfmt::process::xor;
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, ErrorKind, Nullable, TypedColumns};

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Item {
    kind: u8,
    #[binfmt(until_eof)]
    rest: Vec<u8>,
}

fn item(kind: u8, rest: &[u8]) -> Item {
    Item { kind, rest: rest.to_vec() }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Parts {
    #[binfmt(region(ends(b'|')))]
    item: Item,
    #[binfmt(region(ends(b"\r\n", keep)))]
    line: Item,
    #[binfmt(region(ends(0xff)), be)]
    numbers: Vec<u16>,
    #[binfmt(region(ends(b'|', unread)))]
    pair: (u8, u8),
    end: u8,
}

fn parts() -> Parts {
    Parts { item: item(1, b"ab"), line: item(2, b"\r\n"), numbers: vec![0x0102, 3], pair: (7, 8), end: b'|' }
}

const PARTS: &[u8] = b"\x01ab|\x02\r\n\x01\x02\x00\x03\xff\x07\x08|";

#[test]
fn a_terminator_ends_any_type() {
    same(&parts(), PARTS);
    for n in 0..PARTS.len() {
        short::<Parts>(&PARTS[..n]);
    }
    let long = Parts { item: item(1, &[9; 100_000]), numbers: vec![0x0505; 9000], ..parts() };
    reads(&long, &binfmt::to_vec(&long).unwrap());
}

#[test]
fn the_value_uses_up_what_is_before_it() {
    let e = bad::<Parts>(b"\x01ab|\x02\r\n\xff\x07\x08\x09|");
    assert_error!(e, 10, "pair", ErrorKind::UnconsumedRegion { count: 1 });
    // and has no more than that
    let e = bad::<Parts>(b"|\x02\r\n\xff\x07\x08|");
    assert_error!(e, 0, "item.kind", ErrorKind::RegionEnd { needed: 1, remaining: 0 });
    let e = bad::<Parts>(b"\x01|\x02\r\n\x01\xff\x07\x08|");
    assert_error!(e, 5, "numbers[0]", ErrorKind::RegionEnd { needed: 2, remaining: 1 });
}

#[test]
fn what_would_end_it_early_is_not_written() {
    let e = refused(&Parts { item: item(1, b"a|"), ..parts() });
    assert_error!(e, 0, "item", ErrorKind::EmbeddedEnd { .. });
    let e = refused(&Parts { item: item(b'|', b""), ..parts() });
    assert_error!(e, 0, "item", ErrorKind::EmbeddedEnd { .. });
    let e = refused(&Parts { line: item(2, b"\r\n\r\n"), ..parts() });
    assert_error!(e, 4, "line", ErrorKind::EmbeddedEnd { .. });
    let e = refused(&Parts { line: item(2, b"x"), ..parts() });
    assert_error!(e, 4, "line", ErrorKind::MissingEnd { .. });
    let e = refused(&Parts { numbers: vec![0xff00], ..parts() });
    assert_error!(e, 7, "numbers", ErrorKind::EmbeddedEnd { .. });
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Padded {
    #[binfmt(pad_to = 6, fill = b'+', region(ends(b'@', or_eof)))]
    item: Item,
    #[binfmt(region(ends(b'@')), process(decode = xor([0x55]), encode = xor([0x55])))]
    secret: Item,
    #[binfmt(nullable, region(ends(b';')))]
    perhaps: Nullable<Item>,
    n: u8,
}

#[test]
fn words_around_and_inside_it() {
    let padded =
        Padded { item: item(1, b"ab"), secret: item(2, b"c"), perhaps: Nullable::Value(item(3, b"")), n: 9 };
    same(&padded, b"\x01ab@++W6@\xff\x03;\x09");
    same(&Padded { perhaps: Nullable::Missing(5), ..padded.clone() }, b"\x01ab@++W6@\x05;\x09");
    // the end of the field ends it, too
    assert_eq!(binfmt::from_slice::<Padded>(b"\x01abcdeW6@\xff\x03;\x09").unwrap().item, item(1, b"abcde"));
    let e = refused(&Padded { item: item(1, b"abcde"), ..padded });
    assert_error!(e, 0, "item", ErrorKind::TooLong { found: 7, max: 6 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Lent<'a> {
    #[binfmt(region(ends(b'|')))]
    name: &'a str,
    #[binfmt(region(ends(b'|')))]
    list: Names<'a>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Names<'a> {
    #[binfmt(until_eof)]
    names: Vec<Name<'a>>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Name<'a> {
    #[binfmt(ends(b','))]
    name: &'a str,
}

#[test]
fn values_are_lent_from_it() {
    let value = Lent { name: "ab", list: Names { names: vec![Name { name: "c" }, Name { name: "" }] } };
    lent(&value, b"ab|c,,|");
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Choice<T> {
    None,
    One(#[binfmt(region(ends(0)))] T),
}

#[test]
fn in_variants_and_generics() {
    same(&[Choice::One(item(4, b"x")), Choice::None], b"\x01\x04x\0\0");
    let e = bad::<Choice<u16>>(&[1, 2, 3, 4, 0]);
    assert_error!(e, 3, "0", ErrorKind::UnconsumedRegion { count: 1 });
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Row {
    n: u8,
    #[binfmt(region(ends(b'|')))]
    item: Item,
    #[binfmt(region(ends(b'|')))]
    numbers: Vec<u16>,
}

const ROWS: &[u8] = b"\x01\x02ab|\x01\x00|\x02\x03||";

#[test]
fn rows_go_into_columns() {
    let columns = RowColumns::from_slice(ROWS).unwrap();
    assert_eq!((&columns.n[..], &columns.item[..]), (&[1, 2][..], &[item(2, b"ab"), item(3, b"")][..]));
    assert_eq!(columns.row(0).unwrap(), Row { n: 1, item: item(2, b"ab"), numbers: vec![1] });
    assert_eq!(columns.to_vec().unwrap(), ROWS);
}

#[test]
fn a_schema_says_it_and_values_follow() {
    assert_eq!(
        Parts::SCHEMA.to_string(),
        "\
Parts: record
  item: Item, region(ends(b'|'))
  line: Item, region(ends(b\"\\r\\n\", keep))
  numbers: [u16], be, region(ends(b'\\xff'))
  pair: record, region(ends(b'|', unread))
    0: u8
    1: u8
  end: u8
Item: record
  kind: u8
  rest: bytes, until_eof
"
    );
    let layout = Parts::SCHEMA.description();
    let read: binfmt::schema::Description = layout.to_string().parse().unwrap();
    assert_eq!(read.to_string(), layout.to_string());
    let program = Program::new(&layout).unwrap();
    let options = binfmt::Options::new().ctx(&program);
    let value: Value = binfmt::from_slice_with(PARTS, &options).unwrap();
    assert_eq!(value.get("item").and_then(|item| item.get("rest")), Some(&Value::Bytes(b"ab".to_vec())));
    assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), PARTS);
    let text = "Bad: record\n  item: [u8], region(ends(b'|'), rest = skip)\n";
    let bad = text.parse::<binfmt::schema::Description>().unwrap();
    let e = Program::new(&bad).unwrap_err();
    assert_eq!(e.to_string(), "item: a region up to a terminator has no rest to fill");
}

#[test]
fn a_dump_names_the_terminator() {
    let trace = dump::trace::<Parts>(PARTS);
    assert!(trace.error().is_none());
    let ends: Vec<_> =
        trace.nodes().filter(|node| node.piece() == Some("end")).map(|node| node.range()).collect();
    assert_eq!(ends, [3..4, 11..12]);
}

/// What is written to memory first has no place in the whole file: a part there is refused and not lost.
#[test]
fn parts_of_the_whole_file() {
    use binfmt::value::{Program, Value};
    let layout = "record\n  n: u8\n  f: u8, region(ends(b'|')), at(file) = 1\n".parse().unwrap();
    let program = Program::new(&layout).unwrap();
    let value = Value::record([("n", 1u8), ("f", 5)]);
    let e = binfmt::to_vec_with(&value, &binfmt::Options::new().ctx(&program)).unwrap_err();
    assert!(e.to_string().contains("at a position of the whole file"), "{e}");
}
