//! Bytes in memory of their own.

use crate::containers::owned::OwnedForm;
use crate::containers::text::{TextBody, before_nul, without_nul};
use crate::containers::textual::TextLen;
use crate::error::Result;
use crate::wire::Source;
use crate::wire::raw::short;
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

impl<E, const NUL: bool> OwnedForm<[u8]> for TextBody<E, NUL> {
    type Owned = Vec<u8>;

    #[inline(always)]
    fn read<'de, S: Source<'de>>(src: &mut S, len: TextLen) -> Result<Vec<u8>> {
        match len {
            TextLen::Units(n) => owned::<S, NUL>(src, n),
            TextLen::Fixed(n) => owned_fixed::<S, NUL>(src, n),
            TextLen::ToEnd => owned_to_end::<S, NUL>(src),
        }
    }
}
