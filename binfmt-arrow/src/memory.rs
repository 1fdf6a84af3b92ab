//! Record batches in memory as a table.

use crate::error::ours;
use crate::file::of_pieces;
use crate::mapping::Mapping;
use crate::pieces::Pieces;
use crate::stream::BatchReader;
use arrow_array::RecordBatch;
use binfmt::Result;
use binfmt::table::{Batches, Split, Table, TableSchema, Wanted};
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
    pieces: Pieces,
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
        let batches = batches.collect::<Result<Vec<_>>>()?;
        let pieces = Pieces::new(batches.iter().map(|batch| batch.num_rows() as u64));
        Ok(BatchesTable { mapping, batches, pieces })
    }
}

impl Table for BatchesTable {
    of_pieces!();

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let columns = wanted.columns_of(self.schema())?;
        let mapping = self.mapping.project(&columns)?;
        let fields: Vec<usize> = columns.iter().flat_map(|column| self.mapping.fields_of(*column)).collect();
        let (mut rows, step) = (self.pieces.wanted(split, wanted), wanted.batch_rows.max(1));
        Ok(Box::new(std::iter::from_fn(move || {
            let (piece, skip, some) = self.pieces.next(&mut rows, step)?;
            let batch = self.batches.get(piece)?.slice(skip, some).project(&fields).map_err(ours);
            Some(batch.and_then(|batch| mapping.to_columns(batch)))
        })))
    }
}
