//! Words whose bytes depend on other bytes: whatever the bytes, slice and stream say the same, and what is read is written such that it
//! is read again.

use crate::support::wire::{Drip, from_file};
use binfmt::{BinFormat, DecodeOwned, Encode, Endian, ErrorKind, Gaps};
use proptest::collection::vec;
use proptest::prelude::*;
use std::fmt::Debug;
use std::io::Cursor;

/// What is read ahead, and a tag that is the first byte of its variant.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Ahead {
    #[binfmt(peek)]
    first: u16,
    packet: Packet,
    #[binfmt(count = 2)]
    packets: Vec<Packet>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(peek u8))]
enum Packet {
    #[binfmt(tag(0x80..))]
    Long(#[binfmt(be)] u16),
    #[binfmt(tag = 0x07, magic = b"\x07\x08")]
    Mark,
    #[binfmt(other)]
    Short(u8),
}

fn turn(bytes: &[u8], by: u8) -> Vec<u8> {
    bytes.iter().map(|byte| byte.wrapping_add(by)).collect()
}

/// Bytes that a function makes of those in the file, of a field and of a whole type.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Turned {
    by: u8,
    #[binfmt(length_prefixed(u8, in = bytes), process(decode = |b| turn(b, *by), encode = |b| turn(b, by.wrapping_neg())))]
    name: String,
    #[binfmt(length_prefixed(u8, in = bytes))]
    whole: Whole,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(process(decode = |b| turn(b, 1), encode = |b| turn(b, 255)))]
struct Whole {
    a: u16,
    #[binfmt(until_eof)]
    rest: Vec<u8>,
}

/// What may be missing at the end, after fields that are there in some versions.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(version = *version)]
struct Grown {
    version: u8,
    #[binfmt(since = 2, default)]
    since: u16,
    #[binfmt(since = 3, default = 7)]
    later: u8,
    #[binfmt(until_version = 1)]
    old: Option<u8>,
    #[binfmt(optional_tail)]
    tail: Option<u16>,
    #[binfmt(optional_tail, length_prefixed(u8))]
    name: Option<String>,
}

/// A magic before a tag, and assertions of a whole.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(magic = b"E", tag(u8))]
enum Marked {
    #[binfmt(tag = 1, magic = b"A")]
    One(u16),
    #[binfmt(tag = 2)]
    Two {
        #[binfmt(length_prefixed(u8))]
        list: Vec<Marked>,
    },
    #[binfmt(tag(3..=5))]
    Some { tag: u8, n: u8 },
}

/// Variants that are tried, of which some are in each other.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(untagged)]
enum Tried {
    #[binfmt(magic = b"L")]
    List(#[binfmt(length_prefixed(u8))] Vec<Tried>),
    #[binfmt(magic = b"T")]
    Text(#[binfmt(length_prefixed(u8))] String),
    #[binfmt(assert(*_0 != b'L' && *_0 != b'T'))]
    Byte(u8),
    Other(u8, #[binfmt(range = 128..)] u8),
}

/// A type that a module reads and writes, and one that is another on the wire.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Others {
    angle: Angle,
    #[binfmt(length_prefixed(u8))]
    angles: Vec<Angle>,
    level: Level,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(with = angle, be, size = 2)]
struct Angle {
    whole: u16,
    hundredths: u16,
}

mod angle {
    use super::Angle;
    use binfmt::{Decode, Encode, Order, Result, Sink, Source};

    pub(super) fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<Angle> {
        let n = u16::decode::<O, S>(src, ())?;
        Ok(Angle { whole: n / 100, hundredths: n % 100 })
    }

    pub(super) fn encode<O: Order, W: Sink>(angle: &Angle, out: &mut W) -> Result<()> {
        (angle.whole * 100 + angle.hundredths).encode::<O, W>(out, ())
    }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(try_map(decode = |n: u8| Level::of(n), encode = |l: &Level| Ok::<_, String>(l.0), as = u8))]
struct Level(u8);

impl Level {
    fn of(n: u8) -> Result<Self, String> {
        if n < 9 { Ok(Level(n)) } else { Err(format!("no level {n}")) }
    }
}

/// What earlier bytes say of later ones, in an order of the names.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(key_order = lexicographic, max_len = 9, max_depth = 4)]
struct Sorted {
    c_rows: Rows,
    a_order: u8,
    #[binfmt(endian = if *a_order == 1 { Endian::Big } else { Endian::Little })]
    b_number: u16,
    #[binfmt(decode_with = halves::decode, encode_with = halves::encode)]
    d_halves: u16,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Rows {
    #[binfmt(length_prefixed(u8))]
    widths: Vec<u8>,
    #[binfmt(each(widths.iter().copied()))]
    rows: Vec<Row>,
    id: Id,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(n: u8))]
struct Row {
    #[binfmt(count = n)]
    row: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(transparent)]
struct Id(u16);

/// The high half first, in any order.
mod halves {
    #![expect(clippy::extra_unused_type_parameters, reason = "bytes have no order")]

    use binfmt::{Order, Result, Sink, Source};

    pub(super) fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<u16> {
        src.array().map(u16::from_be_bytes)
    }

    pub(super) fn encode<O: Order, W: Sink>(n: &u16, out: &mut W) -> Result<()> {
        out.array(n.to_be_bytes())
    }
}

/// Parts that lie elsewhere, and all that is between them.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Apart {
    #[binfmt(offset_of(name, u8))]
    place: (),
    directory: u8,
    #[binfmt(at = directory)]
    pair: (u8, u8),
    #[binfmt(at = place, length_prefixed(u8))]
    name: Vec<u8>,
    #[binfmt(gaps)]
    rest: Gaps,
}

/// Slice and file agree on these bytes, of which some are elsewhere.
fn survives_apart(bytes: &[u8]) -> Result<(), TestCaseError> {
    let found = binfmt::from_slice::<Apart>(bytes);
    let sought = from_file::<Apart>(Cursor::new(bytes));
    prop_assert_eq!(found.is_ok(), sought.is_ok(), "{:?} {:?}", found, sought);
    let Ok(value) = found else { return Ok(()) };
    prop_assert_eq!(&sought?, &value, "by seeking, of {:02x?}", bytes);
    // parts that lie over each other are read and not written
    if let Ok(written) = binfmt::to_vec(&value) {
        let again = binfmt::from_slice::<Apart>(&written)?;
        // what is filled in puts the name where there is room for it
        prop_assert_eq!((again.pair, &again.name), (value.pair, &value.name), "{:02x?}", bytes);
    }
    Ok(())
}

/// The bytes of a value; none where only those that follow it say which variant it is.
fn written<T: Encode>(value: &T) -> Result<Option<Vec<u8>>, TestCaseError> {
    match binfmt::to_vec(value) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if matches!(e.kind(), ErrorKind::ReadAsAnother { with_more: true, .. }) => Ok(None),
        Err(e) => Err(e.into()),
    }
}

