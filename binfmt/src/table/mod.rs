//! Any file as a table: one model outward.
//!
//! A [`Table`] is opened once and read in parts, by any number of threads and machines. Its schema is there before the data;
//! [`Table::splits`] cuts the rows into parts of about equal work, and leaves out those in which no wanted row can be;
//! [`Table::read`] gives the rows of a part as batches of [`Columns`]. What is made of the columns (text, NPY, Arrow,
//! an answer to a query) is written once, for all formats.
//!
//! ```
//! use binfmt::schema::{Description, Field, Record, Type};
//! use binfmt::storage::{Memory, Storage};
//! use binfmt::table::{Estimate, RowsTable, Table, Wanted};
//! use binfmt::{Options, columns::Column};
//! use std::sync::Arc;
//!
//! let files = Memory::new();
//! files.write("x.bin", &[1, 0, 2, 0, 3, 0])?;
//! let x = Field::new("x", Type::Int { bytes: 2, signed: false });
//! let layout = Description::new(Type::Record(Record::new("Row", [x])));
//!
//! let table: Arc<dyn Table> = Arc::new(RowsTable::open(Arc::new(files), "x.bin", &layout, &Options::new())?);
//! assert_eq!(table.num_rows(), Estimate::Exact(3));
//! let mut rows = 0;
//! for split in table.splits(&Wanted::new(), 2)? {
//!     for batch in table.clone().read(&split, &Wanted::new())? {
//!         rows += batch?.num_rows();
//!     }
//! }
//! assert_eq!(rows, 3);
//! # Ok::<(), binfmt::Error>(())
//! ```
//!
//! Back into files go tables by a [`TableSink`], which a [`TableFormat`] makes for a schema; [`write_to`](trait.Table.html#method.write_to)
//! writes the rows of a table into one.
//!
//! # What holds for every table
//!
//! * The rows of all splits, in their order, are the rows of the table; none is in two.
//! * Ranges of a [`Wanted`] are hints: they leave out parts and rows that cannot match, and whoever asks looks again. Its rows are
//!   exact.
//! * What is left over after the last row is an error of the last split. Nothing is lost in silence.
//! * Errors tell the place in the file, whichever part it was read in. The rows before a damaged one come first.
//! * A batch has at most [`Wanted::batch_rows`] rows, if the format can stop there; what must be decoded at once
//!   (a row of tiles) is one batch.

mod absent;
#[cfg(any(feature = "futhark", feature = "sdds"))]
pub(crate) mod aside;
#[cfg(feature = "futhark")]
mod beside;
mod cells;
mod concatenated;
mod counted;
mod counted_times;
pub mod csv;
mod field;
mod fill;
pub(crate) mod filled;
mod filter;
mod fit;
mod format;
pub mod jsonl;
mod layout;
mod leaf;
mod memory;
mod no_column;
pub mod npy;
mod plain;
mod projected;
mod pruned;
mod retyped;
mod rows;
mod rows_sink;
mod sample;
mod scalar;
mod section;
mod sink;
mod split;
mod spread;
mod tasks;
mod text;
mod timed;
mod times;
mod wanted;
mod widened;
mod written;

pub use absent::with_absent;
#[cfg(feature = "futhark")]
pub(crate) use beside::SideBySide;
pub use concatenated::Concatenated;
pub use counted::counted;
pub use field::{Inferred, Logical, TableField, TableSchema, TimeUnit, keys};
pub use fill::fill_missing;
pub use filter::{Filter, Filtered};
pub use fit::Fit;
pub use format::{Probe, Setting, Settings, TableFormat};
pub use layout::AnyLayout;
pub use leaf::Leaf;
pub use memory::ColumnsTable;
pub use no_column::NoColumn;
#[cfg(feature = "tiledb")]
pub(crate) use plain::exact;
#[cfg(any(feature = "sdds", feature = "tiledb"))]
pub(crate) use plain::exact_fit;
pub use plain::plain;
pub use projected::Projected;
pub use pruned::Pruned;
#[cfg(any(feature = "beat", feature = "sdds", feature = "tiledb"))]
pub(crate) use retyped::as_read;
pub use retyped::as_written;
pub use rows::RowsTable;
pub(crate) use rows::fields_of;
pub(crate) use rows_sink::{Match, RowsSink};
pub use sample::Sampled;
pub use scalar::{Scalar, ScalarRange};
pub use section::Section;
pub use sink::{TableSink, Written};
#[cfg(feature = "tiledb")]
pub(crate) use split::MOST_PARTS;
#[cfg(any(feature = "beat", feature = "sdds"))]
pub(crate) use split::cut;
pub use split::{Estimate, Split, Within};
pub use spread::spread;
#[cfg(feature = "sdds")]
pub(crate) use tasks::in_turn;
#[cfg(feature = "tiledb")]
pub(crate) use timed::Recount;
pub use timed::recounted;
#[cfg(any(feature = "beat", feature = "futhark", feature = "sdds", feature = "tiledb"))]
pub(crate) use wanted::Limited;
pub use wanted::Wanted;
pub use written::Timed;

