//! `peek`: values that are read ahead, and tags that belong to what they choose.

use crate::support::wire::{assert_error, reads, same, short, writes};
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, ErrorKind, Options, Tagged};

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Packet {
    #[binfmt(peek)]
    kind: u8,
    #[binfmt(if(*kind < 0x80))]
    short: Option<u8>,
    #[binfmt(if(*kind >= 0x80), be)]
    long: Option<u16>,
    end: u8,
}

#[test]
fn a_value_is_read_and_left_unread() {
    let low = Packet { kind: 5, short: Some(5), long: None, end: 9 };
    same(&low, &[5, 9]);
    let long = Packet { kind: 0x81, short: None, long: Some(0x8102), end: 9 };
    same(&long, &[0x81, 2, 9]);
    for bytes in [&[5][..], &[0x81, 2], &[]] {
        short::<Packet>(bytes);
    }
}

#[test]
fn what_is_written_there_is_compared() {
    let wrong = Packet { kind: 6, short: Some(5), long: None, end: 9 };
    let e = binfmt::to_vec(&wrong).unwrap_err();
    assert_error!(e, 0, "kind", ErrorKind::Peek);
    assert_eq!(
        e.to_string(),
        "kind at byte 0x0: the value is not what is written after it, where it is read"
    );
    // a writer forgets its bytes, so it gets them when they were compared
    let mut out = Vec::new();
    assert!(matches!(binfmt::to_writer(&wrong, &mut out).unwrap_err().kind(), ErrorKind::Peek));
    assert!(out.is_empty());
}

/// Beyond the value nothing is compared, as it does not write what comes there.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Row {
    n: u8,
    #[binfmt(peek)]
    next: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Rows {
    #[binfmt(until = |row: &Row| row.next == 0)]
    rows: Vec<Row>,
    end: u8,
}

#[test]
fn bytes_after_the_value_are_in_sight() {
    let rows = Rows { rows: vec![Row { n: 1, next: 2 }, Row { n: 2, next: 0 }], end: 0 };
    same(&rows, &[1, 2, 0]);
    // a list of such rows is not read in blocks of fixed records
    #[derive(BinFormat, Debug, PartialEq)]
    struct Counted {
        #[binfmt(count = 2)]
        rows: Vec<Row>,
        end: u8,
    }
    reads(&Counted { rows: rows.rows, end: 0 }, &[1, 2, 0]);
    let e = binfmt::from_slice::<Row>(&[1]).unwrap_err();
    assert_error!(e, 1, "next", ErrorKind::UnexpectedEnd { needed: 1, remaining: 0 });
    // what is only looked at is left over
    let e = binfmt::from_slice::<Row>(&[1, 2]).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::TrailingBytes { .. }), "{e}");
}

/// A whole struct ahead, which has lists and regions inside.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Twice {
    #[binfmt(peek)]
    first: List,
    #[binfmt(length_prefixed(u8))]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct List {
    #[binfmt(length_prefixed(u8, in = bytes))]
    numbers: Vec<u16>,
}

#[test]
fn a_type_of_any_size_may_be_ahead() {
    let value = Twice { first: List { numbers: vec![1, 2] }, bytes: vec![1, 0, 2, 0] };
    same(&value, &[4, 1, 0, 2, 0]);
    short::<Twice>(&[4, 1, 0, 2]);
}

