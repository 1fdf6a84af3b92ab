//! Files as tables.

use crate::arrow::of_columns;
use crate::failure::{Failure, Result};
use crate::gather::{add, with_nan};
use crate::parts::{self, Blocks};
use crate::patience::patiently;
use crate::source::{Named, Source};
use crate::watched::Watched;
use binfmt::Step;
use binfmt::columns::{Column, Columns};
use binfmt::numbers::Number;
use binfmt::table::{
    Batches as Rows, Estimate, Filter, Filtered, Logical, Scalar, ScalarRange, Setting, Settings, TableField,
    Wanted, keys,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use std::collections::BTreeMap;
use std::ops::Bound as End;
use std::sync::{Arc, Mutex, PoisonError};

/// Rows of a batch when all are read: few enough that the memory of one is used again by the next, and that Ctrl-C is heard.
const ROWS_AT_ONCE: usize = 16_384;

/// A file that was opened, and the condition its rows are to meet.
#[pyclass(frozen, module = "binfmt._binfmt")]
pub(crate) struct Table {
    table: Arc<dyn binfmt::table::Table>,
    /// The same table, which hears Ctrl-C; for the thread that Python has called.
    hearing: Arc<dyn binfmt::table::Table>,
    /// What errors call it; what Python has made has no name.
    name: Option<Named>,
    /// Whether it has a condition.
    is_filtered: bool,
}

/// Names of settings with what they mean.
type Said = Vec<(&'static str, &'static str)>;

/// Names of the formats with their settings for reading and for writing.
#[pyfunction]
pub(crate) fn formats() -> Vec<(&'static str, Said, Said)> {
    let said = |settings: &'static [Setting]| settings.iter().map(|one| (one.name, one.help)).collect();
    let of = |format: &&dyn binfmt::table::TableFormat| {
        (format.name(), said(format.settings()), said(format.write_settings()))
    };
    binfmt::FORMATS.iter().map(of).collect()
}

/// Names of the formats that are written.
#[pyfunction]
pub(crate) fn formats_written() -> Vec<&'static str> {
    binfmt::FORMATS.iter().filter(|format| format.writes()).map(|format| format.name()).collect()
}

/// Opens a file of any format.
#[pyfunction]
pub(crate) fn open_table(
    py: Python<'_>,
    source: Source,
    name: &str,
    format: Option<String>,
    settings: BTreeMap<String, String>,
) -> Result<Table> {
    let settings = settings.into_iter().fold(Settings::new(), |all, (name, text)| all.with(name, text));
    let named = source.name(name);
    let (about, name) = (source.about(), name.to_owned());
    let size = source.size(about.as_ref());
    // some formats read all of a file to say what is in it
    let opened = patiently(py, size, move || {
        let (storage, name) = source.place(&name, about)?;
        Ok(binfmt::open_in(binfmt::FORMATS, storage, &name, format.as_deref(), &settings)?)
    });
    match opened {
        Ok(table) => {
            Ok(Table { hearing: hearing(&table, size), table, name: Some(named), is_filtered: false })
        }
        Err(e) => Err(e.named(&named)),
    }
}

/// How many cells a box has: a range of each dimension.
fn cells(ranges: &[(usize, i64, i64)]) -> i64 {
    let width = |(_, low, high): &(usize, i64, i64)| high.saturating_sub(*low).saturating_add(1).max(0);
    ranges.iter().map(width).fold(1, i64::saturating_mul)
}

fn hearing(table: &Arc<dyn binfmt::table::Table>, bytes: u64) -> Arc<dyn binfmt::table::Table> {
    Arc::new(Watched::named(table, None).hearing(bytes))
}

impl Table {
    pub(crate) fn wanted(&self, columns: Option<Vec<usize>>, rows: Option<(i64, i64)>) -> Wanted {
        let mut wanted = Wanted::new();
        wanted.columns = columns;
        wanted.rows = rows.map(|(start, end)| start..end);
        // of them those come for which the condition holds
        wanted.unwritten = self.is_filtered;
        wanted
    }

    pub(crate) fn of(table: Arc<dyn binfmt::table::Table>) -> Table {
        Table { hearing: hearing(&table, 0), table, name: None, is_filtered: false }
    }

    /// A table of files of any size.
    pub(crate) fn of_files(table: Arc<dyn binfmt::table::Table>) -> Table {
        Table { hearing: hearing(&table, u64::MAX), table, name: None, is_filtered: false }
    }

    pub(crate) fn hearing(&self) -> &Arc<dyn binfmt::table::Table> {
        &self.hearing
    }

    pub(crate) fn name(&self) -> Option<&Named> {
        self.name.as_ref()
    }

