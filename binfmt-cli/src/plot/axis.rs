//! An axis: its range, and where its marks are.

/// The range of values along a side of the picture.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) is_log: bool,
    pub(super) ticks: Vec<Tick>,
    /// The numbers at the marks are of so many powers of ten.
    pub(super) power: i32,
    /// Of an axis of dates the day of its marks, empty where they say it.
    pub(super) day: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    /// Empty for a mark without a number.
    pub(super) label: String,
}

/// What an axis is for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) is_log: bool,
    /// The part of the range that is left free at both ends.
    pub(super) margin: f64,
    /// The most marks with numbers.
    pub(super) most: usize,
}

impl Axis {
    /// One for all of these values; those that are not finite, or not positive on a logarithmic axis, do not count.
    pub(super) fn of(values: impl Iterator<Item = f64>, shape: Shape) -> Self {
        let counts = values.filter(|x| x.is_finite() && (!shape.is_log || *x > 0.0));
        let range = counts.fold(None, |range: Option<(f64, f64)>, x| match range {
            None => Some((x, x)),
            Some((low, high)) => Some((low.min(x), high.max(x))),
        });
        let (low, high) = range.unwrap_or(if shape.is_log { (1.0, 10.0) } else { (0.0, 1.0) });
        Self::between(low, high, shape)
    }

    pub(super) fn between(low: f64, high: f64, shape: Shape) -> Self {
        // the greatest numbers have no difference
        let (low, high) = (low.max(f64::MIN / 8.0), high.min(f64::MAX / 8.0));
        let (ticks, day) = (Vec::new(), None);
        let axis = Axis { low, high, is_log: shape.is_log, ticks, power: 0, day };
        if shape.is_log { axis.logarithmic(shape) } else { axis.linear(shape) }
    }

    fn linear(mut self, shape: Shape) -> Self {
        let greatest = self.low.abs().max(self.high.abs());
        // a range that numbers cannot divide
        if self.high - self.low <= (greatest * 1e-13).max(1e-290) {
            let half = if greatest < 1e-289 { 0.5 } else { greatest * 0.1 };
            (self.low, self.high) = (self.low - half, self.high + half);
        }
        let margin = (self.high - self.low) * shape.margin;
        (self.low, self.high) = (self.low - margin, self.high + margin);
        let step = nice((self.high - self.low) / shape.most.max(1) as f64);
        let greatest = self.low.abs().max(self.high.abs());
        if !(1e-3..1e5).contains(&greatest) {
            self.power = (greatest.log10().floor() / 3.0).floor() as i32 * 3;
        }
        let unit = 10_f64.powi(self.power);
        let decimals = (-(step / unit).log10() - 1e-9).ceil().clamp(0.0, 12.0) as usize;
        let first = (self.low / step - 1e-9).ceil();
        let mut n = first;
        while n * step <= self.high + step * 1e-9 && n - first <= 50.0 {
            // no -0
            let value = n * step + 0.0;
            self.ticks
                .push(Tick { value, label: format!("{:.decimals$}", value / unit).replace('-', "−") });
            n += 1.0;
        }
        self
    }

    /// The same for what is counted: a mark between two whole numbers stands for nothing.
    pub(super) fn in_whole_numbers(mut self) -> Self {
        if self.power == 0 && self.ticks.iter().any(|tick| tick.value.fract() != 0.0) {
            let numbers = self.low.ceil() as i64..=self.high.floor() as i64;
            let tick = |n: i64| Tick { value: n as f64, label: n.to_string().replace('-', "−") };
            self.ticks = numbers.map(tick).collect();
        }
        self
    }

    fn logarithmic(mut self, shape: Shape) -> Self {
        if self.high / self.low < 1.0 + 1e-9 {
            (self.low, self.high) = (self.low / 2.0, self.high * 2.0);
        }
        let margin = (self.high.log10() - self.low.log10()) * shape.margin;
        let factor = 10_f64.powf(margin);
        (self.low, self.high) = (self.low / factor, self.high * factor);
        let decades = self.high.log10() - self.low.log10();
        if decades <= 0.7 {
            // powers of ten are too far from each other
            let even = self.clone().linear(Shape { margin: 0.0, ..shape });
            return Axis { ticks: even.ticks, power: even.power, ..self };
        }
        let (from, to) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let every = (decades / shape.most.max(1) as f64).ceil().max(1.0) as i32;
        for exponent in from..=to {
            for digit in 1..=9 {
                let value = f64::from(digit) * 10_f64.powi(exponent);
                if value < self.low * (1.0 - 1e-9) || value > self.high * (1.0 + 1e-9) {
                    continue;
                }
                let is_labelled = match digit {
                    1 => exponent.rem_euclid(every) == 0,
                    2 | 5 => decades <= 2.0,
                    _ => false,
                };
                if is_labelled || decades <= 6.0 || digit == 1 {
                    let label = if is_labelled { power_of_ten(digit, exponent) } else { String::new() };
                    self.ticks.push(Tick { value, label });
                }
            }
        }
        self
    }

