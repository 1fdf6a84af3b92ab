//! Several files as one table.

use crate::failure::Result;
use crate::table::Table;
use binfmt::table::Concatenated;
use pyo3::prelude::*;
use std::sync::Arc;

/// The rows of tables, one after the other, with their names in errors and in a column of the name `files`, if there is to be one. The numbers of
/// a column `numbers` go on from table to table.
#[pyfunction]
#[pyo3(signature = (tables, files=None, numbers=None))]
pub(crate) fn table_of_several(
    py: Python<'_>,
    tables: Vec<(String, Py<Table>)>,
    files: Option<&str>,
    numbers: Option<&str>,
) -> Result<Table> {
    let of = |table: &Py<Table>| Arc::clone(table.get().table());
    let tables: Vec<_> = tables.iter().map(|(name, table)| (name.clone(), of(table))).collect();
    py.detach(|| {
        let mut all = Concatenated::new(tables)?;
        if let Some(column) = files {
            all = all.with_names(column);
        }
        if let Some(column) = numbers {
            all = all.numbered_on(column)?;
        }
        Ok(Table::of_files(Arc::new(all)))
    })
}
