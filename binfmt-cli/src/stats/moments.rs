//! Mean and deviation of numbers that come in blocks.

/// Mean, and the sum of the squares of what differs from it: of blocks, put together without loss of digits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    pub(super) fn add(&mut self, block: &[f64]) {
        if block.is_empty() {
            return;
        }
        let count = block.len() as f64;
        let sum = block.iter().sum::<f64>();
        // the sum of numbers may be beyond all of them, where their mean is not
        let mean = if sum.is_finite() { sum / count } else { block.iter().map(|x| x / count).sum() };
        let squares = block.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
        let all = self.count + count;
        let apart = mean - self.mean;
        if self.count == 0.0 {
            (self.mean, self.squares) = (mean, squares);
        } else if apart.is_finite() {
            self.squares += squares + apart * apart * self.count * count / all;
            self.mean += apart * count / all;
        } else {
            self.squares += squares + apart * apart;
            self.mean = self.mean * (self.count / all) + mean * (count / all);
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
    use super::*;

    #[test]
    fn blocks_are_as_good_as_all_at_once() {
        let values: Vec<f64> = (0..1000).map(|n| 1e9 + f64::from(n * n % 97)).collect();
        let (mut whole, mut parts) = (Moments::default(), Moments::default());
        whole.add(&values);
        values.chunks(7).for_each(|block| parts.add(block));
        let near = |a: Option<f64>, b: f64| (a.unwrap() - b).abs() <= b.abs() * 1e-9;
        assert!(near(parts.mean(), whole.mean().unwrap()));
        assert!(near(parts.deviation(), whole.deviation().unwrap()));
        let mut large = Moments::default();
        large.add(&[1.5e308, 1.5e308]);
        large.add(&[-1.5e308, -1.5e308]);
        assert_eq!(large.mean(), Some(0.0));
        let mut few = Moments::default();
        assert_eq!((few.mean(), few.deviation()), (None, None));
        few.add(&[2.0]);
        assert_eq!((few.mean(), few.deviation()), (Some(2.0), None));
        few.add(&[4.0]);
        assert_eq!((few.mean(), few.deviation()), (Some(3.0), Some(2f64.sqrt())));
    }
}
