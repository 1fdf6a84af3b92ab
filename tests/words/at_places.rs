//! `at` in a vector, whose parts go to their places at once: near and far, many, one over the other, and with a table before or after
//! what it leads to.

use crate::support::wire::{refused, writes};
use binfmt::{BinFormat, ErrorKind};

/// A table of parts, at a place.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct File {
    #[binfmt(len_of(parts))]
    num: u16,
    table: u32,
    #[binfmt(at = table, count = num)]
    parts: Vec<Part>,
    last: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Part {
    place: u32,
    #[binfmt(len_of(bytes, bytes, u16))]
    len: (),
    #[binfmt(at(file) = place, region = len)]
    bytes: Vec<u8>,
}

fn file(table: u32, parts: &[(u32, &[u8])]) -> File {
    let part = |(place, bytes): &(u32, &[u8])| Part { place: *place, len: (), bytes: bytes.to_vec() };
    File { num: parts.len() as u16, table, parts: parts.iter().map(part).collect(), last: 9 }
}

/// The bytes, each part by itself.
fn bytes(file: &File) -> Vec<u8> {
    let mut all = Vec::new();
    let mut put = |at: u32, bytes: &[u8]| {
        let at = at as usize;
        all.resize(all.len().max(at + bytes.len()), 0);
        all[at..at + bytes.len()].copy_from_slice(bytes);
    };
    put(0, &file.num.to_le_bytes());
    put(2, &file.table.to_le_bytes());
    put(6, &[file.last]);
    for (i, part) in file.parts.iter().enumerate() {
        let at = file.table + 6 * i as u32;
        put(at, &part.place.to_le_bytes());
        put(at + 4, &(part.bytes.len() as u16).to_le_bytes());
        put(part.place, &part.bytes);
    }
    all
}

#[track_caller]
fn same(file: &File) {
    let bytes = bytes(file);
    writes(file, &bytes);
    // after something else, in a vector that must grow, and in one that need not
    for room in [0, 8, 1 << 16] {
        let mut out = Vec::with_capacity(room);
        out.push(7);
        binfmt::append(file, &mut out).unwrap();
        assert!(out[0] == 7 && out[1..] == bytes, "{room}");
    }
    assert_eq!(&binfmt::from_slice::<File>(&bytes).unwrap(), file);
}

#[test]
fn a_table_before_its_parts_and_after_them() {
    same(&file(7, &[(25, b"abc"), (28, b"de"), (40, b"f")]));
    same(&file(40, &[(7, b"abc"), (10, b"de"), (20, b"f")]));
    same(&file(20, &[(60, b"abc"), (7, b"de"), (50, b"f"), (44, b"")]));
    // from the last to the first, with holes and without
    same(&file(70, &[(60, b"abc"), (50, b"de"), (40, b"f"), (30, b"0123456789"), (7, b"g")]));
    // an empty one is where the file ends
    same(&file(7, &[(90, b""), (20, b"x")]));
}

#[test]
fn far_parts_wait() {
    same(&file(7, &[(3 << 20, b"far"), (40, b"near"), (2 << 20, b"between"), (44, b"near")]));
    same(&file(3 << 20, &[(100, b"near"), (4 << 20, b"far")]));
}

#[test]
fn parts_say_again_what_is_there() {
    // inside others, over the end of others, and before what they are in
    same(&file(50, &[(10, b"abcdef"), (12, b"cd"), (10, b"abc"), (15, b"f")]));
    same(&file(50, &[(12, b"cd"), (10, b"abcdef"), (14, b"efg")]));
    same(&file(7, &[(19, b"abc"), (20, b"bcd")]));
    // over what comes one after the other, and over a table
    same(&file(7, &[(0, b"\x02\0\x07"), (6, b"\x09\0\0\0\0")]));
}

