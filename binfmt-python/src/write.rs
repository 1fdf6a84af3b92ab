//! Tables into files, and what Python has as tables.

use crate::append;
use crate::capsule;
use crate::failure::{Failure, Result};
use crate::incoming;
use crate::source::Named;
use crate::table::Table;
use crate::watched::Watched;
use binfmt::columns::Columns;
use binfmt::storage::{Folder, Storage};
use binfmt::table::{ColumnsTable, Fit, Logical, Settings, TableSchema, TimeUnit, Wanted, keys};
use binfmt_arrow::{BatchReader, BatchesTable};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyCapsule;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A column that Python gives: its name, parts, unit, what its values mean, and the zone of times.
type Given<'py> = (String, Bound<'py, PyAny>, Option<String>, Option<Meaning>, Option<String>);

/// What values are: the word for it, a unit of time, the dimensions of a tensor.
type Meaning = (String, Option<String>, Vec<u64>);

/// Whether a note is about values that are the same in another type, or in a text that says them.
fn is_kept(note: &str) -> bool {
    let is_same = |fit: &Fit| note.ends_with(&format!(": {fit}"));
    [Fit::Same, Fit::Widened, Fit::Checked].iter().any(is_same) || note.ends_with(" reads again")
}

/// Columns of Python as a table.
#[pyfunction]
pub(crate) fn table_of_columns(columns: Vec<Given<'_>>) -> Result<Table> {
    let (mut named, mut about) = (Vec::new(), Vec::new());
    for (name, parts, units, logical, zone) in columns {
        named.push((name.into(), incoming::column(&parts)?));
        about.push((units, logical, zone));
    }
    let table = ColumnsTable::new(Columns::new(named)?);
    let mut schema = binfmt::table::Table::schema(&table).clone();
    for (field, (units, logical, zone)) in schema.fields.iter_mut().zip(about) {
        field.meta.extend(units.map(|units| (keys::UNITS.into(), units)));
        // as of columns that come from Arrow
        field.meta.extend(zone.map(|zone| ("arrow:timezone".into(), zone)));
        field.logical = logical.and_then(meant);
    }
    Ok(Table::of(Arc::new(Watched::with_schema(Arc::new(table), schema))))
}

fn meant((kind, unit, shape): Meaning) -> Option<Logical> {
    use TimeUnit::*;
    let units = [Year, Month, Week, Day, Hour, Minute, Second, Milli, Micro, Nano, Pico, Femto, Atto];
    let unit = units.into_iter().find(|known| unit.as_deref() == Some(known.to_string().as_str()));
    match kind.as_str() {
        "timestamp" => unit.map(Logical::Timestamp),
        "duration" => unit.map(Logical::Duration),
        "character" => Some(Logical::Character),
        "complex" => Some(Logical::Complex),
        "x87" => Some(Logical::X87),
        "tensor" => Some(Logical::Tensor { shape, column_major: false }),
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

/// Writes columns and rows of a table to a file, or after those that it has: how many rows and bytes that were, and what is not in the file as
/// it is in the table. What was there stays until all is written.
#[pyfunction]
#[pyo3(signature = (path, format, settings, table, columns, rows=None, names=None, append=false))]
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
    append: bool,
) -> Result<(u64, u64, Vec<String>)> {
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
    let watched: Arc<dyn binfmt::table::Table> = Arc::new(Watched::named(table.hearing(), table.name()));
    let written = py.detach(|| {
        let sink = match append {
            true => append::sink(&path, format, &schema, &settings)?,
            false => binfmt::create_as(&path, format, &schema, &settings)?,
        };
        let mut notes = sink.notes();
        let written = watched.write_to(&wanted, sink)?;
        notes.extend(written.notes);
        notes.extend(watched.left_out());
        notes.retain(|note| !is_kept(note));
        Ok((written.rows, written.bytes, notes))
    });
    written.map_err(|e: Failure| {
        let read = table.name().filter(|name| e.begins_with(&name.shown)).cloned();
        e.named(&read.unwrap_or_else(|| Named::path(&path)))
    })
}

/// Puts bytes into a file: what was there stays until all of them are.
#[pyfunction]
pub(crate) fn put_file(py: Python<'_>, path: PathBuf, bytes: PyBackedBytes) -> Result<()> {
    let put = py.detach(|| {
        let path = Folder::written(&path).map_err(binfmt::Error::from)?;
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| Failure::other("this is not the name of a file in UTF-8"))?;
        let folder = Folder::new(path.parent().unwrap_or(Path::new("")));
        Ok(folder.write(name, &bytes).map_err(binfmt::Error::from)?)
    });
    put.map_err(|e: Failure| e.named(&Named::path(&path)))
}
