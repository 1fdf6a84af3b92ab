//! All sinks write the same bytes, or tell the same error: of lengths in lengths, of parts that lie elsewhere in any order and one over
//! the other, and of checksums over them. Each fills in what it can in its own way.

use crate::property::values::config;
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, Encode, ErrorKind, Gap, Gaps, Options};
use proptest::collection::vec;
use proptest::prelude::*;
use std::io::{self, Write};

/// Takes one byte at a time.
#[derive(Default)]
struct Slow(Vec<u8>);

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = bytes.len().min(1);
        self.0.extend_from_slice(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What every sink makes of a value: its bytes, or the error.
fn agree<T: Encode<C>, C: Copy>(value: &T, options: &Options<C>) -> Result<Vec<u8>, String> {
    let mut appended = vec![7; 3];
    let vector = binfmt::append_with(value, &mut appended, options).map_err(|e| e.to_string());
    let mut slow = Slow::default();
    let writer = binfmt::to_writer_with(value, &mut slow, options).map_err(|e| e.to_string());
    let mut memory = vec![0; 4096];
    let slice = binfmt::to_slice_with(value, &mut memory, options).map_err(|e| e.to_string());
    if let Err(e) = vector {
        assert_eq!(appended, [7; 3]);
        assert_eq!(writer.as_ref(), Err(&e));
        assert_eq!(slice.as_ref(), Err(&e));
        return Err(e);
    }
    let bytes = appended.split_off(3);
    assert_eq!(slow.0, bytes);
    assert_eq!((writer, slice), (Ok(bytes.len() as u64), Ok(bytes.len())));
    assert_eq!(memory[..bytes.len()], bytes);
    assert_eq!(binfmt::encoded_len_with(value, options).unwrap(), bytes.len());
    for n in 0..bytes.len() {
        let e = binfmt::to_slice_with(value, &mut memory[..n], options).unwrap_err();
        let ErrorKind::OutputFull { needed, remaining } = *e.kind() else { panic!("{e}") };
        assert!(needed > remaining && e.offset().unwrap() as usize + remaining == n, "{e}");
    }
    Ok(bytes)
}

/// The same of the value that a program reads from the bytes.
fn same<T: Encode + Describe>(value: &T) -> Result<Vec<u8>, String> {
    let bytes = agree(value, &Options::new())?;
    let program = Program::new(&T::SCHEMA.description()).unwrap();
    let options = Options::new().ctx(&program);
    if let Ok(read) = binfmt::from_slice_with::<Value, _>(&bytes, &options) {
        assert_eq!(agree(&read, &options).unwrap(), bytes);
    }
    Ok(bytes)
}

/// A chunk whose length is in front of it, and is not a field; one byte, so that some are too long.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be)]
struct Chunk {
    kind: u8,
    #[binfmt(len_of(body, bytes, u8))]
    size: (),
    #[binfmt(len_of(more, bytes, auto))]
    more_size: u16,
    #[binfmt(region = size, tag_from = kind, align_after = 2)]
    body: Body,
    #[binfmt(region = *more_size)]
    more: Vec<u16>,
    #[binfmt(checksum(u32 = sum, over = size..=more))]
    sum: (),
}

fn sum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(1, |sum: u32, byte| sum.wrapping_mul(31).wrapping_add((*byte).into()))
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(kind: &u8), tag_from = *kind)]
enum Body {
    #[binfmt(tag = 0)]
    Chunks(#[binfmt(until_eof)] Vec<Chunk>),
    #[binfmt(tag = 1)]
    Regions {
        #[binfmt(length_prefixed(u8, in = bytes, inclusive))]
        one: Box<Chunk>,
        #[binfmt(length_prefixed(u16, max = 60, in = bytes))]
        two: Vec<u16>,
    },
    #[binfmt(tag = 2)]
    Small(#[binfmt(range = 0..=9)] u8),
    #[binfmt(other)]
    Bytes(#[binfmt(until_eof)] Vec<u8>),
}

fn chunk() -> impl Strategy<Value = Chunk> {
    let made = |(kind, body, more)| Chunk { kind, size: (), more_size: 9, body, more, sum: () };
    let leaf = prop_oneof![
        (0..=10u8).prop_map(|n| (2, Body::Small(n))),
        vec(any::<u8>(), 0..40).prop_map(|bytes| (3, Body::Bytes(bytes))),
        // not what its tag says
        Just((4, Body::Small(1))),
    ];
    let leaf = (leaf, vec(any::<u16>(), 0..3)).prop_map(move |((kind, body), more)| made((kind, body, more)));
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let chunks = vec(inner.clone(), 0..4).prop_map(|chunks| (0, Body::Chunks(chunks)));
        let regions = (inner, vec(any::<u16>(), 0..40))
            .prop_map(|(one, two)| (1, Body::Regions { one: Box::new(one), two }));
        (prop_oneof![chunks, regions], vec(any::<u16>(), 0..3))
            .prop_map(move |((kind, body), more)| made((kind, body, more)))
    })
}

/// A directory of parts that lie anywhere, and of some that are put where there is room.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Archive {
    num: u8,
    directory: u8,
    #[binfmt(offset_of(last, auto))]
    last_at: u16,
    #[binfmt(at = directory, count = num)]
    entries: Vec<Entry>,
    #[binfmt(at = last_at, length_prefixed(u8, in = bytes))]
    last: Vec<Entry>,
    #[binfmt(length_prefixed(u8, in = bytes))]
    inner: Inner,
    #[binfmt(at(end) = 2)]
    end: u16,
    #[binfmt(gaps)]
    gaps: Gaps,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Entry {
    place: u8,
    #[binfmt(len_of(data, bytes, u8))]
    len: (),
    #[binfmt(at(file) = place, region = len)]
    data: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Inner {
    place: u8,
    #[binfmt(at = place, length_prefixed(u8, in = bytes))]
    data: Vec<u8>,
    #[binfmt(checksum(u32 = sum, over = place..=place))]
    sum: (),
    rest: [u8; 2],
}

/// Names anywhere, over tables and over each other, and parts that begin with parts.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Book {
    num: u8,
    table: u8,
    first: u8,
    #[binfmt(at = table, count = num, args(*first))]
    pages: Vec<Page>,
    texts: u8,
    #[binfmt(at = texts)]
    text: [u8; 6],
    #[binfmt(at(file) = *texts + 1, nul)]
    name: String,
    last: u8,
    #[binfmt(at(file) = last, nul)]
    end: String,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(first: u8))]