#[test]
fn other_bytes_are_refused() {
    for wrong in [
        file(50, &[(10, b"abcdef"), (12, b"xx")]),
        file(50, &[(12, b"xx"), (10, b"abcdef")]),
        file(50, &[(10, b"abcdef"), (14, b"efg"), (15, b"x")]),
        // what comes one after the other meets a part, and so does a table
        file(7, &[(6, b"\x08")]),
        file(7, &[(9, b"abcd")]),
    ] {
        assert!(matches!(refused(&wrong).kind(), ErrorKind::Overlap { .. }));
    }
}

/// As many ranges that do not touch as are not kept any more, in any order.
#[test]
fn many_parts() {
    let place = |i: u32| 100_000 + (i * 7919 % 9973) * 4;
    let parts: Vec<(u32, &[u8])> = (0..9973).map(|i| (place(i), &b"ab"[..])).collect();
    same(&file(7, &parts));
}

/// Names in a table, which is a part in a region of its own: what says them again counts in no length.
#[derive(BinFormat, Debug, PartialEq)]
struct Names {
    place: u8,
    #[binfmt(len_of(table, bytes, u8))]
    size: (),
    #[binfmt(at(file) = place)]
    text: [u8; 3],
    #[binfmt(region = size)]
    table: Table,
    #[binfmt(at(file) = *place + 1)]
    again: [u8; 3],
}

#[derive(BinFormat, Debug, PartialEq)]
struct Table {
    offset: u8,
    #[binfmt(at = offset)]
    text: [u8; 3],
    #[binfmt(at(file) = 7)]
    inner: [u8; 2],
    #[binfmt(at = *offset + 1)]
    end: [u8; 2],
}

#[test]
fn what_is_said_again_in_a_region() {
    let table = |offset| Table { offset, text: *b"bcd", inner: *b"bc", end: *b"cd" };
    // what is said again at last reaches out of the region
    let names = Names { place: 7, size: (), text: *b"bcd", table: table(5), again: *b"cde" };
    let bytes = b"\x07\x08\x05\0\0\0\0bcde";
    assert_eq!(binfmt::from_slice::<Names>(bytes).unwrap(), names);
    writes(&names, bytes);
    let wrong = Names { again: *b"cxe", ..names };
    assert!(matches!(refused(&wrong).kind(), ErrorKind::Overlap { .. }));
}

