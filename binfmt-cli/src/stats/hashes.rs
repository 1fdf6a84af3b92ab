//! Hashes of values, and which integers need none.

use binfmt::numbers::{Element, Number};
use std::hash::{DefaultHasher, Hasher};

/// The hash of bytes.
pub(super) fn of_bytes(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// The hash of 64 bits: both halves of a product, which every bit has changed.
#[inline]
pub(super) fn of_bits(bits: u64) -> u64 {
    let product = u128::from(bits ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
    (product as u64) ^ (product >> 64) as u64
}

/// The hash of an integer or a bool.
#[inline(always)]
pub(super) fn of_integer<T: Element>(n: T) -> u64 {
    let wide = bits(n);
    let low = of_bits(wide as u64);
    // below 128 bits the upper half says nothing
    if size_of::<T>() <= 8 { low } else { low ^ of_bits((wide >> 64) as u64).rotate_left(1) }
}

/// The bits of an integer or a bool.
#[inline(always)]
fn bits<T: Element>(n: T) -> u128 {
    match Number::from(n) {
        Number::U128(n) => n,
        Number::Bool(flag) => u128::from(flag),
        n => n.as_i128().unwrap_or_default() as u128,
    }
}

/// Which small integers have been added, a bit for each: they need no hash again.
#[derive(Debug, Default)]
pub(super) struct Seen(Vec<u64>);

impl Seen {
    /// As many integers below zero, and from zero on.
    const SMALL: u64 = 1 << 16;

    /// Those of some integers, or bools, that were not seen before, or are not small; from now on they are seen.
    pub(super) fn new_of<T: Element>(&mut self, values: &[T]) -> impl Iterator<Item = T> {
        self.0.resize(2 * Self::SMALL as usize / 64, 0);
        values.iter().copied().filter(|n| self.is_new(*n))
    }

    /// Whether an integer was not seen before, or is not small; from now on it is seen.
    #[inline(always)]
    fn is_new<T: Element>(&mut self, n: T) -> bool {
        let place = match size_of::<T>() <= 8 {
            true => (bits(n) as u64).wrapping_add(Self::SMALL),
            false => bits(n).wrapping_add(Self::SMALL.into()).try_into().unwrap_or(u64::MAX),
        };
        let bit = 1 << (place % 64);
        match usize::try_from(place / 64).ok().and_then(|i| self.0.get_mut(i)) {
            Some(word) if *word & bit == 0 => {
                *word |= bit;
                true
            }
            word => word.is_none(),
        }
    }
}
