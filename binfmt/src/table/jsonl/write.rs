//! Tables as JSON lines.

use crate::columns::{Column, ColumnData, Columns};
use crate::error::Result;
use crate::storage::{Storage, StorageWriter};
use crate::table::written::{BLOCK, json, named_once};
use crate::table::{TableSchema, TableSink, Written};
use crate::wire::amount::after;
use serde::ser::{Serialize, Serializer};
use std::io::Write;
use std::sync::Arc;

/// An object in each line.
pub(super) struct JsonLinesSink {
    file: StorageWriter,
    names: Vec<String>,
    lines: Vec<u8>,
    rows: u64,
}

impl JsonLinesSink {
    pub(super) fn new(storage: Arc<dyn Storage>, path: &str, schema: &TableSchema) -> Result<Self> {
        let names: Vec<String> = schema.fields.iter().map(|field| field.name.to_string()).collect();
        named_once(names.iter().map(String::as_str))?;
        Ok(JsonLinesSink { file: StorageWriter::new(storage, path)?, names, lines: Vec::new(), rows: 0 })
    }
}

/// One row, by the names of its columns.
struct Object<'a> {
    names: &'a [String],
    columns: &'a [&'a Column],
    row: usize,
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = self.columns.iter().map(|column| column.get(self.row));
        serializer.collect_map(self.names.iter().zip(values))
    }
}

impl TableSink for JsonLinesSink {
    fn write(&mut self, batch: Columns) -> Result<()> {
        let columns: Vec<&Column> = batch.iter().map(|(_, column)| column).collect();
        for row in 0..batch.num_rows() {
            json(&Object { names: &self.names, columns: &columns, row }, &mut self.lines)?;
            self.lines.push(b'\n');
            if self.lines.len() >= BLOCK {
                self.file.write_all(&self.lines)?;
                self.lines.clear();
            }
        }
        self.rows = after(self.rows, batch.num_rows() as u64);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Written> {
        self.file.write_all(&self.lines)?;
        Ok(Written::new(self.rows, self.file.finish()?))
    }
}
