//! Quantiles of any number of values.

/// That many values are kept of each weight.
const ROOM: usize = 4096;

/// Of that many of the last weights values are kept; those that would weigh less are chosen by chance, one for as many as the least
/// weight says, before any of them is put in order.
const WEIGHTS: usize = 4;

/// Values in their order: all of them up to 4,096, then every second one for two, every fourth for four, and so on (the sketch of
/// Karnin, Lang and Liberty with its sampler). What is told of their ranks is wrong by less than one in a hundred.
#[derive(Debug)]
pub(super) struct Quantiles {
    /// Values that stand for one, for two, for four, ..
    levels: Vec<Vec<f64>>,
    /// How many of the last of them are kept.
    weights: usize,
    /// The least of them that takes values: one in two to this power is chosen.
    base: usize,
    /// How many values the sampler has seen since it chose one, and which it chooses.
    seen: usize,
    chosen: usize,
    chance: u64,
}

impl Quantiles {
    /// Of one of some parts, which are merged: all together choose enough.
    pub(super) fn of_part(parts: usize) -> Self {
        let weights = WEIGHTS.saturating_sub(parts.max(1).ilog2() as usize).max(2);
        Quantiles { levels: Vec::new(), weights, base: 0, seen: 0, chosen: 0, chance: 0 }
    }

    pub(super) fn add(&mut self, mut block: &[f64]) {
        while !block.is_empty() {
            let (part, rest) = block.split_at(block.len().min(ROOM));
            if self.base == 0 {
                self.push(0, part);
            } else {
                self.sample(part);
            }
            block = rest;
        }
    }

    /// One of every so many values.
    fn sample(&mut self, part: &[f64]) {
        let (base, step) = (self.base, 1 << self.base);
        let mut kept = Vec::with_capacity(part.len() / step + 1);
        let mut begin = 0;
        while begin < part.len() {
            let end = part.len().min(begin + step - self.seen);
            // the place in this part, if it is there
            let place =
                (begin + self.chosen).checked_sub(self.seen).filter(|place| (begin..end).contains(place));
            kept.extend(place.and_then(|place| part.get(place)));
            self.seen += end - begin;
            if self.seen == step {
                (self.seen, self.chosen) = (0, self.below(step));
            }
            begin = end;
        }
        self.push(base, &kept);
    }

    /// A number below a power of two, by chance (xorshift): the same ones each time.
    fn below(&mut self, power: usize) -> usize {
        let mut x = self.chance.max(1);
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.chance = x;
        (x >> 20) as usize & (power - 1)
    }

    fn push(&mut self, level: usize, values: &[f64]) {
        if self.levels.len() <= level {
            self.levels.resize_with(level + 1, Vec::new);
        }
        let Some(own) = self.levels.get_mut(level) else { return };
        own.extend_from_slice(values);
        if own.len() > ROOM {
            self.halve(level);
        }
    }

    /// Every second value of a level goes to the next one.
    fn halve(&mut self, level: usize) {
        let Some(own) = self.levels.get_mut(level) else { return };
        own.sort_unstable_by(f64::total_cmp);
        // an odd one out stays
        let kept = if own.len() % 2 == 1 { own.pop() } else { None };
        let all = std::mem::take(own);
        own.extend(kept);
        let first = self.below(2);
        let half: Vec<f64> = all.into_iter().skip(first).step_by(2).collect();
        self.push(level + 1, &half);
        while self.levels.len() > self.base + self.weights {
            let least = self.base;
            self.base += 1;
            (self.seen, self.chosen) = (0, self.below(1 << self.base));
            self.halve(least);
        }
    }

    /// Adds what another one has seen.
    pub(super) fn merge(&mut self, other: Quantiles) {
        for (level, values) in other.levels.into_iter().enumerate() {
            values.chunks(ROOM).for_each(|part| self.push(level, part));
        }
    }