/// Values ahead of values ahead cost time for each level: what they read is bounded.
#[derive(BinFormat, Debug, PartialEq)]
struct Nest {
    #[binfmt(peek)]
    kind: u8,
    #[binfmt(peek, if(*kind > 0))]
    ahead: Option<Box<Shorter>>,
    n: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Shorter {
    n: u8,
    #[binfmt(peek)]
    a: Box<Nest>,
    b: Box<Nest>,
}

#[test]
fn reading_ahead_is_bounded() {
    // each byte takes two levels, and twice the time of the next
    let e = binfmt::from_slice::<Nest>(&[[1; 40], [0; 40]].concat()).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::JumpBytesLimit { .. }), "{e}");
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(peek u8))]
enum Item {
    #[binfmt(tag(0..=0x7F))]
    Small(u8),
    #[binfmt(tag(0x80..=0xBF))]
    Pair { tag: u8, n: u8 },
    #[binfmt(tag = 0xC0, magic = b"\xC0")]
    Nothing,
    #[binfmt(other)]
    Rest(#[binfmt(count = 3)] Vec<u8>),
}

#[test]
fn a_tag_belongs_to_its_variant() {
    same(&Item::Small(5), &[5]);
    same(&Item::Pair { tag: 0x81, n: 7 }, &[0x81, 7]);
    same(&Item::Nothing, &[0xC0]);
    same(&Item::Rest(vec![0xFF, 1, 2]), &[0xFF, 1, 2]);
    short::<Item>(&[0x81]);
    let e = binfmt::to_vec(&Item::Small(0x80)).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::VariantMismatch { .. }), "{e}");
    let e = binfmt::to_vec(&Item::Rest(vec![5, 1, 2])).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::VariantMismatch { .. }), "{e}");
    assert!(binfmt::to_writer(&Item::Small(0x80), Vec::new()).is_err());
    let e = binfmt::from_slice::<Item>(&[]).unwrap_err();
    assert_error!(e, 0, "tag", ErrorKind::UnexpectedEnd { .. });
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(peek [u8; 2]))]
enum Named {
    #[binfmt(tag = b"BM")]
    Bitmap([u8; 2], u8),
    #[binfmt(tag = b"P6")]
    Pixels([u8; 2], u16),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(peek u16, be))]
#[repr(u16)]
enum Wide {
    A(#[binfmt(be)] u16) = 3,
    B(#[binfmt(be)] u16, u8) = FIRST,
}
const FIRST: u16 = 0x0102;

#[test]
fn tags_of_any_type() {
    same(&Named::Bitmap(*b"BM", 1), b"BM\x01");
    same(&Wide::A(3), &[0, 3]);
    same(&Wide::B(0x0102, 9), &[1, 2, 9]);
    assert!(binfmt::to_vec(&Wide::B(3, 9)).is_err());
    assert!(binfmt::to_vec(&Named::Bitmap(*b"P6", 1)).is_err());
    assert_eq!((Named::Pixels(*b"P6", 1).tag(), Wide::A(3).tag()), (*b"P6", 3));
}

#[test]
fn values_know_their_tags() {
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(tag(leb128))]
    enum Kept {
        #[binfmt(tag = 300)]
        One,
        #[binfmt(tag(5 | 6))]
        Two(u64, u8),
        #[binfmt(other)]
        Rest { tag: u64 },
    }
    assert_eq!((Kept::One.tag(), Kept::Two(6, 1).tag(), Kept::Rest { tag: 9 }.tag()), (300, 6, 9));
}

#[test]
fn run_time_values_look_ahead() {
    let layout = Packet::SCHEMA.description();
    let program = Program::new(&layout).unwrap();
    let options = Options::new().ctx(&program);
    for bytes in [&[5, 9][..], &[0x81, 2, 9]] {
        let value: Value = binfmt::from_slice_with(bytes, &options).unwrap();
        assert_eq!(value.get("kind"), Some(&Value::from(bytes[0])));
        assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), bytes);
    }
    let wrong = Value::record([
        ("kind", Value::from(6u8)),
        ("short", Value::from(5u8)),
        ("long", Value::Absent),
        ("end", Value::from(9u8)),
    ]);
    let e = binfmt::to_vec_with(&wrong, &options).unwrap_err();
    assert_error!(e, 0, "kind", ErrorKind::Peek);
    let mut out = Vec::new();
    assert!(binfmt::to_writer_with(&wrong, &mut out, &options).is_err());

    let layout = Item::SCHEMA.description();
    let program = Program::new(&layout).unwrap();
    let options = Options::new().ctx(&program);
    for bytes in [&[5][..], &[0x81, 7], &[0xC0], &[0xFF, 1, 2]] {
        let value: Value = binfmt::from_slice_with(bytes, &options).unwrap();
        assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), bytes);
        let typed = binfmt::from_slice::<Item>(bytes).unwrap();
        assert_eq!(binfmt::to_vec(&typed).unwrap(), bytes);
    }
    writes(&Item::Nothing, &[0xC0]);
}

