//! Quantiles of any number of values.

/// That many values are kept at most.
const ROOM: usize = 1 << 16;

/// Of each of several parts, which are merged, that many are kept at least.
const LEAST_ROOM: usize = 1 << 14;

/// Where chance begins: the same each time.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// All values up to 65,536 of them, then one of every two, of every four, and so on, each chosen by chance from those that it stands
/// for. Half as many are always kept, so that what is told of their ranks is wrong by less than one in a hundred, or of parts of very different
/// lengths, which keep a quarter as many, by some one in a hundred.
#[derive(Debug)]
pub(super) struct Quantiles {
    kept: Vec<f64>,
    room: usize,
    /// Each kept value stands for that many, a power of two: those that came after the ones of the value before it.
    step: usize,
    /// Which of the next ones is chosen.
    chosen: usize,
    /// How many values come before that one.
    before: usize,
    chance: u64,
}

impl Quantiles {
    /// Of one of some parts, which are merged: all together keep enough.
    pub(super) fn of_part(parts: usize) -> Self {
        let room = ROOM.checked_div(parts).unwrap_or(ROOM).max(LEAST_ROOM) & !1;
        Quantiles { kept: Vec::new(), room, step: 1, chosen: 0, before: 0, chance: SEED }
    }

    pub(super) fn add(&mut self, block: &[f64]) {
        while let Some(value) = block.get(self.before) {
            // where the values end that the chosen one is of
            let mut end = self.before + self.step - self.chosen;
            if self.kept.len() < self.room {
                self.kept.push(*value);
            } else {
                self.halve();
                // it is of twice as many now
                if self.below(2) == 0 {
                    self.kept.push(*value);
                    end += self.step / 2;
                } else {
                    self.chosen = self.below(self.step / 2) + self.step / 2;
                    self.before = end + self.chosen - self.step / 2;
                    continue;
                }
            }
            self.chosen = self.below(self.step);
            self.before = end + self.chosen;
        }
        self.before -= block.len();
    }

    /// A number below a power of two, by chance (xorshift).
    fn below(&mut self, power: usize) -> usize {
        let mut x = self.chance;
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.chance = x;
        (x >> 20) as usize & (power - 1)
    }

    /// Keeps one of every two values.
    fn halve(&mut self) {
        let len = self.kept.len();
        for to in 0..len.div_ceil(2) {
            let from = (to * 2 + self.below(2)).min(len - 1);
            self.kept.swap(to, from);
        }
        self.kept.truncate(len.div_ceil(2));
        self.step *= 2;
    }

    /// Adds what another one has seen.
    pub(super) fn merge(&mut self, mut other: Quantiles) {
        self.room = ROOM;
        while self.step < other.step {
            self.halve();
        }
        while other.step < self.step {
            other.halve();
        }
        self.kept.append(&mut other.kept);
        while self.kept.len() > self.room {
            self.halve();
        }
    }

    /// The values below which these parts of all are; between two values.
    pub(super) fn at(&self, parts: &[f64]) -> Vec<Option<f64>> {
        let mut kept = self.kept.clone();
        let mut one = |part: &f64| -> Option<f64> {
            let place = part * (kept.len().checked_sub(1)? as f64);
            let (_, low, above) = kept.select_nth_unstable_by(place as usize, f64::total_cmp);
            let (low, high) = (*low, above.iter().copied().min_by(f64::total_cmp).unwrap_or(*low));
            // also between infinities
            Some(if low == high { low } else { low * (1.0 - place.fract()) + high * place.fract() })
        };
        parts.iter().map(&mut one).collect()
    }

    /// How many values there are, about, in each of some equal parts of a range.
    pub(super) fn histogram(&self, low: f64, high: f64, parts: usize) -> Vec<u64> {
        let mut counts = vec![0; parts];
        let wide = high - low;
        for value in &self.kept {
            let place = if wide > 0.0 { (value - low) / wide * parts as f64 } else { 0.0 };
            if let Some(count) = counts.get_mut((place as usize).min(parts.saturating_sub(1))) {
                *count += self.step as u64;
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
        let mut all = Quantiles::of_part(1);
        let values: Vec<f64> = (0..=65_535).rev().map(f64::from).collect();
        values.chunks(1000).for_each(|block| all.add(block));
        assert_eq!(all.at(&[0.0, 0.5, 1.0]), [Some(0.0), Some(32_767.5), Some(65_535.0)]);
    }

    #[test]
    fn many_values_are_near() {
        for step in [1u64, 7919, 524_287] {
            let mut many = Quantiles::of_part(1);
            let count = 1_000_000u64;
            let values: Vec<f64> = (0..count).map(|n| (n * step % count) as f64).collect();
            values.chunks(1024).for_each(|block| many.add(block));
            let part = |values: &[f64]| {
                let mut part = Quantiles::of_part(8);
                values.chunks(1000).for_each(|block| part.add(block));
                part
            };
            // parts of one size, and of different sizes
            let cuts = [[125_000; 8], [900_000, 1, 10, 1000, 20_000, 50_000, 28_000, 989]];
            let all = cuts.map(|cut| {
                let mut rest = &values[..];
                let parts = cut.map(|len| {
                    let (own, after) = rest.split_at(len);
                    rest = after;
                    part(own)
                });
                let merged = parts.into_iter().reduce(|mut all, part| {
                    all.merge(part);
                    all
                });
                merged.unwrap()
            });
            for some in all.iter().chain([&many]) {
                assert!(some.kept.len() > LEAST_ROOM / 2 && some.kept.len() <= ROOM, "{}", some.kept.len());
                let total = (some.kept.len() * some.step) as u64;
                assert!(total.abs_diff(count) < count / 1000, "{total}");
                for part in [0.01, 0.25, 0.5, 0.75, 0.99] {
                    let found = some.at(&[part])[0].unwrap() / count as f64;
                    assert!((found - part).abs() < 0.01, "{part}: {found}");
                }
                let histogram = some.histogram(0.0, count as f64, 10);
                assert!(histogram.iter().all(|n| n.abs_diff(100_000) < 5000), "{histogram:?}");
            }
        }
    }

    #[test]
    fn each_value_is_as_likely_as_another() {
        // of values in a circle of as many as are kept for one, each comes as often
        let mut found = Quantiles::of_part(1);
        let values: Vec<f64> = (0..1u32 << 22).map(|n| f64::from(n % 64)).collect();
        values.chunks(1024).for_each(|block| found.add(block));
        let histogram = found.histogram(0.0, 64.0, 64);
        assert!(histogram.iter().all(|n| n.abs_diff(1 << 16) < 1 << 14), "{histogram:?}");
    }

    #[test]
    fn parts_of_few_values_are_exact() {
        let parts = (0..8).map(|i| {
            let mut part = Quantiles::of_part(8);
            let values: Vec<f64> = (0..5000).map(|n| f64::from(n * 8 + i)).collect();
            values.chunks(1000).for_each(|block| part.add(block));
            part
        });
        let merged = parts.reduce(|mut all, part| {
            all.merge(part);
            all
        });
        assert_eq!(merged.unwrap().at(&[0.0, 0.5, 1.0]), [Some(0.0), Some(19_999.5), Some(39_999.0)]);
    }
}
