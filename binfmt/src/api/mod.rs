//! The functions that users call.

use crate::codec::{Decode, Encode, in_order};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::out::locating_slice;
use crate::wire::raw::Slice;
use crate::wire::{Cursor, Le, Options};
use core::fmt;
use core::marker::PhantomData;

#[cfg(all(feature = "std", any(feature = "futhark", feature = "scidb")))]
pub(crate) mod blocks;
#[cfg(feature = "std")]
mod io;

fn slice<'de, C>(bytes: &'de [u8], options: &Options<C>) -> Slice<'de> {
    Slice::with(bytes, options.limits, options.policy)
}

/// Inlined, so that the source has no address and stays in registers.
#[inline(always)]
fn finished(src: &Slice<'_>) -> Result<()> {
    match src.rest().is_empty() {
        true => Ok(()),
        false => trailing(src.unread(), src.pos()),
    }
}

#[cold]
fn trailing(n: usize, at: u64) -> Result<()> {
    match n {
        0 => Ok(()),
        n => Err(Error::new(ErrorKind::TrailingBytes { count: n as u64 }, at)),
    }
}

/// Decodes a value from all of `bytes`; bytes that are left over are an error. Little-endian where the type does not say.
///
/// ```
/// assert_eq!(binfmt::from_slice::<(u8, u16)>(&[1, 2, 0])?, (1, 2));
/// let e = binfmt::from_slice::<u8>(&[1, 2]).unwrap_err();
/// assert_eq!(e.to_string(), "at byte 0x1: 1 byte after the value");
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// The bytes are not a value of this type, or more than one.
#[inline]
pub fn from_slice<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<T> {
    let mut src = Slice::new(bytes);
    let mut v = T::decode::<Le, _>(&mut src, ());
    // in its place, so that the value is not moved
    if v.is_ok()
        && let Err(e) = finished(&src)
    {
        v = Err(e);
    }
    v
}

/// [`from_slice`] with byte order, limits and context from outside.
///
/// ```
/// use binfmt::{Endian, Options};
/// assert_eq!(binfmt::from_slice_with::<u16, _>(&[1, 2], &Options::new().endian(Endian::Big))?, 0x102);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// As [`from_slice`], or a limit is reached.
#[inline]
pub fn from_slice_with<'de, T: Decode<'de, C>, C: Copy>(bytes: &'de [u8], options: &Options<C>) -> Result<T> {
    let mut src = slice(bytes, options);
    let mut v = in_order!(T, options, O => T::decode::<O, _>(&mut src, options.ctx));
    if v.is_ok()
        && let Err(e) = finished(&src)
    {
        v = Err(e);
    }
    v
}

/// Decodes a value from the front of `bytes` and returns it with what follows.
///
/// ```
/// let (n, rest) = binfmt::from_prefix::<u16>(&[1, 0, 9])?;
/// assert_eq!((n, rest), (1, &[9][..]));
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// The bytes do not begin with a value of this type.
#[inline]
pub fn from_prefix<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<(T, &'de [u8])> {
    let mut src = Slice::new(bytes);
    let v = T::decode::<Le, _>(&mut src, ())?;
    Ok((v, src.rest()))
}

/// [`from_prefix`] with byte order, limits and context from outside.
///
/// ```
/// use binfmt::{Endian, Options};
/// let (n, rest) = binfmt::from_prefix_with::<u16, _>(&[1, 0, 9], &Options::new().endian(Endian::Big))?;
/// assert_eq!((n, rest), (256, &[9][..]));
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// As [`from_prefix`], or a limit is reached.
#[inline]
pub fn from_prefix_with<'de, T: Decode<'de, C>, C: Copy>(
    bytes: &'de [u8],
    options: &Options<C>,
) -> Result<(T, &'de [u8])> {
    let mut src = slice(bytes, options);
    let v = in_order!(T, options, O => T::decode::<O, _>(&mut src, options.ctx))?;
    Ok((v, src.rest()))
}

/// Decodes the records of a slice one by one, without a vector of them. After an error the iterator ends.
///
/// ```
/// let numbers: Result<Vec<u16>, _> = binfmt::records::<u16>(&[1, 0, 2, 0]).collect();
/// assert_eq!(numbers?, [1, 2]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[inline]
pub fn records<'de, T: Decode<'de>>(bytes: &'de [u8]) -> RecordsFromSlice<'de, T> {
    RecordsFromSlice { src: Slice::new(bytes), options: Options::new(), index: 0, of: PhantomData }
}

/// [`records`] with byte order, limits and context from outside.
///
/// ```
/// use binfmt::{Endian, Options};
/// let big = Options::new().endian(Endian::Big);
/// assert_eq!(binfmt::records_with::<u16, _>(&[0, 7], &big).next().unwrap()?, 7);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[inline]
pub fn records_with<'de, T: Decode<'de, C>, C: Copy>(
    bytes: &'de [u8],
    options: &Options<C>,
) -> RecordsFromSlice<'de, T, C> {
    RecordsFromSlice { src: slice(bytes, options), options: *options, index: 0, of: PhantomData }
}

