//! One column, summed up.

use super::distinct::{Distinct, Limits};
use super::doubles::{BLOCK, doubles};
use super::ends::{Ends, Least};
use super::exact::{Exact, exact};
use super::hashes;
use super::items::{Items, element};
use super::meaning::{Meaning, Meant};
use super::moments::Moments;
use super::quantiles::Quantiles;
use super::there::{is_there, of_items, present};
use crate::tabular::Part;
use binfmt::columns::{BytesColumn, Column, ColumnData, ColumnType, ValueRef};
use binfmt::numbers::{Element, F16, Numbers};
use binfmt::table::Leaf;

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
    /// Of lists.
    items: Items,
    meaning: Meaning,
    numbers: Option<Sums>,
    ends: Ends,
    distinct: Option<Distinct>,
}

/// What only numbers have.
#[derive(Debug)]
struct Sums {
    moments: Moments,
    /// `None` where only what is exact is wanted.
    quantiles: Option<Quantiles>,
}

impl ColumnStats {
    /// Nothing, of one of some parts that are merged; a brief one has only what is exact.
    pub(crate) fn new(
        (leaf, meaning): (&Leaf, Meaning),
        part: Part,
        limits: &Limits,
        is_brief: bool,
    ) -> Self {
        let plain = element(&leaf.ty);
        let is_number = matches!(plain, ColumnType::Number(_)) && meaning != Meaning::Complex;
        let is_text = matches!(plain, ColumnType::Text | ColumnType::Bytes | ColumnType::FixedBytes(_));
        let quantiles = || (!is_brief).then(|| Quantiles::of_part(part.of));
        let distinct = || Distinct::of_part(part.number, limits.clone());
        let sums = || Sums { moments: Moments::default(), quantiles: quantiles() };
        ColumnStats {
            name: leaf.name.clone(),
            ty: leaf.ty.to_string(),
            rows: 0,
            missing: 0,
            nan: 0,
            items: Items::of(&leaf.ty, meaning == Meaning::Complex),
            meaning,
            numbers: is_number.then(sums),
            ends: Ends::default(),
            distinct: (!is_brief && (is_number || is_text)).then(distinct),
        }
    }

    /// Adds some rows.
    pub(crate) fn add(&mut self, column: &Column) {
        self.rows += column.len() as u64;
        self.add_values(column, None);
    }

    /// Adds what is known of other rows of the same column.
    pub(crate) fn merge(&mut self, other: ColumnStats) {
        self.rows += other.rows;
        self.missing += other.missing;
        self.nan += other.nan;
        self.items.merge(other.items);
        self.ends.merge(other.ends);
        if let (Some(sums), Some(more)) = (&mut self.numbers, other.numbers) {
            sums.moments.merge(more.moments);
            if let (Some(quantiles), Some(more)) = (&mut sums.quantiles, more.quantiles) {
                quantiles.merge(more);
            }
        }
        if let (Some(distinct), Some(more)) = (&mut self.distinct, other.distinct) {
            distinct.merge(more);
        }
    }

    /// Adds the values of those rows that are there.
    fn add_values(&mut self, column: &Column, there: Option<&[bool]>) {
        match column {
            Column::Nullable(v) | Column::Optional(v) => {
                let own = v.codes().iter().map(|code| *code == v.present());
                let own: Vec<bool> = match there {
                    None => own.collect(),
                    Some(there) => own.zip(there).map(|(own, outer)| own && *outer).collect(),
                };
                let outer = there.map_or(own.len(), present);
                let missing = outer - present(&own);
                self.missing += missing as u64;
                self.add_values(v.values(), if missing == 0 { there } else { Some(&own) });
            }
            Column::Numbers(numbers) => match self.meaning.of(numbers, there) {
                Meant::All => self.add_numbers(numbers, there),
                Meant::Some { known, missing } => {
                    self.missing += missing;
                    self.add_numbers(numbers, Some(&known));
                }
                Meant::Halves { nan } => self.nan += nan,
            },
            Column::Text(v) | Column::Bytes(v) => self.add_texts(v, there),
            Column::List(v) => self.add_items(v.offsets(), v.items(), there),
            Column::Shaped { items, .. } => self.add_items(items.offsets(), items.items(), there),
            Column::Array { len, rows, items } => {
                let ends: Vec<usize> = (0..=*rows).map(|row| row * len).collect();
                self.add_items(&ends, items, there);
            }
            other => {
                for row in (0..other.len()).filter(|row| is_there(there, *row)) {
                    match other.get(row) {
                        Some(ValueRef::Bytes(bytes)) => self.add_text(bytes),
                        Some(ValueRef::Missing(_) | ValueRef::Absent) => self.missing += 1,
                        _ => {}
                    }
                }
            }
        }
    }

    /// Adds the items of lists, of which each begins and ends at these places.
    fn add_items(&mut self, ends: &[usize], items: &Column, there: Option<&[bool]>) {
        let there = there.map(|there| of_items(there, ends, items.len()));
        // a missing item is in a row that is there
        let missing = std::mem::take(&mut self.missing);
        self.add_values(items, there.as_deref());
        let lost = std::mem::replace(&mut self.missing, missing);
        self.items.add(items, there.as_deref().map_or(items.len(), present), lost);
    }

    fn add_texts(&mut self, texts: &BytesColumn, there: Option<&[bool]>) {
        let rows = (0..texts.len()).filter(|row| is_there(there, *row));
        let texts = rows.filter_map(|row| texts.get(row));
        if let Some(distinct) = &mut self.distinct {
            distinct.add(texts.clone().map(hashes::of_bytes));
        }
        texts.for_each(|text| self.ends.text(text));
    }

