//! `Records`: records of a fixed size that stay in the input.

use crate::support::wire::{is_inside, writes};
use binfmt::schema::Describe;
use binfmt::{BinFormat, Endian, ErrorKind, Options, Records};

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
struct Sample {
    time: u32,
    #[binfmt(range = 0..=9)]
    level: u8,
    flag: bool,
}

fn sample(time: u32, level: u8, flag: bool) -> Sample {
    Sample { time, level, flag }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Log<'a> {
    #[binfmt(len_of(counted))]
    num: u8,
    #[binfmt(count = num)]
    counted: Records<'a, Sample>,
    #[binfmt(length_prefixed(u8))]
    prefixed: Records<'a, u16>,
    #[binfmt(length_prefixed(u8, in = bytes))]
    region: Records<'a, [u8; 2]>,
    #[binfmt(until_eof)]
    rest: Records<'a, (u8, bool)>,
}

const BYTES: &[u8] = &[2, 1, 0, 0, 0, 9, 1, 2, 0, 0, 0, 8, 0, 1, 7, 0, 4, 1, 2, 3, 4, 5, 1, 6, 0];

#[test]
fn records_stay_in_the_input() {
    let log: Log<'_> = binfmt::from_slice(BYTES).unwrap();
    assert!(is_inside(BYTES, log.counted.bytes()));
    assert_eq!((log.counted.len(), log.prefixed.len(), log.region.len(), log.rest.len()), (2, 1, 2, 2));
    assert_eq!(log.counted.get(1).unwrap().unwrap(), sample(2, 8, false));
    assert!(log.counted.get(2).is_none() && log.counted.get(usize::MAX).is_none());
    let all: binfmt::Result<Vec<_>> = log.rest.iter().collect();
    assert_eq!(all.unwrap(), [(5, true), (6, false)]);
    let back: binfmt::Result<Vec<_>> = (&log.region).into_iter().rev().collect();
    assert_eq!(back.unwrap(), [[3, 4], [1, 2]]);
    let levels = log.counted.column(|sample| sample.level);
    assert_eq!(levels.iter().collect::<binfmt::Result<Vec<u8>>>().unwrap(), [9, 8]);
    writes(&log, BYTES);
    // the vector has the same bytes
    #[derive(BinFormat, Debug, PartialEq)]
    struct Owned {
        num: u8,
        #[binfmt(count = num)]
        counted: Vec<Sample>,
        #[binfmt(length_prefixed(u8))]
        prefixed: Vec<u16>,
        #[binfmt(length_prefixed(u8, in = bytes))]
        region: Vec<[u8; 2]>,
        #[binfmt(until_eof)]
        rest: Vec<(u8, bool)>,
    }
    writes(&binfmt::from_slice::<Owned>(BYTES).unwrap(), BYTES);
    let (a, b) = (Log::SCHEMA.to_string(), Owned::SCHEMA.to_string());
    assert_eq!(a.replace("Log", "Owned").replace(", len_of(counted)", ""), b);
}

#[test]
fn what_is_not_asked_for_is_not_checked() {
    let mut bytes = BYTES.to_vec();
    bytes[6] = 2;
    bytes[11] = 10;
    let log: Log<'_> = binfmt::from_slice(&bytes).unwrap();
    let e = log.counted.get(0).unwrap().unwrap_err();
    assert_eq!((e.path().to_string(), e.offset()), ("[0].flag".to_owned(), Some(6)));
    let e = log.counted.iter().nth(1).unwrap().unwrap_err();
    assert_eq!((e.path().to_string(), e.offset()), ("[1].level".to_owned(), Some(11)));
    // bytes that are not values equal nothing, and are written as they are
    assert_ne!(log.counted, log.counted.clone());
    writes(&log, &bytes);
}

#[test]
fn the_end_of_the_input() {
    for n in 0..BYTES.len() {
        match binfmt::from_slice::<Log<'_>>(&BYTES[..n]) {
            Ok(log) => assert_eq!((n, log.rest.len()), (21 + 2 * log.rest.len(), log.rest.len())),
            Err(e) => assert!(e.offset().is_some_and(|at| at <= n as u64), "{e}"),
        }
    }
    let e = binfmt::from_slice::<Log<'_>>(&BYTES[..24]).unwrap_err();
    assert_eq!(e.to_string(), "rest[1] at byte 0x17: 2 bytes needed, 1 remain");
    assert!(matches!(e.kind(), ErrorKind::UnexpectedEnd { .. }));
    let e = binfmt::from_slice::<Log<'_>>(&[255, 0]).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::CountTooLarge { .. }), "{e}");
}

#[test]
fn in_both_byte_orders() {
    let big = Options::new().endian(Endian::Big);
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct Words<'a> {
        #[binfmt(until_eof)]
        words: Records<'a, u16>,
    }
    let read: Words<'_> = binfmt::from_slice_with::<Words<'_>, ()>(&[1, 2, 3, 4], &big).unwrap();
    assert_eq!(read.words.get(1).unwrap().unwrap(), 0x0304);
    assert_eq!(binfmt::to_vec_with(&read, &big).unwrap(), [1, 2, 3, 4]);
    writes(&read, &[2, 1, 4, 3]);
    assert_eq!(read.words, Records::new(&[2, 1, 4, 3]).unwrap());
}

#[test]
fn of_bytes_alone() {
    let bytes: Vec<u8> = (0..60).collect();
    let records = Records::<[u8; 6]>::new(&bytes).unwrap();
    assert_eq!((records.len(), records.is_empty()), (10, false));
    let part = records.range(3..5).unwrap();
    assert_eq!((part.len(), part.get(0).unwrap().unwrap()[0]), (2, 18));
    assert!(records.range(3..11).is_none() && records.range(usize::MAX..usize::MAX).is_none());
    let e = Records::<Sample>::new(&bytes[..11]).unwrap_err();
    assert_eq!((e.path().to_string(), e.offset(), e.needed()), ("[1]".to_owned(), Some(6), Some(1)));
    // an error counts from the first byte of all
    let e = records.range(3..5).unwrap();
    assert_eq!(e.bytes()[0], 18);
    assert_eq!(format!("{records:?}"), "Records(10 of 6 bytes)");
}

#[test]
fn a_dump_has_the_records() {
    let trace = binfmt::dump::trace::<Log<'_>>(BYTES);
    assert!(trace.error().is_none(), "{:?}", trace.error());
    let text = trace.to_string();
    assert!(text.contains("counted[1].level: 8"), "{text}");
    assert!(!text.contains("not named"), "{text}");
}
