//! A part of a table, and how many there are of something.

use super::scalar::Scalar;
use super::wanted::Wanted;
use crate::wire::amount::{known, natural, times64};
use std::ops::Range;

/// How many there are of something, as far as that is known.
///
/// ```
/// use binfmt::table::Estimate;
/// assert_eq!(Estimate::Exact(3).exact(), Some(3));
/// assert_eq!((Estimate::About(3).exact(), Estimate::About(3).guess()), (None, Some(3)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Estimate {
    /// That many.
    Exact(u64),
    /// Probably that many; nothing may rely on it.
    About(u64),
    /// It is not known.
    #[default]
    Unknown,
}

impl Estimate {
    /// The number, if it is exact.
    ///
    /// ```
    /// assert_eq!(binfmt::table::Estimate::Unknown.exact(), None);
    /// ```
    pub fn exact(self) -> Option<u64> {
        match self {
            Estimate::Exact(n) => Some(n),
            _ => None,
        }
    }

    /// The number, exact or not.
    ///
    /// ```
    /// assert_eq!(binfmt::table::Estimate::Exact(1).guess(), Some(1));
    /// ```
    pub fn guess(self) -> Option<u64> {
        match self {
            Estimate::Exact(n) | Estimate::About(n) => Some(n),
            Estimate::Unknown => None,
        }
    }
}

/// A part of a table that can be read by itself: plain data, which goes to another machine as it is.
///
/// Made by [`Table::splits`](super::Table::splits). What its numbers mean is the format's own; in all of them `rows` are the
/// rows of the part that are read, and the numbers of rows begin with 0.
///
/// ```
/// use binfmt::table::Split;
/// let split = Split { rows: 10..20, ..Split::default() };
/// assert_eq!((split.part, split.bytes), (0, 0..u64::MAX));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Split {
    /// Which part of the file: a page, an array, a set of data.
    pub part: u64,
    /// The rows that are read; up to `i64::MAX` where the part is read to its end.
    pub rows: Range<i64>,
    /// The number of the row that begins where `bytes` do: those between it and the first of `rows` are stepped over.
    pub first: i64,
    /// Where the rows are in the file, in bytes; up to `u64::MAX` where they go on to its end.
    pub bytes: Range<u64>,
    /// Ranges of coordinates, where rows are not counted.
    pub within: Vec<Within>,
    /// How many rows it has.
    pub num_rows: Estimate,
}

/// The values of a column from one to another, both included.
///
/// ```
/// use binfmt::table::{Scalar, Within};
/// let rows = Within { column: 0, low: Scalar::from(1u32), high: Scalar::from(9u32) };
/// assert_eq!(rows.column, 0);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Within {
    /// The column.
    pub column: usize,
    /// The lowest value.
    pub low: Scalar,
    /// The highest value.
    pub high: Scalar,
}

/// All rows of a file.
impl Default for Split {
    fn default() -> Self {
        Split {
            part: 0,
            rows: 0..i64::MAX,
            first: 0,
            bytes: 0..u64::MAX,
            within: Vec::new(),
            num_rows: Estimate::Unknown,
        }
    }
}

impl Split {
    /// These rows, which are counted from the first of them on.
    pub(crate) fn of_rows(rows: Range<i64>) -> Split {
        Split { first: rows.start, num_rows: Estimate::Exact(num_rows(&rows)), rows, ..Split::default() }
    }

    /// About how many bytes of the file a batch is made of.
    pub(crate) fn bytes_of_batch(&self, wanted: &Wanted) -> u64 {
        let bytes = num_bytes(&self.bytes);
        let rows = self.num_rows.guess().unwrap_or(1).max(1);
        let row = bytes.checked_div(rows).unwrap_or(bytes);
        wanted.batch_bytes.min(times64(row, rows.min(wanted.batch_rows as u64)))
    }

    /// How many rows are read at most: `u64::MAX` where the part is read to its end.
    ///
    /// ```
    /// use binfmt::table::Split;
    /// assert_eq!(Split { rows: 3..5, ..Split::default() }.most_rows(), 2);
    /// assert_eq!(Split::default().most_rows(), u64::MAX);
    /// ```
    pub fn most_rows(&self) -> u64 {
        match self.rows.end {
            i64::MAX => u64::MAX,
            _ => num_rows(&self.rows),
        }
    }
}

/// How many rows there are in a range; in one that ends before it begins none.
pub(crate) fn num_rows(rows: &Range<i64>) -> u64 {
    natural(rows.end.saturating_sub(rows.start))
}

/// How many bytes there are in a range; in one that ends before it begins, as a part may that another program made, none.
pub(crate) fn num_bytes(bytes: &Range<u64>) -> u64 {
    bytes.end.saturating_sub(bytes.start)
}

/// More parts than these help nobody, and each takes memory: of a caller that asks for as many as can be.
pub(crate) const MOST_PARTS: usize = 1 << 16;

/// Cuts rows into about `parts` ranges of the same length, in order; none is empty.
pub(crate) fn cut(rows: Range<i64>, parts: usize) -> impl Iterator<Item = Range<i64>> {
    let all = i128::from(num_rows(&rows));
    let parts = (parts.clamp(1, MOST_PARTS) as i128).min(all.max(1));
    // no product of two numbers of 64 bits is too large
    let place = move |i: i128| {
        let at = known(all.saturating_mul(i).checked_div(parts));
        rows.start.saturating_add(i64::try_from(at).unwrap_or(i64::MAX))
    };
    (0..parts).map(move |i| place(i)..place(i.saturating_add(1))).filter(|rows| !rows.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_has_the_bytes_of_its_rows() {
        let split = |rows| Split { bytes: 50..1050, num_rows: rows, ..Split::default() };
        let wanted = Wanted { batch_rows: 10, batch_bytes: 400, ..Wanted::default() };
        assert_eq!(split(Estimate::Exact(100)).bytes_of_batch(&wanted), 100);
        assert_eq!(split(Estimate::About(5)).bytes_of_batch(&wanted), 400);
        assert_eq!(split(Estimate::Unknown).bytes_of_batch(&wanted), 400);
    }

    #[test]
    fn ranges_cover_all_rows_once() {
        for (rows, parts) in [(0..10, 3), (5..6, 4), (0..0, 2), (0..i64::MAX, 7), (3..1003, 1)] {
            let ranges: Vec<_> = cut(rows.clone(), parts).collect();
            assert!(ranges.len() <= parts);
            assert!(ranges.windows(2).all(|two| two[0].end == two[1].start));
            let ends = ranges.first().zip(ranges.last()).map(|(first, last)| first.start..last.end);
            assert_eq!(ends.unwrap_or(0..0), rows);
        }
    }
}
