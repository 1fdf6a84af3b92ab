//! Arrow's own files (`.arrow`, `.feather`) as tables, and tables as such files.

use crate::bounded::{self, Stored};
use crate::error::{guarded, ours};
use crate::file::{file_format, of_pieces};
use crate::mapping::Mapping;
use crate::options::{Conversion, Times};
use crate::pieces::Pieces;
use arrow_ipc::reader::{FileReader, read_footer_length};
use arrow_ipc::writer::FileWriter;
use arrow_ipc::{Block, root_as_footer, root_as_message};
use binfmt::columns::Columns;
use binfmt::storage::{Storage, StorageReader};
use binfmt::table::{Batches, Split, Table, TableSchema, Wanted};
use binfmt::{Error, Result};
use std::fmt;
use std::io::{BufReader, Write};
use std::sync::Arc;

/// Arrow's own files, as one of the formats whose files are tables: the file form of its interprocess communication, which Feather is, too.
///
/// ```
/// use binfmt::columns::{Column, Columns};
/// use binfmt::storage::{Memory, Storage};
/// use binfmt::table::{ColumnsTable, Estimate, Settings, Table, TableFormat};
/// use binfmt_arrow::{Ipc, IpcWriter};
/// use std::sync::Arc;
///
/// let columns = Columns::new(vec![("x".into(), Column::from(vec![0.5f32]))])?;
/// let schema = ColumnsTable::new(columns.clone()).schema().clone();
/// let mut writer = IpcWriter::new(Vec::new(), &schema)?;
/// writer.write(columns)?;
///
/// let files = Memory::new();
/// files.write("x.arrow", &writer.finish()?)?;
/// let table = Ipc.open(Arc::new(files), "x.arrow", &Settings::new())?;
/// assert_eq!(table.num_rows(), Estimate::Exact(1));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Ipc;

file_format!(Ipc, "arrow", b"ARROW1", IpcTable, IpcWriter, Conversion::of_files().times(Times::Seconds));

/// A file of Arrow's as a table: its batches are the parts, and only the columns that are wanted are decompressed.
pub struct IpcTable {
    storage: Arc<dyn Storage>,
    path: Arc<str>,
    mapping: Mapping,
    pieces: Pieces,
}

impl fmt::Debug for IpcTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IpcTable").field("path", &self.path).finish_non_exhaustive()
    }
}

impl IpcTable {
    /// A file of a storage.
    ///
    /// ```
    /// use binfmt::storage::{Memory, Storage};
    /// let files = Memory::new();
    /// files.write("x.arrow", b"ARROW1 and nothing else")?;
    /// let e = binfmt_arrow::IpcTable::open(std::sync::Arc::new(files), "x.arrow").unwrap_err();
    /// assert!(e.to_string().contains("the file is cut, or not one of Arrow's"), "{e}");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no such file, it is damaged, or there is no column for one of its types ([`Mapping::of_arrow`]).
    pub fn open(storage: Arc<dyn Storage>, path: &str) -> Result<Self> {
        let (rows, bytes, stored) = batches(&*storage, path)?;
        let mut table = IpcTable {
            storage,
            path: path.into(),
            mapping: Mapping::of_arrow(&arrow_schema::Schema::empty())?,
            pieces: Pieces::new(rows),
        };
        let schema = table.reader(None)?.schema();
        let rows = table.pieces.num_rows().exact().unwrap_or(u64::MAX);
        bounded::check(&schema, rows, bytes, stored)?;
        table.mapping = Mapping::of_arrow(&schema)?;
        Ok(table)
    }

    fn reader(&self, fields: Option<Vec<usize>>) -> Result<FileReader<BufReader<StorageReader>>> {
        let file = StorageReader::new(Arc::clone(&self.storage), &self.path, 0..u64::MAX)?;
        guarded(|| FileReader::try_new(BufReader::new(file), fields).map_err(ours))
    }
}

/// How many rows each batch has, from the front of each; the bytes of the file, and how they are stored.
fn batches(storage: &dyn Storage, path: &str) -> Result<(Vec<u64>, u64, Stored)> {
    const TRAILER: u64 = 10;
    let size = storage.size(path)?.ok_or_else(|| Error::other("there is no such file"))?;
    let cut = || Error::message("the file is cut, or not one of Arrow's", size);
    let read = |start: u64, len: u64| {
        if start.checked_add(len).is_none_or(|end| end > size) {
            return Err(cut());
        }
        let mut bytes = vec![0; usize::try_from(len).map_err(|_| cut())?];
        storage.read(path, start, &mut bytes)?;
        Ok(bytes)
    };
    let trailer = read(size.checked_sub(TRAILER).ok_or_else(cut)?, TRAILER)?;
    let len = read_footer_length(trailer.try_into().map_err(|_| cut())?).map_err(|_| cut())? as u64;
    let start = size.checked_sub(TRAILER).and_then(|end| end.checked_sub(len)).ok_or_else(cut)?;
    let footer = read(start, len)?;
    let footer =
        root_as_footer(&footer).map_err(|e| Error::other(format!("the end of the file is damaged: {e}")))?;
    let mut stored = Stored::Plain;
    let rows = |block: &Block| {
        let (start, len) = (u64::try_from(block.offset()), u64::try_from(block.metaDataLength()));
        let bytes = read(start.map_err(|_| cut())?, len.map_err(|_| cut())?)?;
        // four bytes of a mark, which old files have not, and four of the length
        let skip = if bytes.starts_with(&[0xFF; 4]) { 8 } else { 4 };
        let message =
            root_as_message(bytes.get(skip..).ok_or_else(cut)?).map_err(|e| Error::other(e.to_string()))?;
        let end = block
            .offset()
            .checked_add(block.metaDataLength().into())
            .and_then(|at| at.checked_add(block.bodyLength()));
        if end.and_then(|end| u64::try_from(end).ok()).is_none_or(|end| end > size) {
            return Err(cut());
        }
        let batch = message.header_as_record_batch().ok_or_else(cut)?;
        if batch.compression().is_some() {
            stored = Stored::Packed;
        }
        u64::try_from(batch.length()).map_err(|_| cut())
    };
    let rows = footer.recordBatches().into_iter().flatten().map(rows).collect::<Result<_>>()?;
    Ok((rows, size, stored))
}