    /// An error, with the name of the file.
    pub(crate) fn told(&self, e: Failure) -> Failure {
        told(self.name(), e)
    }

    pub(crate) fn table(&self) -> &Arc<dyn binfmt::table::Table> {
        &self.table
    }

    /// How many rows come of those that are asked for, as far as that is known; else 0.
    fn expected(&self, columns: &[usize], rows: Option<(i64, i64)>) -> usize {
        let most = rows.map_or(u64::MAX, |(start, end)| end.saturating_sub(start).max(0).unsigned_abs());
        let from = rows.map_or(0, |(start, _)| start.max(0).unsigned_abs());
        let all = match self.table.num_rows() {
            Estimate::Exact(all) => all,
            // rows of one size, after which something is left
            Estimate::About(all) if self.table.fills(columns) => all,
            _ => 0,
        };
        let all = all.saturating_sub(from);
        usize::try_from(all.min(most)).unwrap_or(usize::MAX)
    }

    /// Asks the system for the memory of the rows that are asked for, and gives it back: where there is not as much, nobody reads in vain
    /// until it is used up.
    pub(crate) fn try_room(&self, columns: &[usize], rows: Option<(i64, i64)>) -> Result<()> {
        let (fields, all) = (&self.table.schema().fields, self.expected(columns, rows));
        let wanted = || columns.iter().filter_map(|column| fields.get(*column));
        let each = wanted().fold(0usize, |sum, field| sum.saturating_add(field.ty.row_bytes()));
        let requested = each.saturating_mul(all);
        if Vec::<u8>::new().try_reserve_exact(requested).is_ok() {
            return Ok(());
        }
        let e = binfmt::Error::from(binfmt::ErrorKind::OutOfMemory { requested });
        Err(self.told(match columns {
            [_] => wanted().fold(e, |e, field| e.within(Step::Name(field.name.to_string()))).into(),
            _ => e.into(),
        }))
    }

    /// The rows of each column.
    pub(crate) fn gathered(
        &self,
        py: Python<'_>,
        columns: Vec<usize>,
        rows: Option<(i64, i64)>,
        ranges: Vec<(usize, i64, i64)>,
        nan: bool,
    ) -> Result<Vec<Column>> {
        match ranges.is_empty() {
            true => self.try_room(&columns, rows)?,
            false => self.try_room(&columns, Some((0, cells(&ranges))))?,
        }
        let mut wanted = self.wanted(Some(columns.clone()), rows);
        wanted.batch_rows = ROWS_AT_ONCE;
        // of several columns a batch is still in the cache when it is cut into them
        if columns.len() == 1 && self.table.fills(&columns) {
            (wanted.batch_rows, wanted.batch_bytes) = (usize::MAX, u64::MAX);
        }
        for (column, low, high) in ranges {
            wanted = wanted.range(column, low..=high);
        }
        let table = Arc::clone(&self.hearing);
        let batches = py.detach(|| table.batches(&wanted)).map_err(|e| self.told(e.into()))?;
        let batches = Batches { rows: Mutex::new(batches), name: self.name.clone() };
        let mut found: Vec<Option<Column>> = columns.iter().map(|_| None).collect();
        let all = if wanted.ranges.is_empty() { self.expected(&columns, rows) } else { 0 };
        while let Some(batch) = batches.next(py)? {
            for (into, (name, column)) in found.iter_mut().zip(batch.into_columns()) {
                let column = if nan { with_nan(column) } else { column };
                let named = |e: Failure| self.told(e.within(Step::Name(name.to_string())));
                add(into, column, all).map_err(named)?;
            }
        }
        let fields = &self.table.schema().fields;
        let empty = |column: usize| {
            let empty = fields.get(column).map(|field| field.ty.empty());
            empty.ok_or_else(|| Failure::other(format!("there is no column {column}")))
        };
        let found = found.into_iter().zip(columns).map(|(found, column)| match found {
            Some(found) => Ok(found),
            None => empty(column).map(|empty| if nan { with_nan(empty) } else { empty }),
        });
        found.collect()
    }
}

