//! What is asked of a table.

use super::field::TableSchema;
use super::scalar::{Scalar, ScalarRange};
use crate::columns::Columns;
use crate::error::{Error, Result};
use std::ops::{Range, RangeBounds};

/// Which rows and columns are wanted, and how they come.
///
/// ```
/// use binfmt::table::Wanted;
/// let wanted = Wanted::new().columns([2, 0]).rows(10..20).range(1, 5u8..);
/// assert_eq!(wanted.batch_rows, 8192);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Wanted {
    /// The numbers of the columns, in the order in which they are wanted; all without this.
    pub columns: Option<Vec<usize>>,
    /// Columns with the values that a wanted row has there: a hint.
    pub ranges: Vec<(usize, ScalarRange)>,
    /// The numbers of the rows, counted over the whole table; all without this.
    pub rows: Option<Range<i64>>,
    /// The most rows of each part.
    pub limit: Option<u64>,
    /// The most rows of a batch.
    pub batch_rows: usize,
    /// A batch that has taken about that many bytes of the file is large enough.
    pub batch_bytes: u64,
    /// Whether cells of a dense array that were never written come however many there are.
    pub unwritten: bool,
}

impl Default for Wanted {
    fn default() -> Self {
        Wanted {
            columns: None,
            ranges: Vec::new(),
            rows: None,
            limit: None,
            batch_rows: 8192,
            batch_bytes: 4 << 20,
            unwritten: false,
        }
    }
}

impl Wanted {
    /// All rows and columns, in batches of 8,192 rows or 4 MiB of the file.
    ///
    /// ```
    /// assert!(binfmt::table::Wanted::new().columns.is_none());
    /// ```
    pub fn new() -> Self {
        Wanted::default()
    }

    /// Only these columns, in this order. Without any the batches have rows and nothing else.
    ///
    /// ```
    /// assert_eq!(binfmt::table::Wanted::new().columns([1]).columns, Some(vec![1]));
    /// ```
    #[must_use]
    pub fn columns(mut self, columns: impl IntoIterator<Item = usize>) -> Self {
        self.columns = Some(columns.into_iter().collect());
        self
    }

    /// Only these rows of the table.
    ///
    /// ```
    /// assert_eq!(binfmt::table::Wanted::new().rows(3..7).rows, Some(3..7));
    /// ```
    #[must_use]
    pub fn rows(mut self, rows: Range<i64>) -> Self {
        self.rows = Some(rows);
        self
    }

    /// A hint: rows whose value of the column is outside are not wanted. They may come all the same.
    ///
    /// ```
    /// let wanted = binfmt::table::Wanted::new().range(0, 5i64..=9);
    /// assert!(wanted.may_be(0, &9u8.into(), &20u8.into()));
    /// assert!(!wanted.may_be(0, &10u8.into(), &20u8.into()));
    /// ```
    #[must_use]
    pub fn range<T: Into<Scalar> + Clone>(mut self, column: usize, range: impl RangeBounds<T>) -> Self {
        self.ranges.push((column, ScalarRange::of(range)));
        self
    }

    /// No more rows of each part than these.
    ///
    /// ```
    /// assert_eq!(binfmt::table::Wanted::new().limit(1).limit, Some(1));
    /// ```
    #[must_use]
    pub fn limit(mut self, rows: u64) -> Self {
        self.limit = Some(rows);
        self
    }

    /// Batches of at most that many rows; one at least.
    ///
    /// ```
    /// assert_eq!(binfmt::table::Wanted::new().batch_rows(0).batch_rows, 1);
    /// ```
    #[must_use]
    pub fn batch_rows(mut self, rows: usize) -> Self {
        self.batch_rows = rows.max(1);
        self
    }

    /// Cells of a dense array that were never written come however many there are, for a caller that takes the batches one by one and may stop.
    /// Else they are bounded by the limit of the format, since a file of a few bytes may say any number of them.
    ///
    /// ```
    /// assert!(binfmt::table::Wanted::new().with_unwritten(true).unwritten);
    /// ```
    #[must_use]
    pub fn with_unwritten(mut self, all: bool) -> Self {
        self.unwritten = all;
        self
    }

