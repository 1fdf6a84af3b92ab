//! Quantiles of any number of values.

/// That many values are kept of each weight.
const ROOM: usize = 4096;

/// Values in their order: all of them up to 4,096, then every second one for two, every fourth for four, and so on. What is
/// told of their ranks is wrong by less than one in a hundred.
#[derive(Debug, Default)]
pub(super) struct Quantiles {
    /// Values that stand for one, for two, for four, ..
    levels: Vec<Vec<f64>>,
    count: u64,
    is_odd: bool,
}

impl Quantiles {
    pub(super) fn add(&mut self, block: &[f64]) {
        self.count += block.len() as u64;
        for part in block.chunks(ROOM) {
            self.push(0, part);
        }
    }

    fn push(&mut self, level: usize, values: &[f64]) {
        if self.levels.len() <= level {
            self.levels.push(Vec::new());
        }
        let Some(own) = self.levels.get_mut(level) else { return };
        own.extend_from_slice(values);
        if own.len() <= ROOM {
            return;
        }
        own.sort_unstable_by(f64::total_cmp);
        // an odd one out stays
        let kept = if own.len() % 2 == 1 { own.pop() } else { None };
        let all = std::mem::take(own);
        own.extend(kept);
        self.is_odd = !self.is_odd;
        let half: Vec<f64> = all.iter().skip(usize::from(self.is_odd)).step_by(2).copied().collect();
        self.push(level + 1, &half);
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
            let rank = part * self.count as f64;
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
        let mut few = Quantiles::default();
        assert_eq!(few.at(&[0.5]), [None]);
        few.add(&[4.0, 1.0, 3.0, 2.0]);
        assert_eq!(few.at(&[0.0, 0.25, 0.5, 1.0]), [Some(1.0), Some(1.75), Some(2.5), Some(4.0)]);
        assert_eq!(few.histogram(1.0, 4.0, 3), [1, 1, 2]);
    }

    #[test]
    fn many_values_are_near() {
        for step in [1u64, 7919, 524_287] {
            let mut many = Quantiles::default();
            let count = 1_000_000u64;
            let values: Vec<f64> = (0..count).map(|n| (n * step % count) as f64).collect();
            values.chunks(8192).for_each(|block| many.add(block));
            for part in [0.01, 0.25, 0.5, 0.75, 0.99] {
                let found = many.at(&[part])[0].unwrap() / count as f64;
                assert!((found - part).abs() < 0.005, "{part}: {found}");
            }
            assert!(many.levels.iter().map(Vec::len).sum::<usize>() < 16 * ROOM);
            let histogram = many.histogram(0.0, count as f64, 10);
            assert!(histogram.iter().all(|n| n.abs_diff(100_000) < 5000), "{histogram:?}");
        }
    }
}
