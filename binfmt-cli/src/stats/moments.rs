//! Mean and deviation of numbers that come in blocks.

/// Mean, and the sum of the squares of what differs from it: of blocks, put together without loss of digits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    /// Those of some numbers.
    pub(super) fn new(count: f64, mean: f64, squares: f64) -> Self {
        Moments { count, mean, squares }
    }

    /// Adds the numbers that others are of.
    pub(super) fn merge(&mut self, other: Moments) {
        if self.count == 0.0 || other.count == 0.0 {
            *self = if self.count == 0.0 { other } else { *self };
            return;
        }
        let all = self.count + other.count;
        let apart = other.mean - self.mean;
        if apart.is_finite() {
            self.squares += other.squares + apart * apart * self.count * other.count / all;
            self.mean += apart * other.count / all;
        } else {
            self.squares += other.squares + apart * apart;
            self.mean = self.mean * (self.count / all) + other.mean * (other.count / all);
        }
        self.count = all;
    }

    pub(super) fn mean(&self) -> Option<f64> {
        (self.count > 0.0).then_some(self.mean)
    }

    /// The standard deviation, as estimated from a sample: of one value there is none.
    pub(super) fn deviation(&self) -> Option<f64> {
        (self.count > 1.0).then(|| (self.squares / (self.count - 1.0)).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::super::exact::exact;
    use super::*;

    fn of(block: &[f64]) -> Moments {
        exact(block, block).map(|found| found.moments).unwrap_or_default()
    }

    #[test]
    fn blocks_are_as_good_as_all_at_once() {
        let values: Vec<f64> = (0..1000).map(|n| 1e9 + f64::from(n * n % 97)).collect();
        let (mut whole, mut parts) = (Moments::default(), Moments::default());
        whole.merge(of(&values));
        values.chunks(7).for_each(|block| parts.merge(of(block)));
        parts.merge(of(&[]));
        let near = |a: Option<f64>, b: f64| (a.unwrap() - b).abs() <= b.abs() * 1e-9;
        assert!(near(parts.mean(), whole.mean().unwrap()));
        assert!(near(parts.deviation(), whole.deviation().unwrap()));
        let mut large = Moments::default();
        large.merge(of(&[1.5e308, 1.5e308]));
        large.merge(of(&[-1.5e308, -1.5e308]));
        // beyond what a number holds
        assert_eq!((large.mean(), large.deviation()), (Some(0.0), Some(f64::INFINITY)));
        let mut few = Moments::default();
        assert_eq!((few.mean(), few.deviation()), (None, None));
        few.merge(of(&[2.0]));
        assert_eq!((few.mean(), few.deviation()), (Some(2.0), None));
        few.merge(of(&[4.0]));
        assert_eq!((few.mean(), few.deviation()), (Some(3.0), Some(2f64.sqrt())));
    }
}
