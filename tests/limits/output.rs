//! `max_output`: how much may be written, wherever the value itself says how much that is.

use crate::support::memory::memory_of;
use binfmt::columns::{Column, ColumnMajor as _, Columns, Plan, TypedColumns as _};
use binfmt::schema::Description;
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, Encode, ErrorKind, Options};
use std::fmt::Debug;

const MOST: u64 = 4096;

#[track_caller]
fn is_limit<R: Debug>(result: binfmt::Result<R>) {
    let e = result.unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::OutputLimit { .. }), "{e}");
}

/// Every way to write refuses it, in little memory, and writes what has just as many bytes.
#[track_caller]
fn refused<T: Encode<C>, C: Copy>(value: &T, options: &Options<C>) {
    let options = options.max_output(MOST);
    let ((), peak, _) = memory_of(|| {
        let mut v = vec![1, 2, 3];
        is_limit(binfmt::append_with(value, &mut v, &options));
        assert_eq!(v, [1, 2, 3]);
        is_limit(binfmt::to_vec_with(value, &options));
        is_limit(binfmt::to_writer_with(value, &mut std::io::sink(), &options));
    });
    assert!(peak < 300_000, "{peak} bytes of memory");
}

fn within<T: Encode>(value: &T) {
    let bytes = binfmt::to_vec(value).unwrap();
    let n = bytes.len() as u64;
    for (most, fits) in [(n, true), (n - 1, false), (n / 2, false), (0, false)] {
        let options = Options::new().max_output(most);
        let mut file = Vec::new();
        let written = binfmt::to_writer_with(value, &mut file, &options);
        let made = binfmt::to_vec_with(value, &options);
        let all = binfmt::encode_all_with(std::slice::from_ref(value), &options);
        match fits {
            true => assert_eq!(
                (written.unwrap(), made.unwrap(), all.unwrap(), file),
                (n, bytes.clone(), bytes.clone(), bytes.clone())
            ),
            false => {
                is_limit(written);
                is_limit(made);
                is_limit(all);
                assert!(bytes.starts_with(&file));
            }
        }
    }
}

/// Parts at one place, all of which wait.
#[derive(BinFormat)]
struct Twice {
    #[binfmt(at = 0)]
    a: [u8; 20],
    #[binfmt(at = 0)]
    b: [u8; 20],
    n: u8,
}

#[test]
fn what_is_said_twice_counts_once() {
    within(&Twice { a: [1; 20], b: [1; 20], n: 1 });
}

#[derive(BinFormat)]
#[binfmt(le)]
struct Far {
    place: u64,
    #[binfmt(at(file) = *place)]
    part: [u8; 4],
}

#[derive(BinFormat)]
struct Padded {
    #[binfmt(pad_to = 1 << 40)]
    a: u8,
}

#[derive(BinFormat)]
struct Nested {
    #[binfmt(at(file) = 8)]
    far: Far,
}

#[derive(BinFormat)]
struct Counted {
    #[binfmt(length_prefixed(u64, in = bytes))]
    padded: Padded,
}

#[derive(BinFormat)]
struct Processed {
    #[binfmt(length_prefixed(u64, in = bytes), process(decode = <[u8]>::to_vec, encode = <[u8]>::to_vec))]
    padded: Padded,
}

#[derive(BinFormat)]
struct Ended {
    #[binfmt(region(ends(b"\xff")))]
    padded: Padded,
}

/// Parts at one place, each of which has as many bytes as the output may have.
#[derive(BinFormat)]
struct Many {
    #[binfmt(length_prefixed(u16))]
    parts: Vec<Part>,
}

#[derive(BinFormat)]
struct Part {
    #[binfmt(at(file) = 8)]
    part: Blank,
}

#[derive(BinFormat)]
struct Blank {
    #[binfmt(pad_to = 4000)]
    a: u8,
}

