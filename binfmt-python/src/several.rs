//! Several files as one table.

use crate::failure::Result;
use crate::table::Table;
use binfmt::table::Concatenated;
use pyo3::prelude::*;
use std::sync::Arc;

/// The rows of tables, one after the other, with their names in errors and in a column of the name `files`, if there is to be one.
#[pyfunction]
#[pyo3(signature = (tables, files=None))]
pub(crate) fn table_of_several(
    py: Python<'_>,
    tables: Vec<(String, Py<Table>)>,
    files: Option<&str>,
) -> Result<Table> {
    let of = |table: &Py<Table>| Arc::clone(table.get().table());
    let tables: Vec<_> = tables.iter().map(|(name, table)| (name.clone(), of(table))).collect();
    py.detach(|| {
        let mut all = Concatenated::new(tables)?;
        if let Some(column) = files {
            all = all.with_names(column);
        }
        Ok(Table::of_files(Arc::new(all)))
    })
}
