//! A row of a table as a list.

use crate::error::Result;
use binfmt::columns::{Column, ColumnData};
use serde::ser::{Serialize, Serializer};

/// One row, as JSON has it: a list.
pub(crate) struct Row<'a> {
    pub(crate) columns: &'a [&'a Column],
    pub(crate) row: usize,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.columns.iter().map(|column| column.get(self.row)))
    }
}