/// A number in a part that another part says again is filled in after that is written.
#[derive(BinFormat, Debug, PartialEq)]
struct Filled {
    #[binfmt(at(file) = 4)]
    head: Head,
    #[binfmt(at(file) = 4)]
    again: u8,
    #[binfmt(at = 8, length_prefixed(u8))]
    other: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Head {
    #[binfmt(offset_of(body, auto))]
    place: u8,
    #[binfmt(at(file) = place)]
    body: u16,
}

#[test]
fn a_number_that_is_filled_in_is_said_again() {
    let file = |again| Filled { head: Head { place: 12, body: 0x0201 }, again, other: b"abc".to_vec() };
    writes(&file(12), b"\0\0\0\0\x0c\0\0\0\x03abc\x01\x02");
    assert!(matches!(refused(&file(0)).kind(), ErrorKind::Overlap { .. }));
}

/// What is one after the other goes on between two parts, of which the second is larger than the room that is left.
#[derive(BinFormat, Debug, PartialEq)]
struct Between {
    a: u8,
    #[binfmt(at = 4)]
    x: u8,
    b: u16,
    #[binfmt(at = 5, length_prefixed(u16))]
    large: Vec<u8>,
    c: u8,
}

#[test]
fn a_part_grows_after_what_was_written_in_the_meantime() {
    for len in [3, 600, 5000] {
        let value = Between { a: 1, x: 2, b: 0x0403, large: vec![7; len], c: 5 };
        let mut bytes = vec![1, 3, 4, 5, 2];
        bytes.extend((len as u16).to_le_bytes());
        bytes.extend(vec![7; len]);
        writes(&value, &bytes);
        assert_eq!(binfmt::from_slice::<Between>(&bytes).unwrap(), value);
    }
}

/// The same where the second part is in one that waits: it counts from the end, or says again what is there.
#[derive(BinFormat, Debug, PartialEq)]
struct Waits {
    a: u8,
    #[binfmt(at = 8)]
    x: u8,
    b: u16,
    #[binfmt(at = 8)]
    again: Again,
    c: u16,
    #[binfmt(at(end) = 1)]
    end: Far,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Again {
    x: u8,
    #[binfmt(at(file) = 9, length_prefixed(u16))]
    large: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Far {
    place: u8,
    #[binfmt(at(file) = (*place as u16) << 8, length_prefixed(u16))]
    large: Vec<u8>,
}

#[test]
fn a_part_grows_in_one_that_waits() {
    for len in [3, 600, 5000] {
        let (place, large) = ((len / 256) as u8 + 1, vec![7; len]);
        let end = Far { place, large: large.clone() };
        let value = Waits { a: 1, x: 2, b: 0x0403, again: Again { x: 2, large }, c: 0x0605, end };
        let mut bytes = vec![1, 3, 4, 5, 6, 0, 0, 0, 2];
        for at in [9, usize::from(place) << 8] {
            bytes.resize(at, 0);
            bytes.extend((len as u16).to_le_bytes());
            bytes.extend(vec![7; len]);
        }
        bytes.push(place);
        writes(&value, &bytes);
        assert_eq!(binfmt::from_slice::<Waits>(&bytes).unwrap(), value);
    }
}

/// After a part without bytes what is one after the other goes on from the same place, into the next part.
#[derive(BinFormat, Debug, PartialEq)]
struct After {
    a: u8,
    #[binfmt(at = 1)]
    nothing: [u8; 0],
    b: u16,
    #[binfmt(at = 4)]
    x: u8,
    c: u16,
}

#[test]
fn a_part_without_bytes_keeps_no_room() {
    let value = |x| After { a: 1, nothing: [], b: 0x0302, x, c: 0x0504 };
    writes(&value(5), b"\x01\x02\x03\x04\x05");
    assert!(matches!(refused(&value(6)).kind(), ErrorKind::Overlap { position: 4, .. }));
}

/// Parts of a region are settled at its end, while the part around it goes on.
#[derive(BinFormat, Debug, PartialEq)]
struct Settled<R> {
    head: u32,
    #[binfmt(at(file) = 1000)]
    dir: Directory<R>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Directory<R> {
    place: u32,
    #[binfmt(at(file) = place)]
    entry: Entry<R>,
    last: u32,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Entry<R> {
    n: u8,
    #[binfmt(region = n)]
    inner: R,
    sum: u64,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Items {
    count: u8,
    off: u8,
    #[binfmt(at = off, count = count)]
    items: Vec<u16>,
    #[binfmt(at = off, count = count)]
    more: Vec<u16>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Twice {
    a: u8,
    b: u8,
    #[binfmt(at = 0)]
    again: u8,
    #[binfmt(at(file) = 200)]
    far: u16,
}

#[test]
fn what_comes_after_a_region_with_parts_stays() {
    let bytes = |inner: [u8; 2], far: [u8; 2]| {
        let mut bytes = vec![0; 1008];
        bytes[..4].copy_from_slice(&[1, 0, 0, 0]);
        bytes[100..103].copy_from_slice(&[2, inner[0], inner[1]]);
        bytes[103..111].copy_from_slice(&[7; 8]);
        bytes[200..202].copy_from_slice(&far);
        bytes[1000..].copy_from_slice(&[100, 0, 0, 0, 9, 9, 9, 9]);
        bytes
    };
    fn value<R>(inner: R) -> Settled<R> {
        let entry = Entry { n: 2, inner, sum: 0x0707_0707_0707_0707 };
        Settled { head: 1, dir: Directory { place: 100, entry, last: 0x0909_0909 } }
    }
    let items = Items { count: 0, off: 2, items: vec![], more: vec![] };
    writes(&value(items), &bytes([0, 2], [0, 0]));
    let twice = Twice { a: 5, b: 6, again: 5, far: 0x0403 };
    writes(&value(twice), &bytes([5, 6], [3, 4]));
}