#[pymethods]
impl Table {
    /// What is said of each column.
    fn fields<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for field in &self.table.schema().fields {
            list.append(of_field(py, field)?)?;
        }
        Ok(list)
    }

    /// What is said of the table.
    fn metadata<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
        let said = PyDict::new(py);
        for (key, text) in &self.table.schema().meta {
            said.set_item(key.as_ref(), text)?;
        }
        Ok(said)
    }

    /// How many rows there are, if that is known without reading them.
    fn num_rows(&self) -> Option<u64> {
        self.table.num_rows().exact()
    }

    /// The same as a guess.
    fn about_rows(&self) -> Option<u64> {
        match self.table.num_rows() {
            Estimate::Exact(rows) | Estimate::About(rows) => Some(rows),
            Estimate::Unknown => None,
        }
    }

    /// Whether some rows of a column are read without those before them.
    fn seeks(&self, column: usize) -> bool {
        self.table.fills(&[column])
    }

    /// Counts them.
    fn count_rows(&self, py: Python<'_>) -> Result<u64> {
        match self.table.num_rows().exact() {
            Some(rows) => Ok(rows),
            None => {
                let mut rows = 0;
                let batches = self.batches(py, Some(Vec::new()), None, None)?;
                while let Some(batch) = batches.next(py)? {
                    rows += batch.num_rows() as u64;
                }
                Ok(rows)
            }
        }
    }

    /// The least and the greatest value of a column, if they are known without reading it.
    fn bounds<'py>(&self, py: Python<'py>, column: usize) -> Result<Option<Bound<'py, PyTuple>>> {
        let Some(ScalarRange { low: End::Included(low), high: End::Included(high) }) =
            self.table.bounds(column)
        else {
            return Ok(None);
        };
        Ok(Some(PyTuple::new(py, [scalar(py, low)?, scalar(py, high)?])?))
    }

    /// The rows for which a condition holds.
    fn filtered(&self, py: Python<'_>, condition: &str) -> Result<Table> {
        py.detach(|| {
            let filter = Filter::new(condition, self.table.schema())?;
            let filtered = |table: &Arc<dyn binfmt::table::Table>| -> Arc<dyn binfmt::table::Table> {
                Arc::new(Filtered::new(Arc::clone(table), filter.clone()))
            };
            let (table, hearing) = (filtered(&self.table), filtered(&self.hearing));
            Ok(Table { table, hearing, name: self.name.clone(), is_filtered: true })
        })
    }

    /// Rows in batches.
    #[pyo3(signature = (columns=None, rows=None, batch_rows=None))]
    fn batches(
        &self,
        py: Python<'_>,
        columns: Option<Vec<usize>>,
        rows: Option<(i64, i64)>,
        batch_rows: Option<usize>,
    ) -> Result<Batches> {
        // whoever takes them may stop
        let mut wanted = self.wanted(columns, rows).with_unwritten(true);
        if let Some(rows) = batch_rows {
            wanted = wanted.batch_rows(rows);
            wanted.batch_bytes = u64::MAX;
        }
        let table = Arc::clone(&self.hearing);
        let batches = py.detach(|| table.batches(&wanted)).map_err(|e| self.told(e.into()))?;
        Ok(Batches { rows: Mutex::new(batches), name: self.name.clone() })
    }

    /// All rows of these columns: the parts of each column. `ranges` are hints: the least and the greatest integer of a column.
    #[pyo3(signature = (columns, rows=None, ranges=Vec::new()))]
    fn read<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<usize>,
        rows: Option<(i64, i64)>,
        ranges: Vec<(usize, i64, i64)>,
    ) -> Result<Bound<'py, PyTuple>> {
        let all =
            self.gathered(py, columns, rows, ranges, false)?.into_iter().map(|found| parts::of(py, found));
        Ok(PyTuple::new(py, all.collect::<Result<Vec<_>>>()?)?)
    }

    /// The rows as the file has them, if those are the columns of the table in the memory of this machine, one after the other: how many bytes
    /// each has, and their memory.
    #[pyo3(signature = (rows=None))]
    fn image<'py>(&self, py: Python<'py>, rows: Option<(i64, i64)>) -> Result<Option<Bound<'py, PyAny>>> {
        let Some(image) = Arc::clone(&self.hearing).image() else { return Ok(None) };
        let image =
            Table { hearing: Arc::clone(&image), table: image, name: self.name.clone(), is_filtered: false };
        let column = image.gathered(py, vec![0], rows, Vec::new(), false)?.pop();
        column.map(|column| parts::of(py, column)).transpose()
    }

    /// The same as a data frame has them: missing floats are NaN. The columns in `arrow` are a batch of Arrow, and plain numbers of fewer than
    /// `few` rows blocks, each of one type: their places, and one column after the other. Of both `None` stands among the parts.
    fn read_frame<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<usize>,
        rows: Option<(i64, i64)>,
        arrow: Vec<usize>,
        few: usize,
    ) -> Result<Bound<'py, PyTuple>> {
        let found = self.gathered(py, columns.clone(), rows, Vec::new(), true)?;
        let (mut all, mut texts, mut blocks) = (Vec::new(), Vec::new(), Blocks::default());
        let fields = &self.table.schema().fields;
        for (place, (column, found)) in columns.into_iter().zip(found).enumerate() {
            let is_plain = fields.get(column).is_some_and(is_plain);
            let found = match found {
                found if arrow.contains(&column) => {
                    texts.push((place, column, found));
                    all.push(None);
                    continue;
                }
                Column::Numbers(numbers) if is_plain && numbers.len() < few => {
                    match blocks.add(place, numbers) {
                        None => {
                            all.push(None);
                            continue;
                        }
                        Some(numbers) => Column::Numbers(numbers),
                    }
                }
                found => found,
            };
            all.push(Some(parts::of(py, found)?));
        }
        let texts = if texts.is_empty() { None } else { Some(of_columns(py, self, texts)?) };
        Ok((all, blocks.into_parts(py)?, texts).into_pyobject(py)?)
    }
}

