//! How many different values there are.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hasher};

/// Up to this many are counted exactly.
const EXACT: usize = 1 << 14;

/// Counts different values: exactly while they are few, then by the rarest of their hashes (HyperLogLog), which is wrong by
/// some two in a hundred.
#[derive(Debug)]
pub(super) enum Distinct {
    Few(HashSet<u64>),
    /// For each group of hashes the most zeros that one begins with.
    Many(Vec<u8>),
}

/// Hashes are in one of that many groups.
const GROUPS: usize = 1 << 12;

impl Default for Distinct {
    fn default() -> Self {
        Distinct::Few(HashSet::new())
    }
}

impl Distinct {
    pub(super) fn add_bytes(&mut self, bytes: &[u8]) {
        let mut hasher = DefaultHasher::new();
        hasher.write(bytes);
        self.add_hash(hasher.finish());
    }

    /// Adds a number by its bits.
    pub(super) fn add_bits(&mut self, bits: u64) {
        // the last step of SplitMix64
        let z = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.add_hash(z ^ (z >> 31));
    }

    fn add_hash(&mut self, hash: u64) {
        match self {
            Distinct::Few(known) => {
                known.insert(hash);
                if known.len() > EXACT {
                    let known = std::mem::take(known);
                    let mut groups = vec![0; GROUPS];
                    known.into_iter().for_each(|hash| note(&mut groups, hash));
                    *self = Distinct::Many(groups);
                }
            }
            Distinct::Many(groups) => note(groups, hash),
        }
    }

    /// How many there are, and whether that is exact.
    pub(super) fn count(&self) -> (u64, bool) {
        match self {
            Distinct::Few(known) => (known.len() as u64, true),
            Distinct::Many(groups) => {
                let all = GROUPS as f64;
                let sum: f64 = groups.iter().map(|zeros| (-f64::from(*zeros)).exp2()).sum();
                let empty = groups.iter().filter(|zeros| **zeros == 0).count() as f64;
                let raw = 0.7213 / (1.0 + 1.079 / all) * all * all / sum;
                let count = if raw < 2.5 * all && empty > 0.0 { all * (all / empty).ln() } else { raw };
                (count.round() as u64, false)
            }
        }
    }
}

fn note(groups: &mut [u8], hash: u64) {
    let group = (hash >> 52) as usize % GROUPS;
    let zeros = ((hash << 12) | (1 << 11)).leading_zeros() as u8 + 1;
    if let Some(most) = groups.get_mut(group) {
        *most = zeros.max(*most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_are_exact_and_many_are_near() {
        let mut distinct = Distinct::default();
        for n in 0..100_000u64 {
            distinct.add_bits(n % 1000);
        }
        assert_eq!(distinct.count(), (1000, true));
        for count in [20_000u64, 300_000, 3_000_000] {
            let mut distinct = Distinct::default();
            for n in 0..count {
                distinct.add_bits(n);
            }
            let (found, is_exact) = distinct.count();
            assert!(!is_exact && found.abs_diff(count) * 20 < count, "{count}: {found}");
        }
        let mut texts = Distinct::default();
        for n in 0..30_000 {
            texts.add_bytes(format!("{}", n % 25_000).as_bytes());
        }
        assert!(texts.count().0.abs_diff(25_000) < 1250, "{:?}", texts.count());
    }
}
