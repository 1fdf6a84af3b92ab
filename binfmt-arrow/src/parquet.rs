//! Parquet files as tables, and tables as Parquet files.

use crate::bounded;
use crate::error::{guarded, ours};
use crate::file::file_format;
use crate::mapping::Mapping;
use crate::options::Conversion;
use crate::pieces::Pieces;
use ::parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use ::parquet::arrow::{ArrowSchemaConverter, ArrowWriter, ProjectionMask};
use ::parquet::basic::{Compression, ZstdLevel};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::reader::{ChunkReader, Length};
use ::parquet::schema::types::ColumnPath;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;
use binfmt::columns::Columns;
use binfmt::storage::{Storage, StorageReader};
use binfmt::table::{Batches, Estimate, Split, Table, TableSchema, Wanted};
use binfmt::{Error, Result, Step};
use std::collections::HashSet;
use std::fmt;
use std::io::Write;
use std::sync::Arc;

/// Parquet files, as one of the formats whose files are tables.
///
/// ```
/// use binfmt::columns::{Column, Columns};
/// use binfmt::storage::{Memory, Storage};
/// use binfmt::table::{ColumnsTable, Estimate, Settings, Table, TableFormat};
/// use binfmt_arrow::{Parquet, ParquetWriter};
/// use std::sync::Arc;
///
/// let columns = Columns::new(vec![("x".into(), Column::from(vec![1u64, u64::MAX]))])?;
/// let schema = ColumnsTable::new(columns.clone()).schema().clone();
/// let mut writer = ParquetWriter::new(Vec::new(), &schema)?;
/// writer.write(columns)?;
/// let bytes = writer.finish()?;
///
/// let files = Memory::new();
/// files.write("x.parquet", &bytes)?;
/// let table = Parquet.open(Arc::new(files), "x.parquet", &Settings::new())?;
/// assert_eq!(table.num_rows(), Estimate::Exact(2));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Parquet;

file_format!(Parquet, "parquet", b"PAR1", ParquetTable, ParquetWriter, Conversion::of_files());

/// A file of a storage, as Parquet's reader wants it.
#[derive(Clone)]
struct Stored {
    storage: Arc<dyn Storage>,
    path: Arc<str>,
    size: u64,
}

fn outside(e: std::io::Error) -> ParquetError {
    ParquetError::External(Box::new(e))
}

impl Length for Stored {
    fn len(&self) -> u64 {
        self.size
    }
}

impl ChunkReader for Stored {
    type T = std::io::BufReader<StorageReader>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        let reader =
            StorageReader::new(Arc::clone(&self.storage), &self.path, start..u64::MAX).map_err(outside)?;
        Ok(std::io::BufReader::new(reader))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<bytes::Bytes, ParquetError> {
        // what the file says of its lengths may be anything
        if start.checked_add(length as u64).is_none_or(|end| end > self.size) {
            return Err(ParquetError::EOF(format!("{length} bytes at {start} of a file of {}", self.size)));
        }
        let mut bytes = vec![0; length];
        self.storage.read(&self.path, start, &mut bytes).map_err(outside)?;
        Ok(bytes.into())
    }
}

fn failure(e: ParquetError) -> Error {
    match e {
        ParquetError::External(e) => match e.downcast::<std::io::Error>() {
            Ok(e) => Error::from(*e),
            Err(e) => Error::other(e.to_string()),
        },
        ParquetError::General(text) | ParquetError::NYI(text) | ParquetError::EOF(text) => Error::other(text),
        e => Error::other(e.to_string()),
    }
}

/// A Parquet file as a table: its groups of rows are the parts, and only the columns that are wanted are read.
///
/// A file that was made here has the types, units and codes of the table that it was made of.
pub struct ParquetTable {
    file: Stored,
    metadata: ArrowReaderMetadata,
    mapping: Mapping,
    pieces: Pieces,
}

impl fmt::Debug for ParquetTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetTable").field("path", &self.file.path).finish_non_exhaustive()
    }
}

impl ParquetTable {
    /// A file of a storage.
    ///
    /// ```
    /// use binfmt::storage::{Memory, Storage};
    /// let files = Memory::new();
    /// files.write("x.parquet", b"PAR1 and nothing else")?;
    /// let e = binfmt_arrow::ParquetTable::open(std::sync::Arc::new(files), "x.parquet").unwrap_err();
    /// assert!(e.to_string().starts_with("at byte"), "{e}");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no such file, it is damaged, or there is no column for one of its types ([`Mapping::of_arrow`]).
    pub fn open(storage: Arc<dyn Storage>, path: &str) -> Result<Self> {
        let size = storage.size(path)?.ok_or_else(|| Error::other("there is no such file"))?;
        let file = Stored { storage, path: path.into(), size };
        let load = || ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).map_err(failure);
        let metadata = guarded(load).map_err(|e| e.or_at(size))?;
        let mapping = Mapping::of_arrow(metadata.schema())?;
        let groups =
            metadata.metadata().row_groups().iter().map(|group| u64::try_from(group.num_rows()).unwrap_or(0));
        let pieces = Pieces::new(groups);
        let rows = pieces.num_rows().exact().unwrap_or(u64::MAX);
        bounded::check(metadata.schema(), rows, size, bounded::Stored::Packed)?;
        Ok(ParquetTable { file, metadata, mapping, pieces })
    }
}

