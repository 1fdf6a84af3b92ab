//! Rows of columns as tables show them.

use crate::table::{Rows, Shown, show_time};
use binfmt::columns::{Column, ColumnData, ColumnType};
use binfmt::table::TimeUnit;

/// Whether values are shown as numbers are.
pub(crate) fn is_number(ty: &ColumnType) -> bool {
    match ty {
        ColumnType::Number(_) => true,
        ColumnType::Nullable { values, .. } | ColumnType::Optional(values) => is_number(values),
        _ => false,
    }
}

/// Some rows, column by column.
pub(super) struct Batch<'a> {
    pub(super) columns: &'a [&'a Column],
    pub(super) times: &'a [Option<TimeUnit>],
    pub(super) rows: usize,
}

impl Rows for Batch<'_> {
    fn num_rows(&self) -> usize {
        self.rows
    }

    fn show<'a>(&'a self, row: usize, column: usize, room: &'a mut Vec<u8>) -> Shown<'a> {
        let value = self.columns.get(column).and_then(|column| column.get(row));
        let time = self.times.get(column).copied().flatten();
        value.map_or(Shown::Missing(None), |value| show_time(value, time, room))
    }
}
