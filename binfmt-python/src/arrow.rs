//! Tables as streams of Arrow's C interface, in the capsules that Python libraries exchange.

use crate::failure::{Failure, Result};
use crate::headroom;
use crate::table::Table;
use crate::watched::Watched;
use ::arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use ::arrow_array::ffi_stream::FFI_ArrowArrayStream;
use ::arrow_array::{Array, RecordBatchIterator, StructArray};
use binfmt::columns::{Column, Columns};
use binfmt::table::{Batches, TableSchema, Wanted};
use binfmt_arrow::{Conversion, Mapping, TableReader, Texts, Times};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;

/// Rows of a batch of a stream: what other libraries work with.
const ROWS: usize = 65_536;

/// How values become arrays.
fn conversion(codes: bool, texts: &str) -> Result<Conversion> {
    let texts = match texts {
        "checked" => Texts::Checked,
        "binary" => Texts::Binary,
        "latin1" => Texts::Latin1,
        "lossy" => Texts::Lossy,
        other => {
            let text = format!("texts: expected checked, binary, latin1 or lossy, found {other:?}");
            return Err(Failure::other(text));
        }
    };
    Ok(Conversion::new().missing_codes(codes).texts(texts).times(Times::Dates))
}

/// What is asked of the table.
fn wanted(table: &Table, columns: Vec<usize>, rows: Option<(i64, i64)>) -> Wanted {
    table.wanted(Some(columns), rows).batch_rows(ROWS)
}

/// The rows in batches, and how they become Arrow's, as long as there is memory for one more: whoever reads them may hold those before it.
fn batches_of(
    table: Arc<dyn binfmt::table::Table>,
    wanted: &Wanted,
    how: &Conversion,
) -> binfmt::Result<(Mapping, Batches)> {
    let mapping = Mapping::of_table(table.schema(), how)?.project(&wanted.columns_of(table.schema())?)?;
    let batches = table.batches(wanted)?.map(|batch| headroom::check(0).and(batch));
    Ok((mapping, Box::new(batches)))
}

/// The schema, in a capsule.
#[pyfunction]
#[pyo3(signature = (table, columns, codes=false, texts="checked"))]
pub(crate) fn arrow_schema<'py>(
    py: Python<'py>,
    table: &Table,
    columns: Vec<usize>,
    codes: bool,
    texts: &str,
) -> Result<Bound<'py, PyCapsule>> {
    let mapping = Mapping::of_table(table.table().schema(), &conversion(codes, texts)?)?.project(&columns)?;
    let schema = FFI_ArrowSchema::try_from(mapping.arrow_schema().as_ref()).map_err(Failure::other)?;
    Ok(PyCapsule::new_with_value(py, schema, c"arrow_schema")?)
}

/// The rows as a stream of batches, in a capsule. They are read when the stream is, without Python.
#[pyfunction]
#[pyo3(signature = (table, columns, rows=None, codes=false, texts="checked"))]
pub(crate) fn arrow_stream<'py>(
    py: Python<'py>,
    table: &Table,
    columns: Vec<usize>,
    rows: Option<(i64, i64)>,
    codes: bool,
    texts: &str,
) -> Result<Bound<'py, PyCapsule>> {
    let (how, wanted) = (conversion(codes, texts)?, wanted(table, columns, rows));
    let from: Arc<dyn binfmt::table::Table> = Arc::new(Watched::named(table.table(), table.name()));
    let read = || {
        let (mapping, batches) = batches_of(from, &wanted, &how)?;
        Ok(FFI_ArrowArrayStream::new(Box::new(TableReader::of_batches(batches, mapping))))
    };
    let stream = py.detach(read).map_err(|e: binfmt::Error| table.told(e.into()))?;
    Ok(PyCapsule::new_with_value(py, stream, c"arrow_array_stream")?)
}