use crate::columns::Columns;
use crate::error::Result;
use crate::wire::amount::after;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The rows of a part, in batches. It owns all that it needs, so that it may go to another thread; after an error it ends.
pub type Batches = Box<dyn Iterator<Item = Result<Columns>> + Send>;

/// Batches that any thread makes, of which only the last may be an error: after that there is none.
pub type Task = Box<dyn FnOnce() -> Vec<Result<Columns>> + Send>;

/// The rows of a part, in tasks.
pub type Tasks = Box<dyn Iterator<Item = Task> + Send>;

/// A file, or a folder, as a table.
///
/// See the [module](self) for an example.
pub trait Table: Send + Sync + fmt::Debug {
    /// Names and types of the columns, and what else is said of them.
    fn schema(&self) -> &TableSchema;

    /// How many rows there are, as far as that is known without reading them.
    fn num_rows(&self) -> Estimate;

    /// The least and the greatest value of a column, both included, if they are known without reading the rows: no value is outside,
    /// and some row has each of them. Nothing is said of a column without rows, and of one whose values are in no order.
    fn bounds(&self, column: usize) -> Option<ScalarRange> {
        let _ = column;
        None
    }

    /// What of the file is in no row, each in a sentence; all of it when the rows were read.
    fn left_out(&self) -> Vec<String> {
        Vec::new()
    }

    /// Which bytes of the file the rows are, in their order, and by what layouts. None of a table that is not made of rows of a layout.
    fn sections(&self) -> Vec<Section> {
        Vec::new()
    }

    /// Whether rows are written as text, in which a value may be cut short and still read as one: `12` of `123`.
    fn is_text(&self) -> bool {
        self.between(0..0).is_some()
    }

    /// The rows whose bytes are between two places of the file, of which the first is where a row begins, or 0; where rows are found
    /// by reading on from any of them.
    fn between(&self, bytes: Range<u64>) -> Option<Arc<dyn Table>> {
        let _ = bytes;
        None
    }

    /// The same rows with more columns after the others: the fields of text that these columns have, read as values of these types.
    /// `None` where a column has no fields of text.
    fn read_as(self: Arc<Self>, columns: &[(usize, csv::CellType)]) -> Option<Arc<dyn Table>> {
        let _ = columns;
        None
    }

    /// Whether a batch of all rows of these columns takes no more memory than its values, of which the system is asked at once: whoever wants
    /// all of them gains nothing by smaller batches.
    fn fills(&self, columns: &[usize]) -> bool {
        let _ = columns;
        false
    }

    /// The same rows as one column of bytes, if those of a row in the file are those of its columns in the memory of this machine, in their
    /// order and with nothing between them: an array of structs.
    fn image(self: Arc<Self>) -> Option<Arc<dyn Table>> {
        None
    }

    /// About `parts` parts of equal work, without those in which no wanted row can be. Fewer where the format cannot be cut.
    ///
    /// # Errors
    /// There is no such column, or the file cannot be read.
    fn splits(&self, wanted: &Wanted, parts: usize) -> Result<Vec<Split>>;

    /// About how many bytes of memory it takes to decode a batch of a part: what is read of the file for it, or unfiltered.
    fn memory(&self, split: &Split, wanted: &Wanted) -> u64 {
        split.bytes_of_batch(wanted)
    }

    /// In which of its pages, tiles or chunks wanted rows may be, by their numbers; `None` of a table that is not made of such, or does not
    /// know where they are.
    ///
    /// # Errors
    /// The file is damaged.
    fn pruned(&self, wanted: &Wanted) -> Result<Option<Pruned>> {
        let _ = wanted;
        Ok(None)
    }

