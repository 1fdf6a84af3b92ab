//! `gaps`: the bytes of a file that no part describes come back.

use crate::support::wire::{assert_error, from_file, from_stream, refused, writes};
use binfmt::columns::Plan;
use binfmt::schema::{Describe, Description};
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, DecodeOwned, Encode, ErrorKind, Gap, Gaps, Options};
use std::fmt::Debug;
use std::io::Cursor;

#[track_caller]
fn same<T: Encode + DecodeOwned + Describe + PartialEq + Debug>(value: &T, bytes: &[u8]) {
    writes(value, bytes);
    assert_eq!(&binfmt::from_slice::<T>(bytes).expect("from_slice"), value);
    assert_eq!(&from_file::<T>(Cursor::new(bytes)).expect("from_seeker"), value);
    let e = from_stream::<T, ()>(&mut &*bytes, &Options::new()).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::ForwardOnly), "{e}");
    // at run time, by the type's description and by its text
    let description = T::SCHEMA.description();
    let read_again: Description = description.to_string().parse().unwrap();
    for description in [description.into_owned(), read_again] {
        let program = Program::new(&description).unwrap();
        let options = Options::new().ctx(&program);
        let read = binfmt::from_slice_with::<Value, _>(bytes, &options).expect("a value");
        assert_eq!(binfmt::to_vec_with(&read, &options).expect("its bytes"), bytes);
    }
    let trace = binfmt::dump::trace::<T>(bytes);
    assert!(trace.error().is_none(), "{:?}", trace.error());
    assert!(!trace.to_string().contains("not named"), "{trace}");
}

