//! Functions of the user's in words, in their natural spellings: `until`, `map`, `with`.

use crate::support::wire::{assert_error, bad, refused, same};
use binfmt::{BinFormat, Decode, DecodeOwned, Encode, ErrorKind, Layout, Order, Result, Sink, Source};
use std::fmt::Debug;

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(stop: u8, names: &[u8]))]
struct Ends {
    end: u8,
    #[binfmt(until = |v| v == end)]
    compared: Vec<u8>,
    #[binfmt(until = |v| *v == *end)]
    dereferenced: Vec<u8>,
    #[binfmt(until = move |v| v == end || *v == 9)]
    moved: Vec<u8>,
    #[binfmt(until = |v| *v == stop)]
    from_context: Vec<u8>,
    #[binfmt(until = |v| names.contains(v))]
    owned_context: Vec<u8>,
    #[binfmt(if(*end > 0), until = |v: &u8| v == end)]
    maybe: Option<Vec<u8>>,
    #[binfmt(until = is_zero)]
    named: Vec<u8>,
    #[binfmt(map(decode = |n: u8| n - end, encode = |n| n + end, as = u8))]
    less: u8,
}

fn is_zero(n: &u8) -> bool {
    *n == 0
}

#[test]
fn until_refers_to_earlier_fields() {
    let ends = Ends {
        end: 3,
        compared: vec![1, 3],
        dereferenced: vec![2, 3],
        moved: vec![5, 9],
        from_context: vec![8],
        owned_context: vec![1, 6],
        maybe: Some(vec![1, 3]),
        named: vec![0],
        less: 1,
    };
    let bytes = [3, 1, 3, 2, 3, 5, 9, 8, 1, 6, 1, 3, 0, 4];
    let options = binfmt::Options::new().ctx((8, &[6, 7][..]));
    assert_eq!(binfmt::to_vec_with(&ends, &options).unwrap(), bytes);
    assert_eq!(binfmt::from_slice_with::<Ends, _>(&bytes, &options).unwrap(), ends);
    let e = binfmt::to_vec_with(&Ends { compared: vec![1], ..ends }, &options).unwrap_err();
    assert_error!(e, 1, "compared", ErrorKind::Until);
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(width: u8))]
struct Cell {
    #[binfmt(count = width)]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Row {
    scale: u8,
    widths: [u8; 2],
    #[binfmt(each(widths.iter().map(|width| width * scale)))]
    cells: Vec<Cell>,
}

#[test]
fn a_list_may_be_made_lazily() {
    let cell = |bytes: &[u8]| Cell { bytes: bytes.to_vec() };
    let row = Row { scale: 2, widths: [1, 0], cells: vec![cell(&[5, 6]), cell(&[])] };
    same(&row, &[2, 1, 0, 5, 6]);
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Kind(u8);

impl From<u8> for Kind {
    fn from(n: u8) -> Self {
        Kind(n)
    }
}

impl From<&Kind> for u8 {
    fn from(kind: &Kind) -> Self {
        kind.0
    }
}

#[derive(Debug, PartialEq)]
struct Even(u8);

impl TryFrom<u8> for Even {
    type Error = &'static str;

    fn try_from(n: u8) -> Result<Self, &'static str> {
        if n.is_multiple_of(2) { Ok(Even(n)) } else { Err("odd") }
    }
}

impl TryFrom<&Even> for u8 {
    type Error = &'static str;

    fn try_from(even: &Even) -> Result<Self, &'static str> {
        if even.0.is_multiple_of(2) { Ok(even.0) } else { Err("odd") }
    }
}

#[derive(BinFormat, Debug, PartialEq)]
struct Paths {
    #[binfmt(map(decode = Kind::from, encode = u8::from, as = u8))]
    kind: Kind,
    #[binfmt(map(decode = From::from, encode = From::from, as = u8))]
    any: Kind,
    #[binfmt(try_map(decode = Even::try_from, encode = u8::try_from, as = u8))]
    even: Even,
    #[binfmt(length_prefixed(u8), map(decode = String::into_boxed_str, encode = ToString::to_string, as = String))]
    text: Box<str>,
}