#[test]
fn what_a_value_says_of_its_size_is_bounded() {
    let far = |place| Far { place, part: [1; 4] };
    let padded = || Padded { a: 1 };
    let options = Options::new();
    for place in [MOST - 3, 1 << 40, u64::MAX >> 1] {
        refused(&far(place), &options);
        refused(&Nested { far: far(place) }, &options);
    }
    refused(&padded(), &options);
    refused(&Counted { padded: padded() }, &options);
    refused(&Processed { padded: padded() }, &options);
    refused(&Ended { padded: padded() }, &options);
    let part = |_| Part { part: Blank { a: 1 } };
    refused(&Many { parts: (0..1000).map(part).collect() }, &options);
    refused(&[0u8; 5000], &options);
}

#[test]
fn just_as_many_bytes_are_written() {
    within(&Far { place: 100, part: [1; 4] });
    within(&Nested { far: Far { place: 3000, part: [1; 4] } });
    within(&[7u8; 100_000]);
    within(&Many { parts: vec![Part { part: Blank { a: 1 } }] });
}

/// Columns are bounded as values are, a row that is written by itself and a block of rows alike.
#[test]
fn columns_are_bounded() {
    let cases = [
        ("R: record, le\n  place: u64\n  part: u32, pad_to = 1000000000000\n", vec![1u64, 2]),
        ("R: record, le\n  place: u64\n  part: u32\n", vec![0; 5000]),
    ];
    for (text, places) in cases {
        let plan = Plan::new(&text.parse::<Description>().unwrap()).unwrap();
        let parts = Column::from(vec![1u32; places.len()]);
        let columns =
            Columns::new(vec![("place".into(), Column::from(places)), ("part".into(), parts)]).unwrap();
        let options = Options::new().max_output(MOST);
        let ((), peak, _) = memory_of(|| {
            is_limit(plan.encode_with(&columns, &options));
            is_limit(plan.encode_to(&columns, std::io::sink(), &options));
        });
        assert!(peak < 600_000, "{peak} bytes of memory");
    }
    let rows = RowColumns { a: vec![1; 5000], b: vec![2; 5000] };
    let options = Options::new().max_output(MOST);
    is_limit(rows.append(&mut Vec::new(), &options));
    is_limit(rows.to_writer(std::io::sink(), &options));
    is_limit(rows.to_column_major(&options));
    let mut all = Vec::new();
    rows.append(&mut all, &Options::new().max_output(25_000)).unwrap();
    assert_eq!(all.len(), 25_000);
    let e = binfmt::to_slice_with(&[0u8; 9], &mut [0; 20], &Options::new().max_output(4)).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::OutputFull { needed: 9, remaining: 4 }), "{e}");
}

#[derive(BinFormat)]
#[binfmt(le, columns)]
struct Row {
    a: u32,
    b: u8,
}

/// The same of layouts that are known at run time, as a program has them from those who send it documents.
#[test]
fn values_are_bounded() {
    let n = |n: u64| Value::from(n);
    let far = || Value::record([("place", n(1 << 40)), ("part", Value::Bytes(vec![1; 4]))]);
    let padded = || Value::record([("a", n(1))]);
    let inside = |inner| Value::record([("inner", inner)]);
    const PADDED: &str = "P: record\n  a: u64, pad_to = 1000000000000\n";
    let cases = [
        ("R: record, le\n  place: u64\n  part: bytes, at(file) = place, count = 4\n".into(), far()),
        ("R: record, le\n  a: u64, pad_to = 1000000000000\n".into(), padded()),
        ("R: record, le\n  a: u64\n  _: skip(bytes = 1000000000000)\n".into(), padded()),
        ("R: record, le\n  a: u64\n  _: align(1099511627776)\n".into(), padded()),
        (format!("R: record, le\n  inner: P, length_prefixed(u64, in = bytes)\n{PADDED}"), inside(padded())),
        (format!("R: record, le\n  inner: P, region(ends(b\"\\xff\"))\n{PADDED}"), inside(padded())),
    ];
    for (text, value) in cases {
        let program =
            Program::new(&text.parse::<Description>().unwrap_or_else(|e| panic!("{e}\n{text}"))).unwrap();
        refused(&value, &Options::new().ctx(&program));
    }
}
