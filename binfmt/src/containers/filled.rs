//! Lengths that stand before what they count.
//!
//! A sink in memory leaves room for them and fills them in when that is written; for any other it is measured first. What is wrong
//! with a value is told as if all was written in its turn, so that all sinks tell the same.

use super::check::form_len;
use super::counted::mismatch;
use super::prefixed::put_len;
use crate::codec::Encode;
use crate::codec::form::EncodeAs;
use crate::error::{Error, Result, Step};
use crate::wire::amount::after;
use crate::wire::limits::Len;
use crate::wire::out::patch;
use crate::wire::{Counter, Order, Sink};
use core::cell::Cell;

/// How long a region is.
#[derive(Clone, Copy, Debug)]
pub enum RegionLen<'c> {
    /// As its length says.
    Given(i128),
    /// As it comes out, which is noted for the length.
    Sought(&'c Cell<u64>),
}

impl From<i128> for RegionLen<'_> {
    fn from(len: i128) -> Self {
        RegionLen::Given(len)
    }
}

/// Writes to where something stands already.
#[inline(always)]
pub(crate) fn fill_in<O: Order, W: Sink, F: EncodeAs<T, C>, T, C>(
    out: &mut W,
    at: u64,
    value: &T,
    ctx: C,
) -> Result<()> {
    match patch(out.memory_from(at), |out| F::encode::<O, _>(value, out, ctx)) {
        Ok(()) => Ok(()),
        Err(e) => Err(e.shifted(at)),
    }
}

/// Fills in the length at a position.
#[inline(always)]
pub(crate) fn fill_len<O: Order, P: Len + Encode, W: Sink>(
    out: &mut W,
    at: u64,
    n: u64,
    max: u64,
    inclusive: bool,
) -> Result<()> {
    let n = usize::try_from(n).unwrap_or(usize::MAX);
    match patch(out.memory_from(at), |out| put_len::<O, P, _>(out, n, max, inclusive)) {
        Ok(()) => Ok(()),
        Err(e) => Err(e.shifted(at)),
    }
}

/// `len_of(field, bytes, N)`: whether the length is filled in. It needs a fixed size, but for a sink that only measures, if nothing in
/// the struct counts from its first byte (`is_placed`); and in a slice, where it would be missing after an error, it is measured.
pub const fn fills_in<W: Sink, F: EncodeAs<N>, N>(is_placed: bool) -> bool {
    match is_fixed::<F, N>() {
        _ if W::FINDS => true,
        true => W::FORGETS || W::COUNT,
        false => W::COUNT && !is_placed,
    }
}

const fn is_fixed<F: EncodeAs<N>, N>() -> bool {
    let sizes = F::FACTS.sizes();
    sizes.min == sizes.max
}

/// Fills it in.
///
/// # Errors
/// It does not fit in its type.
#[inline]
pub fn fill_hidden_len<O: Order, W: Sink, F: EncodeAs<N>, N: Len>(
    out: &mut W,
    at: u64,
    len: u64,
    name: &'static str,
) -> Result<N> {
    let n = super::computed::hidden_len::<N>(at, usize::try_from(len).unwrap_or(usize::MAX), name)?;
    if W::COUNT {
        if const { !is_fixed::<F, N>() } {
            count_more::<W, F, N>(out, &n)?;
        }
        return Ok(n);
    }
    match fill_in::<O, W, F, N, ()>(out, at, &n, ()) {
        Ok(()) => Ok(n),
        Err(e) => Err(e.within(Step::Field(name))),
    }
}

/// A length that counts more than what was written.
#[inline]
pub fn longer_by(len: u64, more: usize) -> u64 {
    after(len, more as u64)
}

/// Holds a region to what its expression makes of the length that was filled in.
///
/// # Errors
/// It has another size.
#[inline]
pub fn is_said(said: i128, found: u64, at: u64, name: &'static str) -> Result<()> {
    match said == i128::from(found) {
        true => Ok(()),
        false => Err(mismatch(said, found, at).within(Step::Field(name))),
    }
}

/// Counts what a length of variable size takes more than the 0 that was counted in its place.
fn count_more<W: Sink, F: EncodeAs<N>, N: Len>(out: &mut W, n: &N) -> Result<()> {
    let blank = N::of(0).map_or(Ok(0), |zero| form_len::<F, N, ()>(&zero, ()))?;
    let more = form_len::<F, N, ()>(n, ())?.saturating_sub(blank);
    out.fill(0, more as u64)
}

/// The error of a value in which a length cannot be measured: what is wrong there, in its place in the output, whose next byte is
/// `here`. `write` writes the value again, as far as that goes.
///
/// `is_first` says that nothing before it depends on the length, so that any other error stands before it.
#[cold]
#[inline(never)]
pub fn in_place(
    here: u64,
    e: Error,
    is_first: bool,
    write: impl FnOnce(&mut Counter<true>) -> Result<()>,
) -> Error {
    match write(&mut Counter::default()) {
        Err(found) if is_first || found.is_same(&e) => found.shifted(here).or_at(here),
        _ => e,
    }
}

/// What a length is taken to be that is a field and cannot be measured: what the field says, of which `more` is counted beside it.
pub fn as_given<N: Len>(given: &N, more: usize) -> usize {
    given.wide().checked_sub(more as i128).and_then(|n| usize::try_from(n).ok()).unwrap_or(0)
}
