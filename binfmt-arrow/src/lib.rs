//! Any file that [`binfmt`] reads as Apache Arrow, and back.
//!
//! Everything goes through [`Table`](binfmt::table::Table), so that there is one way for all formats and for layouts of your own:
//!
//! * [`Mapping`]: the columns of a table and the fields of an Arrow schema, [`Columns`](binfmt::columns::Columns) to
//!   `RecordBatch` and back;
//! * [`TableReader`]: a table as a `RecordBatchReader`; [`stream`]: the same as a stream of Arrow's C interface;
//! * [`BatchReader`]: batches of a reader, or of such a stream, as columns; [`BatchesTable`]: all of them as a table.
//!
//! The typed columns of the derive become columns of a table, and back, by
//! [`into_columns`](binfmt::TypedColumns::into_columns) and [`from_columns`](binfmt::TypedColumns::from_columns).
//!
//! # From a table to a stream, and from a stream to a table
//!
//! ```
//! use binfmt::storage::{Memory, Storage};
//! use binfmt::table::{Settings, Table, Wanted};
//! use binfmt_arrow::{BatchReader, BatchesTable, Conversion};
//! use std::sync::Arc;
//!
//! let files = Memory::new();
//! files.write("load.bin", &[1, 0, 255, 7, 2, 0, 3, 0])?;
//! let settings = Settings::new().with("schema", "(int16, int8 null)");
//! let table = binfmt::open_in(binfmt::FORMATS, Arc::new(files), "load.bin", Some("scidb"), &settings)?;
//!
//! // what `__arrow_c_stream__` of Python hands over in a capsule
//! let stream = binfmt_arrow::stream(table, &Wanted::new(), &Conversion::new())?;
//!
//! // what takes such a capsule: one batch after the other, or all of them as a table
//! let table: Arc<dyn Table> = Arc::new(BatchesTable::read(BatchReader::of_stream(stream)?)?);
//! assert_eq!(table.count_rows()?, 2);
//! # Ok::<(), binfmt::Error>(())
//! ```
//!
//! # What is what
//!
//! | column | Arrow | memory |
//! |---|---|---|
//! | integers of 1 to 8 bytes, floats | Int8 .. UInt64, Float16 .. Float64 | moved |
//! | integers of 16 bytes | FixedSizeBinary(16), little-endian, extension `binfmt.int128`, `binfmt.uint128` | moved |
//! | bools | Boolean | packed |
//! | text | LargeUtf8; see [`Texts`] for what is not UTF-8 | moved, looked at |
//! | bytes; of one size | LargeBinary; FixedSizeBinary | moved |
//! | list; of one length | LargeList; FixedSizeList | moved |
//! | arrays in arrays of numbers, [`Logical::Tensor`](binfmt::table::Logical::Tensor) | FixedSizeList with the extension `arrow.fixed_shape_tensor` | moved |
//! | arrays with lengths of their own | Struct of `data` and `shape`, extension `binfmt.shaped` | moved |
//! | record | Struct | moved |
//! | what may be missing | the same with nulls; the codes on demand in a field `x.missing` | bits are made of codes |
//! | under a condition | the same with nulls | bits are made |
//! | choice without fields | Dictionary(Int32, Utf8) | moved |
//! | choice with fields | dense Union, or a Struct of a `tag` and a nullable field for each variant ([`Choices`]) | moved, or copied |
//! | times in weeks to seconds; up to nanoseconds | Timestamp(s), Duration(s), or as [`Times`] says (days as Date32); the same unit | moved, or multiplied |
//! | 80-bit floats | FixedSizeBinary(10), extension `binfmt.x87` | moved |
//!
//! Times in years, months, and in less than nanoseconds stay integers. The lowest number of a time (no time, in many
//! programs) stays what it is. Arrays with lengths of their own are no `arrow.variable_shape_tensor`: its type has
//! one rank for all rows, its lengths have 32 bits, and pyarrow 26 has no such type; here rows differ in rank, and lengths have 64 bits.
//!
//! Offsets of 64 bits are the same on both sides, so that on machines with 64 bits text and lists are moved, too.
//!
//! A missing code inside a list has no field beside it: there the value and its code are in a struct, extension `binfmt.value`;
//! so is a value that may be missing in two ways, and a union that may be missing.
//!
//! What units, native types and descriptions a table says of its columns is metadata of the fields, under the same keys
//! ([`keys`](binfmt::table::keys)).
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(any(feature = "ipc", feature = "parquet"))]
mod bounded;
mod error;
mod file;
#[cfg(feature = "ipc")]
mod ipc;
mod logical;
mod mapping;
mod marks;
mod memory;
mod node;
mod of_column;
mod of_field;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
mod pieces;
mod read;
mod stream;
mod write;

#[cfg(feature = "ipc")]
pub use ipc::{Ipc, IpcTable, IpcWriter};
pub use mapping::Mapping;
pub use memory::BatchesTable;
pub use options::{Choices, Conversion, Texts, Times};
#[cfg(feature = "parquet")]
pub use parquet::{Parquet, ParquetTable, ParquetWriter};
pub use stream::{BatchReader, TableReader, stream};
