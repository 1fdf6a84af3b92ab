//! One column, summed up.

use super::distinct::Distinct;
use super::moments::Moments;
use super::quantiles::Quantiles;
use binfmt::columns::{BytesColumn, Column, ColumnData, ColumnType, ValueRef};
use binfmt::numbers::{Number, NumberType, Numbers};
use binfmt::table::Leaf;
use std::cmp::Ordering;

/// Parts of a histogram.
const BARS: usize = 12;

/// What is known of the values of a column.
#[derive(Debug)]
pub(crate) struct ColumnStats {
    pub(crate) name: String,
    pub(crate) ty: String,
    pub(crate) rows: u64,
    pub(crate) missing: u64,
    /// Numbers that are not a number.
    pub(crate) nan: u64,
    numbers: Option<Sums>,
    low: Option<Least>,
    high: Option<Least>,
    distinct: Option<Distinct>,
}

/// A value that is the least or greatest so far.
#[derive(Clone, Debug)]
pub(crate) enum Least {
    Number(Number),
    Text(Vec<u8>),
}

/// What only numbers have.
#[derive(Debug, Default)]
struct Sums {
    moments: Moments,
    quantiles: Quantiles,
}

impl ColumnStats {
    pub(crate) fn new(leaf: &Leaf) -> Self {
        let plain = match &leaf.ty {
            ColumnType::Nullable { values, .. } | ColumnType::Optional(values) => values,
            ty => ty,
        };
        let is_number = matches!(plain, ColumnType::Number(_));
        let is_text = matches!(plain, ColumnType::Text | ColumnType::Bytes | ColumnType::FixedBytes(_));
        ColumnStats {
            name: leaf.name.clone(),
            ty: leaf.ty.to_string(),
            rows: 0,
            missing: 0,
            nan: 0,
            numbers: is_number.then(Sums::default),
            low: None,
            high: None,
            distinct: (is_number || is_text).then(Distinct::default),
        }
    }

    /// Adds some rows.
    pub(crate) fn add(&mut self, column: &Column) {
        self.rows += column.len() as u64;
        self.add_values(column, None);
    }

    /// Adds the values of those rows that are there.
    fn add_values(&mut self, column: &Column, is_there: Option<&dyn Fn(usize) -> bool>) {
        match column {
            Column::Nullable(v) | Column::Optional(v) => {
                let missing = v.num_missing() as u64;
                self.missing += missing;
                let present = |row: usize| !v.is_missing(row);
                self.add_values(v.values(), if missing == 0 { None } else { Some(&present) });
            }
            Column::Numbers(numbers) => self.add_numbers(numbers, is_there),
            Column::Text(v) | Column::Bytes(v) => self.add_texts(v, is_there),
            other => {
                for row in (0..other.len()).filter(|row| is_there.is_none_or(|is_there| is_there(*row))) {
                    match other.get(row) {
                        Some(ValueRef::Bytes(bytes)) => self.add_text(bytes),
                        Some(ValueRef::Missing(_) | ValueRef::Absent) => self.missing += 1,
                        _ => {}
                    }
                }
            }
        }
    }

    fn add_texts(&mut self, texts: &BytesColumn, is_there: Option<&dyn Fn(usize) -> bool>) {
        let rows = (0..texts.len()).filter(|row| is_there.is_none_or(|is_there| is_there(*row)));
        rows.filter_map(|row| texts.get(row)).for_each(|text| self.add_text(text));
    }

    fn add_text(&mut self, text: &[u8]) {
        if let Some(distinct) = &mut self.distinct {
            distinct.add_bytes(text);
        }
        let is_beyond = |known: &Option<Least>, wanted: Ordering| match known {
            Some(Least::Text(known)) => text.cmp(known) == wanted,
            _ => true,
        };
        if is_beyond(&self.low, Ordering::Less) {
            self.low = Some(Least::Text(text.to_vec()));
        }
        if is_beyond(&self.high, Ordering::Greater) {
            self.high = Some(Least::Text(text.to_vec()));
        }
    }