    /// Whether a row may be wanted whose value of this column is from `low` to `high`.
    ///
    /// ```
    /// let wanted = binfmt::table::Wanted::new().range(0, "b".."c");
    /// assert!(wanted.may_be(0, &"a".into(), &"b".into()) && !wanted.may_be(0, &"a".into(), &"a".into()));
    /// assert!(wanted.may_be(1, &"a".into(), &"a".into()));
    /// ```
    pub fn may_be(&self, column: usize, low: &Scalar, high: &Scalar) -> bool {
        self.ranges.iter().filter(|(of, _)| *of == column).all(|(_, range)| range.may_meet(low, high))
    }

    /// The wanted integers of a column, as far as the ranges say: those outside are in no wanted row. All where a range has an end
    /// that is not a number.
    ///
    /// ```
    /// let wanted = binfmt::table::Wanted::new().range(0, 5i64..).range(0, ..=7.5);
    /// assert_eq!(wanted.integers(0), (5, 7));
    /// assert_eq!(wanted.integers(1), (i128::MIN, i128::MAX));
    /// ```
    pub fn integers(&self, column: usize) -> (i128, i128) {
        let ranges = self.ranges.iter().filter(|(of, _)| *of == column).map(|(_, range)| range.integers());
        ranges.fold((i128::MIN, i128::MAX), |(a, b), (low, high)| (a.max(low), b.min(high)))
    }

    /// The numbers of the wanted columns of a table.
    ///
    /// ```
    /// use binfmt::table::{TableSchema, Wanted};
    /// let e = Wanted::new().columns([0]).columns_of(&TableSchema::default()).unwrap_err();
    /// assert_eq!(e.to_string(), "there is no column 0: the table has 0");
    /// ```
    ///
    /// # Errors
    /// There is no column of a number.
    pub fn columns_of(&self, schema: &TableSchema) -> Result<Vec<usize>> {
        let all = schema.fields.len();
        let ranges = self.ranges.iter().map(|(column, _)| column);
        let Some(columns) = &self.columns else {
            return match ranges.copied().find(|column| *column >= all) {
                Some(column) => Err(missing(column, all)),
                None => Ok((0..all).collect()),
            };
        };
        match columns.iter().chain(ranges).find(|column| **column >= all) {
            Some(column) => Err(missing(*column, all)),
            None => Ok(columns.clone()),
        }
    }

    /// The wanted rows of that many, or of any number.
    pub(crate) fn rows_of(&self, all: Option<i64>) -> Range<i64> {
        let end = all.unwrap_or(i64::MAX);
        match &self.rows {
            Some(rows) => {
                let start = rows.start.clamp(0, end);
                start..rows.end.clamp(start, end)
            }
            None => 0..end,
        }
    }
}

#[cold]
fn missing(column: usize, all: usize) -> Error {
    Error::other(format!("there is no column {column}: the table has {all}"))
}

/// Some rows of batches: those after the first `skip`, up to a number.
#[derive(Debug)]
pub(crate) struct Limited<I> {
    batches: I,
    skip: u64,
    left: u64,
}

impl<I> Limited<I> {
    pub(crate) fn new(batches: I, rows: u64) -> Self {
        Limited { batches, skip: 0, left: rows }
    }

    /// For a format that cannot go to a row.
    pub(crate) fn after(self, rows: u64) -> Self {
        Limited { skip: rows, ..self }
    }
}

impl<I: Iterator<Item = Result<Columns>>> Iterator for Limited<I> {
    type Item = Result<Columns>;

    fn next(&mut self) -> Option<Result<Columns>> {
        while self.left > 0 {
            let mut columns = match self.batches.next()? {
                Ok(columns) => columns,
                Err(e) => {
                    self.left = 0;
                    return Some(Err(e));
                }
            };
            let rows = columns.num_rows() as u64;
            let skip = self.skip.min(rows);
            self.skip = self.skip.saturating_sub(skip);
            if skip == rows {
                continue;
            }
            if skip > 0 {
                columns = columns.slice(usize::try_from(skip).unwrap_or(usize::MAX)..usize::MAX);
            }
            columns.truncate(usize::try_from(self.left).unwrap_or(usize::MAX));
            self.left = self.left.saturating_sub(columns.num_rows() as u64);
            return Some(Ok(columns));
        }
        None
    }
}
