//! Sums and products of sizes, counts and positions that a number from the input may be part of.
//!
//! They stop at the greatest number. That is a meaning and not a guess: no input, memory or file is that long, so whatever
//! compares the result with what remains refuses it, as it does with any other size that is too large. Where nothing from
//! outside is in it, arithmetic is plain.

use core::slice::SliceIndex;

/// `a + b`.
#[inline(always)]
pub(crate) const fn plus(a: usize, b: usize) -> usize {
    a.saturating_add(b)
}

/// `n * each`.
#[inline(always)]
pub(crate) const fn times(n: usize, each: usize) -> usize {
    n.saturating_mul(each)
}

/// `n * each` in 64 bits, which a stream may have on any machine.
#[inline(always)]
pub(crate) const fn times64(n: u64, each: u64) -> u64 {
    n.saturating_mul(each)
}

/// The position `n` bytes after `at`. A caller may say that an input begins anywhere.
#[inline(always)]
pub(crate) const fn after(at: u64, n: u64) -> u64 {
    at.saturating_add(n)
}

/// The number of the row `n` rows after another.
#[cfg(feature = "table")]
#[inline(always)]
pub(crate) const fn row_after(row: i64, n: u64) -> i64 {
    row.saturating_add_unsigned(n)
}

/// The bytes between two positions of a source or sink, which never goes back.
#[inline(always)]
pub(crate) const fn between(from: u64, to: u64) -> u64 {
    debug_assert!(from <= to);
    to.wrapping_sub(from)
}

/// How many elements of `size` bytes there are in that many; of elements without bytes none.
#[inline(always)]
pub(crate) const fn num_in(bytes: usize, size: usize) -> usize {
    match bytes.checked_div(size) {
        Some(n) => n,
        None => 0,
    }
}

/// A count that a caller may say as a negative number: below 0 it is 0.
#[inline(always)]
pub(crate) fn natural(n: impl TryInto<u64>) -> u64 {
    n.try_into().unwrap_or(0)
}

/// What is there, as the code itself has made sure.
#[inline(always)]
pub(crate) fn known<T: Default>(found: Option<T>) -> T {
    debug_assert!(found.is_some(), "what was made sure of is not there");
    found.unwrap_or_default()
}

/// The part of what is in memory that lies at places which the code itself has computed.
#[inline(always)]
pub(crate) fn inside<T, R: SliceIndex<[T], Output = [T]>>(all: &[T], places: R) -> &[T] {
    let found = all.get(places);
    debug_assert!(found.is_some(), "places outside of what is in memory");
    found.unwrap_or(&[])
}