    fn add_numbers(&mut self, numbers: &Numbers, is_there: Option<&dyn Fn(usize) -> bool>) {
        let there = |row: &usize| is_there.is_none_or(|is_there| is_there(*row));
        let mut values = numbers.f64s();
        if is_there.is_some() {
            let kept = (0..values.len()).filter(there).filter_map(|row| values.get(row).copied());
            values = kept.collect();
        }
        let before = values.len();
        values.retain(|x| !x.is_nan());
        self.nan += (before - values.len()) as u64;
        // what a double does not hold is compared as it is
        let kind = numbers.number_type();
        let is_exact = kind.is_float() || kind.size() < 8;
        let wide = (!is_exact).then(|| (0..numbers.len()).filter(there).filter_map(|row| numbers.get(row)));
        match wide {
            Some(numbers) => {
                for n in numbers {
                    self.bound(n);
                    if let Some(distinct) = &mut self.distinct {
                        match n {
                            Number::I128(n) => distinct.add_bytes(&n.to_le_bytes()),
                            Number::U128(n) => distinct.add_bytes(&n.to_le_bytes()),
                            n => distinct.add_bits(n.as_i128().unwrap_or_default() as u64),
                        }
                    }
                }
            }
            None => {
                let fold = |f: fn(f64, f64) -> f64| values.iter().copied().reduce(f);
                let ends = [fold(f64::min), fold(f64::max)];
                ends.into_iter().flatten().filter_map(|x| of_kind(kind, x)).for_each(|n| self.bound(n));
                if let Some(distinct) = &mut self.distinct {
                    // the two zeros are one number
                    values.iter().for_each(|x| distinct.add_bits((x + 0.0).to_bits()));
                }
            }
        }
        if let Some(sums) = &mut self.numbers {
            sums.moments.add(&values);
            sums.quantiles.add(&values);
        }
    }

    fn bound(&mut self, n: Number) {
        let is_beyond = |known: &Option<Least>, wanted: Ordering| match known {
            Some(Least::Number(known)) => n.compare(*known) == Some(wanted),
            _ => true,
        };
        if is_beyond(&self.low, Ordering::Less) {
            self.low = Some(Least::Number(n));
        }
        if is_beyond(&self.high, Ordering::Greater) {
            self.high = Some(Least::Number(n));
        }
    }

    pub(crate) fn low(&self) -> Option<&Least> {
        self.low.as_ref()
    }

    pub(crate) fn high(&self) -> Option<&Least> {
        self.high.as_ref()
    }

    pub(crate) fn mean(&self) -> Option<f64> {
        self.numbers.as_ref()?.moments.mean()
    }

    pub(crate) fn deviation(&self) -> Option<f64> {
        self.numbers.as_ref()?.moments.deviation()
    }

    /// The values below which a quarter, half, and three quarters of all are.
    pub(crate) fn quarters(&self) -> [Option<f64>; 3] {
        let found = self.numbers.as_ref().map(|sums| sums.quantiles.at(&[0.25, 0.5, 0.75]));
        found.and_then(|found| found.try_into().ok()).unwrap_or_default()
    }

    /// How many different values there are, and whether that is exact.
    pub(crate) fn distinct(&self) -> Option<(u64, bool)> {
        // an estimate knows nothing of how many values there are
        let most = self.rows.saturating_sub(self.missing);
        self.distinct.as_ref().map(Distinct::count).map(|(count, is_exact)| (count.min(most), is_exact))
    }

    /// How many values, about, are in each of some equal parts of the range from the least to the greatest.
    pub(crate) fn histogram(&self) -> Option<Vec<u64>> {
        let (Some(Least::Number(low)), Some(Least::Number(high))) = (&self.low, &self.high) else {
            return None;
        };
        let (low, high) = (low.to_f64(), high.to_f64());
        let is_range = low.is_finite() && high.is_finite() && low < high;
        is_range.then(|| self.numbers.as_ref().map(|sums| sums.quantiles.histogram(low, high, BARS)))?
    }
}

fn of_kind(kind: NumberType, x: f64) -> Option<Number> {
    match kind {
        NumberType::Bool => Some(Number::Bool(x != 0.0)),
        kind if kind.is_float() => Number::from_f64(kind, x),
        kind => Number::from_i128(kind, x as i128),
    }
}
