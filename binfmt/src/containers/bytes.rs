//! Runs of raw bytes, with or without a NUL at their end.

use super::text::{TextBody, before_nul, has_room, pad_fixed, without_nul};
use super::textual::{LentForm, TextForm, TextLen};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::{Encoding, Kind, Shape, Sink, Source};

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

impl<E, const NUL: bool> TextForm<[u8]> for TextBody<E, NUL> {
    const SHAPE: Shape = Shape::Text { encoding: Encoding::Any, nul: NUL };
    const KIND: Kind<&'static str> = Kind::Bytes;

    #[inline(always)]
    fn units(bytes: &[u8]) -> usize {
        bytes.len().wrapping_add(usize::from(NUL))
    }

    #[inline(always)]
    fn write<W: Sink>(b: &[u8], out: &mut W) -> Result<()> {
        out.bytes(b, usize::from(NUL))?;
        if NUL { out.array([0]) } else { Ok(()) }
    }

    fn write_fixed<W: Sink>(b: &[u8], out: &mut W, n: i128) -> Result<()> {
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
}

impl<E, const NUL: bool> LentForm<[u8]> for TextBody<E, NUL> {
    #[inline(always)]
    fn lend<'de: 'a, 'a, S: Source<'de>>(src: &mut S, len: TextLen) -> Result<&'a [u8]> {
        match len {
            TextLen::Units(n) => lent::<S, NUL>(src, n),
            TextLen::Fixed(n) => lent_fixed::<S, NUL>(src, n),
            TextLen::ToEnd => lent::<S, NUL>(src, left_to_lend(src)),
        }
    }
}

#[cfg(feature = "alloc")]
mod owned;
#[cfg(feature = "alloc")]
pub(crate) use owned::{BLOCK, read, read_to_end};
