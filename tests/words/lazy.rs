//! `Lazy`: parts that are decoded when they are asked for.

use crate::support::wire::{is_inside, writes};
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, Endian, ErrorKind, Gaps, Lazy, Options};

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct File<'a> {
    num: u8,
    #[binfmt(count = num)]
    parts: Vec<Entry<'a>>,
    #[binfmt(length_prefixed(u8, in = bytes))]
    near: Lazy<'a, u16>,
    #[binfmt(gaps)]
    gaps: Gaps,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Entry<'a> {
    place: u8,
    len: u8,
    #[binfmt(at(file) = place, region = len, args(*len))]
    part: Lazy<'a, Part<'a>, u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(len: u8), assert(bytes.len() == usize::from(len) - 2))]
struct Part<'a> {
    kind: bool,
    #[binfmt(at(file) = 0)]
    first: u8,
    #[binfmt(until_eof)]
    bytes: &'a [u8],
}

//                       num, place, len, .., 5: near, 8: gap, 9: first, 12: second
const BYTES: &[u8] = &[2, 9, 3, 12, 4, 2, 1, 2, 7, 1, 5, 6, 0, 1, 2, 3];

#[test]
fn a_part_is_decoded_when_it_is_asked_for() {
    // `Part` is checked when it is read, and here only the first may be
    let read = |bytes| binfmt::from_slice::<File<'_>>(bytes).unwrap();
    let file = read(BYTES);
    let held = file.parts[0].part.bytes().unwrap();
    assert_eq!(held, [1, 5, 6]);
    assert!(is_inside(BYTES, held));
    assert_eq!(file.near.get().unwrap(), 0x0201);
    let e = file.parts[0].part.get().unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::Assertion { .. }), "{e}");
    assert_eq!(file.gaps.list.len(), 1);
    writes(&file, BYTES);
    let sizes = [BYTES.len(), 12, 8, 6, 4, 1];
    for n in sizes.into_iter().skip(1) {
        assert!(binfmt::from_slice::<File<'_>>(&BYTES[..n]).is_err(), "{n}");
    }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Pair<'a> {
    len: u8,
    #[binfmt(region = len)]
    a: Lazy<'a, Numbers>,
    b: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Numbers {
    #[binfmt(range = 1..=9)]
    n: u16,
    flag: bool,
}

#[test]
fn errors_are_those_of_the_value() {
    let read = |bytes| binfmt::from_slice::<Pair<'_>>(bytes).unwrap().a.get().unwrap_err();
    let e = read(&[3, 5, 0, 2, 7]);
    assert_eq!((e.path().to_string(), e.offset()), ("flag".to_owned(), Some(3)));
    let e = read(&[4, 5, 0, 1, 9, 7]);
    assert!(matches!(e.kind(), ErrorKind::UnconsumedRegion { count: 1 }), "{e}");
    assert_eq!(e.offset(), Some(4));
    let e = read(&[2, 5, 0, 7]);
    assert_eq!((e.path().to_string(), e.is_incomplete()), ("flag".to_owned(), false));
    // what is not asked for is written as it is
    writes(&binfmt::from_slice::<Pair<'_>>(&[2, 5, 0, 7]).unwrap(), &[2, 5, 0, 7]);
}

#[test]
fn a_value_is_written_and_equals_its_bytes() {
    let bytes = [3, 5, 0, 1, 7];
    let value = Pair { len: 3, a: Numbers { n: 5, flag: true }.into(), b: 7 };
    writes(&value, &bytes);
    let read: Pair<'_> = binfmt::from_slice(&bytes).unwrap();
    assert_eq!((&read, &value), (&value, &read));
    assert_ne!(read, Pair { a: Numbers { n: 6, flag: true }.into(), ..value });
    assert_eq!(format!("{:?}", read.a), "Lazy(3 bytes)");
}

#[test]
fn the_other_byte_order_is_written_anew() {
    let big = Options::new().endian(Endian::Big);
    let read: Pair<'_> = binfmt::from_slice_with::<Pair<'_>, ()>(&[3, 0, 5, 1, 7], &big).unwrap();
    assert_eq!(read.a.get().unwrap().n, 5);
    assert_eq!(binfmt::to_vec_with(&read, &big).unwrap(), [3, 0, 5, 1, 7]);
    writes(&read, &[3, 5, 0, 1, 7]);
}

#[test]
fn it_is_its_value_in_descriptions_and_dumps() {
    let schema = Pair::SCHEMA.to_string();
    assert!(schema.contains("  a: Numbers, region = len\n"), "{schema}");
    let program = Program::new(&Pair::SCHEMA.description()).unwrap();
    let options = Options::new().ctx(&program);
    let value: Value = binfmt::from_slice_with(&[3, 5, 0, 1, 7], &options).unwrap();
    assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), [3, 5, 0, 1, 7]);
    let trace = binfmt::dump::trace::<Pair<'_>>(&[3, 5, 0, 1, 7]).to_string();
    assert!(trace.contains("a.flag: true"), "{trace}");
    let trace = binfmt::dump::trace::<Pair<'_>>(&[3, 5, 0, 2, 7]);
    assert_eq!(trace.error().unwrap().path().to_string(), "a.flag");
}

#[test]
fn limits_are_those_of_the_reader() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct Many {
        #[binfmt(length_prefixed(u8))]
        list: Vec<u32>,
    }
    let bytes = [&[2u8][..], &[0; 8]].concat();
    let few = Options::new().max_memory(7);
    let lazy = binfmt::from_slice_with::<Lazy<'_, Many>, ()>(&bytes, &few).unwrap();
    assert!(matches!(lazy.get().unwrap_err().kind(), ErrorKind::MemoryLimit { .. }));
    assert_eq!(binfmt::from_slice::<Lazy<'_, Many>>(&bytes).unwrap().get().unwrap().list, [0, 0]);
}