#[test]
fn dumps_show_both() {
    let text = binfmt::dump::trace::<Packet>(&[0x81, 2, 9]).to_string();
    let words: Vec<&str> = text.lines().map(|line| line.rsplit("  ").next().unwrap_or("").trim()).collect();
    assert_eq!(
        words,
        ["kind (peek): 129 (u8)", "short: absent", "long: 33026 (u16 be)", "end: 9 (u8)"],
        "{text}"
    );
}

/// Magics of different widths, of which the first byte tells them apart.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(peek u8))]
enum Widths {
    #[binfmt(tag = b'O', magic = b"O")]
    One,
    #[binfmt(tag = b'T', magic = b"TW")]
    Two { n: u8 },
    #[binfmt(tag = b'Z', magic = b"ZERO")]
    Zero,
}

#[test]
fn magics_of_different_widths() {
    for (value, bytes) in
        [(Widths::One, &b"O"[..]), (Widths::Two { n: 7 }, b"TW\x07"), (Widths::Zero, b"ZERO")]
    {
        assert_eq!(binfmt::to_vec(&value).unwrap(), bytes);
        assert_eq!(binfmt::from_slice::<Widths>(bytes).unwrap(), value);
        assert_eq!(binfmt::from_reader::<Widths>(bytes).unwrap(), value);
    }
    assert!(binfmt::from_slice::<Widths>(b"").unwrap_err().is_incomplete());
    let e = binfmt::from_slice::<Widths>(b"ZERX").unwrap_err();
    assert!(matches!(e.kind(), binfmt::ErrorKind::Magic { .. }), "{e}");
}

/// Bytes that nothing writes do not come back: what is read ahead at the end of a region or of the output is an error.
#[test]
fn what_follows_must_be_written() {
    let row = Row { n: 1, next: 2 };
    let e = binfmt::to_vec(&row).unwrap_err();
    assert_error!(e, 1, "next", ErrorKind::Peek);
    assert!(matches!(binfmt::to_writer(&row, Vec::new()).unwrap_err().kind(), ErrorKind::Peek));
    assert!(matches!(binfmt::encode_all(std::slice::from_ref(&row)).unwrap_err().kind(), ErrorKind::Peek));
    let layout = Row::SCHEMA.description();
    let with = Options::new().ctx(&*layout);
    let (value, _) = binfmt::from_prefix_with::<Value, _>(&[1, 2], &with).unwrap();
    assert_error!(binfmt::to_vec_with(&value, &with).unwrap_err(), 1, "next", ErrorKind::Peek);

    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct InRegion {
        #[binfmt(length_prefixed(u8, in = bytes))]
        row: Row,
        after: u16,
    }
    let e = binfmt::to_vec(&InRegion { row: row.clone(), after: 2 }).unwrap_err();
    assert_error!(e, 2, "row.next", ErrorKind::Peek);

    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct BeforeRegion {
        row: Row,
        #[binfmt(length_prefixed(u8, in = bytes))]
        bytes: Vec<u8>,
        last: u8,
    }
    let value = BeforeRegion { row: Row { n: 1, next: 1 }, bytes: vec![7], last: 9 };
    same(&value, &[1, 1, 7, 9]);
}

/// A variant that is shorter than its tag needs something after it.
#[test]
fn a_tag_that_is_not_written() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    #[binfmt(tag(peek u8))]
    enum Maybe {
        #[binfmt(tag = 1)]
        One(u8),
        #[binfmt(other)]
        None,
    }
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct All {
        maybe: Maybe,
        last: u8,
    }
    same(&All { maybe: Maybe::None, last: 9 }, &[9]);
    let e = binfmt::to_vec(&Maybe::None).unwrap_err();
    assert_error!(e, 0, "tag", ErrorKind::Peek);
    let layout = Maybe::SCHEMA.description();
    let with = Options::new().ctx(&*layout);
    let (value, _) = binfmt::from_prefix_with::<Value, _>(&[9], &with).unwrap();
    assert_error!(binfmt::to_vec_with(&value, &with).unwrap_err(), 0, "tag", ErrorKind::Peek);
}
