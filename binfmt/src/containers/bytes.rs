//! Runs of raw bytes, with or without a NUL at their end.

use super::owned::{LentForm, TextForm, TextLen};
use super::text::{TextBody, before_nul, has_room, pad_fixed, without_nul};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::raw::short;
use crate::wire::{Encoding, Kind, Shape, Sink, Source};
use alloc::vec::Vec;

/// Above this, a stream's bytes are taken as they come instead of being believed.
pub(crate) const BLOCK: usize = 32 << 10;

/// `n` bytes as a vector that a stream fills as they come.
#[inline(always)]
pub(crate) fn read<'de, S: Source<'de>>(src: &mut S, n: usize) -> Result<Vec<u8>> {
    src.charge(n)?;
    if src.left().is_some() || n <= BLOCK {
        let at = src.pos();
        return short::to_vec(src.take(n)?.bytes(), at);
    }
    let mut v = Vec::new();
    src.append(n, &mut v)?;
    Ok(v)
}

/// All bytes to the end of the input or region.
pub(crate) fn read_to_end<'de, S: Source<'de>>(src: &mut S) -> Result<Vec<u8>> {
    let mut v = Vec::new();
    loop {
        let n = src.chunk()?;
        if n == 0 {
            return Ok(v);
        }
        src.charge(n)?;
        src.append(n, &mut v)?;
    }
}

fn cut<'de, S: Source<'de>>(src: &S, mut v: Vec<u8>, at: u64) -> Result<Vec<u8>> {
    let n = without_nul(&v, true, src.policy().optional_nul, at)?;
    v.truncate(n);
    Ok(v)
}

/// Bytes, without the NUL where there is one.
#[inline(always)]
fn owned<'de, S: Source<'de>, const NUL: bool>(src: &mut S, n: usize) -> Result<Vec<u8>> {
    let at = src.pos();
    let v = read(src, n)?;
    if NUL { cut(src, v, at) } else { Ok(v) }
}

fn owned_fixed<'de, S: Source<'de>, const NUL: bool>(src: &mut S, n: usize) -> Result<Vec<u8>> {
    let (at, optional) = (src.pos(), src.policy().optional_nul);
    let mut v = read(src, n)?;
    if NUL {
        let len = before_nul(&v, optional, at)?;
        v.truncate(len);
    }
    Ok(v)
}

fn owned_to_end<'de, S: Source<'de>, const NUL: bool>(src: &mut S) -> Result<Vec<u8>> {
    let at = src.pos();
    let v = read_to_end(src)?;
    if NUL { cut(src, v, at) } else { Ok(v) }
}

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
    type Owned = Vec<u8>;
    const SHAPE: Shape = Shape::Text { encoding: Encoding::Any, nul: NUL };
    const KIND: Kind<&'static str> = Kind::Bytes;

    #[inline(always)]
    fn units(bytes: &[u8]) -> usize {
        bytes.len().wrapping_add(usize::from(NUL))
    }

    #[inline(always)]
    fn read<'de, S: Source<'de>>(src: &mut S, len: TextLen) -> Result<Vec<u8>> {
        match len {
            TextLen::Units(n) => owned::<S, NUL>(src, n),
            TextLen::Fixed(n) => owned_fixed::<S, NUL>(src, n),
            TextLen::ToEnd => owned_to_end::<S, NUL>(src),
        }
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