#[test]
fn paths_of_conversions() {
    let paths = Paths { kind: Kind(1), any: Kind(2), even: Even(4), text: "ab".into() };
    same(&paths, &[1, 2, 4, 2, b'a', b'b']);
    assert_error!(bad::<Paths>(&[1, 2, 3, 0]), 2, "even", ErrorKind::Message(text) if text == "odd");
    assert_error!(refused(&Paths { even: Even(5), ..paths }), 2, "even", ErrorKind::Message(_));
}

/// Two values of any type, the second first.
mod swapped {
    use super::*;

    pub(super) fn decode<'de, O: Order, S: Source<'de>, T: Decode<'de>>(src: &mut S) -> Result<(T, T)> {
        let b = T::decode::<O, S>(src, ())?;
        Ok((T::decode::<O, S>(src, ())?, b))
    }

    pub(super) fn encode<O: Order, W: Sink, T: Encode>((a, b): &(T, T), out: &mut W) -> Result<()> {
        b.encode::<O, W>(out, ())?;
        a.encode::<O, W>(out, ())
    }
}

/// A number in units of `N`.
struct Scaled<const N: u32>;

impl<const N: u32> Scaled<N> {
    fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<u32> {
        Ok(u32::from(u8::decode::<O, S>(src, ())?) * N)
    }

    fn encode<O: Order, W: Sink>(n: &u32, out: &mut W) -> Result<()> {
        ((n / N) as u8).encode::<O, W>(out, ())
    }
}

#[derive(BinFormat, Debug, PartialEq)]
struct Generic {
    #[binfmt(with = swapped::<u16>, size(4))]
    said: (u16, u16),
    #[binfmt(with = swapped<_>)]
    inferred: (u8, u8),
    #[binfmt(decode_with = swapped::decode::<_>, encode_with = self::swapped::encode<_>)]
    pair: (i8, i8),
    #[binfmt(with = Scaled<10>, size(1))]
    scaled: u32,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(bound(T: Encode + for<'a> Decode<'a>))]
struct GenericOf<T> {
    #[binfmt(with = swapped::<T>)]
    pair: (T, T),
}

#[test]
fn a_codec_of_any_type() {
    let generic = Generic { said: (1, 2), inferred: (3, 4), pair: (5, 6), scaled: 70 };
    same(&generic, &[2, 0, 1, 0, 4, 3, 6, 5, 7]);
    same(&GenericOf { pair: (1u16, 2) }, &[2, 0, 1, 0]);
}

/// Two bytes, of whatever it is said to be.
mod two {
    #![expect(clippy::extra_unused_type_parameters, reason = "bytes have no order")]

    use super::*;

    pub(super) fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<u8> {
        src.array::<2>().map(|[a, _]| a)
    }

    pub(super) fn encode<O: Order, W: Sink>(n: &u8, out: &mut W) -> Result<()> {
        out.array([*n, 0])
    }
}

