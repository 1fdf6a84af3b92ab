//! How many different values there are.

use binfmt::numbers::{Element, Number};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, DefaultHasher, Hasher};

/// So many hashes are kept: up to here the count is exact.
const ROOM: usize = 1 << 14;

/// Counts different values: exactly while they are few, then by a sample of them. Kept are the hashes below a limit, which is halved
/// whenever they are too many (adaptive sampling, Wegman 1984); the count is wrong by some one in a hundred.
#[derive(Debug)]
pub(super) struct Distinct {
    hashes: HashSet<u64, BuildHasherDefault<AsItIs>>,
    /// The greatest hash that is kept.
    most: u64,
    /// How often the limit was halved.
    halved: u32,
    /// Hashes that were seen lately, each at the place that its last bits say: what is there needs no look into the table.
    lately: Box<[u64; LATELY]>,
}

/// So many are remembered.
const LATELY: usize = 1 << 10;

impl Default for Distinct {
    fn default() -> Self {
        // none has the bits of its place
        let lately = Box::new(std::array::from_fn(|place| !(place as u64)));
        Distinct { hashes: HashSet::default(), most: u64::MAX, halved: 0, lately }
    }
}

impl Distinct {
    /// Adds values by their hashes.
    #[inline]
    pub(super) fn add(&mut self, hashes: impl Iterator<Item = u64>) {
        for hash in hashes {
            if hash > self.most {
                continue;
            }
            let lately = &mut self.lately[(hash % LATELY as u64) as usize];
            if *lately != hash {
                *lately = hash;
                self.keep(hash);
            }
        }
    }

    fn keep(&mut self, hash: u64) {
        self.hashes.insert(hash);
        while self.hashes.len() > ROOM {
            self.most >>= 1;
            self.halved += 1;
            let most = self.most;
            self.hashes.retain(|hash| *hash <= most);
        }
    }

    /// Adds what another one has seen.
    pub(super) fn merge(&mut self, other: Distinct) {
        if other.most < self.most {
            (self.most, self.halved) = (other.most, other.halved);
            self.hashes.retain(|hash| *hash <= other.most);
        }
        self.add(other.hashes.into_iter());
    }

    /// How many there are, and whether that is exact.
    pub(super) fn count(&self) -> (u64, bool) {
        ((self.hashes.len() as u64) << self.halved.min(48), self.halved == 0)
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

/// Takes hashes as they are. The table wants the bits that differ in other places than the limit leaves them.
#[derive(Debug, Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash.rotate_left(32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
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
