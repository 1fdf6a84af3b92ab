//! Record batches in memory as a table.

use crate::error::ours;
use crate::mapping::Mapping;
use crate::stream::BatchReader;
use arrow_array::RecordBatch;
use binfmt::Result;
use binfmt::table::{Batches, Estimate, Split, Table, TableSchema, Wanted};
use std::sync::Arc;

/// Record batches in memory as a table: what comes as a stream and must be read more than once, or in parts.
///
/// ```
/// use arrow_array::{ArrayRef, Int64Array, RecordBatch, RecordBatchIterator};
/// use binfmt::table::{Estimate, Table, Wanted};
/// use binfmt_arrow::{BatchReader, BatchesTable};
/// use std::sync::Arc;
///
/// let values: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3]));
/// let batch = RecordBatch::try_from_iter([("n", values)]).unwrap();
/// let schema = batch.schema();
/// let reader = BatchReader::new(RecordBatchIterator::new([Ok(batch)], schema))?;
/// let table: Arc<dyn Table> = Arc::new(BatchesTable::read(reader)?);
/// assert_eq!(table.num_rows(), Estimate::Exact(3));
/// let rows = table.batches(&Wanted::new().rows(1..3))?.map(|batch| batch.map(|columns| columns.num_rows()));
/// assert_eq!(rows.sum::<Result<usize, _>>()?, 2);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BatchesTable {
    mapping: Mapping,
    batches: Vec<RecordBatch>,
    /// The number of the first row of each batch, and of the row after the last.
    starts: Vec<i64>,
}

impl BatchesTable {
    /// All that a reader gives.
    ///
    /// ```
    /// # use arrow_array::RecordBatchIterator;
    /// let schema = std::sync::Arc::new(arrow_schema::Schema::empty());
    /// let reader = binfmt_arrow::BatchReader::new(RecordBatchIterator::new([], schema))?;
    /// assert!(binfmt_arrow::BatchesTable::read(reader).is_ok());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the reader.
    pub fn read(reader: BatchReader) -> Result<Self> {
        let (mapping, batches) = reader.into_parts();
        let (mut all, mut starts) = (Vec::new(), vec![0i64]);
        for batch in batches {
            let batch = batch?;
            let end = starts.last().copied().unwrap_or(0);
            starts.push(end.saturating_add(i64::try_from(batch.num_rows()).unwrap_or(i64::MAX)));
            all.push(batch);
        }
        Ok(BatchesTable { mapping, batches: all, starts })
    }

    fn num_rows(&self) -> i64 {
        self.starts.last().copied().unwrap_or(0)
    }
}

impl Table for BatchesTable {
    fn schema(&self) -> &TableSchema {
        self.mapping.table_schema()
    }

    fn num_rows(&self) -> Estimate {
        Estimate::Exact(u64::try_from(self.num_rows()).unwrap_or(0))
    }

    fn splits(&self, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
        wanted.columns_of(self.schema())?;
        let (first, last) = wanted.rows.as_ref().map_or((0, i64::MAX), |rows| (rows.start, rows.end));
        let (first, last) = (first.max(0), last.min(self.num_rows()));
        let parts = i64::try_from(parts.max(1)).unwrap_or(1);
        let rows = last.saturating_sub(first).max(0);
        let each = (rows.saturating_add(parts).saturating_sub(1)).checked_div(parts).unwrap_or(rows).max(1);
        let step = usize::try_from(each).unwrap_or(usize::MAX);
        let starts = (first..last).step_by(step);
        Ok(starts.map(|start| rows_of(start..start.saturating_add(each).min(last))).collect())
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let columns = wanted.columns_of(Table::schema(&*self))?;
        let mapping = self.mapping.project(&columns)?;
        let fields: Vec<usize> = columns.iter().flat_map(|column| self.mapping.fields_of(*column)).collect();
        let most = i64::try_from(wanted.limit.unwrap_or(u64::MAX)).unwrap_or(i64::MAX);
        let end = split.rows.end.min(self.num_rows()).min(split.rows.start.saturating_add(most));
        let mut at = split.rows.start.max(0);
        let step = i64::try_from(wanted.batch_rows.max(1)).unwrap_or(i64::MAX);
        Ok(Box::new(std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            // the last batch that begins there or before
            let number = self.starts.partition_point(|start| *start <= at).saturating_sub(1);
            let (batch, first) = (self.batches.get(number)?, *self.starts.get(number)?);
            let last = self.starts.get(number.saturating_add(1)).copied().unwrap_or(end);
            let until = end.min(last).min(at.saturating_add(step));
            let (skip, rows) = (at.saturating_sub(first), until.saturating_sub(at));
            at = until;
            let place = |n: i64| usize::try_from(n).unwrap_or(0);
            let some = batch.slice(place(skip), place(rows)).project(&fields).map_err(ours);
            Some(some.and_then(|batch| mapping.to_columns(batch)))
        })))
    }
}

/// A split of these rows.
pub(crate) fn rows_of(rows: std::ops::Range<i64>) -> Split {
    let count = u64::try_from(rows.end.saturating_sub(rows.start)).unwrap_or(0);
    Split { first: rows.start, rows, num_rows: Estimate::Exact(count), ..Split::default() }
}