impl ParquetTable {
    /// Whether one of these columns has lists, as Parquet sees it.
    fn has_lists(&self, read: &[usize]) -> bool {
        let schema = self.metadata.parquet_schema();
        let mask = ProjectionMask::roots(schema, read.iter().copied());
        (0..schema.num_columns())
            .any(|leaf| mask.leaf_included(leaf) && schema.column(leaf).max_rep_level() > 0)
    }
}

impl Table for ParquetTable {
    fn schema(&self) -> &TableSchema {
        self.mapping.table_schema()
    }

    fn num_rows(&self) -> Estimate {
        self.pieces.num_rows()
    }

    fn splits(&self, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
        let columns = wanted.columns_of(self.schema())?;
        let (read, _) = self.mapping.in_file(&columns);
        // whoever begins within a group reads what is before it
        let most = if self.has_lists(&read) { self.pieces.begun(wanted) } else { usize::MAX };
        Ok(self.pieces.splits(wanted, parts.min(most)))
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let columns = wanted.columns_of(self.schema())?;
        let mapping = self.mapping.project(&columns)?;
        let (read, order) = self.mapping.in_file(&columns);
        let rows = self.pieces.wanted(split, wanted);
        let (groups, skip) = self.pieces.of(&rows);
        let count = usize::try_from(rows.end.saturating_sub(rows.start)).unwrap_or(0);
        let builder =
            ParquetRecordBatchReaderBuilder::new_with_metadata(self.file.clone(), self.metadata.clone());
        // stepping over lists whose levels are damaged has no end: they are read
        let (offset, mut dropped) = if self.has_lists(&read) { (0, skip) } else { (skip, 0) };
        let mask = ProjectionMask::roots(builder.parquet_schema(), read);
        let builder = builder
            .with_projection(mask)
            .with_row_groups(groups.collect())
            .with_offset(offset)
            .with_limit(count.saturating_add(dropped));
        let build = || builder.with_batch_size(wanted.batch_rows.max(1)).build().map_err(failure);
        let mut reader = Some(guarded(build)?);
        let mut next = move |reader: &mut Option<ParquetRecordBatchReader>| loop {
            let batch =
                guarded(|| reader.as_mut().and_then(Iterator::next).transpose().map_err(ours)).transpose()?;
            let batch = match batch {
                Ok(batch) => batch,
                Err(e) => return Some(Err(e)),
            };
            let before = dropped.min(batch.num_rows());
            dropped = dropped.saturating_sub(before);
            match batch.num_rows().saturating_sub(before) {
                0 if before > 0 => {}
                rows => return Some(Ok(batch.slice(before, rows))),
            }
        };
        Ok(Box::new(std::iter::from_fn(move || {
            let batch = next(&mut reader)?;
            let batch = batch.and_then(|batch| batch.project(&order).map_err(ours));
            let columns = batch.and_then(|batch| mapping.to_columns(batch));
            if columns.is_err() {
                reader = None;
            }
            Some(columns)
        })))
    }
}

/// Writes columns as a Parquet file, with all that brings the same columns back: see [`Conversion::of_files`].
///
/// Columns are compressed by Zstandard, in groups of at most 1,048,576 rows and about 128 MiB. Numbers of which nearly every one of the first batch
/// is another have no dictionary, and are not compressed where that makes them smaller by less than the tenth part.
pub struct ParquetWriter<W: Write + Send> {
    mapping: Mapping,
    /// Where the file begins with the first rows, which tell how it is encoded.
    out: Option<W>,
    writer: Option<ArrowWriter<W>>,
}

impl<W: Write + Send> fmt::Debug for ParquetWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetWriter").field("mapping", &self.mapping).finish_non_exhaustive()
    }
}

/// What a group of rows takes at most, about.
const GROUP: usize = 128 << 20;

impl<W: Write + Send> ParquetWriter<W> {
    /// A file for rows of this schema.
    ///
    /// ```
    /// let schema = binfmt::table::TableSchema::new([]);
    /// let e = binfmt_arrow::ParquetWriter::new(Vec::new(), &schema).unwrap_err();
    /// assert_eq!(e.to_string(), "a Parquet file has no rows without columns");
    /// ```
    ///
    /// # Errors
    /// Parquet has nothing for the type of a column.
    pub fn new(out: W, schema: &TableSchema) -> Result<Self> {
        ParquetWriter::with(out, schema, &Conversion::of_files())
    }

