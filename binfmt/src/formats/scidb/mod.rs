//! SciDB binary load files: what `load(array, file, -2, '(format)')` reads and `save` with a format string writes.
//!
//! Written by SciDB, by programs that prepare data for it, and by the accelerated I/O tools, which share its code. Facts
//! about the bytes were observed on SciDB 19.11.5 (`TemplateParser`, `saveUsingTemplate`, `BinaryChunkLoader`).
//!
//! # Bytes
//!
//! A file is its cells, one after the other, with nothing before, between or after them; all numbers are little-endian.
//! A cell is its columns in the order of the format:
//!
//! | column | bytes | in a struct | of [`layout`] |
//! |---|---|---|---|
//! | `bool`, `char`, `int8`, `uint8` | 1 | `bool`, `u8`, `i8`, `u8` | [`Bool`](layout::Bool), [`Char`](layout::Char) |
//! | `int16` `uint16` · `int32` `uint32` `float` · `int64` `uint64` `double` | 2 · 4 · 8 | `i16` … `f64` | |
//! | `datetime` | 8: seconds since 1970 | `i64` | [`Datetime`](layout::Datetime) |
//! | `datetimetz` | 16: local seconds since 1970, offset in seconds | `(i64, i64)` | [`Datetimetz`](layout::Datetimetz) |
//! | `string` | `u32` length with the NUL, text, `00` | `#[binfmt(var_len, nul)] String` (`&str`) | [`SizedText`](layout::SizedText) |
//! | `binary` | `u32` length, bytes | `#[binfmt(var_len)] Vec<u8>` (`&[u8]`) | [`SizedBinary`](layout::SizedBinary) |
//! | `string(n)` | n: text, `00`, zeros | `#[binfmt(count = n, nul)] String` | [`FixedText<n>`](layout::FixedText) |
//! | `binary(n)`, user types | n | `#[binfmt(count = n)] Vec<u8>`, `[u8; n]`, a struct | [`FixedBinary<n>`](layout::FixedBinary) |
//! | … `null` | a presence byte before it: `ff` and the value, or the missing code 0..=127 and zeros (for a variable column: a length of 0) | `#[binfmt(nullable)]` on `Nullable<T>` or `Option<T>` | [`NullOr<T>`](layout::NullOr) |
//! | `skip(n)` | n bytes that are ignored, zeros when written | `skip(bytes = n)` or `pad_after = n` on a field | [`Skip<n>`](layout::Skip) |
//! | `skip(n) null` | n + 1 | the same with n + 1 | `Skip<{ n + 1 }>` |
//! | `skip` | `u32` length, that many bytes; a length of 0 when written | `#[binfmt(var_len)]` [`Ignored`](crate::Ignored) | [`SizedSkip`](layout::SizedSkip) |
//! | `skip null` | a byte, then as `skip` | `skip(bytes = 1)` before the same | `Skip<1>`, `SizedSkip` |
//!
//! # The example of the format's description
//!
//! `(int8, int16 null, string null, string)`, two cells in 35 bytes:
//!
//! ```
//! use binfmt::{BinFormat, Nullable};
//! use binfmt::formats::scidb::{Reader, Template, save};
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! #[binfmt(le, len = u32)]
//! struct Cell {
//!     a: i8,
//!     #[binfmt(nullable)]
//!     b: Nullable<i16>,
//!     #[binfmt(nullable, var_len, nul)]
//!     c: Nullable<String>,
//!     #[binfmt(var_len, nul)]
//!     d: String,
//! }
//!
//! let file = [
//!     0x01, 0xff, 0x0a, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, b'x', b'y', 0x00,
//!     0x02, 0x03, 0x00, 0x00, 0xff, 0x02, 0x00, 0x00, 0x00, b'c', 0x00, 0x04, 0x00, 0x00, 0x00, b'd', b'e', b'f', 0x00,
//! ];
//! assert_eq!(file.len(), 35);
//! let format: Template = "(int8, int16 null, string null, string)".parse()?;
//! let cells: Vec<Cell> = Reader::new().checked_cells(&file, &format)?.collect::<Result<_, _>>()?;
//! assert_eq!(cells, [
//!     Cell { a: 1, b: Nullable::Value(10), c: Nullable::Missing(0), d: "xy".into() },
//!     Cell { a: 2, b: Nullable::Missing(3), c: Nullable::Value("c".into()), d: "def".into() },
//! ]);
//! assert_eq!(save(&cells)?, file);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is supported
//!
//! * Every type of column as an [annotated type](layout), for the structs of your own.
//! * Cells of a struct of your own, from a slice (borrowing if you like) or a stream: [`Reader`], [`save`], [`Writer`].
//! * Cells of a format that is known only at run time ([`Template::description`]): one at a time as
//!   [values](crate::value::Value), [`Reader::values`]; all together as [columns](crate::columns::Columns),
//!   [`Reader::columns`].
//! * Format strings ([`Template`]) and AFL schemas ([`AflSchema`]): parsed with positions in the errors, written, converted
//!   into each other; a struct is compared with a format before the first cell ([`Template::check_struct`]).
//! * Reading is as lenient as SciDB's loader, each leniency can be switched off ([`Reader::strict`]). Everything that was
//!   read can be written; what SciDB itself never writes comes out as follows.
//! * Not supported: `opaque` (SciDB's own dump of chunks), text formats, a value whose type differs from its column
//!   where SciDB would convert.
//!
//! # What is written of what was read
//!
//! SciDB keeps the bytes of a value as they are. Here a value is what they say, so that other bytes may say the same when
//! it is written:
//!
//! | read | written |
//! |---|---|
//! | a presence byte from 80 to fe | `ff` |
//! | anything after the code of a missing value | zeros, of a variable column the length 0 |
//! | a `bool` of another byte than 0 and 1 | `01` |
//! | a `string` whose last byte is not a NUL, or of length 0 | the text, a NUL, the length with it |
//! | `string(n)` with other bytes than zeros after its NUL | the text, zeros |
//! | `string(n)` without a NUL | the same n bytes |
//! | what is skipped | zeros, for `skip` the length 0 |
//!
//! All else is written byte for byte as it was read. SciDB counts the NUL of a string to its value and refuses to save one
//! of n characters and a NUL as a `string(n)`; here a text of n characters has no NUL there.
//!
//! # Where the description and the software differ
//!
//! The description of the format says that a missing value is followed by zeros and that the presence byte of a value is
//! 0xFF. SciDB's own test data have other bytes after missing values, and its loader takes every presence byte from
//! 0x80 as "present". Both are read here, and never written.
//!
//! In an array that is `not empty` SciDB 19.11 does not read a `skip` after the last attribute, so that the cells come
//! out wrong; here a cell always ends after its last column. A file that ends inside such a `skip` is refused here
//! with its last cell; SciDB keeps that cell.

mod check;
mod describe;
pub mod layout;
mod read;
#[cfg(feature = "table")]
mod table;
mod text;
mod write;

pub use describe::strict_description;
pub use read::Reader;
#[cfg(feature = "table")]
pub use table::Tables;
pub use text::{
    AflAttribute, AflDimension, AflSchema, AttributeMismatch, Caret, ColumnLength, DimensionBound, ScidbType,
    Template, TemplateColumn, TextError, TextErrorKind, TextKind, UserType, WireLen, column_name,
};
#[cfg(feature = "std")]
pub use write::Writer;
pub use write::{save, save_values};