struct Page {
    #[binfmt(at(file) = first)]
    inner: [u8; 2],
    place: u8,
    #[binfmt(at(file) = place, nul)]
    name: String,
    #[binfmt(at(file) = *place + 3)]
    data: [u8; 2],
}

/// A region in a part, whose own parts are settled at its end while what is around goes on, and other parts come after it.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Shelf {
    place: u8,
    again: u8,
    #[binfmt(at(file) = place)]
    case: Case,
    last: u16,
    #[binfmt(at(file) = again)]
    end: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Case {
    #[binfmt(len_of(drawer, bytes, u8))]
    len: (),
    #[binfmt(region = len)]
    drawer: Drawer,
    far: u8,
    #[binfmt(at(file) = far)]
    there: [u8; 2],
    sum: u16,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Drawer {
    num: u8,
    off: u8,
    #[binfmt(at = off, count = num)]
    items: Vec<u8>,
    #[binfmt(at = off, count = num)]
    same: Vec<u8>,
    num_away: u8,
    place: u8,
    #[binfmt(at(file) = place, count = num_away)]
    away: Vec<u8>,
    rest: u8,
}

prop_compose! {
    fn shelf()(
        (place, again, off, far, away_at) in (3..40u8, 0..60u8, 0..8u8, 0..60u8, 0..60u8),
        items in vec(0..2u8, 0..3),
        away in vec(0..2u8, 0..3),
        (there, rest, end) in (prop::array::uniform2(0..2u8), 0..2u8, 0..2u8),
    ) -> Shelf {
        let (num, num_away, same) = (items.len() as u8, away.len() as u8, items.clone());
        let drawer = Drawer { num, off, items, same, num_away, place: away_at, away, rest };
        let case = Case { len: (), drawer, far, there, sum: 0x0101 };
        Shelf { place, again, case, last: 0x0100, end }
    }
}

prop_compose! {
    fn book()(
        (table, first, texts, last) in (7..60u8, 0..70u8, 5..70u8, 0..90u8),
        inner in prop::array::uniform2(0..2u8),
        pages in vec((0..70u8, name(), prop::array::uniform2(0..2u8)), 0..4),
        text in prop::array::uniform6(0..2u8),
        (name, end) in (name(), name()),
    ) -> Book {
        let page = |(place, name, data)| Page { inner, place, name, data };
        let pages: Vec<Page> = pages.into_iter().map(page).collect();
        Book { num: pages.len() as u8, table, first, pages, texts, text, name, last, end }
    }
}

/// Few characters, so that some names are where others are.
fn name() -> impl Strategy<Value = String> {
    "[\u{1}]{0,4}|[\u{1}]{7,18}|\u{1}\u{0}"
}

fn entry(places: std::ops::Range<u8>) -> impl Strategy<Value = Entry> {
    // few bytes, so that some are the same where they share a place
    (places, vec(0..2u8, 0..6)).prop_map(|(place, data)| Entry { place, len: (), data })
}

prop_compose! {
    fn archive()(
        directory in 0..80u8,
        entries in vec(entry(0..120), 0..6),
        last in vec(entry(60..70), 0..2),
        place in 5..12u8,
        data in vec(0..2u8, 0..3),
        gaps in vec((0..100u64, vec(0..2u8, 0..3)), 0..3),
    ) -> Archive {
        Archive {
            num: entries.len() as u8,
            directory,
            last_at: 0,
            entries,
            last,
            inner: Inner { place, data, sum: (), rest: [0; 2] },
            end: 0x0101,
            gaps: Gaps { list: gaps.into_iter().map(|(offset, bytes)| Gap { offset, bytes }).collect() },
        }
    }
}

/// What lies in order is written, however the rest comes.
fn ordered() -> impl Strategy<Value = Archive> {
    (archive(), vec(2..9u8, 0..6)).prop_map(|(mut archive, steps)| {
        archive.directory = 15;
        archive.entries.truncate(steps.len());
        archive.num = archive.entries.len() as u8;
        let mut at = 15 + 2 * archive.num;
        for (entry, step) in archive.entries.iter_mut().zip(steps).rev() {
            entry.place = at;
            at += (entry.data.len() as u8).max(step);
        }
        archive.inner.place = 7;
        archive.gaps.list.clear();
        Archive { last: Vec::new(), ..archive }
    })
}

proptest! {
    // two parts must come to one place before anything can be wrong
    #![proptest_config(ProptestConfig { cases: 1000, ..config() })]

    #[test]
    fn lengths_in_lengths(chunk in chunk()) {
        let _ = same(&chunk);
    }

    #[test]
    fn parts_anywhere(archive in archive()) {
        let _ = same(&archive);
    }

    #[test]
    fn names_anywhere(book in book()) {
        let _ = same(&book);
    }

    #[test]
    fn regions_anywhere(shelf in shelf()) {
        let _ = same(&shelf);
    }

    #[test]
    fn parts_without_overlap(archive in ordered()) {
        prop_assert!(same(&archive).is_ok());
    }
}

/// Chunks in chunks are measured once and not once for each around them.
#[test]
fn depth_costs_no_more_than_its_bytes() {
    let mut chunk = Chunk { kind: 2, size: (), more_size: 0, body: Body::Small(1), more: vec![], sum: () };
    for _ in 0..20 {
        chunk = Chunk { kind: 0, body: Body::Chunks(vec![chunk.clone()]), ..chunk };
    }
    assert_eq!(same(&chunk).unwrap().len(), 21 * 8 + 2);
}

/// Regions with something around them, which is counted where their length is measured.
#[test]
fn regions_in_something_else() {
    use binfmt::Nullable;
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(le)]
    struct Presence {
        #[binfmt(len_of(x, bytes, u8))]
        n: (),
        #[binfmt(nullable(body = absent), region = n)]
        x: Nullable<u16>,
    }
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(le)]
    struct Padded {
        #[binfmt(len_of(x, bytes, u8))]
        n: (),
        #[binfmt(pad_to = 4, region = *n)]
        x: u16,
    }
    let _ = (
        agree(&Presence { n: (), x: Nullable::Missing(5) }, &Options::new()),
        agree(&Padded { n: (), x: 1 }, &Options::new()),
    );
    let _ = agree(&Presence { n: (), x: Nullable::Value(6) }, &Options::new());
}
