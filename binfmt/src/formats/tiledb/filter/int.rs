//! Integers as the filters see them that calculate: N little-endian bytes each, in slices of bytes.
//!
//! Sums and differences wrap around, so that signed and unsigned integers are the same bytes, and one function serves all of a
//! size. It reckons with 64 bits and keeps N bytes of them, from which the compiler sees how narrow its vectors may be.

use crate::numbers::{Element, NumberType};
use crate::wire::Le;

/// Calls a function for values of so many bytes, which the compiler then knows; for most sizes another one.
macro_rules! for_size {
    ($size:expr, $N:ident => $call:expr, else $other:expr) => {
        match $size {
            1 => {
                const $N: usize = 1;
                $call
            }
            2 => {
                const $N: usize = 2;
                $call
            }
            4 => {
                const $N: usize = 4;
                $call
            }
            8 => {
                const $N: usize = 8;
                $call
            }
            _ => $other,
        }
    };
}
pub(crate) use for_size;

/// The integer of N bytes, if it is unsigned.
#[inline(always)]
pub(crate) fn load<const N: usize>(bytes: &[u8; N]) -> u64 {
    let mut wide = [0; 8];
    wide[..N].copy_from_slice(bytes);
    u64::from_le_bytes(wide)
}

/// The lowest N bytes of an integer.
#[inline(always)]
pub(crate) fn store<const N: usize>(n: u64) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&n.to_le_bytes()[..N]);
    bytes
}

/// The highest bit of N bytes for signed integers, otherwise none.
#[inline(always)]
const fn sign_bit<const N: usize>(signed: bool) -> u64 {
    (signed as u64) << (8 * N - 1)
}

/// The smallest and the largest integer; `None` where there are none.
pub(crate) fn bounds(src: &[u8], kind: NumberType) -> Option<[i128; 2]> {
    fn of<T: Element + Ord, const N: usize>(src: &[u8]) -> Option<[i128; 2]> {
        let mut values = src.as_chunks::<N>().0.iter().map(|bytes| T::read::<Le>(bytes));
        let first = values.next()?;
        let (min, max) = values.fold((first, first), |(min, max), v| (min.min(v), max.max(v)));
        Some([min.to_i128()?, max.to_i128()?])
    }
    match kind {
        NumberType::I8 => of::<i8, 1>(src),
        NumberType::I16 => of::<i16, 2>(src),
        NumberType::I32 => of::<i32, 4>(src),
        NumberType::I64 => of::<i64, 8>(src),
        NumberType::U8 => of::<u8, 1>(src),
        NumberType::U16 => of::<u16, 2>(src),
        NumberType::U32 => of::<u32, 4>(src),
        NumberType::U64 => of::<u64, 8>(src),
        _ => None,
    }
}

/// The lowest K bytes of each value minus `offset`; `out` has room for as many.
pub(crate) fn narrow<const N: usize, const K: usize>(src: &[u8], offset: u64, out: &mut [u8]) {
    for (to, from) in out.as_chunks_mut::<K>().0.iter_mut().zip(src.as_chunks::<N>().0) {
        *to = store(load(from).wrapping_sub(offset));
    }
}

/// The way back.
pub(crate) fn widen<const K: usize, const N: usize, const SIGNED: bool>(
    src: &[u8],
    offset: u64,
    out: &mut [u8],
) {
    let sign = sign_bit::<K>(SIGNED);
    for (to, from) in out.as_chunks_mut::<N>().0.iter_mut().zip(src.as_chunks::<K>().0) {
        *to = store((load(from) ^ sign).wrapping_sub(sign).wrapping_add(offset));
    }
}

/// Each value minus the one before it, the first difference being 0. Gives the first value, or `None` when a value is smaller
/// than the one before it. `src` is not empty, and `out` has its size.
pub(crate) fn deltas<const N: usize, const SIGNED: bool>(src: &[u8], out: &mut [u8]) -> Option<[u8; N]> {
    let (src, out) = (src.as_chunks::<N>().0, out.as_chunks_mut::<N>().0);
    let first = *src.first()?;
    *out.first_mut()? = [0; N];
    let mut rising = true;
    // every value is loaded twice, so that no round waits for the one before it
    for ((to, value), before) in out.iter_mut().skip(1).zip(src.iter().skip(1)).zip(src) {
        let [value, before] = [value, before].map(load);
        rising &= value ^ sign_bit::<N>(SIGNED) >= before ^ sign_bit::<N>(SIGNED);
        *to = store(value.wrapping_sub(before));
    }
    rising.then_some(first)
}

/// The way back.
pub(crate) fn sums<const N: usize>(src: &[u8], first: &[u8; N], out: &mut [u8]) {
    let mut sum = load(first);
    for (to, from) in out.as_chunks_mut::<N>().0.iter_mut().zip(src.as_chunks::<N>().0) {
        sum = sum.wrapping_add(load(from));
        *to = store(sum);
    }
}
