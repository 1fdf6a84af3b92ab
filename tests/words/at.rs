//! `at`: parts that lie elsewhere, in any order, read from slices and from readers that seek, and written where their
//! positions say.

use crate::support::wire::{assert_error, from_file, from_stream, is_inside, refused, writes};
use binfmt::columns::Plan;
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, DecodeOwned, Encode, Error, ErrorKind, Options};
use std::fmt::Debug;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

/// A file that gives one byte at a time.
struct Drip(Cursor<Vec<u8>>);

impl Read for Drip {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = out.len().min(1);
        self.0.read(&mut out[..n])
    }
}

impl Seek for Drip {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

/// The bytes decode to the value from a slice and from files; a stream says that it cannot.
#[track_caller]
fn reads<T: DecodeOwned + PartialEq + Debug>(value: &T, bytes: &[u8]) {
    assert_eq!(&binfmt::from_slice::<T>(bytes).expect("from_slice"), value);
    assert_eq!(&from_file::<T>(Cursor::new(bytes)).expect("from_seeker"), value);
    assert_eq!(&from_file::<T>(Drip(Cursor::new(bytes.to_vec()))).expect("dripping"), value);
    let e = from_stream::<T, ()>(&mut &*bytes, &Options::new()).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::ForwardOnly), "{e}");
}

#[track_caller]
fn same<T: Encode + DecodeOwned + PartialEq + Debug>(value: &T, bytes: &[u8]) {
    writes(value, bytes);
    reads(value, bytes);
}

