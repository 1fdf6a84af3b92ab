//! The positions of parts, and where there are none.

use super::landing::{FLOATING, LARGEST};
use super::placed::{inside, space};
use crate::error::{Error, ErrorKind, Result};

/// The position of a part: a number of bytes after the first byte from which it counts.
#[inline]
pub(crate) fn position(base: u64, n: i128, at: u64) -> Result<u64> {
    let position = i128::from(base).saturating_add(n);
    match u64::try_from(position) {
        Ok(position) if n >= 0 => Ok(position),
        _ => Err(nowhere(position, u64::MAX, at)),
    }
}

/// The position of a part that begins that many bytes before the end; it is in the container, which begins at `base`.
pub(crate) fn position_before(end: u64, base: u64, n: i128, at: u64) -> Result<u64> {
    let position = i128::from(end).saturating_sub(n);
    match u64::try_from(position) {
        Ok(position) if position >= base => Ok(position),
        _ => Err(nowhere(position.saturating_sub(i128::from(base)), u64::MAX, at)),
    }
}

/// How many bytes before the end a part begins.
pub(crate) fn distance(n: i128, at: u64) -> Result<u64> {
    u64::try_from(n).map_err(|_| nowhere(0i128.saturating_sub(n), 0, at))
}

/// The same when writing.
#[inline]
pub(crate) fn position_in(base: u64, n: i128, at: u64) -> Result<u64> {
    match u64::try_from(n).ok().and_then(|n| base.checked_add(n)) {
        Some(to) if to < FLOATING => Ok(to),
        _ => position_in_space(base, n, at),
    }
}

/// The same in a floating part, and where there is no such position.
#[cold]
#[inline(never)]
fn position_in_space(base: u64, n: i128, at: u64) -> Result<u64> {
    match position(base, n, at)? {
        to if space(to) == space(base) => Ok(to),
        to => Err(nowhere(i128::from(inside(base)).saturating_add(n), LARGEST, to)),
    }
}

#[cold]
fn nowhere(position: i128, end: u64, at: u64) -> Error {
    Error::new(ErrorKind::NoPosition { position, end, in_region: true }, at)
}

/// A sink of a format, which has no place for what does not come next.
#[cold]
#[inline(never)]
pub(crate) fn cannot_place(at: u64) -> Error {
    Error::new(ErrorKind::Message("this output takes no parts that lie elsewhere (`at`)".into()), at)
}
