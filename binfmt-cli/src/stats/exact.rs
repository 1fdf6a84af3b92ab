//! What is exact of a block of numbers: the least and the greatest, and how they are around their mean.

use super::moments::Moments;
use binfmt::numbers::{Element, Loop, in_wide_vectors};

/// Sums and ends are found in so many lanes, of which each has every so many-th number, and then of the lanes in their order: one after the
/// other each number would wait for the one before.
const LANES: usize = 16;

/// What is known of a block of numbers.
pub(super) struct Exact<T> {
    pub(super) low: T,
    pub(super) high: T,
    pub(super) moments: Moments,
    /// Whether one may be NaN: then the others hold only without it.
    pub(super) is_doubtful: bool,
}

/// Looks at some numbers and the doubles next to them; `None` if there are none.
pub(super) fn exact<T: Element>(values: &[T], doubles: &[f64]) -> Option<Exact<T>> {
    let first = *values.first()?;
    Some(in_wide_vectors(Block { values, doubles, first }))
}

struct Block<'a, T> {
    values: &'a [T],
    doubles: &'a [f64],
    first: T,
}

impl<T: Element> Loop for Block<'_, T> {
    type Found = Exact<T>;

    // one loop for each: the lanes of several do not fit in registers
    #[inline(always)]
    fn run(self) -> Exact<T> {
        let Block { values, doubles, first } = self;
        let less = |a: T, b: T| if a < b { a } else { b };
        let more = |a: T, b: T| if a > b { a } else { b };
        let low = in_lanes(values, first, |low, value| less(value, low), less);
        let high = in_lanes(values, first, |high, value| more(value, high), more);
        let sum = in_lanes(doubles, 0.0, |sum, x| sum + x, |a, b| a + b);
        let count = doubles.len() as f64;
        // the sum of numbers may be beyond all of them, where their mean is not
        let mean = if sum.is_finite() { sum / count } else { doubles.iter().map(|x| x / count).sum() };
        let squares = in_lanes(doubles, 0.0, |sum, x| sum + (x - mean) * (x - mean), |a, b| a + b);
        let moments = Moments::new(count, mean, squares);
        Exact { low, high, moments, is_doubtful: sum.is_nan() }
    }
}

#[inline(always)]
fn in_lanes<T: Copy, A: Copy>(
    values: &[T],
    first: A,
    add: impl Fn(A, T) -> A,
    join: impl Fn(A, A) -> A,
) -> A {
    let (blocks, rest) = values.as_chunks::<LANES>();
    let mut lanes = [first; LANES];
    for block in blocks {
        lanes.iter_mut().zip(block).for_each(|(lane, value)| *lane = add(*lane, *value));
    }
    lanes.iter_mut().zip(rest).for_each(|(lane, value)| *lane = add(*lane, *value));
    lanes.into_iter().fold(first, join)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_any_length_are_looked_at() {
        let values: Vec<f64> = (0..100).map(|n| f64::from(n * 37 % 101) - 50.0).collect();
        for len in 1..100 {
            let some = &values[..len];
            let found = exact(some, some).unwrap();
            assert_eq!(found.low, some.iter().copied().fold(f64::INFINITY, f64::min), "{len}");
            assert_eq!(found.high, some.iter().copied().fold(f64::NEG_INFINITY, f64::max), "{len}");
            let mean = some.iter().sum::<f64>() / len as f64;
            assert!((found.moments.mean().unwrap() - mean).abs() < 1e-12, "{len}");
            assert!(!found.is_doubtful);
        }
        assert!(exact::<f64>(&[], &[]).is_none());
        for at in 0..50 {
            let mut some = values[..50].to_vec();
            some[at] = f64::NAN;
            assert!(exact(&some, &some).unwrap().is_doubtful, "{at}");
        }
    }

    #[test]
    fn wide_vectors_change_no_bit() {
        let values: Vec<f64> = (0..1000).map(|n| (f64::from(n) * 0.7).sin() * 1e3).collect();
        for len in [1000, 999, 17, 3] {
            let some = || Block { values: &values[..len], doubles: &values[..len], first: values[0] };
            let (wide, plain) = (in_wide_vectors(some()), some().run());
            assert_eq!((wide.low, wide.high), (plain.low, plain.high));
            let bits =
                |moments: Moments| (moments.mean().map(f64::to_bits), moments.deviation().map(f64::to_bits));
            assert_eq!(bits(wide.moments), bits(plain.moments));
        }
    }
}