    /// Whether all values are kept.
    fn is_exact(&self) -> bool {
        self.levels.len() <= 1
    }

    /// The kept values in their order, and for how many each stands.
    fn sorted(&self) -> Vec<(f64, u64)> {
        let of_level = |(level, values): (usize, &Vec<f64>)| {
            values.iter().map(move |value| (*value, 1u64 << level.min(63))).collect::<Vec<_>>()
        };
        let mut all: Vec<(f64, u64)> = self.levels.iter().enumerate().flat_map(of_level).collect();
        all.sort_unstable_by(|(a, _), (b, _)| a.total_cmp(b));
        all
    }

    /// The values below which these parts of all are; between two values where all are kept.
    pub(super) fn at(&self, parts: &[f64]) -> Vec<Option<f64>> {
        let sorted = self.sorted();
        let all: u64 = sorted.iter().map(|(_, weight)| weight).sum();
        let one = |part: &f64| -> Option<f64> {
            if self.is_exact() {
                let place = part * (sorted.len().checked_sub(1)? as f64);
                let (low, _) = sorted.get(place as usize)?;
                let high = sorted.get(place as usize + 1).map_or(low, |(high, _)| high);
                // also between infinities
                return Some(if low == high {
                    *low
                } else {
                    low * (1.0 - place.fract()) + high * place.fract()
                });
            }
            let rank = part * all as f64;
            let mut before = 0.0;
            let found = sorted.iter().find(|(_, weight)| {
                before += *weight as f64;
                before >= rank
            });
            found.or(sorted.last()).map(|(value, _)| *value)
        };
        parts.iter().map(one).collect()
    }

    /// How many values there are, about, in each of some parts of a range.
    pub(super) fn histogram(&self, low: f64, high: f64, parts: usize) -> Vec<u64> {
        let mut counts = vec![0; parts];
        let wide = high - low;
        for (value, weight) in self.sorted() {
            let place = if wide > 0.0 { (value - low) / wide * parts as f64 } else { 0.0 };
            if let Some(count) = counts.get_mut((place as usize).min(parts.saturating_sub(1))) {
                *count += weight;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_are_exact() {
        let mut few = Quantiles::of_part(1);
        assert_eq!(few.at(&[0.5]), [None]);
        few.add(&[4.0, 1.0, 3.0, 2.0]);
        assert_eq!(few.at(&[0.0, 0.25, 0.5, 1.0]), [Some(1.0), Some(1.75), Some(2.5), Some(4.0)]);
        assert_eq!(few.histogram(1.0, 4.0, 3), [1, 1, 2]);
    }

    #[test]
    fn many_values_are_near() {
        for step in [1u64, 7919, 524_287] {
            let mut many = Quantiles::of_part(1);
            let count = 1_000_000u64;
            let values: Vec<f64> = (0..count).map(|n| (n * step % count) as f64).collect();
            values.chunks(8192).for_each(|block| many.add(block));
            let part = |values: &[f64]| {
                let mut part = Quantiles::of_part(8);
                values.chunks(1000).for_each(|block| part.add(block));
                part
            };
            let parts = values.chunks(values.len() / 8).map(part);
            let merged = parts.reduce(|mut all, part| {
                all.merge(part);
                all
            });
            let merged = merged.unwrap();
            for part in [0.01, 0.25, 0.5, 0.75, 0.99] {
                let found = many.at(&[part])[0].unwrap() / count as f64;
                assert!((found - part).abs() < 0.005, "{part}: {found}");
                let found = merged.at(&[part])[0].unwrap() / count as f64;
                assert!((found - part).abs() < 0.005, "{part}: {found}");
            }
            assert!(many.base > 0 && many.levels.iter().map(Vec::len).sum::<usize>() < (WEIGHTS + 1) * ROOM);
            let histogram = many.histogram(0.0, count as f64, 10);
            assert!(histogram.iter().all(|n| n.abs_diff(100_000) < 5000), "{histogram:?}");
        }
    }
}
