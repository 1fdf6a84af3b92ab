//! Lengths and counts from the wire: the one place where they become numbers that may be used.

use super::amount::times64;
use super::endian::Order;
use super::raw::IntShape;
use super::sink::Sink;
use super::source::Source;
use crate::error::{Error, ErrorKind, Result};

/// How a source was narrowed, for undoing it.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub(crate) outer: u64,
    /// What the source says of the region around it.
    pub(crate) region: u64,
}

/// Elements of no size that one sequence may have.
const MAX_EMPTY_ITEMS: u64 = 1 << 16;

/// The same, fewer when each takes memory.
pub(crate) const fn max_empty_items<T>() -> usize {
    const MOST: usize = MAX_EMPTY_ITEMS as usize;
    const MEMORY: usize = 1 << 18;
    match MEMORY.checked_div(size_of::<T>()) {
        Some(n) if n < MOST => n,
        _ => MOST,
    }
}

/// The bytes of memory that `n` values take; more than there can be where the product is not a number.
#[cfg(feature = "columns")]
#[inline(always)]
pub(crate) const fn memory_of(n: usize, each: usize) -> usize {
    super::amount::times(n, each)
}

/// An integer that can stand as a length or count on the wire.
pub trait Len: Copy {
    /// The least bytes that it takes.
    const BYTES: usize;
    /// How it is bytes.
    const FORM: IntShape;
    /// The largest length that it holds.
    const MAX: u64;
    /// As the widest integer.
    fn wide(self) -> i128;
    /// The length as this type, if it fits.
    fn of(n: u64) -> Option<Self>;
    /// Reads one and tells a tracing source nothing.
    fn get<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<Self>;
    /// Writes it.
    fn put<O: Order, W: Sink>(self, out: &mut W) -> Result<()>;
}

macro_rules! len {
    ($($t:ident)*) => { $(
        impl Len for $t {
            const BYTES: usize = core::mem::size_of::<$t>();
            const FORM: IntShape = IntShape::Fixed { bytes: Self::BYTES as u8, signed: $t::MIN != 0 };
            const MAX: u64 = $t::MAX as u64;
            #[inline(always)]
            fn wide(self) -> i128 {
                i128::from(self)
            }
            #[inline(always)]
            fn of(n: u64) -> Option<Self> {
                $t::try_from(n).ok()
            }
            #[inline(always)]
            fn get<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<Self> {
                let b = src.array()?;
                Ok(if O::LE { $t::from_le_bytes(b) } else { $t::from_be_bytes(b) })
            }
            #[inline(always)]
            fn put<O: Order, W: Sink>(self, out: &mut W) -> Result<()> {
                out.array(if O::LE { self.to_le_bytes() } else { self.to_be_bytes() })
            }
        }
    )* };
}
len!(u8 u16 u32 u64 i8 i16 i32 i64);

/// Turns a length from the wire into one that may be used: `n` elements of at least `min` bytes, and at most `most`,
/// must be able to remain. Nothing is allocated or multiplied before this.
///
/// Elements whose smallest size is 0 pass: whoever decodes them counts those that take no bytes, and makes room for
/// them only as they come.
#[inline(always)]
pub(crate) fn checked<'de, S: Source<'de>>(
    src: &S,
    n: i128,
    (min, most): (usize, usize),
    max: u64,
    at: u64,
) -> Result<usize> {
    // nothing on the wire bounds the number of elements that never take a byte
    let is_empty = most == 0 && max > MAX_EMPTY_ITEMS;
    let max = if is_empty { MAX_EMPTY_ITEMS } else { max };
    if n < 0 || n > max as i128 {
        return Err(refused(n, max, is_empty, at));
    }
    let n = n as u64;
    let fits = match src.left() {
        Some(left) if min > 0 => n <= left.checked_div(min).unwrap_or(left) as u64,
        _ => n <= isize::MAX as u64,
    };
    if !fits {
        return Err(too_many(n, min, src.left(), src.in_region(), at));
    }
    Ok(n as usize)
}

#[cold]
#[inline(never)]
fn refused(n: i128, max: u64, is_empty: bool, at: u64) -> Error {
    if n < 0 {
        return Error::new(ErrorKind::InvalidLength { found: n }, at);
    }
    if is_empty {
        return Error::new(ErrorKind::TooManyEmpty { count: u64::try_from(n).unwrap_or(u64::MAX), max }, at);
    }
    // more than a length can say is told as the largest length, which must not be the limit as well
    let max = max.min(isize::MAX as u64);
    Error::new(ErrorKind::LengthLimit { length: u64::try_from(n).unwrap_or(u64::MAX), max }, at)
}

#[cold]
#[inline(never)]
pub(crate) fn too_many(count: u64, min: usize, left: Option<usize>, in_region: bool, at: u64) -> Error {
    let needed = times64(count, min as u64);
    // elements that may take no bytes are not too many for the input, but for any program
    let remaining = left.filter(|_| min > 0).map(|n| n as u64);
    Error::new(ErrorKind::CountTooLarge { count, needed, remaining, in_region }, at)
}
