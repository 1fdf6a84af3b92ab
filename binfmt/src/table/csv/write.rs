//! Tables as files of lines.

use super::UTF8_MARK;
use super::read::delimiter;
use crate::columns::{Column, ColumnData, Columns, ValueRef};
use crate::error::Result;
use crate::storage::{Storage, StorageWriter};
use crate::table::format::Settings;
use crate::table::written::{BLOCK, named_once, plain};
use crate::table::{TableSchema, TableSink, Written};
use crate::wire::amount::after;
use std::io::Write;
use std::sync::Arc;

/// Fields in quotes where they must be; a missing value is an empty field, an empty text is `""`.
pub(super) struct CsvSink {
    file: StorageWriter,
    delimiter: u8,
    missing: Vec<u8>,
    lines: Vec<u8>,
    cell: Vec<u8>,
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
        let missing = settings.get("missing").map_or_else(Vec::new, |text| text.as_bytes().to_vec());
        let names = || schema.fields.iter().map(|field| field.name.as_str());
        named_once(names())?;
        let file = StorageWriter::new(storage, path)?;
        let (lines, cell) = (Vec::new(), Vec::new());
        let mut sink = CsvSink { file, delimiter, missing, lines, cell, rows: 0 };
        if has_header && !schema.fields.is_empty() {
            for (i, name) in names().enumerate() {
                sink.part(i);
                sink.text(name.as_bytes());
            }
            sink.lines.push(b'\n');
        }
        Ok(sink)
    }

    fn part(&mut self, column: usize) {
        if column > 0 {
            self.lines.push(self.delimiter);
        }
    }

    /// A field of text, in quotes where it must be.
    fn text(&mut self, text: &[u8]) {
        let delimiter = self.delimiter;
        let is_special = |byte: &u8| matches!(byte, b'"' | b'\n' | b'\r') || *byte == delimiter;
        let quoted = text.is_empty()
            || text == self.missing
            || text.starts_with(b" ")
            || text.ends_with(b" ")
            || text.starts_with(UTF8_MARK)
            || text.iter().any(is_special);
        if !quoted {
            self.lines.extend_from_slice(text);
            return;
        }
        self.lines.push(b'"');
        for (i, part) in text.split(|byte| *byte == b'"').enumerate() {
            if i > 0 {
                self.lines.extend_from_slice(b"\"\"");
            }
            self.lines.extend_from_slice(part);
        }
        self.lines.push(b'"');
    }

    fn value(&mut self, value: ValueRef<'_>, is_alone: bool) -> Result<()> {
        match value {
            // an empty line would not be a row
            ValueRef::Missing(_) | ValueRef::Absent if is_alone && self.missing.is_empty() => {
                self.lines.extend_from_slice(b"\"\"");
            }
            ValueRef::Missing(_) | ValueRef::Absent => self.lines.extend_from_slice(&self.missing),
            ValueRef::Text(text) => self.text(text),
            ValueRef::Number(_) => plain(value, &mut self.lines)?,
            other => {
                let mut cell = std::mem::take(&mut self.cell);
                cell.clear();
                plain(other, &mut cell)?;
                self.text(&cell);
                self.cell = cell;
            }
        }
        Ok(())
    }

    fn send(&mut self) -> Result<()> {
        self.file.write_all(&self.lines)?;
        self.lines.clear();
        Ok(())
    }
}

impl TableSink for CsvSink {
    fn write(&mut self, batch: Columns) -> Result<()> {
        let columns: Vec<&Column> = batch.iter().map(|(_, column)| column).collect();
        let is_alone = columns.len() == 1;
        for row in 0..batch.num_rows() {
            for (i, column) in columns.iter().enumerate() {
                self.part(i);
                if let Some(value) = column.get(row) {
                    self.value(value, is_alone)?;
                }
            }
            self.lines.push(b'\n');
            if self.lines.len() >= BLOCK {
                self.send()?;
            }
        }
        self.rows = after(self.rows, batch.num_rows() as u64);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Written> {
        self.send()?;
        Ok(Written::new(self.rows, self.file.finish()?))
    }
}
