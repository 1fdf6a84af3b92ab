//! Arrays as tables: a row for each cell, its coordinates before its attributes.

mod array;
mod cells;
mod choice;
mod columns;
mod sink;
mod splits;
mod target;
mod withheld;

use super::array::{Array, Options};
use super::filter::Key;
use crate::error::{Error, Result};
use crate::storage::{Below, Storage};
use crate::table::{
    Batches, Estimate, Limited, Probe, Pruned, ScalarRange, Setting, Settings, Split, Table, TableFormat,
    TableSchema, TableSink, TimeUnit, Wanted,
};
use crate::wire::amount::natural;
use array::TileTable;
use cells::CellBatches;
use sink::TileSink;
use std::sync::Arc;

/// TileDB arrays as tables: a row for each cell, in row-major order; first its coordinates, then its attributes. Of dense arrays these
/// are all cells of the domain, of sparse ones those that were written.
///
/// Ranges of the dimensions choose the tiles that are read. Parts end between tiles of the first dimension, or of sparse arrays
/// between those of the R-tree.
///
/// Written, columns are attributes of their types: texts are `STRING_UTF8`, or `CHAR` if one of those that come before there is an array
/// is not UTF-8; one that comes later is an error then.
///
/// ```
/// use binfmt::formats::tiledb::*;
/// use binfmt::table::{Estimate, Settings, TableFormat, Wanted};
/// use std::sync::Arc;
/// let x = Dimension::new("x", Number::I32(1), Number::I32(100), Number::I32(10));
/// let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
/// let files = Arc::new(Memory::new());
/// Options::new().create(Arc::clone(&files), schema)?;
/// let table = Tables.open(files, "", &Settings::new())?;
/// assert_eq!(table.num_rows(), Estimate::Exact(100));
/// let batch = table.batches(&Wanted::new().columns([0]).range(0, 11..=12))?.next().unwrap()?;
/// assert_eq!(batch.get("x").unwrap().as_slice::<i32>(), Some(&[11, 12][..]));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Tables;

impl TableFormat for Tables {
    fn name(&self) -> &'static str {
        "tiledb"
    }

    fn detect(&self, probe: &Probe<'_>) -> bool {
        // what is no array of this version, opening it says
        super::array::is_ours(probe.names)
    }

    fn settings(&self) -> &'static [Setting] {
        &[
            Setting { name: "key", help: "The key of an encrypted array: 32 characters, or 64 hex digits" },
            Setting {
                name: "at",
                help: "The array as it was then: milliseconds since 1970, or a time such as 2024-05-01T12:00:00Z",
            },
            Setting { name: "threads", help: "Threads that unfilter tiles; 1 without this" },
        ]
    }

    fn open(&self, storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Arc<dyn Table>> {
        settings.check(self.settings())?;
        let (storage, mut options) = place(storage, path, settings)?;
        if let Some(text) = settings.get("at") {
            options = options.at(time(text)?);
        }
        if let Some(bytes) = settings.number("max_memory")? {
            options = options.limit(bytes);
        }
        Ok(options.open(storage)?.into_table())
    }

    fn writes(&self) -> bool {
        true
    }

    fn write_settings(&self) -> &'static [Setting] {
        &[
            Setting {
                name: "dimensions",
                help: "Columns that are dimensions: x,y; without this those that were, else the number of the row",
            },
            Setting { name: "array", help: "dense or sparse; without this as it was, else sparse" },
            Setting {
                name: "tiles",
                help: "Length of a tile in all dimensions, or in each: 100,50; without this about 10000 cells are a tile",
            },
            Setting {
                name: "filters",
                help: "What values go through: byteshuffle,zstd:3; also gzip, lz4, bzip2, rle, double_delta, bitshuffle",
            },
            Setting {
                name: "append",
                help: "Whether the rows become a fragment of an array that is there (true or false)",
            },
            Setting {
                name: "fragment_rows",
                help: "Rows of a fragment; without this 1048576, or as many as have 8 MiB together",
            },
            Setting {
                name: "key",
                help: "The key with which all is encrypted: 32 characters, or 64 hex digits",
            },
            Setting { name: "threads", help: "Threads that filter tiles; 1 without this" },
        ]
    }

    fn create(
        &self,
        storage: Arc<dyn Storage>,
        path: &str,
        schema: &TableSchema,
        settings: &Settings,
    ) -> Result<Box<dyn TableSink>> {
        settings.check(self.write_settings())?;
        let (storage, options) = place(storage, path, settings)?;
        Ok(Box::new(TileSink::new(storage, options, schema, settings)?))
    }
}

/// A time: milliseconds since 1970, or as ISO 8601 has it.
fn time(text: &str) -> Result<u64> {
    let number = || text.replace('_', "").parse().ok();
    let time = || TimeUnit::Milli.parse_time(text).and_then(|time| u64::try_from(time).ok());
    number().or_else(time).ok_or_else(|| {
        let expected = "expected milliseconds since 1970, or a time such as 2024-05-01T12:00:00Z";
        Error::other(format!("setting `at`: {expected}, found {text:?}"))
    })
}

/// The folder of an array, and how it is opened or made.
fn place(storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<(Arc<dyn Storage>, Options)> {
    let mut options = Options::new();
    if let Some(text) = settings.get("key") {
        let wrong = || Error::other("setting `key`: expected 32 characters, or 64 hexadecimal digits");
        // what is wrong with it is said without it
        options = options.key(Key::from_text(text.as_bytes()).ok_or_else(wrong)?);
    }
    if let Some(threads) = settings.number("threads")? {
        options = options.threads(threads);
    }
    Ok((if path.is_empty() { storage } else { Arc::new(Below::new(storage, path)) }, options))
}

impl Array<Arc<dyn Storage>> {
    /// The array as a table: what [`Tables`] opens, for an array that is open.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// use std::sync::Arc;
    /// let x = Dimension::new("x", Number::I32(1), Number::I32(9), Number::I32(3));
    /// let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
    /// let files: Arc<dyn Storage> = Arc::new(Memory::new());
    /// let table = Options::new().create(files, schema)?.into_table();
    /// assert_eq!(table.count_rows()?, 9);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn into_table(self) -> Arc<dyn Table> {
        Arc::new(TileTable::new(self))
    }
}

impl Table for TileTable {
    fn schema(&self) -> &TableSchema {
        &self.schema
    }

    fn num_rows(&self) -> Estimate {
        self.num_cells()
    }

    fn bounds(&self, column: usize) -> Option<ScalarRange> {
        self.bounds_of(column)
    }

    fn splits(&self, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
        wanted.columns_of(&self.schema)?;
        splits::of(self, wanted, parts)
    }

    fn memory(&self, _: &Split, wanted: &Wanted) -> u64 {
        let columns = wanted.columns_of(&self.schema).unwrap_or_default();
        cells::memory(self, wanted, &cells::picks(self, &columns))
    }

    fn pruned(&self, wanted: &Wanted) -> Result<Option<Pruned>> {
        splits::pruned(self, wanted).map(Some)
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let columns = wanted.columns_of(&self.schema)?;
        let batches = CellBatches::new(self, split, wanted, columns)?;
        let skip = natural(split.rows.start) - batches.left_out;
        let most = split.most_rows().min(wanted.limit.unwrap_or(u64::MAX));
        Ok(Box::new(Limited::new(batches, most).after(skip)))
    }
}
