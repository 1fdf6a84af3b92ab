//! The JSON form of a load file, written.

use super::layout::Layout;
use crate::error::Result;
use crate::json::JsonWriter;
use crate::rows::{Batch, Batches};
use binfmt::columns::Columns;
use serde::ser::{Serialize, Serializer};
use std::io::Write;

/// Writes the document, cell by cell.
pub(super) fn write(
    layout: &Layout,
    mut cells: Batches<'_>,
    out: &mut JsonWriter<&mut dyn Write>,
) -> Result<()> {
    out.object()?;
    out.member("format", "scidb")?;
    out.member("schema", &layout.chosen_template().map(|t| t.to_string()))?;
    out.member("fields", &layout.fields().collect::<Vec<_>>())?;
    out.member_list("cells")?;
    while let Some(Batch(columns)) = cells.next_batch()? {
        for row in 0..columns.num_rows() {
            out.item(&Cell { columns: &columns, row })?;
        }
        out.flush()?;
    }
    out.end()?;
    out.end()
}

/// One cell, as a list.
struct Cell<'a> {
    columns: &'a Columns,
    row: usize,
}

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells = (0..self.columns.num_columns()).map(|column| self.columns.cell(self.row, column));
        serializer.collect_seq(cells)
    }
}