fn gaps<const N: usize>(list: [(u64, &[u8]); N]) -> Gaps {
    Gaps { list: list.map(|(offset, bytes)| Gap { offset, bytes: bytes.to_vec() }).into() }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct File {
    num: u8,
    directory: u8,
    #[binfmt(at = directory, count = num)]
    entries: Vec<Entry>,
    #[binfmt(gaps)]
    gaps: Gaps,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Entry {
    offset: u8,
    #[binfmt(at(file) = offset, length_prefixed(u8))]
    data: Vec<u8>,
}

fn file(entries: &[(u8, &[u8])], gaps: Gaps) -> File {
    let entry = |&(offset, data): &(u8, &[u8])| Entry { offset, data: data.to_vec() };
    File { num: entries.len() as u8, directory: 4, entries: entries.iter().map(entry).collect(), gaps }
}

#[test]
fn what_no_part_describes_is_kept() {
    let parts: [(u8, &[u8]); 2] = [(10, b"ab"), (7, b"c")];
    let all = [(2, &b"xy"[..]), (6, b"z"), (9, b"-"), (13, b"\0\0")];
    same(&file(&parts, gaps(all)), b"\x02\x04xy\x0a\x07z\x01c-\x02ab\0\0");
    // zeros are written anyway, but at the end
    same(&file(&parts, gaps([(9, b"-")])), b"\x02\x04\0\0\x0a\x07\0\x01c-\x02ab");
    same(&file(&[], gaps([(2, b"xyz")])), b"\0\x04xyz");
    same(&File { directory: 2, ..file(&[], Gaps::default()) }, &[0, 2]);
}

#[test]
fn every_cut_and_every_change_comes_back_or_is_refused() {
    let bytes = b"\x02\x04xy\x0a\x07z\x01c-\x02ab\0\0";
    let back = |bytes: &[u8]| match binfmt::from_slice::<File>(bytes) {
        Ok(file) => assert_eq!(binfmt::to_vec(&file).unwrap(), bytes),
        Err(e) => assert!(!e.path().to_string().starts_with("gaps"), "{e}"),
    };
    for n in 0..=bytes.len() {
        back(&bytes[..n]);
    }
    for n in 0..bytes.len() {
        for byte in 0..=255 {
            let mut bytes = *bytes;
            bytes[n] = byte;
            back(&bytes);
        }
    }
}

#[test]
fn a_gap_must_not_lie_over_a_part() {
    let e = refused(&file(&[(7, b"c")], gaps([(8, b"xy")])));
    assert!(matches!(e.kind(), ErrorKind::Overlap { position: 8, .. }), "{e}");
    let e = refused(&file(&[(7, b"c")], gaps([(0, b"x")])));
    assert!(matches!(e.kind(), ErrorKind::Overlap { position: 0, .. }), "{e}");
    // the same bytes do not contradict each other
    let value = file(&[(7, b"c")], gaps([(8, b"c")]));
    assert_eq!(binfmt::to_vec(&value).unwrap(), b"\x01\x04\0\0\x07\0\0\x01c");
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Outer {
    #[binfmt(length_prefixed(u8, in = bytes))]
    inner: Inner,
    #[binfmt(at(end) = 1)]
    last: u8,
    #[binfmt(gaps)]
    gaps: Gaps,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Inner {
    place: u8,
    #[binfmt(at = place)]
    x: u8,
    #[binfmt(gaps)]
    gaps: Gaps,
}

#[test]
fn gaps_of_a_region_are_its_own() {
    let inner = Inner { place: 3, x: 7, gaps: gaps([(1, b"xy"), (4, b"\0")]) };
    let value = Outer { inner, last: 7, gaps: gaps([(6, b"pq")]) };
    same(&value, b"\x05\x03xy\x07\0pq\x07");
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Ended {
    place: u8,
    #[binfmt(if(*place > 0), at = place)]
    x: Option<u8>,
    #[binfmt(at(end) = 3)]
    end: Tail,
    #[binfmt(gaps)]
    gaps: Gaps,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Tail {
    a: u8,
    #[binfmt(at = 2)]
    b: u8,
}

#[test]
fn zeros_before_what_counts_from_the_end_are_kept() {
    let end = Tail { a: 7, b: 8 };
    let value = |place, list: &[(u64, &[u8])]| {
        let gap = |&(offset, bytes): &(u64, &[u8])| Gap { offset, bytes: bytes.to_vec() };
        let gaps = Gaps { list: list.iter().map(gap).collect() };
        Ended { place, x: (place > 0).then_some(9), end: end.clone(), gaps }
    };
    same(&value(0, &[(1, b"\0\0")]), &[0, 0, 0, 7, 0, 8]);
    same(&value(3, &[(4, b"\0")]), &[3, 0, 0, 9, 0, 7, 0, 8]);
    // in a region, also where a part lies beyond it
    same(&Apart { inner: value(0, &[(1, b"\0\0")]), x: 5 }, &[6, 0, 0, 0, 7, 0, 8, 0, 5]);
    let within =
        Within { inner: Leading { place: 9, x: 5, end: 7, gaps: gaps([(1, b"\0\0")]) }, gaps: gaps([]) };
    same(&within, &[4, 9, 0, 0, 7, 0, 0, 0, 0, 5]);
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Apart {
    #[binfmt(length_prefixed(u8, in = bytes))]
    inner: Ended,
    #[binfmt(at = 8)]
    x: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Within {
    #[binfmt(length_prefixed(u8, in = bytes))]
    inner: Leading,
    #[binfmt(gaps)]
    gaps: Gaps,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Leading {
    place: u8,
    #[binfmt(at(file) = place)]
    x: u8,
    #[binfmt(at(end) = 1)]
    end: u8,
    #[binfmt(gaps)]
    gaps: Gaps,
}

/// Where the part lies among the others or before a gap, it comes after them when it is written, and stays there.
#[test]
fn what_counts_from_the_end_and_lies_among_the_others_moves() {
    let moved = |bytes: &[u8], expected: &[u8]| {
        let out = binfmt::to_vec(&binfmt::from_slice::<Ended>(bytes).unwrap()).unwrap();
        assert_eq!(out, expected);
        assert_eq!(binfmt::to_vec(&binfmt::from_slice::<Ended>(&out).unwrap()).unwrap(), out);
    };
    moved(&[0, 8, 8], &[0, 8, 0, 0, 8]);
    moved(&[3, 7, 0, 9], &[3, 0, 0, 9, 7, 0, 9]);
}

#[test]
fn work_and_memory_are_limited() {
    let bytes = b"\x02\x04xy\x0a\x07z\x01c-\x02ab\0\0";
    let read = |options: &Options<()>| binfmt::from_slice_with::<File, _>(bytes, options).unwrap_err();
    let e = read(&Options::new().max_jumps(4));
    assert_error!(e, 6, "gaps", ErrorKind::JumpLimit);
    let e = read(&Options::new().max_jump_bytes(9));
    assert!(matches!(e.kind(), ErrorKind::JumpBytesLimit { .. }), "{e}");
    // the parts are noted, and the gaps are copied
    let far = [&b"\0\x02"[..], &[1; 4096]].concat();
    let e = binfmt::from_slice_with::<File, _>(&far, &Options::new().max_memory(4000)).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::MemoryLimit { requested: 4096, .. }), "{e}");
    assert_eq!(binfmt::from_slice::<File>(&far).unwrap().gaps.list[0].bytes.len(), 4096);
}

#[test]
fn at_run_time() {
    let description = File::SCHEMA.description();
    assert!(description.to_string().contains("gaps: [Gap], gaps"), "{description}");
    let program = Program::new(&description).unwrap();
    let options = Options::new().ctx(&program);
    let value = binfmt::from_slice_with::<Value, _>(b"\0\x02ab", &options).unwrap();
    let Value::Record(fields) = &value else { panic!("{value:?}") };
    let Some(Value::List(list)) = fields.get("gaps") else { panic!("{value:?}") };
    let Value::Record(gap) = &list[0] else { panic!("{list:?}") };
    assert_eq!(gap.get("offset"), Some(&Value::from(2u64)));
    assert_eq!(gap.get("bytes"), Some(&Value::Bytes(b"ab".to_vec())));
    let e = Plan::new(&description).unwrap_err();
    assert!(e.to_string().contains("lies elsewhere"), "{e}");
}