    fn add_text(&mut self, text: &[u8]) {
        if let Some(distinct) = &mut self.distinct {
            distinct.add(std::iter::once(hashes::of_bytes(text)));
        }
        self.ends.text(text);
    }

    fn add_numbers(&mut self, numbers: &Numbers, there: Option<&[bool]>) {
        /// The case for each type.
        macro_rules! of_type {
            ($($T:ty)*) => {
                $(if let Some(values) = numbers.as_slice::<$T>() {
                    return self.add_those(values, there, doubles);
                })*
            };
        }
        if let Some(values) = numbers.as_slice::<f64>() {
            return self.add_those(values, there, |block, _| block);
        }
        of_type!(f32 i64 i32 i16 i8 u64 u32 u16 u8 bool F16 i128 u128);
    }

    /// Block by block, so that what several loops look at stays in the fastest cache.
    fn add_those<T: Element>(
        &mut self,
        values: &[T],
        there: Option<&[bool]>,
        as_doubles: impl for<'a> Fn(&'a [T], &'a mut [f64; BLOCK]) -> &'a [f64],
    ) {
        let mut room = [0.0; BLOCK];
        for (i, block) in values.chunks(BLOCK).enumerate() {
            let doubles = as_doubles(block, &mut room);
            let there = there.and_then(|there| there.get(i * BLOCK..)?.get(..block.len()));
            let found = if there.is_none() { exact(block, doubles) } else { None };
            if let Some(found) = found.filter(|found| !found.is_doubtful) {
                self.add_block(block, doubles, found);
                continue;
            }
            // those that are there, and numbers
            let (mut kept, mut kept_doubles, mut count) = ([T::default(); BLOCK], [0.0; BLOCK], 0);
            for (row, (value, double)) in block.iter().zip(doubles).enumerate() {
                let is_nan = double.is_nan();
                let is_there = is_there(there, row);
                (kept[count], kept_doubles[count]) = (*value, *double);
                count += usize::from(is_there && !is_nan);
                self.nan += u64::from(is_there && is_nan);
            }
            if let (Some(kept), Some(doubles)) = (kept.get(..count), kept_doubles.get(..count))
                && let Some(found) = exact(kept, doubles)
            {
                self.add_block(kept, doubles, found);
            }
        }
    }

    /// Adds numbers, of which none is NaN, the doubles next to them, and what was found of them.
    fn add_block<T: Element>(&mut self, values: &[T], doubles: &[f64], found: Exact<T>) {
        self.ends.number(found.low.into());
        self.ends.number(found.high.into());
        if let Some(distinct) = &mut self.distinct {
            // of values that are all the same one is enough
            let some = if found.low == found.high { 1 } else { values.len() };
            if T::TYPE.is_float() {
                // the two zeros are one number
                let bits = |x: &f64| (x + 0.0).to_bits();
                let some = doubles.get(..some).unwrap_or_default();
                distinct.add(some.iter().map(|x| hashes::of_bits(bits(x))));
            } else {
                distinct.add_integers(values.get(..some).unwrap_or_default());
            }
        }
        if let Some(sums) = &mut self.numbers {
            sums.moments.merge(found.moments);
            if let Some(quantiles) = &mut sums.quantiles {
                quantiles.add(doubles);
            }
        }
    }

    /// The bytes of a text that is the least or greatest, and for which there was no memory.
    pub(crate) fn lost(&self) -> Option<usize> {
        self.ends.lost
    }

    /// How many elements its lists have, and how many are missing; `None` of a column that has no lists.
    pub(crate) fn elements(&self) -> Option<(u64, u64)> {
        self.items.count()
    }

    pub(crate) fn low(&self) -> Option<&Least> {
        self.ends.low.as_ref()
    }

    pub(crate) fn high(&self) -> Option<&Least> {
        self.ends.high.as_ref()
    }

    pub(crate) fn mean(&self) -> Option<f64> {
        self.numbers.as_ref()?.moments.mean()
    }

    pub(crate) fn deviation(&self) -> Option<f64> {
        self.numbers.as_ref()?.moments.deviation()
    }

    fn quantiles(&self) -> Option<&Quantiles> {
        self.numbers.as_ref()?.quantiles.as_ref()
    }

    /// The values below which a quarter, half, and three quarters of all are.
    pub(crate) fn quarters(&self) -> [Option<f64>; 3] {
        let found = self.quantiles().map(|quantiles| quantiles.at(&[0.25, 0.5, 0.75]));
        found.and_then(|found| found.try_into().ok()).unwrap_or_default()
    }

    /// How many different values there are, and whether that is exact.
    pub(crate) fn distinct(&self) -> Option<(u64, bool)> {
        // an estimate knows nothing of how many values there are
        let most = self.rows.saturating_sub(self.missing).max(self.items.all);
        self.distinct.as_ref().map(Distinct::count).map(|(count, is_exact)| (count.min(most), is_exact))
    }

    /// How many values, about, are in each of some equal parts of the range from the least to the greatest.
    pub(crate) fn histogram(&self) -> Option<Vec<u64>> {
        let (Some(Least::Number(low)), Some(Least::Number(high))) = (self.low(), self.high()) else {
            return None;
        };
        let (low, high) = (low.to_f64(), high.to_f64());
        let is_range = low.is_finite() && high.is_finite() && low < high;
        is_range.then(|| self.quantiles().map(|quantiles| quantiles.histogram(low, high, BARS)))?
    }
}

#[cfg(test)]
mod tests;