/// Rows in batches: an iterator over the parts of all columns, and the number of rows.
#[pyclass(frozen, module = "binfmt._binfmt")]
pub(crate) struct Batches {
    rows: Mutex<Rows>,
    name: Option<Named>,
}

fn told(name: Option<&Named>, e: Failure) -> Failure {
    match name {
        Some(name) => e.named(name),
        None => e,
    }
}

impl Batches {
    /// The next batch, read without the lock of the interpreter; Ctrl-C is heard before it.
    fn next(&self, py: Python<'_>) -> Result<Option<Columns>> {
        py.check_signals()?;
        let next = py.detach(|| self.rows.lock().unwrap_or_else(PoisonError::into_inner).next());
        next.transpose().map_err(|e| told(self.name.as_ref(), e.into()))
    }
}

#[pymethods]
impl Batches {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> Result<Option<(usize, Bound<'py, PyTuple>)>> {
        let Some(batch) = self.next(py)? else { return Ok(None) };
        let rows = batch.num_rows();
        let parts = batch.into_columns().into_iter().map(|(_, column)| parts::of(py, column));
        Ok(Some((rows, PyTuple::new(py, parts.collect::<Result<Vec<_>>>()?)?)))
    }
}

/// Its name, its type, what the file says of it, whether it is the same in all rows of a part, and what its values mean.
fn of_field<'py>(py: Python<'py>, field: &TableField) -> Result<Bound<'py, PyAny>> {
    let said = PyDict::new(py);
    for (key, text) in &field.meta {
        said.set_item(key.as_ref(), text)?;
    }
    let logical = match &field.logical {
        None | Some(Logical::CodeUnits) if !is_plain(field) => Some(("text", None, None)),
        None => None,
        Some(Logical::Timestamp(unit)) => Some(("timestamp", Some(unit.to_string()), None)),
        Some(Logical::Duration(unit)) => Some(("duration", Some(unit.to_string()), None)),
        Some(Logical::TimestampWithOffset) => Some(("timestamp_with_offset", None, None)),
        Some(Logical::Character) => Some(("character", None, None)),
        Some(Logical::Complex) => Some(("complex", None, None)),
        Some(Logical::X87) => Some(("x87", None, None)),
        Some(Logical::Tensor { shape, column_major }) => {
            Some(("tensor", Some(if *column_major { "F" } else { "C" }.to_owned()), Some(shape.clone())))
        }
        Some(_) => return Err(Failure::other("a kind of values that this package does not know")),
    };
    let about = (field.name.as_str(), field.type_name(), said, field.constant, logical);
    Ok(about.into_pyobject(py)?.into_any())
}

/// Whether its values mean what they are.
fn is_plain(field: &TableField) -> bool {
    field.logical.is_none() && !field.get(keys::NATIVE).is_some_and(is_text)
}

/// Whether the values of a type are texts, as the file calls it.
fn is_text(native: &str) -> bool {
    let begins = |word: &str| native.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    begins("char") || begins("string")
}

fn scalar(py: Python<'_>, scalar: Scalar) -> Result<Bound<'_, PyAny>> {
    Ok(match scalar {
        Scalar::Number(n) => number(py, n)?,
        Scalar::Bytes(bytes) => PyBytes::new(py, &bytes).into_any(),
        _ => return Err(Failure::other("a bound of an unknown kind")),
    })
}

/// A number as Python has it.
pub(crate) fn number(py: Python<'_>, n: Number) -> Result<Bound<'_, PyAny>> {
    if let Some(flag) = n.as_bool() {
        return Ok(flag.into_pyobject(py)?.to_owned().into_any());
    }
    if let Some(f) = n.as_f64() {
        return Ok(f.into_pyobject(py)?.into_any());
    }
    Ok(match n.as_i128().map(i64::try_from) {
        Some(Ok(n)) => n.into_pyobject(py)?.into_any(),
        Some(Err(_)) => n.as_i128().unwrap_or_default().into_pyobject(py)?.into_any(),
        None => n.get::<u128>().unwrap_or_default().into_pyobject(py)?.into_any(),
    })
}
