//! Rows that are in pieces: batches, or groups of rows of a file.

use binfmt::table::{Estimate, Split, Wanted};
use std::ops::Range;

/// More parts than these help nobody, and each takes memory.
const MOST_PARTS: usize = 1 << 16;

/// Where each piece begins.
#[derive(Clone, Debug)]
pub(crate) struct Pieces {
    /// The number of the first row of each piece, and of the row after the last.
    starts: Vec<i64>,
}

impl Pieces {
    /// Pieces of that many rows.
    pub(crate) fn new(rows: impl IntoIterator<Item = u64>) -> Self {
        let mut end = 0i64;
        let ends = rows.into_iter().map(|rows| {
            end = end.saturating_add_unsigned(rows);
            end
        });
        Pieces { starts: std::iter::once(0).chain(ends.collect::<Vec<_>>()).collect() }
    }

    fn end(&self) -> i64 {
        self.starts.last().copied().unwrap_or(0)
    }

    pub(crate) fn num_rows(&self) -> Estimate {
        Estimate::Exact(u64::try_from(self.end()).unwrap_or(0))
    }

    /// How many pieces begin among the wanted rows.
    #[cfg(feature = "parquet")]
    pub(crate) fn begun(&self, wanted: &Wanted) -> usize {
        let rows = wanted.rows.clone().unwrap_or(0..i64::MAX);
        let ends = rows.start.max(0)..rows.end.min(self.end());
        self.starts.iter().filter(|start| ends.contains(*start)).count()
    }

    /// About that many parts of wanted rows, which begin with a piece where there are enough of them.
    pub(crate) fn splits(&self, wanted: &Wanted, parts: usize) -> Vec<Split> {
        let rows = wanted.rows.clone().unwrap_or(0..i64::MAX);
        let (first, last) = (rows.start.max(0), rows.end.min(self.end()));
        let all = last.saturating_sub(first).max(0);
        let parts = (parts.clamp(1, MOST_PARTS) as i64).min(all);
        let whole = self.starts.iter().filter(|start| (first..last).contains(*start)).count() as i64 >= parts;
        let mut splits = Vec::new();
        let mut at = first;
        for part in 1..=parts {
            let place = i128::from(all) * i128::from(part) / i128::from(parts);
            let even = first.saturating_add(i64::try_from(place).unwrap_or(i64::MAX));
            let end = if part == parts {
                last
            } else if whole {
                // the piece that begins next
                let next = self.starts.partition_point(|start| *start < even);
                self.starts.get(next).copied().unwrap_or(last).min(last)
            } else {
                even
            };
            if at < end {
                let num_rows = Estimate::Exact(end.saturating_sub(at).unsigned_abs());
                splits.push(Split { first: at, rows: at..end, num_rows, ..Split::default() });
                at = end;
            }
        }
        splits
    }

    /// The rows of a part that are read.
    pub(crate) fn wanted(&self, split: &Split, wanted: &Wanted) -> Range<i64> {
        let start = split.rows.start.max(0);
        let most = start.saturating_add_unsigned(wanted.limit.unwrap_or(u64::MAX));
        start..split.rows.end.min(self.end()).min(most)
    }

    /// The next rows, of one piece and no more than `step`: its number, how many of it are before them, and how many they are.
    pub(crate) fn next(&self, rows: &mut Range<i64>, step: usize) -> Option<(usize, usize, usize)> {
        if rows.is_empty() {
            return None;
        }
        // the last that begins there or before; one without rows begins where the next does
        let piece = self.starts.partition_point(|start| *start <= rows.start).checked_sub(1)?;
        let (first, last) = (*self.starts.get(piece)?, *self.starts.get(piece.checked_add(1)?)?);
        let step = i64::try_from(step).unwrap_or(i64::MAX);
        let end = rows.end.min(last).min(rows.start.saturating_add(step));
        let narrow = |n: i64| usize::try_from(n).unwrap_or(0);
        let found = (piece, narrow(rows.start.saturating_sub(first)), narrow(end.saturating_sub(rows.start)));
        rows.start = end;
        Some(found)
    }

    /// The pieces that have some of these rows, and how many rows are before those in the first.
    #[cfg(feature = "parquet")]
    pub(crate) fn of(&self, rows: &Range<i64>) -> (Range<usize>, usize) {
        if rows.is_empty() {
            return (0..0, 0);
        }
        let first = self.starts.partition_point(|start| *start <= rows.start).saturating_sub(1);
        let end = self.starts.partition_point(|start| *start < rows.end);
        let skip = rows.start.saturating_sub(self.starts.get(first).copied().unwrap_or(0));
        (first..end, usize::try_from(skip).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a file says of its rows may be anything, and a caller may ask for as many parts as can be.
    #[test]
    fn there_are_no_more_parts_than_are_of_use() {
        let splits = Pieces::new([u64::MAX]).splits(&Wanted::new(), usize::MAX);
        assert_eq!(splits.len(), MOST_PARTS);
    }

    #[test]
    fn splits_cover_all_rows_once() {
        let pieces = Pieces::new([3, 0, 4, 1, 5]);
        for rows in [0..13, 2..9, 12..13, 5..5, -3..100] {
            for parts in [1, 2, 3, 5, 20] {
                let wanted = Wanted::new().rows(rows.clone());
                let splits = pieces.splits(&wanted, parts);
                assert!(splits.len() <= parts);
                let mut found = Vec::new();
                for split in splits {
                    let mut left = pieces.wanted(&split, &wanted);
                    while let Some((piece, skip, some)) = pieces.next(&mut left, 2) {
                        assert!(some > 0 && some <= 2);
                        let first = pieces.starts[piece] + skip as i64;
                        found.extend(first..first + some as i64);
                    }
                }
                let all: Vec<i64> = (rows.start.max(0)..rows.end.min(13)).collect();
                assert_eq!(found, all, "{rows:?} {parts}");
            }
        }
    }
}
