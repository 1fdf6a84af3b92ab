//! Integers as the filters see them that calculate: N little-endian bytes each, in slices of bytes.
//!
//! Sums and differences wrap around, so that signed and unsigned integers are the same bytes, and one function serves all of a
//! size. It computes with 64 bits and keeps N bytes of them, from which the compiler sees how narrow its vectors may be.

use crate::numbers::NumberType;

/// Calls a function for values of that many bytes, which the compiler then knows; for most sizes another one.
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

// one load or store each, with no call of a function of the standard library that a build without LTO may leave a call

/// The integer of N bytes, if it is unsigned.
#[inline(always)]
pub(crate) fn load<const N: usize>(bytes: &[u8; N]) -> u64 {
    if let Some(bytes) = bytes.first_chunk::<8>() {
        u64::from_le_bytes(*bytes)
    } else if let Some(bytes) = bytes.first_chunk::<4>() {
        u32::from_le_bytes(*bytes).into()
    } else if let Some(bytes) = bytes.first_chunk::<2>() {
        u16::from_le_bytes(*bytes).into()
    } else {
        bytes[0].into()
    }
}

/// The lowest N bytes of an integer.
#[inline(always)]
pub(crate) fn store<const N: usize>(n: u64) -> [u8; N] {
    // N is 8 at most
    match n.to_le_bytes().first_chunk::<N>() {
        Some(bytes) => *bytes,
        None => [0; N],
    }
}

/// The highest bit of N bytes for signed integers, otherwise none.
#[inline(always)]
const fn sign_bit<const N: usize>(signed: bool) -> u64 {
    (signed as u64) << (8 * N - 1)
}

/// The smallest and the largest integer; `None` if there are none.
pub(crate) fn bounds(src: &[u8], kind: NumberType) -> Option<[i128; 2]> {
    // vectors compare signed integers
    const SIGN: u64 = 1 << 63;
    match kind {
        NumberType::I8 => bounds_of::<1, 1, _>(src, i8::from_le_bytes),
        NumberType::I16 => bounds_of::<2, 1, _>(src, i16::from_le_bytes),
        NumberType::I32 => bounds_of::<4, 1, _>(src, i32::from_le_bytes),
        NumberType::I64 => bounds_of::<8, 4, _>(src, i64::from_le_bytes),
        NumberType::U8 => bounds_of::<1, 1, _>(src, u8::from_le_bytes),
        NumberType::U16 => bounds_of::<2, 1, _>(src, u16::from_le_bytes),
        NumberType::U32 => bounds_of::<4, 1, _>(src, u32::from_le_bytes),
        NumberType::U64 => {
            let ends = bounds_of::<8, 4, _>(src, |bytes| (u64::from_le_bytes(bytes) ^ SIGN) as i64)?;
            Some(ends.map(|end| end + i128::from(SIGN)))
        }
        _ => None,
    }
}

/// Each of L values in turn has bounds of its own. Of narrow ones the compiler takes many at once by itself; of eight bytes,
/// for which plain x86-64 has no minimum, it would make branches that no processor foresees.
fn bounds_of<const N: usize, const L: usize, T: Copy + Ord + Into<i128>>(
    src: &[u8],
    value: impl Fn([u8; N]) -> T,
) -> Option<[i128; 2]> {
    let values = src.as_chunks::<N>().0;
    let first = value(*values.first()?);
    let (mut least, mut most) = ([first; L], [first; L]);
    let mut add = |group: &[[u8; N]]| {
        for ((least, most), bytes) in least.iter_mut().zip(&mut most).zip(group) {
            let value = value(*bytes);
            (*least, *most) = (value.min(*least), value.max(*most));
        }
    };
    let (groups, rest) = values.as_chunks::<L>();
    groups.iter().for_each(|group| add(group));
    add(rest);
    Some([least.into_iter().min()?.into(), most.into_iter().max()?.into()])
}

// the offset is as narrow as the values, so that the differences are

/// Appends the lowest K bytes of each value minus `offset`.
pub(crate) fn narrow<const N: usize, const K: usize>(src: &[u8], offset: &[u8; N], out: &mut Vec<u8>) {
    let (values, at) = (src.as_chunks::<N>().0, out.len());
    out.resize(at + values.len() * K, 0);
    for (to, from) in out[at..].as_chunks_mut::<K>().0.iter_mut().zip(values) {
        *to = store(load(from).wrapping_sub(load(offset)));
    }
}

/// The way back.
pub(crate) fn widen<const K: usize, const N: usize, U: Copy + Into<u64>, const SIGNED: bool>(
    src: &[u8],
    offset: U,
    out: &mut [u8],
) {
    for (to, from) in out.as_chunks_mut::<N>().0.iter_mut().zip(src.as_chunks::<K>().0) {
        let distance = match (SIGNED, K) {
            (false, _) => load(from),
            (true, 1) => load(from) as i8 as u64,
            (true, 2) => load(from) as i16 as u64,
            (true, _) => load(from) as i32 as u64,
        };
        *to = store(distance.wrapping_add(offset.into()));
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
