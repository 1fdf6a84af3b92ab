//! Whether the numbers of a column are those that a rule of the layout allows.

use super::super::column::Column;
use crate::schema::expr::Range;

/// Whether the number of a row is one of these; a missing value always is.
#[inline]
pub(super) fn within(ranges: &[Range], column: &Column, row: usize) -> bool {
    ranges.iter().all(|range| has(range, column, row))
}

fn has(range: &Range, column: &Column, row: usize) -> bool {
    macro_rules! of {
        ($v:expr, $n:ident => $has:expr) => {
            $v.as_slice().get(row).copied().is_none_or(|$n| $has)
        };
    }
    match column {
        Column::I8(v) => of!(v, n => range.has_int(Some(n.into()))),
        Column::I16(v) => of!(v, n => range.has_int(Some(n.into()))),
        Column::I32(v) => of!(v, n => range.has_int(Some(n.into()))),
        Column::I64(v) => of!(v, n => range.has_int(Some(n.into()))),
        Column::I128(v) => of!(v, n => range.has_int(Some(n))),
        Column::U8(v) => of!(v, n => range.has_int(Some(n.into()))),
        Column::U16(v) => of!(v, n => range.has_int(Some(n.into()))),
        Column::U32(v) => of!(v, n => range.has_int(Some(n.into()))),
        Column::U64(v) => of!(v, n => range.has_int(Some(n.into()))),
        Column::U128(v) => of!(v, n => range.has_int(i128::try_from(n).ok())),
        Column::F32(v) => of!(v, x => range.has_f32(x)),
        Column::F64(v) => of!(v, x => range.has_f64(x)),
        Column::Nullable(v) => v.missing(row).is_some() || has(range, v.values(), row),
        _ => true,
    }
}
