//! Natural spellings in expressions and functions, in a crate that denies every warning.
#![forbid(unsafe_code)]
#![deny(warnings)]

use binfmt::{BinFormat, Decode, Encode, Layout, Order, Result, Sink, Source};

mod pair {
    use super::*;

    pub(crate) fn decode<'de, O: Order, S: Source<'de>, T: Decode<'de>>(src: &mut S) -> Result<(T, T)> {
        Ok((T::decode::<O, S>(src, ())?, T::decode::<O, S>(src, ())?))
    }

    pub(crate) fn encode<O: Order, W: Sink, T: Encode>((a, b): &(T, T), out: &mut W) -> Result<()> {
        a.encode::<O, W>(out, ())?;
        b.encode::<O, W>(out, ())
    }
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

const FIRST: isize = 5;

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Tagged {
    First = FIRST,
    Second,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Natural<T: Encode>
where
    T: Layout + for<'a> Decode<'a>,
{
    n: u8,
    end: u8,
    #[binfmt(len_of(units, bytes, auto))]
    size: u16,
    #[binfmt(count = (n * 300 - 1) / 2)]
    many: Vec<u8>,
    #[binfmt(count = usize::from(n + 1))]
    called: Vec<u8>,
    #[binfmt(until = |v| v == end)]
    ends: Vec<u8>,
    #[binfmt(map(decode = Kind::from, encode = u8::from, as = u8))]
    kind: Kind,
    #[binfmt(with = pair::<u16>, size(4))]
    pair: (u16, u16),
    #[binfmt(with = pair<_>)]
    units: (T, T),
    tagged: Tagged,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Reach {
    #[binfmt(length_prefixed(u8, in = bytes))]
    region: Rest,
    #[binfmt(pad_to = 4)]
    padded: Rest,
    has: bool,
    #[binfmt(if(*has))]
    some: Option<Rest>,
    #[binfmt(if(!*has))]
    other: Option<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Rest {
    #[binfmt(until_eof)]
    bytes: Vec<u8>,
}

pub(super) fn main() -> Result<()> {
    let natural = Natural {
        n: 1,
        end: 0,
        size: 2,
        many: vec![1; 149],
        called: vec![2; 2],
        ends: vec![3, 0],
        kind: Kind(4),
        pair: (5, 6),
        units: (7u8, 8),
        tagged: Tagged::Second,
    };
    let bytes = binfmt::to_vec(&natural)?;
    assert_eq!(binfmt::from_slice::<Natural<u8>>(&bytes)?, natural);
    let rest = |n: usize| Rest { bytes: vec![0; n] };
    let reach = Reach { region: rest(2), padded: rest(4), has: true, some: Some(rest(3)), other: None };
    assert_eq!(binfmt::from_slice::<Reach>(&binfmt::to_vec(&reach)?)?, reach);
    Ok(())
}
