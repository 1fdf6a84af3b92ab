//! Tables as JSON lines.

use crate::columns::{Column, ColumnData, Columns, ValueRef};
use crate::error::Result;
use crate::storage::{Storage, StorageWriter};
use crate::table::cells::CellType;
use crate::table::retyped::inferred_times;
use crate::table::written::{Held, Timed, json, named_once, time_unit, times_to_text};
use crate::table::{TableField, TableSchema, TableSink, TimeUnit, Written};
use crate::wire::amount::after;
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::io::Write;
use std::sync::Arc;

/// Writes an object in each line: what files of [`JsonLines`](super::JsonLines) consist of.
///
/// ```
/// use binfmt::columns::Column;
/// use binfmt::table::jsonl::Writer;
/// let mut lines = Writer::new(Vec::new(), ["n"])?;
/// lines.rows(&[&Column::from(vec![1u8, 2])], 2)?;
/// assert_eq!(lines.into_inner()?, b"{\"n\":1}\n{\"n\":2}\n");
/// # Ok::<(), binfmt::Error>(())
/// ```
pub struct Writer<W> {
    out: Held<W>,
    names: Vec<String>,
    /// What the times of the columns are counted in; the numbers of others stay what they are.
    units: Vec<Option<TimeUnit>>,
    /// Whether a missing value that has no reason, the code 0, is `null`, as other software has it.
    nulls: bool,
}

impl<W> fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("names", &self.names).finish_non_exhaustive()
    }
}

impl<W: Write> Writer<W> {
    /// Lines whose members have these names.
    ///
    /// ```
    /// assert!(binfmt::table::jsonl::Writer::new(Vec::new(), ["a", "a"]).is_err());
    /// ```
    ///
    /// # Errors
    /// Two names are the same.
    pub fn new(out: W, names: impl IntoIterator<Item = impl Into<String>>) -> Result<Self> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        named_once(names.iter().map(String::as_str))?;
        let units = vec![None; names.len()];
        Ok(Writer { out: Held::new(out), names, units, nulls: false })
    }

    /// What the integers of the columns count since 1970, where they are times: those are written as ISO 8601 has them.
    ///
    /// ```
    /// use binfmt::columns::Column;
    /// use binfmt::table::{TimeUnit, jsonl::Writer};
    /// let mut lines = Writer::new(Vec::new(), ["t", "n"])?.times([Some(TimeUnit::Day), None]);
    /// lines.rows(&[&Column::from(vec![19_000i64]), &Column::from(vec![7u8])], 1)?;
    /// assert_eq!(lines.into_inner()?, b"{\"t\":\"2022-01-08\",\"n\":7}\n");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn times(mut self, units: impl IntoIterator<Item = Option<TimeUnit>>) -> Self {
        self.units.iter_mut().zip(units).for_each(|(known, unit)| *known = unit);
        self
    }

    /// Writes so many rows of the columns, which have the order of the names.
    ///
    /// ```
    /// # use binfmt::table::jsonl::Writer;
    /// let mut lines = Writer::new(Vec::new(), [""; 0])?;
    /// lines.rows(&[], 2)?;
    /// assert_eq!(lines.into_inner()?, b"{}\n{}\n");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn rows(&mut self, columns: &[&Column], rows: usize) -> Result<()> {
        let Writer { out, names, units, nulls } = self;
        for row in 0..rows {
            json(&Object { names, units, nulls: *nulls, columns, row }, &mut *out)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Passes on what was written so far.
    ///
    /// ```
    /// binfmt::table::jsonl::Writer::new(Vec::new(), ["a"])?.flush()?;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn flush(&mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }

    /// The output, to which everything was passed on.
    ///
    /// ```
    /// assert!(binfmt::table::jsonl::Writer::new(Vec::new(), ["a"])?.into_inner()?.is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn into_inner(self) -> Result<W> {
        Ok(self.out.into_inner()?)
    }
}

/// One row, by the names of its columns.
struct Object<'a> {
    names: &'a [String],
    units: &'a [Option<TimeUnit>],
    nulls: bool,
    columns: &'a [&'a Column],
    row: usize,
}

/// A value of a column whose times have that unit.
struct Cell<'a>(Option<ValueRef<'a>>, Option<TimeUnit>);

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.0, self.1) {
            (Some(value), Some(unit)) => Timed::new(value, unit).serialize(serializer),
            (value, _) => value.serialize(serializer),
        }
    }
}

impl<'a> Serialize for Object<'a> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = self.columns.iter().zip(self.units);
        let get = |column: &'a Column| match column.get(self.row) {
            Some(ValueRef::Missing(0)) if self.nulls => None,
            value => value,
        };
        let values = values.map(|(column, unit)| Cell(get(column), *unit));
        serializer.collect_map(self.names.iter().zip(values))
    }
}

/// A line for each row.
pub(super) struct JsonLinesSink {
    lines: Writer<StorageWriter>,
    notes: Vec<String>,
    /// Columns whose times are written as they are in another file of text.
    reads: Vec<(usize, CellType)>,
    rows: u64,
}

impl JsonLinesSink {
    pub(super) fn new(storage: Arc<dyn Storage>, path: &str, schema: &TableSchema) -> Result<Self> {
        let names: Vec<&str> = schema.fields.iter().map(|field| field.name.as_str()).collect();
        named_once(names.iter().copied())?;
        let note = |field: &TableField| match time_unit(field) {
            Some(_) => times_to_text(field),
            None => field.as_text(),
        };
        let notes = schema.fields.iter().filter_map(note).collect();
        let lines = Writer { nulls: true, ..Writer::new(StorageWriter::new(storage, path)?, names)? };
        let (lines, reads) = (lines.times(schema.fields.iter().map(time_unit)), inferred_times(schema));
        Ok(JsonLinesSink { lines, notes, reads, rows: 0 })
    }
}

impl TableSink for JsonLinesSink {
    fn reads(&self) -> Vec<(usize, CellType)> {
        self.reads.clone()
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn write(&mut self, batch: Columns) -> Result<()> {
        let columns: Vec<&Column> = batch.iter().map(|(_, column)| column).collect();
        self.lines.rows(&columns, batch.num_rows())?;
        self.rows = after(self.rows, batch.num_rows() as u64);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Written> {
        Ok(Written::new(self.rows, self.lines.into_inner()?.finish()?))
    }
}
