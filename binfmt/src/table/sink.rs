//! Tables on their way into files.

use super::csv::CellType;
use super::retyped::in_place;
use super::{Estimate, Table, Wanted};
use crate::columns::Columns;
use crate::error::{Error, Result};
use std::fmt;
use std::sync::Arc;

/// A file that is made of the rows of a table, batch by batch: what [`TableFormat::create`](super::TableFormat::create) gives.
///
/// The file is there, whole, when [`finish`](Self::finish) returns. Dropped before that, or after an error, it never was.
///
/// ```
/// use binfmt::columns::{Column, ColumnType, Columns};
/// use binfmt::numbers::NumberType;
/// use binfmt::storage::{Memory, Storage};
/// use binfmt::table::{Settings, TableField, TableFormat, TableSchema, csv::Csv};
/// use std::sync::Arc;
/// let files = Arc::new(Memory::new());
/// let schema = TableSchema::new([TableField::new("n", ColumnType::Number(NumberType::I32))]);
/// let mut sink = Csv.create(files.clone(), "x.csv", &schema, &Settings::new())?;
/// sink.write(Columns::new(vec![("n".into(), Column::from(vec![1i32, 2]))])?)?;
/// let written = sink.finish()?;
/// assert_eq!((written.rows, written.bytes, files.size("x.csv")?), (2, 6, Some(6)));
/// # Ok::<(), binfmt::Error>(())
/// ```
pub trait TableSink: Send {
    /// The columns of which all rows should be shown to [`look`](Self::look) before the first is written, because the front of the
    /// file says what only they tell; none if the number of rows is enough. Without that, such a format has all rows in memory.
    fn looks_at(&self) -> Option<Vec<usize>> {
        None
    }

    /// Looks at the next rows of these columns.
    ///
    /// # Errors
    /// The format cannot hold one of them.
    fn look(&mut self, rows: &Columns) -> Result<()> {
        let _ = rows;
        Ok(())
    }

    /// Whether rows add anything; if not, they need not be written after they were looked at.
    fn wants_rows(&self) -> bool {
        true
    }

    /// The columns whose fields of text should come as values of these types, because the file says what it has:
    /// [`write_to`](trait.Table.html#method.write_to) reads them so.
    fn reads(&self) -> Vec<(usize, CellType)> {
        Vec::new()
    }

    /// What becomes of columns that are not kept as they are, each in a sentence; known before the first row.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Writes the next rows: all columns of the schema, in its order.
    ///
    /// # Errors
    /// The format cannot hold one of them, with its row and column, or the file cannot be written.
    fn write(&mut self, batch: Columns) -> Result<()>;

    /// Ends the file, which takes its place.
    ///
    /// # Errors
    /// The file cannot be written.
    fn finish(self: Box<Self>) -> Result<Written>;
}

impl fmt::Debug for dyn TableSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TableSink")
    }
}

/// How much was written.
///
/// ```
/// assert_eq!(binfmt::table::Written::default().rows, 0);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// Rows.
    pub rows: u64,
    /// Bytes of all files.
    pub bytes: u64,
    /// What became of single values that are not kept as they are, each in a sentence.
    pub notes: Vec<String>,
}

impl Written {
    /// So much.
    ///
    /// ```
    /// assert_eq!(binfmt::table::Written::new(2, 16).bytes, 16);
    /// ```
    pub fn new(rows: u64, bytes: u64) -> Self {
        Written { rows, bytes, notes: Vec::new() }
    }
}

impl dyn Table {
    /// Writes the wanted rows into a sink, whose schema is that of this table, and ends it. The rows are read twice if the sink
    /// must look at them first.
    ///
    /// ```
    /// use binfmt::columns::{Column, Columns};
    /// use binfmt::storage::Memory;
    /// use binfmt::table::{ColumnsTable, Settings, Table, TableFormat, Wanted, csv::Csv};
    /// use std::sync::Arc;
    /// let columns = Columns::new(vec![("a".into(), Column::from(vec![1u8, 2]))])?;
    /// let table: Arc<dyn Table> = Arc::new(ColumnsTable::new(columns));
    /// let sink = Csv.create(Arc::new(Memory::new()), "x.csv", table.schema(), &Settings::new())?;
    /// assert_eq!(table.write_to(&Wanted::new().rows(1..2), sink)?.rows, 1);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The table cannot be read, the format cannot hold its rows, or the file cannot be written.
    pub fn write_to(self: &Arc<Self>, wanted: &Wanted, sink: Box<dyn TableSink>) -> Result<Written> {
        self.write_by(wanted, sink, |table, wanted, take| {
            Arc::clone(table).batches(wanted)?.try_for_each(|batch| take(batch?))
        })
    }