/// Slice and stream agree on these bytes, and what is read is what its own bytes say.
fn survives<T: Encode + DecodeOwned + Debug + PartialEq>(bytes: &[u8]) -> Result<(), TestCaseError> {
    let found = binfmt::from_slice::<T>(bytes);
    let streamed = binfmt::from_reader::<T>(Drip(bytes));
    match (&found, &streamed) {
        (Ok(a), Ok(b)) => prop_assert_eq!(a, b),
        // a slice also says that bytes are left
        (Err(_), Ok(b)) => {
            let Some(written) = written(b)? else { return Ok(()) };
            prop_assert!(written.len() < bytes.len(), "{:02x?} of {:02x?}", written, bytes);
        }
        (a, b) => prop_assert!(a.is_err() && b.is_err(), "{:?} {:?}", a, b),
    }
    if let Ok(value) = found {
        let Some(written) = written(&value)? else { return Ok(()) };
        prop_assert_eq!(binfmt::encoded_len(&value)?, written.len());
        prop_assert_eq!(&binfmt::from_slice::<T>(&written)?, &value);
    }
    Ok(())
}

/// A value, its bytes cut at every place, and each of them changed.
fn around<T: Encode + DecodeOwned + Debug + PartialEq>(value: &T) {
    let bytes = binfmt::to_vec(value).unwrap();
    assert_eq!(&binfmt::from_slice::<T>(&bytes).unwrap(), value);
    let mut file = Vec::new();
    binfmt::to_writer(value, &mut file).unwrap();
    assert_eq!(file, bytes);
    for n in 0..bytes.len() {
        survives::<T>(&bytes[..n]).unwrap_or_else(|e| panic!("{n} bytes of {bytes:02x?}: {e}"));
        for change in [1, 0x80, 0xFF] {
            let mut bytes = bytes.clone();
            bytes[n] ^= change;
            survives::<T>(&bytes).unwrap_or_else(|e| panic!("byte {n} of {bytes:02x?}: {e}"));
        }
    }
}

#[test]
fn every_byte_may_be_another() {
    let packets = vec![Packet::Short(1), Packet::Mark];
    around(&Ahead { first: 0x0290, packet: Packet::Long(0x9002), packets });
    around(&Turned { by: 200, name: "néon".into(), whole: Whole { a: 0xFFFE, rest: vec![1, 2, 255] } });
    let grown = Grown { version: 3, since: 5, later: 9, old: None, tail: Some(1), name: Some("ab".into()) };
    around(&grown);
    around(&Grown { version: 0, since: 0, later: 7, old: Some(2), tail: None, name: None });
    let list = vec![Marked::One(7), Marked::Some { tag: 4, n: 1 }, Marked::Two { list: Vec::new() }];
    around(&Marked::Two { list });
    let angle = |whole| Angle { whole, hundredths: 5 };
    let row = |row: &[u8]| Row { row: row.to_vec() };
    let rows = Rows { widths: vec![2, 0, 1], rows: vec![row(&[1, 2]), row(&[]), row(&[3])], id: Id(7) };
    around(&Sorted { c_rows: rows, a_order: 1, b_number: 0x0102, d_halves: 5 });
    let apart = b"\x05\x03\x00\x08\x09\x02ab\x07";
    survives_apart(apart).unwrap();
    for n in 0..apart.len() {
        survives_apart(&apart[..n]).unwrap();
        for change in 1..=255 {
            let mut bytes = apart.to_vec();
            bytes[n] ^= change;
            survives_apart(&bytes).unwrap_or_else(|e| panic!("byte {n} of {bytes:02x?}: {e}"));
        }
    }
    let inner = vec![Tried::Byte(1), Tried::Text("ab".into()), Tried::List(Vec::new()), Tried::Byte(0)];
    around(&Tried::List(inner));
    around(&Others { angle: angle(1), angles: vec![angle(2), angle(600)], level: Level(8) });
}

proptest! {
    #![proptest_config(super::values::config())]

    #[test]
    fn any_bytes_are_a_value_or_an_error(bytes in vec(prop_oneof![any::<u8>(), 0..6u8], 0..24)) {
        survives::<Ahead>(&bytes)?;
        survives::<Turned>(&bytes)?;
        survives::<Grown>(&bytes)?;
        survives::<Others>(&bytes)?;
        survives::<Sorted>(&bytes)?;
        survives_apart(&bytes)?;
        survives::<Tried>(&bytes)?;
        survives::<Tried>(&[b"L", &bytes[..]].concat())?;
        survives::<Marked>(&[b"E", &bytes[..]].concat())?;
    }
}