/// The error of a slice, which is that of a file.
#[track_caller]
fn bad<T: DecodeOwned + Debug>(bytes: &[u8]) -> Error {
    let e = binfmt::from_slice::<T>(bytes).expect_err("from_slice");
    let sought = from_file::<T>(Cursor::new(bytes)).expect_err("from_seeker");
    assert_eq!((e.path().to_string(), e.offset()), (sought.path().to_string(), sought.offset()));
    e
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Archive {
    num: u8,
    directory: u16,
    #[binfmt(at = directory, count = num)]
    entries: Vec<Entry>,
    end: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Entry {
    offset: u8,
    len: u8,
    #[binfmt(at(file) = offset, count = len)]
    data: Vec<u8>,
}

fn entry(offset: u8, data: &[u8]) -> Entry {
    Entry { offset, len: data.len() as u8, data: data.to_vec() }
}

fn archive() -> Archive {
    let entries = vec![entry(6, b"cd"), entry(4, b"ab"), entry(14, b"e")];
    Archive { num: 3, directory: 8, entries, end: 7 }
}

const ARCHIVE: &[u8] = b"\x03\x08\0\x07abcd\x06\x02\x04\x02\x0e\x01e";

#[test]
fn parts_lie_in_any_order() {
    same(&archive(), ARCHIVE);
    // the end of the value is where the parts that come one after the other end
    let (read, rest) = binfmt::from_prefix::<Archive>(ARCHIVE).unwrap();
    assert_eq!((read, rest.len()), (archive(), 11));
    let mut file = Cursor::new([b"..", ARCHIVE].concat());
    file.set_position(2);
    assert_eq!(from_file::<Archive>(&mut file).unwrap(), archive());
    assert_eq!(file.position(), 6);
}

#[test]
fn gaps_are_zeros() {
    let value = Archive { num: 1, directory: 6, entries: vec![entry(10, b"a")], end: 7 };
    same(&value, b"\x01\x06\0\x07\0\0\x0a\x01\0\0a");
}

#[test]
fn positions_are_in_the_input() {
    let e = bad::<Archive>(b"\x01\x40\0\x07");
    assert_error!(e, 3, "entries", ErrorKind::NoPosition { position: 64, end: 4, in_region: false });
    assert_eq!(e.to_string(), "entries at byte 0x3: position 64 is beyond the end of the input, 4");
    assert_eq!(e.needed(), Some(60));
    let e = bad::<Archive>(b"\x01\x04\0\x07\x06\x02a");
    assert_error!(
        e,
        6,
        "entries[0].data",
        ErrorKind::CountTooLarge { count: 2, .. } | ErrorKind::UnexpectedEnd { .. }
    );

    #[derive(BinFormat, Debug, PartialEq)]
    struct Below {
        n: i8,
        #[binfmt(at = *n - 3)]
        x: u8,
        #[binfmt(at(file) = u64::MAX)]
        far: u8,
    }
    let e = bad::<Below>(&[2, 3]);
    assert_error!(e, 1, "x", ErrorKind::NoPosition { position: -1, .. });
    assert_eq!(e.to_string(), "x at byte 0x1: position -1 is before the first byte");
    let e = refused(&Below { n: 2, x: 3, far: 1 });
    assert_error!(e, 1, "x", ErrorKind::NoPosition { position: -1, .. });
    assert_error!(bad::<Below>(&[3, 3]), 1, "far", ErrorKind::NoPosition { .. });
}

#[test]
fn the_last_byte_is_read() {
    let e = binfmt::from_slice::<Archive>(&[ARCHIVE, b"xy"].concat()).unwrap_err();
    assert_error!(e, 4, "", ErrorKind::TrailingBytes { count: 2 });
}

#[test]
fn shared_bytes_are_the_same() {
    let with = |second: &[u8]| Archive {
        num: 2,
        directory: 4,
        entries: vec![entry(8, b"abc"), entry(9, second)],
        end: 7,
    };
    same(&with(b"bc"), b"\x02\x04\0\x07\x08\x03\x09\x02abc");
    same(&with(b"bcd"), b"\x02\x04\0\x07\x08\x03\x09\x03abcd");
    let e = refused(&with(b"bx"));
    assert_error!(e, 9, "entries[1].data", ErrorKind::Overlap { position: 9, .. });
    assert_eq!(
        e.to_string(),
        "entries[1].data at byte 0x9: this part and `entries[0].data` are at position 9, and their bytes differ"
    );
    // over what comes one after the other, which a writer has sent, and no other sink either
    let over = Archive { num: 0, directory: 1, entries: vec![], end: 7 };
    same(&over, &[0, 1, 0, 7]);
    let over = Archive { num: 1, directory: 1, entries: vec![entry(0, b"")], end: 7 };
    assert!(matches!(binfmt::to_vec(&over).unwrap_err().kind(), ErrorKind::Overlap { .. }));
}

/// A file in a region of another: its positions count from its own first byte.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Outer {
    n: u8,
    #[binfmt(length_prefixed(u8, in = bytes))]
    inner: Inner,
    #[binfmt(pad_to = 6)]
    padded: Inner,
    end: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Inner {
    place: u8,
    #[binfmt(at = place, be)]
    x: u16,
    #[binfmt(at(file) = 0)]
    first: u8,
}

#[test]
fn a_region_has_its_own_parts() {
    let inner = |place, x| Inner { place, x, first: 5 };
    let value = Outer { n: 5, inner: inner(2, 7), padded: inner(1, 9), end: 8 };
    same(&value, &[5, 4, 2, 0, 0, 7, 1, 0, 9, 0, 0, 0, 8]);
    // beyond the region
    let e = bad::<Outer>(&[5, 2, 1, 7, 1, 0, 9, 0, 0, 0, 8]);
    assert_eq!((e.path().to_string(), e.offset()), ("inner.x".to_owned(), Some(3)));
    let e = bad::<Outer>(&[5, 2, 3, 7, 1, 0, 9, 0, 0, 0, 8]);
    assert_error!(e, 3, "inner.x", ErrorKind::NoPosition { position: 5, end: 4, in_region: true });
    assert!(!e.is_incomplete());
    // what is left over of it after its last part
    let e = bad::<Outer>(&[5, 5, 2, 0, 0, 7, 0, 1, 0, 9, 0, 0, 0, 8]);
    assert_error!(e, 3, "inner", ErrorKind::UnconsumedRegion { count: 1 });
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Choice {
    Near(u8),
    Far {
        place: u8,
        #[binfmt(if(*place > 0), at = place, args(place))]
        text: Option<Text>,
    },
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(n: &u8))]
struct Text {
    #[binfmt(count = n, text = ascii)]
    text: String,
}

#[test]
fn positions_of_a_variant_count_from_its_tag() {
    let text = Some(Text { text: "abc".into() });
    same(&Choice::Far { place: 3, text }, &[1, 3, 0, b'a', b'b', b'c']);
    let none = Choice::Far { place: 0, text: None };
    writes(&none, &[1, 0]);
    assert_eq!(binfmt::from_reader::<Choice>(&[1u8, 0][..]).unwrap(), none);
}

#[derive(BinFormat, Debug, PartialEq)]
struct Lent<'a, T> {
    place: u8,
    #[binfmt(at = place, until_eof)]
    rest: &'a [u8],
    #[binfmt(at = place)]
    other: T,
}

#[test]
fn parts_are_lent() {
    let bytes = [2, 9, 1, 2];
    let value = Lent { place: 2, rest: &bytes[2..], other: [1u8, 2] };
    writes(&value, &[2, 0, 1, 2]);
    let (read, _) = binfmt::from_prefix::<Lent<'_, [u8; 2]>>(&bytes).unwrap();
    assert_eq!(read, value);
    assert!(is_inside(&bytes, read.rest));
}

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Summed {
    #[binfmt(count = 2)]
    parts: Vec<Part>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Part {
    place: u8,
    #[binfmt(checksum(u8 = sum, over = ..))]
    sum: (),
    #[binfmt(at(file) = place)]
    body: Body,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Body {
    x: u8,
    #[binfmt(checksum(sum, over = ..))]
    sum: u8,
}

#[test]
fn checksums_beside_parts_and_in_them() {
    let part = |place, x| Part { place, sum: (), body: Body { x, sum: x } };
    same(&Summed { parts: vec![part(7, 3), part(4, 9)] }, &[7, 7, 4, 4, 9, 9, 0, 3, 3]);
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Node {
    left: u8,
    right: u8,
    #[binfmt(if(*left < 9), at(file) = left)]
    a: Option<Box<Node>>,
    #[binfmt(if(*right < 9), at(file) = right)]
    b: Option<Box<Node>>,
}

#[test]
fn loops_end() {
    // to itself: the depth ends it
    let e = bad::<Node>(&[0, 9]);
    assert!(matches!(e.kind(), ErrorKind::DepthLimit { max: 128 }), "{e}");
    // twice: without a limit of jumps as many as there are paths
    let deep = Options::new().max_depth(20);
    let limited = deep.max_jumps(1000);
    let e = binfmt::from_slice_with::<Node, _>(&[0, 0], &limited).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::DepthLimit { .. }), "{e}");
    // a list of pointers to each other, none of them deep
    #[derive(BinFormat, Debug)]
    struct Many {
        #[binfmt(count = 60)]
        items: Vec<Item>,
    }
    #[derive(BinFormat, Debug)]
    struct Item {
        #[binfmt(at(file) = 0, count = 60)]
        all: Vec<u8>,
        n: u8,
    }
    let bytes = [7; 60];
    assert_eq!(binfmt::from_slice::<Many>(&bytes).unwrap().items[59].all.len(), 60);
    let e = binfmt::from_slice_with::<Many, _>(&bytes, &Options::new().max_jumps(59)).unwrap_err();
    assert_error!(e, 0, "items[59].all", ErrorKind::JumpLimit);
    let e = binfmt::from_slice_with::<Many, _>(&bytes, &Options::new().max_jump_bytes(90)).unwrap_err();
    assert_error!(e, 60, "items[1].all", ErrorKind::JumpBytesLimit { requested: 60, remaining: 30 });
}

#[test]
fn one_place_is_read_a_few_times() {
    #[derive(BinFormat, Debug)]
    struct Many {
        #[binfmt(length_prefixed(u32))]
        items: Vec<Whole>,
    }
    #[derive(BinFormat, Debug)]
    struct Whole {
        n: u8,
        #[binfmt(at(file) = 0, until_eof)]
        all: Vec<u8>,
    }
    let mut bytes = vec![0; 1 << 16];
    bytes[..4].copy_from_slice(&((1u32 << 16) - 4).to_le_bytes());
    let e = binfmt::from_slice::<Many>(&bytes).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::JumpBytesLimit { .. }), "{e}");
}