/// The records of a slice: see [`records`].
pub struct RecordsFromSlice<'de, T, C = ()> {
    src: Slice<'de>,
    options: Options<C>,
    index: usize,
    of: PhantomData<fn() -> T>,
}

// by hand, because the records themselves need neither of the two
impl<T, C: Clone> Clone for RecordsFromSlice<'_, T, C> {
    fn clone(&self) -> Self {
        RecordsFromSlice {
            src: self.src.clone(),
            options: self.options.clone(),
            index: self.index,
            of: PhantomData,
        }
    }
}

impl<T, C> fmt::Debug for RecordsFromSlice<'_, T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordsFromSlice")
            .field("offset", &self.src.pos())
            .field("index", &self.index)
            .finish_non_exhaustive()
    }
}

impl<'de, T, C> RecordsFromSlice<'de, T, C> {
    /// What has not been decoded.
    ///
    /// ```
    /// let mut records = binfmt::records::<u8>(&[1, 2]);
    /// records.next();
    /// assert_eq!(records.rest(), [2]);
    /// ```
    pub fn rest(&self) -> &'de [u8] {
        self.src.rest()
    }

    /// Offset of the next record in bytes.
    ///
    /// ```
    /// let mut records = binfmt::records::<u16>(&[1, 2, 3, 4]);
    /// records.next();
    /// assert_eq!(records.offset(), 2);
    /// ```
    pub fn offset(&self) -> u64 {
        self.src.pos()
    }
}

impl<'de, T: Decode<'de, C>, C: Copy> Iterator for RecordsFromSlice<'de, T, C> {
    type Item = Result<T>;

    #[inline]
    fn next(&mut self) -> Option<Result<T>> {
        if self.src.rest().is_empty() {
            return None;
        }
        let at = self.src.pos();
        let ctx = self.options.ctx;
        self.src.budget_mut().0.renew(self.options.limits);
        let r = in_order!(T, self.options, O => T::decode::<O, _>(&mut self.src, ctx));
        Some(match r {
            Ok(v) if T::FACTS.sizes().min > 0 || self.src.pos() > at => {
                self.index = self.index.wrapping_add(1);
                Ok(v)
            }
            other => {
                // by value: a source whose address escapes lives in memory instead of in registers
                self.src = Slice::new(&[]);
                Err(stopped(other.err(), at, self.index))
            }
        })
    }
}

impl<'de, T: Decode<'de, C>, C: Copy> core::iter::FusedIterator for RecordsFromSlice<'de, T, C> {}

#[cold]
#[inline(never)]
fn stopped(e: Option<Error>, at: u64, index: usize) -> Error {
    e.unwrap_or_else(|| endless(at)).within(crate::error::Step::Index(index))
}

#[cold]
fn endless(at: u64) -> Error {
    Error::new(ErrorKind::Endless, at)
}

/// Encodes a value into the front of a slice; returns how many bytes it took.
///
/// ```
/// let mut b = [0; 4];
/// assert_eq!(binfmt::to_slice(&1u16, &mut b)?, 2);
/// let e = binfmt::to_slice(&1u64, &mut b).unwrap_err();
/// assert_eq!(e.to_string(), "at byte 0x0: 8 bytes of room needed, 4 remain in the output");
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// The slice is too short, or the value contradicts its layout.
#[inline]
pub fn to_slice<T: Encode>(value: &T, out: &mut [u8]) -> Result<usize> {
    locating_slice::<T>(out, |out| value.encode::<Le, _>(out, ()))
}

/// [`to_slice`] with byte order and context from outside.
///
/// ```
/// let mut b = [0; 4];
/// assert_eq!(binfmt::to_slice_with(&1u16, &mut b, &binfmt::Options::new())?, 2);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// As [`to_slice`].
#[inline]
pub fn to_slice_with<T: Encode<C>, C: Copy>(
    value: &T,
    out: &mut [u8],
    options: &Options<C>,
) -> Result<usize> {
    in_order!(T, options, O => locating_slice::<T>(out, |out| value.encode::<O, _>(out.with(options), options.ctx)))
}

/// The size of a value on the wire, in bytes.
///
/// ```
/// assert_eq!(binfmt::encoded_len(&(1u8, 2u32))?, 5);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// The value contradicts its layout, so that it has no size.
#[inline]
pub fn encoded_len<T: Encode>(value: &T) -> Result<usize> {
    value.encoded_len(())
}

/// [`encoded_len`] with context from outside.
///
/// ```
/// assert_eq!(binfmt::encoded_len_with(&1u64, &binfmt::Options::new())?, 8);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// As [`encoded_len`].
#[inline]
pub fn encoded_len_with<T: Encode<C>, C: Copy>(value: &T, options: &Options<C>) -> Result<usize> {
    value.encoded_len(options.ctx)
}

#[cfg(feature = "alloc")]
mod owned;
#[cfg(feature = "std")]
pub use io::*;
#[cfg(feature = "alloc")]
pub use owned::*;
