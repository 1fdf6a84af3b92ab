//! Numbers that are on the wire and not in the struct: `len_of(field, u16)`, `calc(u16 = expr)`.
//!
//! They are computed when writing, and held to the same number when reading, for the value does not keep them.

use crate::error::owned::{printed, told};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::IntShape;
use crate::wire::amount::{between, plus, times};
use crate::wire::limits::Len;

/// `calc(N = expr)`: the number that is written.
///
/// # Errors
/// It does not fit in its type.
#[inline]
pub fn calc<N: Len + TryFrom<i128>>(at: u64, n: i128, text: &'static str, name: &'static str) -> Result<N> {
    N::try_from(n).map_err(|_| no_room::<N>(at, n, text, name))
}

#[cold]
#[inline(never)]
fn no_room<N: Len>(at: u64, n: i128, text: &'static str, name: &'static str) -> Error {
    // what has no value at all is told as the largest number
    let found = if n == i128::MAX {
        printed(format_args!("`{text}`"))
    } else {
        printed(format_args!("`{text}`, {n},"))
    };
    let signed = matches!(N::FORM, IntShape::Fixed { signed: true, .. });
    let bits = times(N::BYTES, 8) as u32;
    Error::new(ErrorKind::IntegerOverflow { found, bits, signed }, at).within(Step::Field(name))
}

/// `calc(N = expr)`: the number that was read is the one that would be written.
///
/// # Errors
/// It is not.
#[inline]
pub fn is_calc<N: Len>(at: u64, found: N, n: i128, text: &'static str, name: &'static str) -> Result<()> {
    match found.wide() == n {
        true => Ok(()),
        false => Err(another(at, found.wide(), n, text, name)),
    }
}

/// `calc([u8; N] = expr)`: the tag that was read is the one that would be written.
///
/// # Errors
/// It is not.
#[inline]
pub fn is_calc_array<T: PartialEq>(
    at: u64,
    found: &T,
    expected: &T,
    text: &'static str,
    name: &'static str,
) -> Result<()> {
    match found == expected {
        true => Ok(()),
        false => {
            let said = told(format_args!("it is not what `{text}` gives"), "it is not what `calc` gives");
            Err(Error::message(said, at).within(Step::Field(name)))
        }
    }
}

#[cold]
#[inline(never)]
fn another(at: u64, found: i128, expected: i128, text: &'static str, name: &'static str) -> Error {
    Error::new(ErrorKind::Computed { text, expected, found }, at).within(Step::Field(name))
}

/// How many bytes after the first of its struct a field begins.
#[inline]
pub fn after_start(start: u64, at: u64) -> i128 {
    i128::from(between(start, at))
}

/// `len_of(field, N)`: the length that is written.
///
/// # Errors
/// It does not fit in its type.
#[inline]
pub fn hidden_len<N: Len>(at: u64, len: usize, name: &'static str) -> Result<N> {
    N::of(len as u64).ok_or_else(|| too_long(at, len as u64, N::MAX, name))
}

#[cold]
#[inline(never)]
fn too_long(at: u64, value: u64, max: u64, name: &'static str) -> Error {
    Error::new(ErrorKind::PrefixOverflow { value, max }, at).within(Step::Field(name))
}

/// `len_of(field, N)`: the length that was read is the one of what was read.
///
/// # Errors
/// It is not.
#[inline]
pub fn is_hidden_len<N: Len>(at: u64, found: N, len: usize, name: &'static str) -> Result<()> {
    match found.wide() == len as i128 {
        true => Ok(()),
        false => Err(another_len(at, found.wide(), len as u64, name)),
    }
}

#[cold]
#[inline(never)]
fn another_len(at: u64, expected: i128, found: u64, name: &'static str) -> Error {
    Error::new(ErrorKind::LengthMismatch { expected, found }, at).within(Step::Field(name))
}

/// `len_of(field, plus = n)`: what the number counts, which is more than the field.
#[inline(always)]
pub fn longer(len: usize, more: usize) -> usize {
    plus(len, more)
}

/// The bytes between two places of the input.
#[inline(always)]
pub fn taken_from(from: u64, to: u64) -> usize {
    usize::try_from(between(from, to)).unwrap_or(usize::MAX)
}
