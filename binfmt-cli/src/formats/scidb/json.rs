//! The JSON form of a load file, written.

use super::layout::Layout;
use crate::error::Result;
use crate::json::JsonWriter;
use crate::rows::{Batch, Batches};
use crate::tabular::Row;
use binfmt::columns::Column;
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
        let all: Vec<&Column> = columns.iter().map(|(_, column)| column).collect();
        (0..columns.num_rows()).try_for_each(|row| out.item(&Row { columns: &all, row }))?;
        out.flush()?;
    }
    out.end()?;
    out.end()
}
