//! Tables that others read, out of sight of Python: their errors say the file, and where the caller waits they hear Ctrl-C.

use crate::patience::Patient;
use crate::source::Named;
use binfmt::table::csv::CellType;
use binfmt::table::{Batches, Estimate, ScalarRange, Split, Table, TableSchema, Wanted};
use binfmt::{Error, Result, Step};
use std::sync::Arc;

/// A table with another schema, a name, or both.
#[derive(Debug)]
pub(crate) struct Watched {
    table: Arc<dyn Table>,
    /// Another than that of the table.
    schema: Option<TableSchema>,
    name: Option<String>,
    /// The bytes of its file, if Ctrl-C is heard while they are read: only where no other thread waits for this one with the interpreter locked.
    hears: Option<u64>,
}

impl Watched {
    /// The table with other things said of its columns.
    pub(crate) fn with_schema(table: Arc<dyn Table>, schema: TableSchema) -> Self {
        Watched { table, schema: Some(schema), name: None, hears: None }
    }

    /// The table, whose errors begin with this name.
    pub(crate) fn named(table: &Arc<dyn Table>, name: Option<&Named>) -> Self {
        let name = name.map(|name| name.shown.clone());
        Watched { table: Arc::clone(table), schema: None, name, hears: None }
    }

    /// It hears Ctrl-C while it reads a file of so many bytes.
    pub(crate) fn hearing(self, bytes: u64) -> Self {
        Watched { hears: Some(bytes), ..self }
    }
}

/// The error of a file.
fn told(name: Option<&String>, e: Error) -> Error {
    match name {
        Some(name) => e.within(Step::Name(name.clone())),
        None => e,
    }
}

impl Table for Watched {
    fn schema(&self) -> &TableSchema {
        self.schema.as_ref().unwrap_or_else(|| self.table.schema())
    }

    fn num_rows(&self) -> Estimate {
        self.table.num_rows()
    }

    fn bounds(&self, column: usize) -> Option<ScalarRange> {
        self.table.bounds(column)
    }

    fn left_out(&self) -> Vec<String> {
        self.table.left_out()
    }

    fn read_as(self: Arc<Self>, columns: &[(usize, CellType)]) -> Option<Arc<dyn Table>> {
        let first = self.table.schema().fields.len();
        let table = Arc::clone(&self.table).read_as(columns)?;
        let mut schema = self.schema.clone();
        if let Some(schema) = &mut schema {
            schema.fields.extend(table.schema().fields.iter().skip(first).cloned());
        }
        Some(Arc::new(Watched { table, schema, name: self.name.clone(), hears: self.hears }))
    }

    fn fills(&self, columns: &[usize]) -> bool {
        self.table.fills(columns)
    }

    fn image(self: Arc<Self>) -> Option<Arc<dyn Table>> {
        let table = Arc::clone(&self.table).image()?;
        Some(Arc::new(Watched { table, schema: None, name: self.name.clone(), hears: self.hears }))
    }

    fn splits(&self, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
        self.table.splits(wanted, parts).map_err(|e| told(self.name.as_ref(), e))
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let named = |e| told(self.name.as_ref(), e);
        let batches = Arc::clone(&self.table).read(split, wanted).map_err(named)?;
        let batches = match self.hears {
            Some(bytes) => Box::new(Patient::new(batches, bytes)),
            None => batches,
        };
        let name = self.name.clone();
        Ok(Box::new(batches.map(move |batch| batch.map_err(|e| told(name.as_ref(), e)))))
    }
}