/// The rows as a stream of batches that are read already, by the thread that asks: it hears Ctrl-C, and errors are those of the library.
#[pyfunction]
#[pyo3(signature = (table, columns, rows=None, codes=false, texts="checked"))]
pub(crate) fn arrow_read<'py>(
    py: Python<'py>,
    table: &Table,
    columns: Vec<usize>,
    rows: Option<(i64, i64)>,
    codes: bool,
    texts: &str,
) -> Result<Bound<'py, PyCapsule>> {
    let how = conversion(codes, texts)?;
    table.try_room(&columns, rows)?;
    let read = || {
        let (mapping, batches) =
            batches_of(Arc::clone(table.hearing()), &wanted(table, columns, rows), &how)?;
        let batches = batches.map(|batch| mapping.to_batch(batch?)).collect::<binfmt::Result<Vec<_>>>()?;
        let schema = Arc::clone(mapping.arrow_schema());
        let batches = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
        Ok(FFI_ArrowArrayStream::new(Box::new(batches)))
    };
    let stream = py.detach(read).map_err(|e: binfmt::Error| table.told(e.into()))?;
    Ok(PyCapsule::new_with_value(py, stream, c"arrow_array_stream")?)
}

/// One column as an array, in two capsules: its type, its values.
#[pyfunction]
#[pyo3(signature = (table, column, rows=None, codes=false, texts="checked"))]
pub(crate) fn arrow_array<'py>(
    py: Python<'py>,
    table: &Table,
    column: usize,
    rows: Option<(i64, i64)>,
    codes: bool,
    texts: &str,
) -> Result<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let how = conversion(codes, texts)?;
    let found = table.gathered(py, vec![column], rows, Vec::new(), false)?.pop();
    let found = found.ok_or_else(|| Failure::other(format!("there is no column {column}")))?;
    capsules(py, table, column, found, &how)
}

/// Columns that are read, each with its place: the places, and a batch of the columns: its type and its values, in capsules.
pub(crate) fn of_columns<'py>(
    py: Python<'py>,
    table: &Table,
    columns: Vec<(usize, usize, Column)>,
) -> Result<Bound<'py, PyAny>> {
    let (mut places, mut fields, mut found) = (Vec::new(), Vec::new(), Vec::new());
    for (place, column, values) in columns {
        let field = &table.table().schema().fields[column];
        places.push(place);
        found.push((field.name.clone(), values));
        fields.push(field.clone());
    }
    let (schema, array) = py.detach(|| {
        let mapping = Mapping::of_table(&TableSchema::new(fields), &Conversion::new())?;
        let batch = mapping.to_batch(Columns::new(found)?)?;
        let schema = FFI_ArrowSchema::try_from(batch.schema().as_ref()).map_err(Failure::other)?;
        Ok::<_, Failure>((schema, FFI_ArrowArray::new(&StructArray::from(batch).to_data())))
    })?;
    let schema = PyCapsule::new_with_value(py, schema, c"arrow_schema")?;
    let array = PyCapsule::new_with_value(py, array, c"arrow_array")?;
    Ok((places, schema, array).into_pyobject(py)?.into_any())
}

fn capsules<'py>(
    py: Python<'py>,
    table: &Table,
    column: usize,
    found: Column,
    how: &Conversion,
) -> Result<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let (schema, array) = py.detach(|| {
        let field = table.table().schema().fields[column].clone();
        let columns = Columns::new(vec![(field.name.clone(), found)])?;
        // the other columns are not looked at
        let batch = Mapping::of_table(&TableSchema::new([field]), how)?.to_batch(columns)?;
        let schema = FFI_ArrowSchema::try_from(batch.schema().field(0)).map_err(Failure::other)?;
        Ok::<_, Failure>((schema, FFI_ArrowArray::new(&batch.column(0).to_data())))
    })?;
    let schema = PyCapsule::new_with_value(py, schema, c"arrow_schema")?;
    Ok((schema, PyCapsule::new_with_value(py, array, c"arrow_array")?))
}
