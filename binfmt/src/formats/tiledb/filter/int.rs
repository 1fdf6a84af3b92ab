//! Integers of each width, as the filters that calculate see them: slices of little-endian bytes in, bytes out.
//!
//! Loops over arrays of fixed size, so that the compiler turns them into vector code.

use crate::{Decode, Encode};

pub(crate) trait Int: Copy + Encode + for<'de> Decode<'de> {
    const SIZE: usize;
    /// Smallest and largest value; `None` for no values.
    fn bounds(src: &[u8]) -> Option<(Self, Self)>;
    /// The bits in which values of a window of these bounds are stored; those of the type when they stay as they are.
    fn bits(min: Self, max: Self) -> u8;
    /// Each value minus `offset` in `bits` bits (8, 16 or 32, fewer than the type has); `out` has the size of the result.
    fn narrow(src: &[u8], bits: u8, offset: Self, out: &mut [u8]);
    /// The way back; `out` has the size of the result.
    fn widen(src: &[u8], bits: u8, offset: Self, out: &mut [u8]);
    /// Each value minus the one before it, the first difference being 0. Gives the first value, or `None` when a value
    /// is smaller than the one before it. `src` is not empty, and `out` has its size.
    fn deltas(src: &[u8], out: &mut [u8]) -> Option<Self>;
    /// The way back.
    fn sums(src: &[u8], first: Self, out: &mut [u8]);
}

macro_rules! int {
    ($t:ident $unsigned:ident $n:literal $add_sign:literal, $($bits:literal => $small:ident $k:literal),*) => {
        impl Int for $t {
            const SIZE: usize = $n;

            fn bounds(src: &[u8]) -> Option<(Self, Self)> {
                let mut values = src.as_chunks::<$n>().0.iter().map(|b| $t::from_le_bytes(*b));
                let first = values.next()?;
                Some(values.fold((first, first), |(min, max), v| (min.min(v), max.max(v))))
            }

            fn bits(min: Self, max: Self) -> u8 {
                // signed values keep a bit for a sign, although there are no negative ones
                let range = max.wrapping_sub(min) as $unsigned;
                let Some(next) = range.checked_add(1) else { return 8 * $n };
                let needed = <$unsigned>::BITS - next.leading_zeros() + $add_sign;
                match needed {
                    0..=8 => 8,
                    9..=16 => 16,
                    17..=32 => 32,
                    _ => 64,
                }.min(8 * $n)
            }

            fn narrow(src: &[u8], bits: u8, offset: Self, out: &mut [u8]) {
                let _ = offset;
                let src = src.as_chunks::<$n>().0;
                match bits {
                    $($bits => for (to, from) in out.as_chunks_mut::<$k>().0.iter_mut().zip(src) {
                        *to = ($t::from_le_bytes(*from).wrapping_sub(offset) as $small).to_le_bytes();
                    },)*
                    _ => for (to, from) in out.as_chunks_mut::<$n>().0.iter_mut().zip(src) {
                        *to = *from;
                    },
                }
            }

            fn widen(src: &[u8], bits: u8, offset: Self, out: &mut [u8]) {
                // single bytes are never reduced, so that they have no use for it
                let _ = offset;
                let to = out.as_chunks_mut::<$n>().0;
                match bits {
                    $($bits => for (to, from) in to.iter_mut().zip(src.as_chunks::<$k>().0) {
                        *to = ($small::from_le_bytes(*from) as $t).wrapping_add(offset).to_le_bytes();
                    },)*
                    _ => for (to, from) in to.iter_mut().zip(src.as_chunks::<$n>().0) {
                        *to = *from;
                    },
                }
            }

            fn deltas(src: &[u8], out: &mut [u8]) -> Option<Self> {
                let (src, out) = (src.as_chunks::<$n>().0, out.as_chunks_mut::<$n>().0);
                let first = $t::from_le_bytes(*src.first()?);
                *out.first_mut()? = [0; $n];
                let mut rising = true;
                // every value is loaded twice, so that no round waits for the one before it
                for ((to, b), before) in out.iter_mut().skip(1).zip(src.iter().skip(1)).zip(src) {
                    let [value, before] = [b, before].map(|b| $t::from_le_bytes(*b));
                    rising &= value >= before;
                    *to = value.wrapping_sub(before).to_le_bytes();
                }
                rising.then_some(first)
            }

            fn sums(src: &[u8], first: Self, out: &mut [u8]) {
                let mut sum = first;
                for (to, from) in out.as_chunks_mut::<$n>().0.iter_mut().zip(src.as_chunks::<$n>().0) {
                    sum = sum.wrapping_add($t::from_le_bytes(*from));
                    *to = sum.to_le_bytes();
                }
            }
        }
    };
}
int!(i8 u8 1 1,);
int!(u8 u8 1 0,);
int!(i16 u16 2 1, 8 => i8 1);
int!(u16 u16 2 0, 8 => u8 1);
int!(i32 u32 4 1, 8 => i8 1, 16 => i16 2);
int!(u32 u32 4 0, 8 => u8 1, 16 => u16 2);
int!(i64 u64 8 1, 8 => i8 1, 16 => i16 2, 32 => i32 4);
int!(u64 u64 8 0, 8 => u8 1, 16 => u16 2, 32 => u32 4);

/// Calls a generic function for the type of a [`Number`](super::super::Number) that is an integer.
macro_rules! for_int {
    ($number:expr, $t:ident => $call:expr) => {
        match $number {
            Number::I8 => {
                type $t = i8;
                $call
            }
            Number::U8 => {
                type $t = u8;
                $call
            }
            Number::I16 => {
                type $t = i16;
                $call
            }
            Number::U16 => {
                type $t = u16;
                $call
            }
            Number::I32 => {
                type $t = i32;
                $call
            }
            Number::U32 => {
                type $t = u32;
                $call
            }
            Number::I64 => {
                type $t = i64;
                $call
            }
            // floats never come here
            Number::U64 | Number::F32 | Number::F64 => {
                type $t = u64;
                $call
            }
        }
    };
}
pub(crate) use for_int;
