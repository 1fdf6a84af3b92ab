//! Rows of fields whose places are known, a column at a time.
#![allow(clippy::arithmetic_side_effects, reason = "places in a text that is in memory")]

use super::{Cells, MISSING, PRESENT, Values};
use crate::numbers::decimal::{float_at, integer_at};
use crate::wire::amount::inside;

/// What a row has in a column, and where.
#[derive(Clone, Copy, Debug)]
pub(in crate::table) enum Cell<'a> {
    /// Missing, for the reason that has this code.
    Missing(u8),
    /// An empty text; where texts are not expected nothing.
    Blank,
    Text(&'a [u8], u64),
    /// Bytes in hexadecimal, which are said to be some.
    Bytes(&'a [u8], u64),
    /// A list or an object of JSON.
    Nested(&'a [u8], u64),
}

/// Rows that lie in memory one after the other, each of as many fields. A field that begins with a quote ends with one, and has no other.
#[derive(Clone, Copy, Debug)]
pub(in crate::table) struct Run<'a> {
    pub(in crate::table) text: &'a [u8],
    /// Where each field ends, row by row, and before them the place before the first.
    pub(in crate::table) ends: &'a [u32],
    /// Fields of a row, and how many of them are columns.
    pub(in crate::table) fields: usize,
    pub(in crate::table) columns: usize,
    /// A word that stands for a missing value.
    pub(in crate::table) missing: Option<&'a [u8]>,
    /// Where the text begins in the file.
    pub(in crate::table) offset: u64,
}

impl<'a> Run<'a> {
    /// How many they are.
    pub(in crate::table) fn rows(&self) -> usize {
        self.ends.len().saturating_sub(1).checked_div(self.fields).unwrap_or(0)
    }

    /// Where each of them begins in the file.
    pub(in crate::table) fn starts(&self) -> impl Iterator<Item = u64> {
        let before = self.ends.iter().step_by(self.fields.max(1));
        before.map(|before| self.offset + u64::from(before.wrapping_add(1)))
    }

    /// From where to where the fields of a column are, from a row on.
    #[inline]
    fn places(&self, column: usize, row: usize) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let Run { text, fields, .. } = *self;
        // what the last field ends with may be a part of the line end
        let is_last = column + 1 == fields;
        let ends = inside(self.ends, (row * fields + column).min(self.ends.len())..);
        ends.windows(2).step_by(fields.max(1)).map(move |ends| {
            let (start, mut end) = (ends[0].wrapping_add(1) as usize, ends[1] as usize);
            if is_last && end > start && text.get(end - 1) == Some(&b'\r') {
                end -= 1;
            }
            (start, end)
        })
    }

    /// What a row has in a column.
    fn cell(&self, column: usize, row: usize) -> Cell<'a> {
        let Some((start, end)) = self.places(column, row).next() else { return Cell::Missing(MISSING) };
        let at = self.offset + start as u64;
        match inside(self.text, start..end) {
            [b'"', b'"'] if self.columns == 1 => Cell::Blank,
            [b'"', text @ .., b'"'] => Cell::Text(text, at),
            text if text.is_empty() || self.missing == Some(text) => Cell::Missing(MISSING),
            text => Cell::Text(text, at),
        }
    }
}

impl Cells {
    /// Adds the fields of a column of these rows, all of them or those before the first that is not of the type; how many. What is not as most
    /// fields are is left to `other`; all are if the column is not `plain`.
    pub(in crate::table) fn extend(
        &mut self,
        run: &Run<'_>,
        column: usize,
        is_plain: bool,
        mut other: impl FnMut(&mut Cells, Cell<'_>) -> bool,
    ) -> usize {
        let (before, rows) = (self.len(), run.rows());
        self.codes.reserve(rows);
        loop {
            if is_plain {
                self.extend_plain(run, column, self.len() - before);
            }
            let row = self.len() - before;
            if row >= rows {
                return rows;
            }
            if !other(self, run.cell(column, row)) {
                self.truncate(before + row);
                return row;
            }
        }
    }

    /// Adds them from a row on, up to the first that is not as most are.
    fn extend_plain(&mut self, run: &Run<'_>, column: usize, row: usize) {
        let Run { text, missing, .. } = *run;
        let codes = &mut self.codes;
        let is_missing = |start: usize, end: usize| {
            start == end || missing.is_some_and(|missing| inside(text, start..end) == missing)
        };
        match &mut self.values {
            Values::I64(values) => {
                let value = |start, end| integer_at(text, start, end);
                numbers(codes, values, run.places(column, row), is_missing, value);
            }
            Values::F64(values) => {
                let value = |start, end| float_at(text, start, end);
                numbers(codes, values, run.places(column, row), is_missing, value);
            }
            Values::Text(values) => {
                for (start, end) in run.places(column, row) {
                    let field = inside(text, start..end);
                    match field.first() {
                        Some(b'"') => return,
                        _ if is_missing(start, end) => {
                            codes.push(MISSING);
                            values.push(b"");
                        }
                        _ => {
                            codes.push(PRESENT);
                            values.push(field);
                        }
                    }
                }
            }
            _ => {}
        }
    }
}

/// Adds numbers up to the first field that is none.
#[inline(always)]
fn numbers<T: Copy + Default>(
    codes: &mut Vec<u8>,
    values: &mut Vec<T>,
    places: impl Iterator<Item = (usize, usize)>,
    is_missing: impl Fn(usize, usize) -> bool,
    value: impl Fn(usize, usize) -> Option<T>,
) {
    for (start, end) in places {
        let (code, value) = match is_missing(start, end) {
            true => (MISSING, T::default()),
            false => match value(start, end) {
                Some(value) => (PRESENT, value),
                None => return,
            },
        };
        codes.push(code);
        values.push(value);
    }
}