    /// The rows of a part: the wanted columns in the order in which they are wanted.
    ///
    /// The part may have been cut by another program, of the same file.
    ///
    /// # Errors
    /// There is no such column, the file cannot be read, or it has no such part.
    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches>;

    /// The rows of a part that cannot be cut, for several threads: the iterator, which they share, finds rows, and the task decodes
    /// them. Up to the first error the rows are those that are [`read`](Self::read). Memory is taken for one batch and its bytes in each task.
    ///
    /// ```
    /// use binfmt::{Options, storage::{Memory, Storage}, table::{RowsTable, Table, Wanted}};
    /// use std::sync::{Arc, Mutex};
    /// # let files = Memory::new();
    /// # files.write("names", b"\x01a\x00\x02bc")?;
    /// let layout = "record, le\n  name: text, length_prefixed(u8)\n".parse().unwrap();
    /// let table: Arc<dyn Table> = Arc::new(RowsTable::open(Arc::new(files), "names", &layout, &Options::new())?);
    /// let wanted = Wanted::new();
    /// let tasks = Mutex::new(table.clone().tasks(&table.splits(&wanted, 1)?[0], &wanted)?);
    /// let work = || {
    ///     let next = || tasks.lock().unwrap().next();
    ///     let rows = std::iter::from_fn(next).flat_map(|task| task()).map(|batch| Ok(batch?.num_rows()));
    ///     rows.sum::<Result<usize, binfmt::Error>>()
    /// };
    /// let rows = std::thread::scope(|threads| [threads.spawn(work), threads.spawn(work)].map(|one| one.join().unwrap()));
    /// # let [a, b] = rows;
    /// # assert_eq!(a? + b?, 3);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    fn tasks(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Tasks> {
        Ok(tasks::in_turn(self.read(split, wanted)?))
    }
}

impl dyn Table {
    /// All wanted rows, one part after the other.
    ///
    /// ```
    /// # use binfmt::{Options, schema::{Description, Field, Record, Type}, storage::{Memory, Storage}};
    /// # use binfmt::table::{RowsTable, Table, Wanted};
    /// # use std::sync::Arc;
    /// # let files = Memory::new();
    /// # files.write("x.bin", &[1, 2, 3])?;
    /// # let x = Field::new("x", Type::Int { bytes: 1, signed: false });
    /// # let layout = Description::new(Type::Record(Record::new("Row", [x])));
    /// # let table = RowsTable::open(Arc::new(files), "x.bin", &layout, &Options::new())?;
    /// let table: Arc<dyn Table> = Arc::new(table);
    /// let batches = table.batches(&Wanted::new().rows(1..3))?.collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!(batches[0].num_rows(), 2);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`splits`](Table::splits); those of reading are in the iterator.
    pub fn batches(self: Arc<Self>, wanted: &Wanted) -> Result<Batches> {
        let splits = self.splits(wanted, 1)?;
        let limit = wanted.limit.unwrap_or(u64::MAX);
        let wanted = wanted.clone();
        let all = splits.into_iter().flat_map(move |split| match self.clone().read(&split, &wanted) {
            Ok(batches) => batches,
            Err(e) => Box::new(std::iter::once(Err(e))),
        });
        Ok(Box::new(wanted::Limited::new(all, limit)))
    }

    /// How many rows there are: as the table knows, or as they are counted when all are read.
    ///
    /// ```
    /// # use binfmt::{columns::{Column, Columns}, table::{ColumnsTable, Table}};
    /// let columns = Columns::new(vec![("a".into(), Column::from(vec![1u8, 2]))])?;
    /// let table: std::sync::Arc<dyn Table> = std::sync::Arc::new(ColumnsTable::new(columns));
    /// assert_eq!(table.count_rows()?, 2);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn count_rows(self: &Arc<Self>) -> Result<u64> {
        if let Some(rows) = self.num_rows().exact() {
            return Ok(rows);
        }
        let batches = Arc::clone(self).batches(&Wanted::new().columns([]))?;
        let mut batches = batches.map(|batch| batch.map(|columns| columns.num_rows() as u64));
        batches.try_fold(0u64, |sum, rows| Ok(after(sum, rows?)))
    }
}
