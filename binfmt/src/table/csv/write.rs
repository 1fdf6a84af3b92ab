//! Tables as files of lines.

use super::read::delimiter;
use super::writer::Writer;
use crate::columns::{Column, ColumnData, ColumnType, Columns, ValueRef};
use crate::error::Result;
use crate::storage::{Storage, StorageWriter};
use crate::table::filled::inner;
use crate::table::format::Settings;
use crate::table::written::{named_once, plain};
use crate::table::{TableField, TableSchema, TableSink, Written};
use crate::wire::amount::after;
use std::sync::Arc;

/// A line for each row.
pub(super) struct CsvSink {
    lines: Writer<StorageWriter>,
    cell: Vec<u8>,
    notes: Vec<String>,
    rows: u64,
}

impl CsvSink {
    pub(super) fn new(
        storage: Arc<dyn Storage>,
        path: &str,
        schema: &TableSchema,
        settings: &Settings,
    ) -> Result<Self> {
        let delimiter = delimiter(settings, path)?;
        let has_header = settings.get("header").is_none() || settings.is_on("header")?;
        let names = || schema.fields.iter().map(|field| field.name.as_str());
        named_once(names())?;
        let lines = Writer::new(StorageWriter::new(storage, path)?).delimiter(delimiter);
        let mut lines = lines.missing_as(settings.get("missing").unwrap_or_default());
        if has_header && !schema.fields.is_empty() {
            names().try_for_each(|name| lines.text(name.as_bytes()))?;
            lines.end_line()?;
        }
        let notes = schema.fields.iter().filter_map(note).collect();
        Ok(CsvSink { lines, cell: Vec::new(), notes, rows: 0 })
    }

    fn value(&mut self, value: ValueRef<'_>) -> Result<()> {
        match value {
            ValueRef::Missing(_) | ValueRef::Absent => self.lines.missing()?,
            ValueRef::Text(text) => self.lines.text(text)?,
            ValueRef::Bytes(bytes) => self.lines.bytes(bytes)?,
            other => {
                self.cell.clear();
                plain(other, &mut self.cell)?;
                self.lines.text(&self.cell)?;
            }
        }
        Ok(())
    }
}

/// What becomes of a column whose values read as something else.
fn note(field: &TableField) -> Option<String> {
    let name = &field.name;
    match inner(&field.ty) {
        ty @ (ColumnType::Bytes | ColumnType::FixedBytes(_)) => Some(format!(
            "column `{name}`, {ty} to text: hexadecimal, which the type {name}:bytes reads again"
        )),
        _ => None,
    }
}

impl TableSink for CsvSink {
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn write(&mut self, batch: Columns) -> Result<()> {
        let columns: Vec<&Column> = batch.iter().map(|(_, column)| column).collect();
        for row in 0..batch.num_rows() {
            for column in &columns {
                if let Some(value) = column.get(row) {
                    self.value(value)?;
                }
            }
            self.lines.end_line()?;
        }
        self.rows = after(self.rows, batch.num_rows() as u64);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Written> {
        Ok(Written::new(self.rows, self.lines.into_inner()?.finish()?))
    }
}
