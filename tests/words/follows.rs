//! What may follow what: a part that is read to the end, and a value that is read ahead, beside parts that lie elsewhere.

use binfmt::schema::Description;
use binfmt::value::Value;
use binfmt::{BinFormat, Decode, Encode, Options};
use std::fmt::Debug;

/// What is written is read as what it was, or is refused by each sink with one message, at a field.
fn is_read_again<T: for<'de> Decode<'de> + Encode + PartialEq + Debug>(value: &T, path: &str) {
    let mut file = Vec::new();
    let streamed = binfmt::to_writer(value, &mut file).map(|_| file);
    let fixed = &mut [0; 200];
    let filled = binfmt::to_slice(value, fixed).map(|n| fixed[..n].to_vec());
    match binfmt::to_vec(value) {
        Ok(bytes) => {
            assert!(path.is_empty(), "{value:?} is {bytes:?}");
            assert_eq!((streamed.unwrap(), filled.unwrap()), (bytes.clone(), bytes.clone()));
            assert_eq!(binfmt::encoded_len(value).unwrap(), bytes.len());
            assert_eq!(binfmt::from_slice::<T>(&bytes).unwrap(), *value, "{bytes:?}");
        }
        Err(e) => {
            assert_eq!(e.path().to_string(), path, "{e}: {value:?}");
            for other in [streamed, filled] {
                assert_eq!(other.unwrap_err().to_string(), e.to_string());
            }
        }
    }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Tail {
    #[binfmt(until_eof)]
    b: Vec<u8>,
}

fn tail(b: &[u8]) -> Tail {
    Tail { b: b.to_vec() }
}

/// A part that is read to the end, in front of what is written in place.
#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct Front {
    #[binfmt(at = 0)]
    a: Tail,
    b: u32,
}

/// In front of another part.
#[derive(BinFormat, Debug, PartialEq)]
struct Two {
    n: u8,
    #[binfmt(at = 3, until_eof)]
    a: Vec<u8>,
    #[binfmt(at(file) = 5)]
    b: u8,
}

/// In front of what counts from the end.
#[derive(BinFormat, Debug, PartialEq)]
struct Last {
    n: u8,
    #[binfmt(at = 3, until_eof)]
    a: Vec<u8>,
    #[binfmt(at(end) = 1)]
    b: u8,
}

/// Parts whose positions are not given: the second one comes after the first.
#[derive(BinFormat, Debug, PartialEq)]
struct Floating<A, B> {
    #[binfmt(offset_of(a, u8))]
    to_a: (),
    #[binfmt(offset_of(b, u8))]
    to_b: (),
    #[binfmt(at = to_a)]
    a: A,
    #[binfmt(at = to_b)]
    b: B,
}

#[derive(BinFormat, Debug, PartialEq)]
struct InRegion<T> {
    #[binfmt(length_prefixed(u8, in = bytes))]
    inner: T,
    z: u8,
}

#[test]
fn nothing_follows_a_part_that_is_read_to_the_end() {
    is_read_again(&Front { a: tail(&[1]), b: 1 }, "a");
    is_read_again(&Front { a: tail(&[1, 0, 0, 0]), b: 1 }, "");
    is_read_again(&Front { a: tail(&[1, 0, 0, 0, 7]), b: 1 }, "");
    is_read_again(&Two { n: 1, a: vec![4], b: 6 }, "a");
    is_read_again(&Two { n: 1, a: vec![4, 0, 6], b: 6 }, "");
    is_read_again(&Two { n: 1, a: vec![4, 0, 6, 8], b: 6 }, "");
    is_read_again(&Last { n: 1, a: vec![1], b: 9 }, "a");
    is_read_again(&Floating { to_a: (), to_b: (), a: 7u8, b: tail(&[1, 2]) }, "");
    is_read_again(&Floating { to_a: (), to_b: (), a: tail(&[1, 2]), b: 7u8 }, "a");
    // a region ends what is in it, and not what is in its parts
    is_read_again(&InRegion { inner: Front { a: tail(&[1]), b: 1 }, z: 3 }, "inner.a");
    is_read_again(&InRegion { inner: Front { a: tail(&[1, 0, 0, 0, 7]), b: 1 }, z: 3 }, "");
    is_read_again(&InRegion { inner: Floating { to_a: (), to_b: (), a: 7u8, b: tail(&[1]) }, z: 3 }, "");
    is_read_again(
        &InRegion { inner: Floating { to_a: (), to_b: (), a: tail(&[1]), b: 7u8 }, z: 3 },
        "inner.a",
    );
}

