//! `process`: bytes that a function makes of the bytes in the file.

use crate::support::wire::{assert_error, bad, refused, same, short};
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, ErrorKind, Ignored, Options};
use std::fmt;

fn xor(bytes: &[u8], key: u8) -> Vec<u8> {
    bytes.iter().map(|b| b ^ key).collect()
}

/// Each run of one byte as its length and the byte.
fn pack(bytes: &[u8]) -> Vec<u8> {
    bytes.chunk_by(|a, b| a == b).flat_map(|run| [run.len() as u8, run[0]]).collect()
}

#[derive(Debug)]
struct Odd(usize);

impl fmt::Display for Odd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not an even number of bytes", self.0)
    }
}

impl std::error::Error for Odd {}

fn unpack(bytes: &[u8]) -> Result<Vec<u8>, Odd> {
    match bytes.len() % 2 {
        0 => Ok(bytes.chunks(2).flat_map(|run| vec![run[1]; usize::from(run[0])]).collect()),
        _ => Err(Odd(bytes.len())),
    }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Secret {
    key: u8,
    #[binfmt(length_prefixed(u8, in = bytes), process(decode = |b| xor(b, *key), encode = |b| xor(b, *key)))]
    name: String,
    #[binfmt(region = 3, process(decode = |b| xor(b, *key), encode = |b| xor(b, *key)), be)]
    pair: (u8, u16),
    end: u8,
}

#[test]
fn the_functions_see_earlier_fields() {
    let value = Secret { key: 1, name: "ab".into(), pair: (4, 0x0203), end: 9 };
    same(&value, &[1, 2, b'`', b'c', 5, 3, 2, 9]);
    for n in 0..8 {
        short::<Secret>(&[1, 2, b'`', b'c', 5, 3, 2, 9][..n]);
    }
    let e = bad::<Secret>(&[1, 2, 0xFE, 0xFE, 5, 3, 2, 9]);
    assert_error!(e, 2, "name", ErrorKind::InvalidText { .. });
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Item {
    #[binfmt(length_prefixed(u8))]
    values: Vec<u16>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Packed {
    len: u8,
    #[binfmt(region = len, process(decode = unpack, encode = pack))]
    item: Item,
    #[binfmt(until_eof, process(decode = unpack, encode = pack))]
    rest: Vec<u16>,
}

#[test]
fn sizes_may_differ() {
    let value = Packed { len: 4, item: Item { values: vec![0x0101] }, rest: vec![0x0505, 0x0505] };
    same(&Packed { len: 2, ..value.clone() }, &[2, 3, 1, 4, 5]);
    let e = refused(&value);
    assert_error!(e, 1, "item", ErrorKind::LengthMismatch { expected: 4, found: 2 });
}

#[test]
fn errors_have_their_place() {
    // the function's own, which comes back out
    let e = bad::<Packed>(&[3, 3, 1, 4, 4, 5]);
    assert_error!(e, 1, "item", ErrorKind::Custom(_));
    assert_eq!(e.to_string(), "item at byte 0x1: 3 is not an even number of bytes");
    assert!(e.downcast_ref::<Odd>().is_some());
    // of what it made, and of what is left over: as if it stood there
    let e = bad::<Packed>(&[2, 2, 1]);
    assert_eq!((e.path().to_string().as_str(), e.offset()), ("item.values", Some(1)), "{e}");
    let e = bad::<Packed>(&[2, 4, 1]);
    assert_error!(e, 4, "item", ErrorKind::UnconsumedRegion { count: 1 });
}

#[test]
fn what_is_made_is_counted() {
    let bytes = [2, 3, 1, 200, 5, 200, 5];
    let options = Options::new().max_memory(300);
    let e = binfmt::from_slice_with::<Packed, _>(&bytes, &options).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::MemoryLimit { .. }), "{e}");
}

#[test]
fn run_time_values_are_the_bytes() {
    let layout = Packed::SCHEMA.description();
    let program = Program::new(&layout).unwrap();
    let options = Options::new().ctx(&program);
    let bytes = [2, 3, 1, 4, 5];
    let value: Value = binfmt::from_slice_with(&bytes, &options).unwrap();
    assert_eq!(value.get("item"), Some(&Value::Bytes(vec![3, 1])));
    assert_eq!(value.get("rest"), Some(&Value::Bytes(vec![4, 5])));
    assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), bytes);
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(process(decode = |b| xor(b, 1), encode = |b| xor(b, 1)), be)]
struct Whole {
    n: u16,
    #[binfmt(until_eof)]
    rest: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(u8), ctx(key: u8), process(decode = |b| xor(b, key), encode = |b| xor(b, key)))]
enum Either<T> {
    #[binfmt(tag = 1)]
    One(T),
    #[binfmt(tag = 2)]
    None,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Both {
    key: u8,
    #[binfmt(length_prefixed(u8, in = bytes))]
    whole: Whole,
    #[binfmt(region = 2, args(*key))]
    either: Either<u8>,
    #[binfmt(args(*key))]
    last: Either<u8>,
}

#[test]
fn a_whole_type_is_processed() {
    let whole = Whole { n: 0x0203, rest: vec![4] };
    same(&whole, &[3, 2, 5]);
    let value = Both { key: 8, whole, either: Either::One(5), last: Either::None };
    let bytes = [8, 3, 3, 2, 5, 9, 13, 10];
    same(&value, &bytes);
    let e = bad::<Both>(&[8, 3, 3, 2, 5, 0, 13, 10]);
    assert_error!(e, 5, "either", ErrorKind::UnknownTag { .. });
    assert!(Whole::SCHEMA.to_string().contains("process(decode = |b| xor(b, 1), encode = |b| xor(b, 1))"));
}

/// As many bytes as the first one says, thousands.
fn swell(bytes: &[u8]) -> Vec<u8> {
    vec![0; usize::from(bytes.first().copied().unwrap_or(0)) * 1000]
}

#[derive(BinFormat, Debug, PartialEq)]
struct Nothing {
    #[binfmt(until_eof)]
    all: Ignored,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Swollen {
    #[binfmt(length_prefixed(u8, in = bytes), process(decode = swell, encode = |_: &[u8]| vec![1]))]
    first: Nothing,
    #[binfmt(process(decode = swell, encode = |_: &[u8]| vec![1]))]
    rest: Vec<u8>,
}

#[test]
fn the_bytes_that_a_function_makes_are_counted_once_for_all_fields() {
    let read = |bytes: &[u8], memory| {
        let options = Options::new().max_memory(memory);
        let slice = binfmt::from_slice_with::<Swollen, _>(bytes, &options).map_err(|e| e.to_string());
        let stream = binfmt::from_reader_with::<Swollen, _>(bytes, &options);
        (slice.is_ok(), stream.is_ok())
    };
    // what is made for a value that keeps nothing
    assert_eq!(read(&[1, 2, 0], 2500), (true, true));
    assert_eq!(read(&[1, 3, 0], 2500), (false, false));
    // and for both fields: the second is made, and kept
    assert_eq!(read(&[1, 1, 1], 3500), (true, true));
    assert_eq!(read(&[1, 2, 1], 3500), (false, false));
    // a stream keeps what goes to the end
    assert_eq!(read(&[1, 0, 0], 500), (true, true));
    assert_eq!(read(&[&[1, 0][..], &[0; 1000]].concat(), 500), (true, false));
}