/// What a value at run time says of the same bytes.
fn value<T: Describe>(bytes: &[u8]) -> (Program, Result<Value, Error>) {
    let program = Program::new(&T::SCHEMA.description()).unwrap();
    let value = binfmt::from_slice_with::<Value, _>(bytes, &Options::new().ctx(&program));
    (program, value)
}

#[test]
fn at_run_time() {
    for bytes in [ARCHIVE, b"\x00\x04\0\x07"] {
        let (program, read) = value::<Archive>(bytes);
        let written = binfmt::to_vec_with(&read.unwrap(), &Options::new().ctx(&program)).unwrap();
        assert_eq!(written, bytes);
    }
    let outer = [5, 4, 2, 0, 0, 7, 1, 0, 9, 0, 0, 0, 8];
    let (program, read) = value::<Outer>(&outer);
    assert_eq!(binfmt::to_vec_with(&read.unwrap(), &Options::new().ctx(&program)).unwrap(), outer);
    let bytes = b"\x01\x40\0\x07";
    let (_, read) = value::<Archive>(bytes);
    assert_eq!(read.unwrap_err().to_string(), bad::<Archive>(bytes).to_string());
    let e = Plan::new(&Archive::SCHEMA.description()).unwrap_err();
    assert!(e.to_string().contains("a part that lies elsewhere"), "{e}");
}