#[derive(BinFormat, Debug, PartialEq)]
struct Wrong {
    k: u8,
    #[binfmt(with = two, size(1))]
    n: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct WrongLimits {
    k: u8,
    #[binfmt(decode_with = two::decode, encode_with = two::encode, size(3, 9))]
    n: u8,
}

#[test]
fn a_codec_keeps_to_its_size() {
    assert_eq!(Wrong::FACTS.sizes().exact(), Some(2));
    let e = refused(&Wrong { k: 1, n: 2 });
    assert_error!(e, 1, "n", ErrorKind::Message(text) if text == "the codec takes 2 bytes, but declares `size(1)`");
    let e = binfmt::from_slice::<Wrong>(&[1, 2, 0]).unwrap_err();
    assert_error!(e, 1, "n", ErrorKind::Message(_));
    let e = refused(&WrongLimits { k: 1, n: 2 });
    assert_error!(e, 1, "n", ErrorKind::Message(text) if text == "the codec takes 2 bytes, but declares `size(3, 9)`");
    assert!(binfmt::from_reader::<WrongLimits>(&[1, 2, 0, 0, 0][..]).is_err());
}

#[derive(BinFormat, Debug, PartialEq)]
struct Around {
    first: Wrong,
    both: [Wrong; 2],
    #[binfmt(nullable)]
    third: Option<Wrong>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Either {
    Wrong(Wrong),
    Pair((u8, Wrong)),
}

#[test]
fn a_length_is_the_codecs_own_whatever_its_size_says() {
    let wrong = || Wrong { k: 1, n: 2 };
    let denied = |e: binfmt::Error| assert!(e.to_string().contains("but declares `size(1)`"), "{e}");
    denied(binfmt::encoded_len(&wrong()).unwrap_err());
    #[derive(BinFormat, Debug, PartialEq)]
    struct Three(#[binfmt(count = 3)] Vec<Wrong>);
    denied(binfmt::encoded_len(&Three(vec![wrong(), wrong(), wrong()])).unwrap_err());
    let around = Around { first: wrong(), both: [wrong(), wrong()], third: None };
    denied(binfmt::encoded_len(&around).unwrap_err());
    denied(binfmt::encoded_len(&Either::Wrong(wrong())).unwrap_err());
    denied(binfmt::encoded_len(&Either::Pair((0, wrong()))).unwrap_err());
    let generic = Generic { said: (1, 2), inferred: (3, 4), pair: (5, 6), scaled: 70 };
    assert_eq!(binfmt::encoded_len(&generic).unwrap(), 9);
}

#[derive(BinFormat, Debug, PartialEq)]
struct Bounded<T>
where
    T: Layout + Encode + for<'a> Decode<'a>,
{
    a: T,
    #[binfmt(length_prefixed(u8))]
    list: Vec<T>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct BoundedAtParameter<T: Encode + DecodeOwned, U: Encode> {
    a: T,
    b: U,
}

#[derive(BinFormat, Debug, PartialEq)]
struct BoundedForAll<T>
where
    for<'a> T: Decode<'a> + Debug,
    T: binfmt::Encode<()>,
{
    a: T,
}

#[test]
fn bounds_of_the_user_s_own() {
    same(&Bounded { a: 1u16, list: vec![2, 3] }, &[1, 0, 2, 2, 0, 3, 0]);
    same(&BoundedAtParameter { a: 1u16, b: 2u8 }, &[1, 0, 2]);
    same(&BoundedForAll { a: 5u8 }, &[5]);
}

/// Two bytes that mean nothing and must be there.
#[expect(clippy::extra_unused_type_parameters)]
mod mark {
    use binfmt::{Error, Order, Result, Sink, Source};
    pub(super) fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<()> {
        match src.array::<2>()? {
            [0xAB, 0xCD] => Ok(()),
            _ => Err(Error::message("not a mark", src.pos())),
        }
    }
    pub(super) fn encode<O: Order, W: Sink>(_: &(), out: &mut W) -> Result<()> {
        out.array([0xAB, 0xCD])
    }
}

#[test]
fn what_has_no_value_may_have_bytes() {
    #[derive(BinFormat, Debug, PartialEq)]
    struct Marked {
        x: u8,
        #[binfmt(with = mark)]
        mark: (),
        #[binfmt(map(decode = |_: u8| (), encode = |()| 7, as = u8))]
        seven: (),
        y: u8,
    }
    let value = Marked { x: 1, mark: (), seven: (), y: 2 };
    assert_eq!(binfmt::to_vec(&value).unwrap(), [1, 0xAB, 0xCD, 7, 2]);
    assert_eq!(binfmt::from_slice::<Marked>(&[1, 0xAB, 0xCD, 9, 2]).unwrap(), value);
    assert!(
        binfmt::from_slice::<Marked>(&[1, 0xAB, 0xCE, 9, 2]).unwrap_err().to_string().contains("not a mark")
    );
}
