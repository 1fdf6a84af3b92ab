//! Tables as one array.

use super::survey::{Cells, changed};
use super::write::{header, put};
use crate::columns::{Column, Columns};
use crate::error::{Error, Result};
use crate::storage::{Storage, StorageWriter};
use crate::table::filled::Blanks;
use crate::table::{Leaf, TableSchema, TableSink, Written, keys};
use crate::wire::amount::after;
use std::io::Write;
use std::sync::Arc;

/// An array of the columns. Its header says how many rows there are and how long texts are: rows are held until it is known.
pub(super) struct NpySink {
    file: StorageWriter,
    cells: Vec<Cells>,
    /// Those whose values say what the header says of them.
    open: Vec<usize>,
    is_single: bool,
    /// How many rows were looked at, if they were shown.
    looked: Option<u64>,
    seen: u64,
    held: Vec<Columns>,
    room: Vec<u8>,
    blanks: Blanks,
    rows: u64,
}

/// A column as it is; what is inside records has a column of its own.
fn leaf(column: usize, schema: &TableSchema) -> Option<Leaf> {
    let field = schema.fields.get(column)?;
    Some(Leaf { name: field.name.to_string(), column, path: Vec::new(), ty: field.ty.clone() })
}

impl NpySink {
    pub(super) fn new(storage: Arc<dyn Storage>, path: &str, schema: &TableSchema) -> Result<Self> {
        let of = |column: usize| {
            let leaf = leaf(column, schema)?;
            Some(Cells::of(&leaf, schema.fields.get(column)))
        };
        let cells: Vec<Cells> = (0..schema.fields.len()).filter_map(of).collect::<Result<_>>()?;
        if cells.is_empty() {
            return Err(Error::other("an array needs a column"));
        }
        Ok(NpySink {
            file: StorageWriter::new(storage, path)?,
            open: cells.iter().enumerate().filter(|(_, cells)| cells.is_open()).map(|(i, _)| i).collect(),
            cells,
            is_single: schema.get(keys::SINGLE).is_some(),
            looked: None,
            seen: 0,
            held: Vec::new(),
            room: Vec::new(),
            blanks: Blanks::of("NPY"),
            rows: 0,
        })
    }

    /// Writes the header, when it is known.
    fn begin(&mut self, rows: u64) -> Result<()> {
        let is_single = self.is_single && rows == 1;
        self.file.write_all(&header(&self.cells, rows, is_single).to_bytes())?;
        Ok(())
    }

    fn put(&mut self, batch: &Columns) -> Result<()> {
        let columns: Vec<&Column> = batch.iter().map(|(_, column)| column).collect();
        if columns.len() != self.cells.len() {
            return Err(Error::other("a batch has not all columns"));
        }
        self.rows = after(self.rows, batch.num_rows() as u64);
        batch.iter().for_each(|(name, column)| self.blanks.add(name, column));
        if self.cells.iter().all(Cells::has_no_elements) {
            return Ok(());
        }
        self.room.clear();
        put(&self.cells, &columns, batch.num_rows(), &mut self.room)?;
        self.file.write_all(&self.room)?;
        Ok(())
    }
}

impl TableSink for NpySink {
    fn looks_at(&self) -> Option<Vec<usize>> {
        Some(self.open.clone())
    }

    fn look(&mut self, rows: &Columns) -> Result<()> {
        let looked = self.looked.get_or_insert(0);
        let first = *looked;
        *looked = after(first, rows.num_rows() as u64);
        for (place, (_, column)) in self.open.iter().zip(rows.iter()) {
            if let Some(cells) = self.cells.get_mut(*place) {
                cells.look(column, first)?;
            }
        }
        Ok(())
    }

    fn wants_rows(&self) -> bool {
        self.looked.is_none() || !self.cells.iter().all(Cells::has_no_elements)
    }

    fn write(&mut self, batch: Columns) -> Result<()> {
        let first = self.seen;
        self.seen = after(first, batch.num_rows() as u64);
        match self.looked {
            Some(rows) => {
                if first == 0 && self.file.bytes() == 0 {
                    self.begin(rows)?;
                }
                self.put(&batch)
            }
            None => {
                for (cells, (_, column)) in self.cells.iter_mut().zip(batch.iter()) {
                    cells.look(column, first)?;
                }
                self.held.push(batch);
                Ok(())
            }
        }
    }

    fn finish(mut self: Box<Self>) -> Result<Written> {
        if self.file.bytes() == 0 {
            self.begin(self.looked.unwrap_or(self.seen))?;
        }
        for batch in std::mem::take(&mut self.held) {
            self.put(&batch)?;
        }
        if !self.wants_rows() {
            self.rows = self.looked.unwrap_or(self.rows);
        }
        match self.looked.is_none_or(|rows| rows == self.rows) {
            true => {
                let notes = self.blanks.notes();
                Ok(Written { notes, ..Written::new(self.rows, self.file.finish()?) })
            }
            false => Err(changed()),
        }
    }
}