#[test]
fn dumps_have_the_offsets() {
    let trace = binfmt::dump::trace::<Archive>(ARCHIVE);
    assert!(trace.error().is_none(), "{:?}", trace.error());
    let found: Vec<(String, u64, Vec<u8>)> = trace
        .nodes()
        .filter(|node| !node.is_group())
        .map(|node| (node.path(), node.range().start, node.bytes().to_vec()))
        .collect();
    let row = |path: &str, at, bytes: &[u8]| (path.to_owned(), at, bytes.to_vec());
    assert_eq!(found[2], row("entries[0].offset", 8, &[6]));
    assert_eq!(found[4], row("entries[0].data", 6, b"cd"));
    assert_eq!(found[10], row("entries[2].data", 14, b"e"));
    assert_eq!(found[11], row("end", 3, &[7]));
    let text = trace.to_string();
    assert!(!text.contains("not named"), "{text}");
    assert_eq!(text.lines().count(), 12, "{text}");
    // cut in a part
    let text = binfmt::dump::trace::<Archive>(&ARCHIVE[..14]).to_string();
    assert!(text.contains("0x00000008  06 "), "{text}");
    assert!(text.lines().last().unwrap().starts_with("0x0000000e"), "{text}");
}

/// The hard case: names of sections, whose contents lie anywhere, in one of the sections.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, magic = b"\x7fELF\x02\x01\x01")]
struct Elf {
    #[binfmt(skip(bytes = 9))]
    kind: u16,
    machine: u16,
    version: u32,
    entry: u64,
    phoff: u64,
    shoff: u64,
    flags: u32,
    sizes: [u16; 4],
    shnum: u16,
    shstrndx: u16,
    #[binfmt(at = shoff, count = shnum)]
    sections: Vec<Section>,
    #[binfmt(each(sections.iter().map(|section| (section.name, sections[usize::from(*shstrndx)].offset))))]
    names: Vec<Name>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(name: u32, table: u64))]
struct Name {
    #[binfmt(at(file) = table + name, nul)]
    text: String,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Section {
    name: u32,
    kind: u32,
    flags: u64,
    addr: u64,
    offset: u64,
    size: u64,
    more: [u64; 3],
    #[binfmt(if(*kind != 8), at(file) = offset, count = size)]
    data: Option<Vec<u8>>,
}

#[test]
fn elf() {
    let section = |name, offset, data: &[u8]| Section {
        name,
        kind: 1,
        flags: 0,
        addr: 0,
        offset,
        size: data.len() as u64,
        more: [0; 3],
        data: Some(data.to_vec()),
    };
    let bss = Section { kind: 8, size: 4096, data: None, ..section(7, 0xffff, b"") };
    let name = |text: &str| Name { text: text.into() };
    let file = Elf {
        kind: 2,
        machine: 62,
        version: 1,
        entry: 0,
        phoff: 0,
        shoff: 80,
        flags: 0,
        sizes: [64, 56, 0, 64],
        shnum: 4,
        shstrndx: 3,
        sections: vec![
            section(0, 64, b""),
            section(1, 70, b"code"),
            bss,
            section(12, 336, b"\0.text\0.bss\0.strs\0"),
        ],
        names: vec![name(""), name(".text"), name(".bss"), name(".strs")],
    };
    let bytes = binfmt::to_vec(&file).unwrap();
    assert_eq!((bytes.len(), &bytes[70..74]), (336 + 18, &b"code"[..]));
    same(&file, &bytes);
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Tailed {
    place: u8,
    #[binfmt(until_eof)]
    rest: Vec<u8>,
    #[binfmt(at = place)]
    part: u8,
}

/// It would be read as more of what goes to the end.
#[test]
fn no_part_comes_after_what_goes_to_the_end() {
    let value = Tailed { place: 2, rest: vec![5, 6], part: 6 };
    same(&value, &[2, 5, 6]);
    let expected =
        "at byte 0x3: a part that lies elsewhere (`at`) comes after bytes that are read to the end";
    for place in [3, 9] {
        assert_eq!(refused(&Tailed { place, ..value.clone() }).to_string(), expected);
    }
    // a region ends what goes to the end
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct Around {
        #[binfmt(length_prefixed(u8, in = bytes))]
        inner: Tailed,
        #[binfmt(at = 4)]
        part: u8,
    }
    same(&Around { inner: value, part: 7 }, &[3, 2, 5, 6, 7]);
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct Tail {
        place: u8,
        #[binfmt(optional_tail)]
        more: Option<u8>,
        #[binfmt(at = place)]
        part: u8,
    }
    same(&Tail { place: 2, more: Some(5), part: 6 }, &[2, 5, 6]);
    refused(&Tail { place: 1, more: None, part: 6 });
    // and a `Value` says the same
    let layout = Tailed::SCHEMA.description();
    let options = Options::new().ctx(&*layout);
    let mut read: Value = binfmt::from_slice_with(&[2, 5, 6], &options).unwrap();
    if let Value::Record(fields) = &mut read {
        fields.values_mut()[0] = Value::from(9u8);
    }
    assert_eq!(binfmt::to_vec_with(&read, &options).unwrap_err().to_string(), expected);
}