    /// Where a value is, from 0 to 1; `None` where it is nowhere.
    pub(super) fn place(&self, value: f64) -> Option<f64> {
        let at = match self.is_log {
            true => (value.log10() - self.low.log10()) / (self.high.log10() - self.low.log10()),
            false => (value - self.low) / (self.high - self.low),
        };
        (value.is_finite() && at.is_finite()).then_some(at)
    }
}

/// 1, 2 or 5 times a power of ten, and no less.
fn nice(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let digit = [1.0, 2.0, 5.0].into_iter().find(|digit| digit * power >= step * (1.0 - 1e-9));
    digit.unwrap_or(10.0) * power
}

/// `0.02`, `500`, `10⁶`.
fn power_of_ten(digit: i32, exponent: i32) -> String {
    match exponent {
        -3..=-1 => {
            format!("{:.*}", exponent.unsigned_abs() as usize, f64::from(digit) * 10_f64.powi(exponent))
        }
        0..=4 => (i64::from(digit) * 10_i64.pow(exponent.unsigned_abs())).to_string(),
        _ if digit == 1 => format!("10{}", raised(exponent)),
        _ => format!("{digit}×10{}", raised(exponent)),
    }
}

/// A number in small digits.
pub(super) fn raised(n: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let small = |c: char| c.to_digit(10).and_then(|digit| DIGITS.get(digit as usize)).copied().unwrap_or('⁻');
    n.to_string().chars().map(small).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, is_log: bool) -> (Vec<String>, i32) {
        let axis = Axis::between(low, high, Shape { is_log, margin: 0.0, most: 6 });
        let labels = axis.ticks.iter().map(|tick| tick.label.clone()).filter(|label| !label.is_empty());
        (labels.collect(), axis.power)
    }

    #[test]
    fn numbers_are_round() {
        assert_eq!(labels(0.0, 1.75, false).0, ["0.0", "0.5", "1.0", "1.5"]);
        assert_eq!(labels(-3.0, 3.0, false).0, ["−3", "−2", "−1", "0", "1", "2", "3"]);
        assert_eq!(labels(0.0, 5e6, false), (["0", "1", "2", "3", "4", "5"].map(Into::into).into(), 6));
        assert_eq!(labels(0.0, 2e-5, false), (["0", "5", "10", "15", "20"].map(Into::into).into(), -6));
        assert_eq!(labels(7.0, 7.0, false).0, ["6.5", "7.0", "7.5"]);
        assert_eq!(labels(0.0, 0.0, false).0.first().unwrap(), "−0.4");
        // what has no difference, and what has too much
        for (low, high) in [(f64::MIN, f64::MAX), (1e16, 1e16 + 2.0), (5e-324, 1e-323), (-0.0, 0.0)] {
            let (labels, _) = labels(low, high, false);
            assert!((1..=60).contains(&labels.len()), "{low} {high}: {labels:?}");
        }
    }

    #[test]
    fn what_is_counted_has_whole_numbers() {
        let whole = |low, high, most| {
            let axis =
                Axis::between(low, high, Shape { is_log: false, margin: 0.0, most }).in_whole_numbers();
            axis.ticks.into_iter().map(|tick| tick.label).collect::<Vec<_>>()
        };
        assert_eq!(whole(-0.5, 3.5, 8), ["0", "1", "2", "3"]);
        assert_eq!(whole(-0.5, 0.5, 8), ["0"]);
        assert_eq!(whole(-0.5, 5.5, 6), ["0", "1", "2", "3", "4", "5"]);
        assert_eq!(whole(-0.5, 2599.5, 6), ["0", "500", "1000", "1500", "2000", "2500"]);
    }

    #[test]
    fn powers_of_ten() {
        assert_eq!(labels(1.0, 1000.0, true).0, ["1", "10", "100", "1000"]);
        assert_eq!(labels(1e-6, 1e6, true).0, ["10⁻⁶", "10⁻⁴", "0.01", "1", "100", "10000", "10⁶"]);
        assert_eq!(labels(2.0, 9.0, true).0, ["2", "4", "6", "8"]);
        assert_eq!(labels(3.0, 3.0, true).0, ["2", "3", "4", "5", "6"]);
        assert!(labels(1e-300, 1e300, true).0.len() <= 8);
    }

    #[test]
    fn places() {
        let log = Axis::between(1.0, 100.0, Shape { is_log: true, margin: 0.0, most: 5 });
        assert_eq!(log.place(10.0), Some(0.5));
        assert_eq!((log.place(0.0), log.place(-1.0), log.place(f64::NAN)), (None, None, None));
        let none =
            Axis::of([f64::NAN, f64::INFINITY].into_iter(), Shape { is_log: false, margin: 0.1, most: 5 });
        assert_eq!((none.low, none.high), (-0.1, 1.1));
        let some = Axis::of([0.0, -1.0, 2.0, 8.0].into_iter(), Shape { is_log: true, margin: 0.0, most: 5 });
        assert_eq!((some.low, some.high), (2.0, 8.0));
    }
}
