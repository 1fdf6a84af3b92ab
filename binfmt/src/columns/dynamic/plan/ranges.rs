//! Whether the numbers of a column are those that a rule of the layout allows.

use super::super::column::ColumnRef;
use crate::numbers::with_numbers;
use crate::schema::expr::Range;

/// Whether the number of a row is one of these; a missing value always is.
#[inline]
pub(super) fn within(ranges: &[Range], column: ColumnRef<'_>, row: usize) -> bool {
    ranges.iter().all(|range| has(range, column, row))
}

fn has(range: &Range, column: ColumnRef<'_>, row: usize) -> bool {
    match column {
        ColumnRef::Numbers(numbers) => {
            with_numbers!(numbers, v => v.as_slice().get(row).is_none_or(|n| range.has((*n).into())))
        }
        ColumnRef::Nullable(v) => v.missing(row).is_some() || has(range, v.values().borrowed(), row),
        _ => true,
    }
}