    /// The same, with a conversion of your own.
    ///
    /// ```
    /// use binfmt::{columns::ColumnType, table::{TableField, TableSchema}};
    /// use binfmt_arrow::{Conversion, ParquetWriter, Texts};
    /// let schema = TableSchema::new([TableField::new("name", ColumnType::Text)]);
    /// let writer = ParquetWriter::with(Vec::new(), &schema, &Conversion::of_files().texts(Texts::Latin1))?;
    /// assert!(writer.finish()?.starts_with(b"PAR1"));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Parquet has nothing for the type of a column, or two have the same name.
    pub fn with(out: W, schema: &TableSchema, how: &Conversion) -> Result<Self> {
        if schema.fields.is_empty() {
            return Err(Error::other("a Parquet file has no rows without columns"));
        }
        let mapping = Mapping::of_table(schema, how)?.named_once()?;
        for field in mapping.arrow_schema().fields() {
            if has_union(field.data_type()) {
                let text = "Parquet has no unions: choices must be structs";
                return Err(Error::other(text).within(Step::Name(field.name().clone())));
            }
        }
        ArrowSchemaConverter::new().convert(mapping.arrow_schema()).map_err(failure)?;
        Ok(ParquetWriter { mapping, out: Some(out), writer: None })
    }

    /// Begins the file, if that was not done, as its first rows are.
    fn begun(&mut self, first: Option<&RecordBatch>) -> Result<&mut ArrowWriter<W>> {
        if let Some(out) = self.out.take() {
            let mut properties = WriterProperties::builder()
                .set_compression(Compression::ZSTD(ZstdLevel::default()))
                .set_max_row_group_bytes(Some(GROUP));
            let schema = self.mapping.arrow_schema();
            for (field, array) in schema.fields().iter().zip(first.map_or(&[][..], RecordBatch::columns)) {
                let Some(values) = varied(array) else { continue };
                let column = ColumnPath::new(vec![field.name().clone()]);
                properties = properties.set_column_dictionary_enabled(column.clone(), false);
                if !is_compressible(&values) {
                    properties = properties.set_column_compression(column, Compression::UNCOMPRESSED);
                }
            }
            let writer = ArrowWriter::try_new(out, Arc::clone(schema), Some(properties.build()));
            self.writer = Some(writer.map_err(failure)?);
        }
        self.writer.as_mut().ok_or_else(unwritten)
    }

    /// The next rows.
    ///
    /// ```
    /// # use binfmt::{columns::{Column, Columns}, table::{ColumnsTable, Table}};
    /// # let columns = Columns::new(vec![("x".into(), Column::from(vec![1u8]))])?;
    /// # let schema = ColumnsTable::new(columns.clone()).schema().clone();
    /// let mut writer = binfmt_arrow::ParquetWriter::new(Vec::new(), &schema)?;
    /// writer.write(columns)?;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A value has no form in Arrow ([`Mapping::to_batch`]), or the file cannot be written.
    pub fn write(&mut self, columns: Columns) -> Result<()> {
        let batch = self.mapping.to_batch(columns)?;
        self.begun(Some(&batch))?.write(&batch).map_err(failure)
    }

    /// Ends the file.
    ///
    /// ```
    /// # use binfmt::{columns::ColumnType, table::{TableField, TableSchema}};
    /// # let schema = TableSchema::new([TableField::new("name", ColumnType::Text)]);
    /// assert!(binfmt_arrow::ParquetWriter::new(Vec::new(), &schema)?.finish()?.ends_with(b"PAR1"));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> Result<W> {
        self.begun(None)?;
        self.writer.ok_or_else(unwritten)?.into_inner().map_err(failure)
    }
}

/// After an error at the beginning of the file.
fn unwritten() -> Error {
    Error::other("the file could not be begun")
}

/// The bytes of numbers of which nearly every one is another, so that looking each up in a dictionary takes time and saves nothing. Few
/// rows tell nothing.
fn varied(array: &ArrayRef) -> Option<Vec<u8>> {
    let width = array.data_type().primitive_width().filter(|width| [4, 8].contains(width));
    let width = width.filter(|_| array.len() >= 1000)?;
    let data = array.to_data();
    let start = data.offset().saturating_mul(width);
    let end = start.saturating_add(data.len().saturating_mul(width));
    let values = data.buffers().first()?.as_slice().get(start..end)?;
    let distinct: HashSet<&[u8]> = values.chunks_exact(width).collect();
    (distinct.len() > array.len() / 10 * 9).then(|| values.to_vec())
}

/// Whether Zstandard makes values smaller by more than the tenth part: what is measured has noise in most of its bits, and it takes ten
/// times as long to compress it as to write it.
fn is_compressible(values: &[u8]) -> bool {
    const SAMPLE: usize = 64 << 10;
    let values = values.get(..SAMPLE).unwrap_or(values);
    match zstd::bulk::compress(values, 1) {
        Ok(compressed) => compressed.len() < values.len() / 10 * 9,
        Err(_) => true,
    }
}

fn has_union(ty: &DataType) -> bool {
    match ty {
        DataType::Union(..) => true,
        DataType::LargeList(item) | DataType::FixedSizeList(item, _) => has_union(item.data_type()),
        DataType::Struct(fields) => fields.iter().any(|field| has_union(field.data_type())),
        _ => false,
    }
}