    /// The same where the caller reads: `read` hands on the batches of the wanted rows of the table that it is given, in their order, as
    /// they come from [`tasks`](Table::tasks) that several threads do. The table is this one, or what the sink [reads](TableSink::reads) of it.
    ///
    /// ```
    /// # use binfmt::columns::{Column, Columns};
    /// # use binfmt::storage::Memory;
    /// # use binfmt::table::{ColumnsTable, Settings, Table, TableFormat, Wanted, csv::Csv};
    /// # use std::sync::Arc;
    /// # let columns = Columns::new(vec![("a".into(), Column::from(vec![1u8, 2]))])?;
    /// let table: Arc<dyn Table> = Arc::new(ColumnsTable::new(columns));
    /// let sink = Csv.create(Arc::new(Memory::new()), "x.csv", table.schema(), &Settings::new())?;
    /// let written = table.write_by(&Wanted::new(), sink, |table, wanted, take| {
    ///     table.clone().batches(wanted)?.try_for_each(|batch| take(batch?))
    /// })?;
    /// assert_eq!(written.rows, 2);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of `read`, and of the sink.
    pub fn write_by(
        self: &Arc<Self>,
        wanted: &Wanted,
        mut sink: Box<dyn TableSink>,
        read: impl Fn(&Arc<Self>, &Wanted, &mut (dyn FnMut(Columns) -> Result<()> + Send)) -> Result<()>,
    ) -> Result<Written> {
        let table = match sink.reads().as_slice() {
            [] => Arc::clone(self),
            reads => {
                let asked = self.asked(wanted);
                let of = |(place, ty): &(usize, CellType)| Some((*asked.get(*place)?, *ty));
                let columns: Vec<_> = reads.iter().filter_map(of).collect();
                match in_place(self, &columns) {
                    Some(table) => table,
                    // lines take times as well as the texts that they are
                    None if reads.iter().all(|(_, ty)| *ty == CellType::Text) => Arc::clone(self),
                    None => return Err(Error::other("the table has no fields of text")),
                }
            }
        };
        if let Some(columns) = sink.looks_at()
            && let Some(seen) = table.shown(wanted, &columns, &mut *sink)?
        {
            read(&table, &seen, &mut |batch| sink.look(&batch))?;
        }
        if sink.wants_rows() {
            read(&table, wanted, &mut |batch| sink.write(batch))?;
        }
        sink.finish()
    }

    /// The columns of this table that a sink gets.
    fn asked(&self, wanted: &Wanted) -> Vec<usize> {
        wanted.columns.clone().unwrap_or_else(|| (0..self.schema().fields.len()).collect())
    }

    /// Shows a sink what is known without reading; what it looks at beyond that.
    fn shown(
        self: &Arc<Self>,
        wanted: &Wanted,
        columns: &[usize],
        sink: &mut dyn TableSink,
    ) -> Result<Option<Wanted>> {
        if let (true, true, Estimate::Exact(all)) =
            (columns.is_empty(), wanted.ranges.is_empty(), self.num_rows())
        {
            let rows = wanted.rows_of(i64::try_from(all).ok());
            let count = rows.end.saturating_sub(rows.start).max(0).unsigned_abs();
            let count = wanted.limit.unwrap_or(u64::MAX).min(count);
            let rows = usize::try_from(count).unwrap_or(usize::MAX);
            sink.look(&Columns::of_rows(rows, Vec::new()))?;
            return Ok(None);
        }
        let all = self.asked(wanted);
        let seen = columns.iter().filter_map(|column| all.get(*column).copied());
        let seen = wanted.clone().columns(seen);
        // a sink that has seen no row knows that there are none
        sink.look(&Columns::of_rows(0, seen_nothing(self, &seen)))?;
        Ok(Some(seen))
    }
}

fn seen_nothing(table: &Arc<dyn Table>, seen: &Wanted) -> Vec<(crate::schema::Name, crate::columns::Column)> {
    let fields = seen.columns.iter().flatten().filter_map(|column| table.schema().fields.get(*column));
    fields.map(|field| (field.name.clone(), field.ty.empty())).collect()
}
