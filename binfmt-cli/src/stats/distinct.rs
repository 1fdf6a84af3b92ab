//! How many different values there are.

use binfmt::numbers::{Element, Number};
use std::hash::{DefaultHasher, Hasher};

/// So many hashes are kept: up to here the count is exact.
const ROOM: usize = 1 << 14;

/// Places of the first table. It grows to twice the room.
const PLACES: usize = 1 << 8;

/// A place without a hash: those that are kept are odd. It is not zero, so that a new table is written to at once: pages of zeros that are
/// looked at first and written to later fault twice, and the second fault interrupts all other threads.
const FREE: u64 = 2;

/// Counts different values: exactly while they are few, then by a sample of them. Kept are the hashes below a limit, which is halved
/// whenever they are too many (adaptive sampling, Wegman 1984); the count is wrong by some one in a hundred.
#[derive(Debug)]
pub(super) struct Distinct {
    /// Each hash at the place that its last bits say, or at the next free one after it. A power of two, at least half of them free.
    places: Vec<u64>,
    /// How many hashes are kept.
    count: usize,
    /// The greatest hash that is kept.
    most: u64,
    /// How often the limit was halved.
    halved: u32,
}

impl Default for Distinct {
    fn default() -> Self {
        Distinct { places: vec![FREE; PLACES], count: 0, most: u64::MAX, halved: 0 }
    }
}

impl Distinct {
    /// Adds values by their hashes.
    #[inline]
    pub(super) fn add(&mut self, hashes: impl Iterator<Item = u64>) {
        let mut most = self.most;
        for hash in hashes {
            if hash > most {
                continue;
            }
            let hash = hash | 1;
            // most have been seen before
            if self.places.get(self.place(hash)) != Some(&hash) {
                self.keep(hash);
                most = self.most;
            }
        }
    }

    /// The first place of a hash.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        (hash >> 1) as usize & (self.places.len() - 1)
    }

    #[inline(never)]
    fn keep(&mut self, hash: u64) {
        let mut at = self.place(hash);
        while let Some(place) = self.places.get_mut(at).filter(|place| **place != hash) {
            if *place == FREE {
                *place = hash;
                self.count += 1;
                break;
            }
            at = (at + 1) & (self.places.len() - 1);
        }
        if self.count > ROOM {
            self.most >>= 1;
            self.halved += 1;
            self.rebuild(self.places.len());
        } else if self.count * 2 > self.places.len() {
            self.rebuild(self.places.len() * 2);
        }
    }

    /// The hashes up to the limit in a table of that many places.
    fn rebuild(&mut self, places: usize) {
        let kept = std::mem::replace(&mut self.places, vec![FREE; places]);
        self.count = 0;
        self.add(kept.into_iter().filter(|hash| *hash != FREE));
    }

    /// Adds what another one has seen.
    pub(super) fn merge(&mut self, other: Distinct) {
        if other.most < self.most {
            (self.most, self.halved) = (other.most, other.halved);
            self.rebuild(self.places.len());
        }
        self.add(other.places.into_iter().filter(|hash| *hash != FREE));
    }

    /// How many there are, and whether that is exact.
    pub(super) fn count(&self) -> (u64, bool) {
        ((self.count as u64) << self.halved.min(48), self.halved == 0)
    }
}

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
#[inline]
pub(super) fn of_integer<T: Element>(n: T) -> u64 {
    let wide = match Number::from(n) {
        Number::U128(n) => n,
        Number::Bool(flag) => u128::from(flag),
        n => n.as_i128().unwrap_or_default() as u128,
    };
    let low = of_bits(wide as u64);
    // below 128 bits the upper half says nothing
    if size_of::<T>() <= 8 { low } else { low ^ of_bits((wide >> 64) as u64).rotate_left(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_are_exact_and_many_are_near() {
        let mut distinct = Distinct::default();
        distinct.add((0..100_000u64).map(|n| of_bits(n % 1000)));
        assert_eq!(distinct.count(), (1000, true));
        for count in [20_000u64, 300_000, 3_000_000] {
            // integers, and floats with many zeros at their ends
            for bits in [|n: u64| n, |n: u64| (n as f64 * 0.125).to_bits(), |n: u64| n << 40] {
                let (mut distinct, mut half) = (Distinct::default(), Distinct::default());
                distinct.add((0..count / 2).map(|n| of_bits(bits(n))));
                half.add((count / 3..count).map(|n| of_bits(bits(n))));
                distinct.merge(half);
                let (found, is_exact) = distinct.count();
                assert!(!is_exact && found.abs_diff(count) * 25 < count, "{count}: {found}");
            }
        }
        let mut texts = Distinct::default();
        texts.add((0..30_000).map(|n| of_bytes(format!("{}", n % 25_000).as_bytes())));
        assert!(texts.count().0.abs_diff(25_000) < 1000, "{:?}", texts.count());
    }
}
