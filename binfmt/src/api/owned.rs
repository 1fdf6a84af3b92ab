//! Into vectors, and out of them.

use super::slice;
use crate::codec::compound::encode_items;
use crate::codec::{Decode, Encode, in_order};
use crate::containers::grown::{batch_len, records_into};
use crate::error::Result;
use crate::wire::out::locating_vec;
use crate::wire::raw::Slice;
use crate::wire::{Le, Options};
use alloc::vec::Vec;

/// Decodes all records of a slice into a vector.
///
/// ```
/// assert_eq!(binfmt::decode_all::<u16>(&[1, 0, 2, 0])?, [1, 2]);
/// let e = binfmt::decode_all::<u16>(&[1, 0, 2]).unwrap_err();
/// assert_eq!(e.to_string(), "[1] at byte 0x2: 2 bytes needed, 1 remain");
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// A record is damaged or not complete.
#[inline]
pub fn decode_all<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<Vec<T>> {
    let mut v = Vec::new();
    records_into::<Le, _, T, ()>(&mut Slice::new(bytes), &mut v, ())?;
    Ok(v)
}

/// [`decode_all`] with byte order, limits and context from outside.
///
/// ```
/// use binfmt::{Endian, Options};
/// assert_eq!(binfmt::decode_all_with::<u16, _>(&[1, 0], &Options::new().endian(Endian::Big))?, [256]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// As [`decode_all`], or a limit is reached.
#[inline]
pub fn decode_all_with<'de, T: Decode<'de, C>, C: Copy>(
    bytes: &'de [u8],
    options: &Options<C>,
) -> Result<Vec<T>> {
    let mut v = Vec::new();
    decode_all_into_with(bytes, &mut v, options)?;
    Ok(v)
}

/// Decodes all records of a slice after those that `out` holds: memory that is there is used again.
///
/// When a record is damaged, those before it stay in `out`.
///
/// ```
/// let mut v = Vec::with_capacity(100);
/// for bytes in [[1u8, 0], [2, 0]] {
///     v.clear();
///     binfmt::decode_all_into::<u16>(&bytes, &mut v)?;
/// }
/// assert_eq!(v, [2]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// A record is damaged or not complete.
#[inline]
pub fn decode_all_into<'de, T: Decode<'de>>(bytes: &'de [u8], out: &mut Vec<T>) -> Result<()> {
    records_into::<Le, _, T, ()>(&mut Slice::new(bytes), out, ())
}

/// [`decode_all_into`] with byte order, limits and context from outside.
///
/// ```
/// let mut v: Vec<u8> = vec![];
/// binfmt::decode_all_into_with(&[1, 2], &mut v, &binfmt::Options::new())?;
/// assert_eq!(v, [1, 2]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// As [`decode_all_into`], or a limit is reached.
#[inline]
pub fn decode_all_into_with<'de, T: Decode<'de, C>, C: Copy>(
    bytes: &'de [u8],
    out: &mut Vec<T>,
    options: &Options<C>,
) -> Result<()> {
    let mut src = slice(bytes, options);
    in_order!(T, options, O => records_into::<O, _, T, C>(&mut src, out, options.ctx))
}

/// Encodes a value into a new vector. Little-endian where the type does not say.
///
/// ```
/// assert_eq!(binfmt::to_vec(&(1u8, 2u16))?, [1, 2, 0]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// The value contradicts its layout.
#[inline]
pub fn to_vec<T: Encode>(value: &T) -> Result<Vec<u8>> {
    let mut v = Vec::new();
    locating_vec::<T>(&mut v, T::FACTS.sizes().min, |out| value.encode::<Le, _>(out, ()))?;
    Ok(v)
}

/// [`to_vec`] with byte order and context from outside.
///
/// ```
/// use binfmt::{Endian, Options};
/// assert_eq!(binfmt::to_vec_with(&2u16, &Options::new().endian(Endian::Big))?, [0, 2]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// The value contradicts its layout.
#[inline]
pub fn to_vec_with<T: Encode<C>, C: Copy>(value: &T, options: &Options<C>) -> Result<Vec<u8>> {
    let mut v = Vec::new();
    append_with(value, &mut v, options)?;
    Ok(v)
}

/// Encodes a value after what `out` holds. When it fails, `out` is what it was.
///
/// ```
/// let mut v = vec![7];
/// binfmt::append(&1u16, &mut v)?;
/// assert_eq!(v, [7, 1, 0]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// The value contradicts its layout.
#[inline]
pub fn append<T: Encode>(value: &T, out: &mut Vec<u8>) -> Result<()> {
    locating_vec::<T>(out, T::FACTS.sizes().min, |out| value.encode::<Le, _>(out, ()))
}

/// [`append`] with byte order and context from outside.
///
/// ```
/// let mut v = vec![];
/// binfmt::append_with(&1u8, &mut v, &binfmt::Options::new())?;
/// assert_eq!(v, [1]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// The value contradicts its layout.
#[inline]
pub fn append_with<T: Encode<C>, C: Copy>(value: &T, out: &mut Vec<u8>, options: &Options<C>) -> Result<()> {
    let min = options.room(T::FACTS.sizes().min);
    in_order!(T, options, O => locating_vec::<T>(out, min, |out| value.encode::<O, _>(out.with(options), options.ctx)))
}

/// Encodes all values one after the other into a new vector.
///
/// ```
/// assert_eq!(binfmt::encode_all(&[1u16, 2])?, [1, 0, 2, 0]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// A value contradicts its layout.
#[inline]
pub fn encode_all<T: Encode>(items: &[T]) -> Result<Vec<u8>> {
    let mut v = Vec::new();
    encode_all_into(items, &mut v)?;
    Ok(v)
}

/// [`encode_all`] with byte order and context from outside.
///
/// ```
/// use binfmt::{Endian, Options};
/// assert_eq!(binfmt::encode_all_with(&[1u16], &Options::new().endian(Endian::Big))?, [0, 1]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// A value contradicts its layout.
#[inline]
pub fn encode_all_with<T: Encode<C>, C: Copy>(items: &[T], options: &Options<C>) -> Result<Vec<u8>> {
    let mut v = Vec::new();
    encode_all_into_with(items, &mut v, options)?;
    Ok(v)
}

/// Encodes all values after what `out` holds: memory that is there is used again. When it fails, `out` is what it was.
///
/// ```
/// let mut v = vec![9];
/// binfmt::encode_all_into(&[1u8, 2], &mut v)?;
/// assert_eq!(v, [9, 1, 2]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// A value contradicts its layout.
#[inline]
pub fn encode_all_into<T: Encode>(items: &[T], out: &mut Vec<u8>) -> Result<()> {
    locating_vec::<T>(out, batch_len::<T, ()>(items), |out| encode_items::<Le, _, T, ()>(items, out, ()))
}

/// [`encode_all_into`] with byte order and context from outside.
///
/// ```
/// let mut v = vec![];
/// binfmt::encode_all_into_with(&[1u8, 2], &mut v, &binfmt::Options::new())?;
/// assert_eq!(v, [1, 2]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// A value contradicts its layout.
#[inline]
pub fn encode_all_into_with<T: Encode<C>, C: Copy>(
    items: &[T],
    out: &mut Vec<u8>,
    options: &Options<C>,
) -> Result<()> {
    let min = options.room(batch_len::<T, C>(items));
    in_order!(T, options, O => locating_vec::<T>(out, min, |out| encode_items::<O, _, T, C>(items, out.with(options), options.ctx)))
}