/// A value that is read ahead, and may be longer than what follows.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
struct Ahead {
    y: u8,
    #[binfmt(peek)]
    k: u16,
}

const AHEAD: Ahead = Ahead { y: 1, k: 0x0302 };

#[derive(BinFormat, Debug, PartialEq)]
struct BeforeEnd {
    #[binfmt(at(end) = 1)]
    end: u8,
    p: Ahead,
}

#[derive(BinFormat, Debug, PartialEq)]
struct BeforeMore {
    #[binfmt(at(end) = 2)]
    end: [u8; 2],
    p: Ahead,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Alone {
    #[binfmt(offset_of(p, u8))]
    place: (),
    #[binfmt(at = place)]
    p: Ahead,
}

#[derive(BinFormat, Debug, PartialEq)]
struct AtEnd {
    #[binfmt(at(end) = 1)]
    p: Ahead,
    a: u8,
}

#[test]
fn what_is_read_ahead_is_there() {
    is_read_again(&BeforeEnd { end: 2, p: AHEAD }, "p.k");
    is_read_again(&BeforeMore { end: [2, 3], p: AHEAD }, "");
    is_read_again(&Alone { place: (), p: AHEAD }, "p.k");
    is_read_again(&InRegion { inner: Alone { place: (), p: AHEAD }, z: 3 }, "inner.p.k");
    is_read_again(&AtEnd { p: AHEAD, a: 3 }, "p.k");
    is_read_again(&Floating { to_a: (), to_b: (), a: AHEAD, b: 7u8 }, "a.k");
    is_read_again(&Floating { to_a: (), to_b: (), a: AHEAD, b: 0x0302u16.to_le_bytes() }, "");
    is_read_again(&Floating { to_a: (), to_b: (), a: 7u8, b: AHEAD }, "b.k");
}

/// A part of what is read ahead.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Far {
    x: u8,
    #[binfmt(at = 2)]
    y: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct PeekedFar {
    #[binfmt(peek)]
    k: Far,
    a: u8,
    z: u16,
    q: u8,
}

#[test]
fn parts_of_what_is_read_ahead_are_compared() {
    let value = |y| PeekedFar { k: Far { x: 1, y }, a: 1, z: 0x0302, q: 9 };
    is_read_again(&value(3), "");
    assert!(binfmt::to_vec(&value(4)).unwrap_err().to_string().contains("0x2"));
    // where nothing else says it, it is written and measured
    is_read_again(&OnlyPeeked { k: Far { x: 1, y: 4 }, a: 1 }, "");
    is_read_again(&InRegion { inner: OnlyPeeked { k: Far { x: 1, y: 4 }, a: 1 }, z: 3 }, "");
    let layout = "[R], count = 1\nR: record\n  k: F, peek\n  a: u8\nF: record\n  x: u8\n  y: u8, at = 2\n";
    let layout: Description = layout.parse().unwrap();
    let options = Options::new().ctx(&layout);
    let read: Value = binfmt::from_slice_with(&[1, 0, 4], &options).unwrap();
    assert_eq!(binfmt::to_vec_with(&read, &options).unwrap(), [1, 0, 4]);
    assert_eq!(binfmt::encoded_len_with(&read, &options).unwrap(), 3);
}

#[derive(BinFormat, Debug, PartialEq)]
struct OnlyPeeked {
    #[binfmt(peek)]
    k: Far,
    a: u8,
}
