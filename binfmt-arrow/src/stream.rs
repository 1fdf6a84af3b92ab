//! Tables as streams of record batches, and streams as columns.

use crate::error::{ours, theirs};
use crate::mapping::Mapping;
use crate::options::Conversion;
use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use binfmt::Result;
use binfmt::columns::Columns;
use binfmt::table::{Batches, Table, TableSchema, Wanted};
use std::fmt;
use std::sync::Arc;

/// The rows of a table as record batches. After an error there is no batch; those of the rows before it came first.
///
/// ```
/// use arrow_array::RecordBatchReader;
/// use binfmt::{columns::{Column, Columns}, table::{ColumnsTable, Wanted}};
/// use binfmt_arrow::{Conversion, TableReader};
/// use std::sync::Arc;
///
/// let columns = Columns::new(vec![("x".into(), Column::from(vec![1u8, 2, 3]))])?;
/// let table = Arc::new(ColumnsTable::new(columns));
/// let mut reader = TableReader::new(table, &Wanted::new().batch_rows(2), &Conversion::new())?;
/// assert_eq!(reader.schema().field(0).name(), "x");
/// let rows: Vec<_> = reader.map(|batch| batch.map(|batch| batch.num_rows())).collect::<Result<_, _>>().unwrap();
/// assert_eq!(rows, [2, 1]);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub struct TableReader {
    /// None after an error.
    batches: Option<Batches>,
    mapping: Mapping,
}

impl fmt::Debug for TableReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableReader").field("mapping", &self.mapping).finish_non_exhaustive()
    }
}

impl TableReader {
    /// What is wanted of a table.
    ///
    /// ```
    /// # use binfmt::{columns::Columns, table::{ColumnsTable, Wanted}};
    /// let table = std::sync::Arc::new(ColumnsTable::new(Columns::new(vec![])?));
    /// assert!(binfmt_arrow::TableReader::new(table, &Wanted::new().columns([1]), &Default::default()).is_err());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no such column, Arrow has nothing for the type of a column, or the file cannot be read.
    pub fn new(table: Arc<dyn Table>, wanted: &Wanted, how: &Conversion) -> Result<Self> {
        let all = Mapping::of_table(table.schema(), how)?;
        let mapping = all.project(&wanted.columns_of(table.schema())?)?;
        Ok(TableReader::of_batches(table.batches(wanted)?, mapping))
    }

    /// Batches of columns, by a mapping that fits them.
    ///
    /// ```
    /// # use binfmt::{columns::Columns, table::TableSchema};
    /// # use binfmt_arrow::{Mapping, TableReader};
    /// let mapping = Mapping::of_table(&TableSchema::new([]), &Default::default())?;
    /// let batches = Box::new([Columns::with_rows(3, vec![])].into_iter());
    /// assert_eq!(TableReader::of_batches(batches, mapping).next().unwrap().unwrap().num_rows(), 3);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn of_batches(batches: Batches, mapping: Mapping) -> Self {
        TableReader { batches: Some(batches), mapping }
    }
}

impl Iterator for TableReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.batches.as_mut()?.next()?.and_then(|columns| self.mapping.to_batch(columns));
        if batch.is_err() {
            self.batches = None;
        }
        Some(batch.map_err(theirs))
    }
}

impl RecordBatchReader for TableReader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(self.mapping.arrow_schema())
    }
}

/// What is wanted of a table as a stream of Arrow's C interface: what Python's `__arrow_c_stream__` hands over.
///
/// ```
/// use binfmt::{columns::{Column, Columns}, table::{ColumnsTable, Wanted}};
/// use binfmt_arrow::{BatchReader, Conversion};
/// use std::sync::Arc;
///
/// let columns = Columns::new(vec![("x".into(), Column::from(vec![1u8, 2, 3]))])?;
/// let table = Arc::new(ColumnsTable::new(columns.clone()));
/// let stream = binfmt_arrow::stream(table, &Wanted::new(), &Conversion::new())?;
/// // on the other side, perhaps in another language
/// let batches: Vec<_> = BatchReader::of_stream(stream)?.collect::<Result<_, _>>()?;
/// assert_eq!(batches, [columns]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// As [`TableReader::new`].
pub fn stream(table: Arc<dyn Table>, wanted: &Wanted, how: &Conversion) -> Result<FFI_ArrowArrayStream> {
    Ok(FFI_ArrowArrayStream::new(Box::new(TableReader::new(table, wanted, how)?)))
}

/// Record batches as columns, one after the other. After an error there is nothing.
///
/// ```
/// use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator, StringArray};
/// use std::sync::Arc;
/// let names: ArrayRef = Arc::new(StringArray::from(vec!["a", "bc"]));
/// let batch = RecordBatch::try_from_iter([("name", names)]).unwrap();
/// let schema = batch.schema();
/// let mut reader = binfmt_arrow::BatchReader::new(RecordBatchIterator::new([Ok(batch)], schema))?;
/// assert_eq!(reader.schema().fields[0].name, "name");
/// assert_eq!(reader.next().unwrap()?.num_rows(), 2);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub struct BatchReader {
    /// None after an error.
    batches: Option<Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>>,
    mapping: Mapping,
}

impl fmt::Debug for BatchReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchReader").field("mapping", &self.mapping).finish_non_exhaustive()
    }
}

impl BatchReader {
    /// What a reader gives.
    ///
    /// ```
    /// # use arrow_array::RecordBatchIterator;
    /// let schema = std::sync::Arc::new(arrow_schema::Schema::empty());
    /// assert!(binfmt_arrow::BatchReader::new(RecordBatchIterator::new([], schema))?.next().is_none());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no column for a type of its schema.
    pub fn new(reader: impl RecordBatchReader + Send + 'static) -> Result<Self> {
        let mapping = Mapping::of_arrow(&reader.schema())?;
        Ok(BatchReader { batches: Some(Box::new(reader)), mapping })
    }

    /// What a stream of Arrow's C interface gives.
    ///
    /// A stream from elsewhere is a pointer, which [`FFI_ArrowArrayStream::from_raw`] takes over; that its callbacks do what
    /// they must is the caller's word, and Arrow's to check.
    ///
    /// ```
    /// let stream = arrow_array::ffi_stream::FFI_ArrowArrayStream::empty();
    /// assert!(binfmt_arrow::BatchReader::of_stream(stream).is_err());
    /// ```
    ///
    /// # Errors
    /// The stream was taken by someone else, or there is no column for a type of its schema.
    pub fn of_stream(stream: FFI_ArrowArrayStream) -> Result<Self> {
        BatchReader::new(ArrowArrayStreamReader::try_new(stream).map_err(ours)?)
    }

    /// The columns.
    ///
    /// ```
    /// # use arrow_array::RecordBatchIterator;
    /// # let schema = std::sync::Arc::new(arrow_schema::Schema::empty());
    /// # let reader = binfmt_arrow::BatchReader::new(RecordBatchIterator::new([], schema))?;
    /// assert!(reader.schema().fields.is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn schema(&self) -> &TableSchema {
        self.mapping.table_schema()
    }

    pub(crate) fn into_parts(self) -> (Mapping, impl Iterator<Item = Result<RecordBatch>>) {
        (self.mapping, self.batches.into_iter().flatten().map(|batch| batch.map_err(ours)))
    }
}

impl Iterator for BatchReader {
    type Item = Result<Columns>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.batches.as_mut()?.next()?.map_err(ours);
        let columns = batch.and_then(|batch| self.mapping.to_columns(batch));
        if columns.is_err() {
            self.batches = None;
        }
        Some(columns)
    }
}
