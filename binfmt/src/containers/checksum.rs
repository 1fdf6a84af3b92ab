//! `checksum(f, over = a..=b)`: a number that a function makes of the bytes of other fields.
//!
//! It is filled in when all that it covers is written, in the memory of the sink; a sink without memory gets the bytes of the
//! whole struct at once. When reading, the source keeps the bytes that are covered until they are summed up: a slice has them
//! anyway.

use crate::codec::form::EncodeAs;
use crate::codec::integer::AnyInteger;
use crate::containers::filled::fill_in;
use crate::error::owned::{String, printed};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::amount::{between, inside};
use crate::wire::{Order, Sink, Source};

/// What a checksum can be.
#[diagnostic::on_unimplemented(
    message = "a checksum is an integer or an array of bytes, found `{Self}`",
    label = "neither an integer nor `[u8; N]`"
)]
pub trait Sum: Copy + PartialEq {
    /// What stands in its place until it is known.
    const ZERO: Self;

    /// In hexadecimal digits.
    fn text(&self) -> String;
}

#[diagnostic::do_not_recommend]
impl<T: AnyInteger> Sum for T {
    const ZERO: Self = <T as AnyInteger>::ZERO;

    fn text(&self) -> String {
        printed(format_args!("{self:#x}"))
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize> Sum for [u8; N] {
    const ZERO: Self = [0; N];

    fn text(&self) -> String {
        printed(format_args!("0x{}", Digits(self)))
    }
}

/// Bytes in hexadecimal digits.
struct Digits<'b>(&'b [u8]);

impl core::fmt::Display for Digits<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// What the bytes since `from` give; nothing where the reader does not ask.
///
/// # Errors
/// The source does not keep its bytes.
#[inline]
pub fn sum<'de, S: Source<'de>, T: Sum>(src: &S, from: u64, f: impl Fn(&[u8]) -> T) -> Result<Option<T>> {
    if src.policy().ignore_checksums {
        return Ok(None);
    }
    match src.held(from) {
        Some(bytes) => Ok(Some(f(bytes))),
        None => Err(not_held(src.pos())),
    }
}

#[cold]
#[inline(never)]
fn not_held(at: u64) -> Error {
    Error::message("this source does not keep the bytes that a checksum covers", at)
}

/// The checksum that was read is what the bytes give.
///
/// # Errors
/// It is not.
#[inline]
pub fn is_sum<T: Sum>(at: u64, found: &T, given: Option<T>, name: &'static str) -> Result<()> {
    match given {
        Some(given) if given != *found => Err(another(at, found.text(), given.text(), name)),
        _ => Ok(()),
    }
}

#[cold]
#[inline(never)]
fn another(at: u64, found: String, expected: String, name: &'static str) -> Error {
    Error::new(ErrorKind::Checksum { found, expected }, at).within(Step::Field(name))
}

/// Sums up what was written from one place to another, and writes the result to a third, where something stands in its place.
///
/// # Errors
/// The result does not fit in its form.
#[inline]
pub fn put_sum<O: Order, W: Sink, F: EncodeAs<T, C>, T: Sum, C>(
    out: &mut W,
    (from, to, at): (u64, u64, u64),
    ctx: C,
    f: impl Fn(&[u8]) -> T,
    name: &'static str,
) -> Result<()> {
    if out.has_number_in(from, to) {
        return Err(filled_in_later(at).within(Step::Field(name)));
    }
    if !W::MEMORY {
        return Ok(());
    }
    let covered = usize::try_from(between(from, to)).unwrap_or(usize::MAX);
    let sum = f(inside(out.memory_from(from), ..covered));
    fill_in::<O, W, F, T, C>(out, at, &sum, ctx).map_err(|e| e.within(Step::Field(name)))
}

#[cold]
#[inline(never)]
fn filled_in_later(at: u64) -> Error {
    Error::message("the checksum covers a position that is filled in later (`offset_of`)", at)
}

/// Without a heap, all sinks that keep what is written have memory.
///
/// # Errors
/// The sink has none.
#[cfg(not(feature = "alloc"))]
pub fn in_memory<W: Sink>(
    out: &mut W,
    _: impl FnOnce(&mut crate::wire::Counter) -> Result<()>,
) -> Result<()> {
    Err(not_held(out.pos()))
}

#[cfg(feature = "alloc")]
mod owned;
#[cfg(feature = "alloc")]
pub use owned::{in_memory, sum_with_own};
