//! Tables into files, and what Python has as tables.

use crate::capsule;
use crate::failure::{Failure, Result};
use crate::incoming;
use crate::table::Table;
use binfmt::Error;
use binfmt::columns::Columns;
use binfmt::table::{
    Batches, ColumnsTable, Estimate, Logical, ScalarRange, Settings, Split, TableSchema, TimeUnit, Wanted,
    keys,
};
use binfmt_arrow::{BatchReader, BatchesTable};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A column that Python gives: its name, parts, unit, and what its values mean.
type Given<'py> = (String, Bound<'py, PyAny>, Option<String>, Option<(String, Option<String>)>);

/// A table with another schema, which hears Ctrl-C between its batches.
#[derive(Debug)]
struct Watched {
    table: Arc<dyn binfmt::table::Table>,
    schema: TableSchema,
}

impl binfmt::table::Table for Watched {
    fn schema(&self) -> &TableSchema {
        &self.schema
    }

    fn num_rows(&self) -> Estimate {
        self.table.num_rows()
    }

    fn bounds(&self, column: usize) -> Option<ScalarRange> {
        self.table.bounds(column)
    }

    fn splits(&self, wanted: &Wanted, parts: usize) -> binfmt::Result<Vec<Split>> {
        self.table.splits(wanted, parts)
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> binfmt::Result<Batches> {
        let batches = Arc::clone(&self.table).read(split, wanted)?;
        Ok(Box::new(batches.map(|batch| {
            Python::attach(|py| py.check_signals()).map_err(|e| Error::caused_by(e, 0))?;
            batch
        })))
    }
}

/// Columns of Python as a table.
#[pyfunction]
pub(crate) fn table_of_columns(columns: Vec<Given<'_>>) -> Result<Table> {
    let (mut named, mut about) = (Vec::new(), Vec::new());
    for (name, parts, units, logical) in columns {
        named.push((name.into(), incoming::column(&parts)?));
        about.push((units, logical));
    }
    let table = ColumnsTable::new(Columns::new(named)?);
    let mut schema = binfmt::table::Table::schema(&table).clone();
    for (field, (units, logical)) in schema.fields.iter_mut().zip(about) {
        if let Some(units) = units {
            field.meta.push((keys::UNITS.into(), units));
        }
        field.logical = logical.as_ref().and_then(|(kind, unit)| meant(kind, unit.as_deref()));
    }
    Ok(Table::of(Arc::new(Watched { table: Arc::new(table), schema })))
}

fn meant(kind: &str, unit: Option<&str>) -> Option<Logical> {
    use TimeUnit::*;
    let units = [Year, Month, Week, Day, Hour, Minute, Second, Milli, Micro, Nano, Pico, Femto, Atto];
    let unit = units.into_iter().find(|known| unit == Some(known.to_string().as_str()));
    match kind {
        "timestamp" => unit.map(Logical::Timestamp),
        "duration" => unit.map(Logical::Duration),
        "character" => Some(Logical::Character),
        "complex" => Some(Logical::Complex),
        "x87" => Some(Logical::X87),
        _ => None,
    }
}

/// A stream of Arrow as a table; all of it is read.
#[pyfunction]
pub(crate) fn table_of_stream(py: Python<'_>, capsule: &Bound<'_, PyCapsule>) -> Result<Table> {
    let stream = capsule::stream(capsule)?;
    let table = py.detach(|| BatchesTable::read(BatchReader::of_stream(stream)?))?;
    Ok(Table::of(Arc::new(table)))
}

/// Writes columns and rows of a table to a file: how many rows and bytes that were. What was there stays until all is written.
#[pyfunction]
#[pyo3(signature = (path, format, settings, table, columns, rows=None, names=None))]
#[allow(clippy::too_many_arguments, reason = "one for each that Python passes")]
pub(crate) fn write_table(
    py: Python<'_>,
    path: PathBuf,
    format: &str,
    settings: BTreeMap<String, String>,
    table: &Table,
    columns: Vec<usize>,
    rows: Option<(i64, i64)>,
    names: Option<Vec<String>>,
) -> Result<(u64, u64)> {
    let settings = settings.into_iter().fold(Settings::new(), |all, (name, text)| all.with(name, text));
    let of = table.table();
    let mut wanted = Wanted::new().columns(columns.clone());
    wanted.rows = rows.map(|(start, end)| start..end);
    let fields = columns.iter().filter_map(|column| of.schema().fields.get(*column).cloned());
    let mut schema = TableSchema::new(fields);
    schema.meta.clone_from(&of.schema().meta);
    for (field, name) in schema.fields.iter_mut().zip(names.unwrap_or_default()) {
        field.name = name.into();
    }
    let watched: Arc<dyn binfmt::table::Table> =
        Arc::new(Watched { table: Arc::clone(of), schema: of.schema().clone() });
    py.detach(|| {
        let sink = binfmt::create_as(&path, format, &schema, &settings)?;
        let written = watched.write_to(&wanted, sink)?;
        Ok::<_, Failure>((written.rows, written.bytes))
    })
}
