//! Hashes of values, and which integers need none.

use binfmt::numbers::{Element, Number};

/// The hash of bytes: of each eight of them and of all before it.
#[inline]
pub(super) fn of_bytes(bytes: &[u8]) -> u64 {
    // the last eight, some of which may be among those before; bytes of one length that differ do so in one of all these
    let last = match bytes.last_chunk() {
        Some(last) => u64::from_le_bytes(*last),
        None => bytes.iter().fold(0, |all, byte| (all << 8) | u64::from(*byte)),
    };
    let (words, _) = bytes.as_chunks();
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    let start = of_bits(bytes.len() as u64);
    of_bits(words.fold(start, |hash, word| of_bits(hash ^ word)) ^ last)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn texts_that_differ_have_different_hashes() {
        let mut texts: HashSet<Vec<u8>> = HashSet::new();
        for len in 0..40 {
            // one byte, then another one, is another one
            texts.extend((0..=255).map(|byte| vec![byte; len]));
            texts.extend((0..len).flat_map(|at| {
                [1, 0x80, 0xff].map(|byte| {
                    let mut text = vec![0; len];
                    text[at] = byte;
                    text
                })
            }));
        }
        texts.extend((0..100_000).map(|n| format!("text {n}").into_bytes()));
        let hashes: HashSet<u64> = texts.iter().map(|text| of_bytes(text)).collect();
        assert_eq!(hashes.len(), texts.len());
        // each bit is as often one as zero
        for bit in 0..64 {
            let ones = hashes.iter().filter(|hash| **hash >> bit & 1 == 1).count();
            assert!(ones.abs_diff(hashes.len() / 2) * 50 < hashes.len(), "{bit}: {ones}");
        }
    }
}