impl Table for IpcTable {
    of_pieces!();

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let columns = wanted.columns_of(self.schema())?;
        let mapping = self.mapping.project(&columns)?;
        let (some, order) = self.mapping.in_file(&columns);
        let mut reader = Some(self.reader(Some(some))?);
        let (mut rows, step) = (self.pieces.wanted(split, wanted), wanted.batch_rows.max(1));
        let mut last = None;
        Ok(Box::new(std::iter::from_fn(move || {
            let file = reader.as_mut()?;
            let (piece, skip, some) = self.pieces.next(&mut rows, step)?;
            let batch = match &last {
                Some((known, batch)) if *known == piece => Ok(arrow_array::RecordBatch::clone(batch)),
                _ => guarded(|| {
                    file.set_index(piece).map_err(ours)?;
                    file.next().ok_or_else(|| Error::other("a batch is missing"))?.map_err(ours)
                }),
            };
            let columns = batch.and_then(|batch| {
                if skip.saturating_add(some) > batch.num_rows() {
                    return Err(Error::other("a batch has not as many rows as it says"));
                }
                let part = batch.slice(skip, some).project(&order).map_err(ours)?;
                last = Some((piece, batch));
                mapping.to_columns(part)
            });
            if columns.is_err() {
                reader = None;
            }
            Some(columns)
        })))
    }
}

/// Writes columns as a file of Arrow's, not compressed, so that programs map it into memory; with all that brings the same columns back.
pub struct IpcWriter<W: Write> {
    mapping: Mapping,
    writer: FileWriter<W>,
}

impl<W: Write> fmt::Debug for IpcWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IpcWriter").field("mapping", &self.mapping).finish_non_exhaustive()
    }
}

impl<W: Write> IpcWriter<W> {
    /// A file for rows of this schema.
    ///
    /// ```
    /// let schema = binfmt::table::TableSchema::new([]);
    /// assert!(binfmt_arrow::IpcWriter::new(Vec::new(), &schema)?.finish()?.starts_with(b"ARROW1"));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Arrow has nothing for the type of a column.
    pub fn new(out: W, schema: &TableSchema) -> Result<Self> {
        IpcWriter::with(out, schema, &Conversion::of_files().times(Times::Seconds))
    }

    /// The same, with a conversion of your own.
    ///
    /// ```
    /// use binfmt_arrow::{Conversion, IpcWriter};
    /// let schema = binfmt::table::TableSchema::new([]);
    /// assert!(IpcWriter::with(Vec::new(), &schema, &Conversion::new()).is_ok());
    /// ```
    ///
    /// # Errors
    /// Arrow has nothing for the type of a column.
    pub fn with(out: W, schema: &TableSchema, how: &Conversion) -> Result<Self> {
        let mapping = Mapping::of_table(schema, how)?.named_once()?;
        let writer = FileWriter::try_new(out, mapping.arrow_schema()).map_err(ours)?;
        Ok(IpcWriter { mapping, writer })
    }

    /// The next rows.
    ///
    /// ```
    /// # use binfmt::{columns::{Column, Columns}, table::{ColumnsTable, Table}};
    /// # let columns = Columns::new(vec![("x".into(), Column::from(vec![1u8]))])?;
    /// # let schema = ColumnsTable::new(columns.clone()).schema().clone();
    /// let mut writer = binfmt_arrow::IpcWriter::new(Vec::new(), &schema)?;
    /// writer.write(columns)?;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A value has no form in Arrow ([`Mapping::to_batch`]), or the file cannot be written.
    pub fn write(&mut self, columns: Columns) -> Result<()> {
        let batch = self.mapping.to_batch(columns)?;
        self.writer.write(&batch).map_err(ours)
    }

    /// Ends the file.
    ///
    /// ```
    /// # let schema = binfmt::table::TableSchema::new([]);
    /// assert!(!binfmt_arrow::IpcWriter::new(Vec::new(), &schema)?.finish()?.is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> Result<W> {
        self.writer.finish().map_err(ours)?;
        self.writer.into_inner().map_err(ours)
    }
}
