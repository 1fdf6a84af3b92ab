//! Runs of raw bytes, with or without a NUL at their end.

use super::text::{Text, before_nul, has_room, pad_fixed, without_nul};
use super::{Body, DecodeBody, EncodeBody};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::{Encoding, Kind, Order, Shape, Sink, Source};

#[inline(always)]
fn lent<'de: 'a, 'a, S: Source<'de>, const NUL: bool>(src: &mut S, n: usize) -> Result<&'a [u8]> {
    let (at, optional) = (src.pos(), src.policy().optional_nul);
    let b = src.borrow(n)?.bytes();
    let len = without_nul(b, NUL, optional, at)?;
    Ok(b.get(..len).unwrap_or(b))
}

fn lent_fixed<'de: 'a, 'a, S: Source<'de>, const NUL: bool>(src: &mut S, n: usize) -> Result<&'a [u8]> {
    if !NUL {
        return lent::<S, NUL>(src, n);
    }
    let (at, optional) = (src.pos(), src.policy().optional_nul);
    let b = src.borrow(n)?.bytes();
    let len = before_nul(b, optional, at)?;
    Ok(b.get(..len).unwrap_or(b))
}

/// What a source has left to lend. A stream lends nothing, and says so when it is asked for that.
pub(super) fn left_to_lend<'de, S: Source<'de>>(src: &S) -> usize {
    src.left().unwrap_or_default()
}

fn lent_to_end<'de: 'a, 'a, S: Source<'de>, const NUL: bool>(src: &mut S) -> Result<&'a [u8]> {
    let n = left_to_lend(src);
    lent::<S, NUL>(src, n)
}

#[inline(always)]
fn put<W: Sink, const NUL: bool>(b: &[u8], out: &mut W) -> Result<()> {
    out.bytes(b, usize::from(NUL))?;
    if NUL { out.array([0]) } else { Ok(()) }
}

fn put_fixed<W: Sink, const NUL: bool>(b: &[u8], out: &mut W, n: i128) -> Result<()> {
    if !NUL {
        if n != b.len() as i128 {
            return Err(super::counted::mismatch(n, b.len() as u64, out.pos()));
        }
        return out.bytes(b, 0);
    }
    if b.contains(&0) {
        return Err(Error::new(ErrorKind::EmbeddedNul, out.pos()));
    }
    if has_room(out, b.len(), n) {
        out.bytes(b, usize::from((b.len() as i128) < n))?;
    }
    pad_fixed(out, b.len(), n)
}

macro_rules! bytes_body {
    ($(impl [$($g:tt)*] $W:ty, $T:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($g)* E, const NUL: bool> Body<$T> for $W {
            const ITEM_MIN: usize = 1;
            const ITEM_MAX: usize = 1;
            const SHAPE: Shape = Shape::Text { encoding: Encoding::Any, nul: NUL };
            #[inline(always)]
            fn len(v: &$T) -> usize {
                v.len().wrapping_add(usize::from(NUL))
            }
        }
        #[diagnostic::do_not_recommend]
        impl<$($g)* E, const NUL: bool> EncodeBody<$T> for $W {
            #[inline(always)]
            fn put<O: Order, W: Sink>(v: &$T, out: &mut W, _: ()) -> Result<()> {
                put::<W, NUL>(v, out)
            }
            #[inline]
            fn put_fixed<O: Order, W: Sink>(v: &$T, out: &mut W, n: i128, _: ()) -> Result<()> {
                put_fixed::<W, NUL>(v, out, n)
            }
        }
    )* };
}

bytes_body! {
    impl ['a,] Text<E, NUL>, &'a [u8];
}

macro_rules! bytes_decode {
    ($(impl [$($g:tt)*] $W:ty, $T:ty, $body:ident $fixed:ident $to_end:ident, |$b:ident| $make:expr;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($g)* E, const NUL: bool> DecodeBody<'de, $T> for $W {
            #[inline(always)]
            fn body<O: Order, S: Source<'de>>(src: &mut S, n: usize, _: ()) -> Result<$T> {
                src.mark(Kind::Bytes, O::LE);
                let $b = $body::<S, NUL>(src, n)?;
                Ok($make)
            }
            #[inline]
            fn fixed<O: Order, S: Source<'de>>(src: &mut S, n: usize, _: ()) -> Result<$T> {
                src.mark(Kind::Bytes, O::LE);
                let $b = $fixed::<S, NUL>(src, n)?;
                Ok($make)
            }
            #[inline]
            fn to_end<O: Order, S: Source<'de>>(src: &mut S, _: ()) -> Result<$T> {
                src.mark(Kind::Bytes, O::LE);
                let $b = $to_end::<S, NUL>(src)?;
                Ok($make)
            }
        }
    )* };
}

bytes_decode! {
    impl ['de: 'a, 'a,] Text<E, NUL>, &'a [u8], lent lent_fixed lent_to_end, |b| b;
}

#[cfg(feature = "alloc")]
mod owned;
#[cfg(feature = "alloc")]
pub(crate) use owned::{BLOCK, read, read_to_end};
