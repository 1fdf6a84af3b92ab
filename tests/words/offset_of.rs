//! `offset_of`: positions that are filled in when everything is written.

use crate::support::wire::{assert_error, from_file, refused, writes};
use binfmt::value::Value;
use binfmt::{BinFormat, DecodeOwned, Describe, Encode, ErrorKind, Options};
use std::fmt::Debug;

#[track_caller]
fn same<T: Encode + DecodeOwned + PartialEq + Debug>(value: &T, bytes: &[u8]) {
    writes(value, bytes);
    assert_eq!(&binfmt::from_slice::<T>(bytes).expect("from_slice"), value);
    assert_eq!(&from_file::<T>(std::io::Cursor::new(bytes)).expect("from_seeker"), value);
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Archive {
    num: u8,
    #[binfmt(offset_of(entries, auto))]
    directory: u16,
    #[binfmt(at = directory, count = num)]
    entries: Vec<Entry>,
    end: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Entry {
    #[binfmt(offset_of(data, u16), be)]
    offset: (),
    len: u8,
    #[binfmt(at(file) = offset, count = len)]
    data: Vec<u8>,
}

fn entry(data: &[u8]) -> Entry {
    Entry { offset: (), len: data.len() as u8, data: data.to_vec() }
}

fn archive() -> Archive {
    Archive { num: 2, directory: 4, entries: vec![entry(b"ab"), entry(b"c")], end: 7 }
}

#[test]
fn parts_come_after_what_is_in_order() {
    let bytes = b"\x02\x04\0\x07\0\x0a\x02\0\x0c\x01abc";
    same(&archive(), bytes);
    // what the struct says does not matter
    assert_eq!(binfmt::to_vec(&Archive { directory: 999, ..archive() }).unwrap(), bytes);
    // other bytes before the value: positions count from its first
    let mut after = b"....".to_vec();
    binfmt::append(&archive(), &mut after).unwrap();
    assert_eq!(after[4..], *bytes);
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Listed {
    #[binfmt(count = 2)]
    archives: Vec<Archive>,
}

#[test]
fn several_containers_share_the_output() {
    let one = |directory, data: &[u8]| Archive { num: 1, directory, entries: vec![entry(data)], end: 7 };
    let value = Listed { archives: vec![one(8, b"a"), one(8, b"bc")] };
    same(&value, b"\x01\x08\0\x07\x01\x08\0\x07\0\x0b\x01a\0\x0f\x02bc");
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Outer {
    #[binfmt(length_prefixed(u8, in = bytes))]
    inner: Inner,
    #[binfmt(pad_to = 6)]
    padded: Inner,
    #[binfmt(offset_of(last, auto))]
    place: u32,
    #[binfmt(at = place)]
    last: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Inner {
    #[binfmt(offset_of(x, auto))]
    place: u8,
    #[binfmt(at = place, be)]
    x: u16,
    #[binfmt(offset_of(far, u8))]
    distance: (),
    n: u8,
    #[binfmt(at(file) = distance, count = n)]
    far: Vec<u8>,
}

#[test]
fn a_region_keeps_its_parts() {
    let inner = |x, far: &[u8]| Inner { place: 3, x, distance: (), n: far.len() as u8, far: far.to_vec() };
    let value = Outer { inner: inner(7, b"a"), padded: inner(9, b"b"), place: 16, last: b'z' };
    let bytes = binfmt::to_vec(&value).unwrap();
    assert_eq!(bytes, b"\x05\x03\x11\x01\0\x07\x03\x12\x01\0\x09\0\x10\0\0\0zab");
    assert_eq!(binfmt::from_slice::<Outer>(&bytes).unwrap(), value);
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Choice {
    A {
        #[binfmt(offset_of(text, auto))]
        place: u8,
        there: bool,
        #[binfmt(if(*there), at = place, nul)]
        text: Option<String>,
    },
}

#[test]
fn a_part_that_is_absent_has_no_position() {
    same(&Choice::A { place: 3, there: true, text: Some("ab".into()) }, b"\0\x03\x01ab\0");
    writes(&Choice::A { place: 9, there: false, text: None }, &[0, 0, 0]);
}

#[test]
fn a_position_fits_its_number() {
    #[derive(BinFormat, Debug)]
    struct Far {
        #[binfmt(count = 300)]
        gap: Vec<u8>,
        #[binfmt(offset_of(x, auto))]
        place: u8,
        #[binfmt(at = place)]
        x: u8,
    }
    let e = refused(&Far { gap: vec![0; 300], place: 0, x: 1 });
    assert_eq!(e.to_string(), "place at byte 0x12c: position 301 does not fit in u8");
    #[derive(BinFormat, Debug)]
    struct Farther {
        #[binfmt(count = 0x80_0000)]
        gap: Vec<u8>,
        #[binfmt(offset_of(x, auto), as = i24)]
        place: i32,
        #[binfmt(at = place)]
        x: u8,
    }
    let e = binfmt::to_vec(&Farther { gap: vec![0; 0x80_0000], place: 0, x: 1 }).unwrap_err();
    assert_eq!(e.to_string(), "place at byte 0x800000: position 8388611 does not fit in i24");
}

#[test]
fn a_writer_keeps_what_is_filled_in() {
    #[derive(BinFormat, Debug, PartialEq)]
    struct Large {
        #[binfmt(length_prefixed(u32))]
        before: Vec<u8>,
        #[binfmt(offset_of(x, auto))]
        place: u32,
        #[binfmt(length_prefixed(u32))]
        middle: Vec<u8>,
        #[binfmt(length_prefixed(u32))]
        numbers: Vec<u16>,
        #[binfmt(at = place)]
        x: u8,
    }
    let place = 4 + 200_000 + 4 + 4 + 300_000 + 4 + 2 * 100_000;
    let value =
        Large { before: vec![1; 200_000], place, middle: vec![2; 300_000], numbers: vec![3; 100_000], x: 4 };
    let bytes = binfmt::to_vec(&value).unwrap();
    assert_eq!(bytes.len(), place as usize + 1);
    same(&value, &bytes);
}

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

#[test]
fn checksums_of_parts() {
    #[derive(BinFormat, Debug, PartialEq)]
    struct Part {
        x: u8,
        #[binfmt(checksum(sum, over = ..))]
        sum: u8,
    }
    #[derive(BinFormat, Debug, PartialEq)]
    struct Whole {
        #[binfmt(offset_of(part, auto))]
        place: u8,
        #[binfmt(at = place)]
        part: Part,
    }
    same(&Whole { place: 1, part: Part { x: 5, sum: 5 } }, &[1, 5, 5]);
}

#[test]
fn a_checksum_does_not_cover_what_is_filled_in_later() {
    #[derive(BinFormat, Debug)]
    struct Summed {
        entry: Entry,
        #[binfmt(checksum(sum, over = ..))]
        sum: u8,
    }
    let e = refused(&Summed { entry: entry(b"a"), sum: 0 });
    assert_eq!(
        e.to_string(),
        "sum at byte 0x3: the checksum covers a position that is filled in later (`offset_of`)"
    );
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Compared {
    kind: u8,
    #[binfmt(offset_of(data))]
    place: u16,
    #[binfmt(length_prefixed(u8))]
    names: Vec<u8>,
    #[binfmt(pad_before = 1, count = 2)]
    data: Vec<u8>,
    #[binfmt(offset_of(kind))]
    first: u8,
    #[binfmt(offset_of(more))]
    last: u8,
    #[binfmt(if(*kind > 0))]
    more: Option<u8>,
}

#[test]
fn a_position_is_compared() {
    let value = |kind, place, last, more| Compared {
        kind,
        place,
        names: b"ab".to_vec(),
        data: b"xy".to_vec(),
        first: 0,
        last,
        more,
    };
    let bytes = *b"\x01\x07\0\x02ab\0xy\0\x0b\x05";
    crate::support::wire::same(&value(1, 7, 11, Some(5)), &bytes);
    // what is absent has no position
    crate::support::wire::same(&value(0, 7, 99, None), b"\0\x07\0\x02ab\0xy\0\x63");
    for (place, byte, path) in [(1, 8, "place"), (9, 1, "first"), (10, 12, "last")] {
        let mut bytes = bytes;
        bytes[place] = byte;
        let e = binfmt::from_slice::<Compared>(&bytes).unwrap_err();
        assert_eq!((e.path().to_string(), e.offset()), (path.to_owned(), Some(place as u64)));
        assert!(matches!(e.kind(), ErrorKind::Computed { .. }), "{e}");
    }
    let e = refused(&value(1, 6, 11, Some(5)));
    assert_eq!(e.to_string(), "place at byte 0x1: expected 7 (`offset_of(data)`), found 6");
    // in a value it counts from the value, in a variant from its tag
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(tag(u8))]
    enum Choice {
        A {
            x: u8,
            #[binfmt(offset_of(y), as = u24)]
            place: u32,
            y: u8,
        },
    }
    crate::support::wire::same(&(7u8, Choice::A { x: 1, place: 5, y: 2 }), &[7, 0, 1, 5, 0, 0, 2]);
}

/// A part that says the bytes of a number again.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Again {
    #[binfmt(offset_of(data, auto))]
    place: u16,
    n: u8,
    #[binfmt(at = 0)]
    front: (u16, u8),
    #[binfmt(at = place, count = n)]
    data: Vec<u8>,
}

#[test]
fn a_part_lies_over_a_number_that_is_filled_in() {
    let value = Again { place: 3, n: 2, front: (3, 2), data: b"ab".to_vec() };
    same(&value, b"\x03\0\x02ab");
    let e = refused(&Again { front: (4, 2), ..value });
    assert_error!(e, 0, "front", ErrorKind::Overlap { position: 0, .. });
}

/// A number in a part, which another part says again.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Twice {
    #[binfmt(at = 0)]
    entry: Entry,
    #[binfmt(at = 0)]
    front: (u16, u8),
    #[binfmt(at = 1)]
    inside: u16,
}

#[test]
fn parts_lie_over_each_other() {
    let entry = Entry { offset: (), len: 1, data: b"a".to_vec() };
    // the entry's number is big-endian
    same(&Twice { entry, front: (0x0300, 1), inside: 0x0103 }, b"\0\x03\x01a");
}

/// A value at run time has its parts where its numbers say.
#[test]
fn at_run_time_the_number_is_kept() {
    let description = Archive::SCHEMA.description();
    let options = Options::new().ctx(&*description);
    let moved = b"\x02\x06\0\x07..\0\x0e\x02\0\x0d\x01.cab";
    let value = binfmt::from_slice_with::<Value, _>(moved, &options).unwrap();
    let bytes = binfmt::to_vec_with(&value, &options).unwrap();
    assert_eq!(bytes, b"\x02\x06\0\x07\0\0\0\x0e\x02\0\x0d\x01\0cab");
    let archive = binfmt::from_slice::<Archive>(moved).unwrap();
    assert_eq!(binfmt::to_vec(&archive).unwrap(), b"\x02\x04\0\x07\0\x0a\x02\0\x0c\x01abc");
}
