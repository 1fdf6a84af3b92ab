//! `at(end)`: parts whose positions count backwards from the end of the input or region.

use crate::support::wire::{assert_error, from_file, from_stream, refused, writes};
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, DecodeOwned, Encode, Error, ErrorKind, Options};
use std::fmt::Debug;
use std::io::Cursor;

#[track_caller]
fn same<T: Encode + DecodeOwned + Describe + PartialEq + Debug>(value: &T, bytes: &[u8]) {
    writes(value, bytes);
    assert_eq!(&binfmt::from_slice::<T>(bytes).expect("from_slice"), value);
    assert_eq!(&from_file::<T>(Cursor::new(bytes)).expect("from_seeker"), value);
    let e = from_stream::<T, ()>(&mut &*bytes, &Options::new()).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::ForwardOnly), "{e}");
    // at run time
    let program = Program::new(&T::SCHEMA.description()).unwrap();
    let options = Options::new().ctx(&program);
    let read = binfmt::from_slice_with::<Value, _>(bytes, &options).expect("a value");
    assert_eq!(binfmt::to_vec_with(&read, &options).expect("its bytes"), bytes);
    let trace = binfmt::dump::trace::<T>(bytes);
    assert!(trace.error().is_none(), "{:?}", trace.error());
    assert!(!trace.to_string().contains("not named"), "{trace}");
}

#[track_caller]
fn bad<T: DecodeOwned + Debug>(bytes: &[u8]) -> Error {
    let e = binfmt::from_slice::<T>(bytes).expect_err("from_slice");
    let sought = from_file::<T>(Cursor::new(bytes)).expect_err("from_seeker");
    assert_eq!((e.path().to_string(), e.offset()), (sought.path().to_string(), sought.offset()));
    e
}

/// As ZIP has it: the last bytes say where the directory is, and that where the rest is.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Archive {
    #[binfmt(at(end) = 4)]
    end: End,
    #[binfmt(at(file) = end.directory, count = end.num)]
    entries: Vec<Entry>,
}

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(magic = b"E")]
struct End {
    num: u8,
    directory: u16,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Entry {
    offset: u8,
    #[binfmt(at(file) = offset, length_prefixed(u8))]
    data: Vec<u8>,
}

#[test]
fn a_directory_at_the_end() {
    let entry = |offset, data: &[u8]| Entry { offset, data: data.to_vec() };
    let value = Archive { end: End { num: 2, directory: 5 }, entries: vec![entry(3, b"a"), entry(0, b"bc")] };
    let bytes = b"\x02bc\x01a\x03\0E\x02\x05\0";
    same(&value, bytes);
    for n in 0..bytes.len() {
        // slices and files agree; without its last bytes nothing is the end
        for part in [&bytes[n + 1..], &bytes[..n]] {
            let read = binfmt::from_slice::<Archive>(part).ok();
            assert_eq!(read, from_file::<Archive>(Cursor::new(part)).ok());
        }
        assert!(binfmt::from_slice::<Archive>(&bytes[..n]).is_err());
    }
    let e = bad::<Archive>(b"E\x02\0");
    assert_error!(e, 0, "end", ErrorKind::NoPosition { position: -1, .. });
    assert_eq!(e.to_string(), "end at byte 0x0: position -1 is before the first byte");
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Outer {
    n: u8,
    #[binfmt(length_prefixed(u8, in = bytes))]
    inner: Inner,
    #[binfmt(at(end) = *n)]
    last: u16,
    #[binfmt(at(end) = 1)]
    shared: u8,
    end: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Inner {
    #[binfmt(offset_of(far, u8))]
    place: (),
    #[binfmt(at(end) = 2)]
    checks: [u8; 2],
    #[binfmt(at = place)]
    far: u8,
    x: u8,
}

#[test]
fn the_end_of_a_region() {
    let value = |n| Outer {
        n,
        inner: Inner { place: (), checks: [8, 9], far: 7, x: 6 },
        last: 0x0304,
        shared: 3,
        end: 5,
    };
    same(&value(2), &[2, 5, 2, 6, 7, 8, 9, 5, 4, 3]);
    let e = refused(&value(1));
    assert_eq!(e.to_string(), "at byte 0x8: a part that begins 1 bytes before the end has 2 bytes");
    // two parts that share bytes, which differ
    let e = refused(&Outer { shared: 4, ..value(2) });
    assert!(matches!(e.kind(), ErrorKind::Overlap { position: 9, .. }), "{e}");
    // before the region
    let e = bad::<Outer>(&[2, 1, 0, 5, 4, 3]);
    assert_eq!((e.path().to_string(), e.offset()), ("inner.checks".to_owned(), Some(3)));
}

#[test]
fn parts_reach_the_end() {
    #[derive(BinFormat, Debug, PartialEq)]
    struct Short {
        #[binfmt(at(end) = 4)]
        x: u16,
        #[binfmt(if(*x > 1), at(end) = 1)]
        last: Option<u8>,
    }
    same(&Short { x: 2, last: Some(5) }, &[2, 0, 0, 5]);
    let e = refused(&Short { x: 1, last: None });
    assert_eq!(e.to_string(), "at byte 0x2: the parts that count from the end leave the last 2 bytes of it");
    let e = binfmt::from_slice::<Short>(&[1, 0, 0, 5]).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::TrailingBytes { .. }), "{e}");
    let none = Options::new().max_jumps(1);
    let e = binfmt::from_slice_with::<Short, _>(&[2, 0, 0, 5], &none).unwrap_err();
    assert_error!(e, 3, "last", ErrorKind::JumpLimit);
}
