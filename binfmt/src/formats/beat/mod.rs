//! BEAT platform data: objects of declared formats, and the files in which the platform keeps them.
//!
//! Written by the platform's backends for the inputs and outputs of algorithms. Facts were observed on
//! beat.backend.python 1.7.15 and beat.core 1.13.5.
//!
//! # Bytes of an object
//!
//! The bytes say nothing of themselves: a declaration does. Fields stand one after the other, without names, in the order
//! of the bytes of their names (`-`, digits, `A` to `Z`, `_`, `a` to `z`), all little-endian:
//!
//! | declared | bytes | in a struct |
//! |---|---|---|
//! | `int8` … `int64`, `uint8` … `uint64` | 1 to 8 | `i8` … `u64` |
//! | `float32`, `float64` | 4, 8 | `f32`, `f64` |
//! | `complex64`, `complex128` | 8, 16: real, imaginary | `[f32; 2]`, `Complex<f64>` |
//! | `bool` | 1: 0 is false | `#[binfmt(bool_lax)] bool` |
//! | `string` | `u64` number of bytes, UTF-8 | `#[binfmt(length_prefixed(u64))] String` |
//! | `[0, "int8"]` | `u64` number of elements, elements | `#[binfmt(length_prefixed(u64))] Vec<i8>`, or an array as below |
//! | `[0, 3, "int8"]` | `u64` for each dimension, elements, the last index fastest | `#[binfmt(shape(u64))] Array<i8, 2>` |
//! | `{..}`, `"user/name/version"` | the fields of the object inside | a struct |
//!
//! # Bytes of a data file
//!
//! | bytes | meaning |
//! |---|---|
//! | `binary\n` | encoding |
//! | `user/name/1\n` | the format, or `analysis:` and the name of an algorithm |
//! | `0 3 25\n` | of each chunk: first index, last index, size with the newline |
//! | 24 bytes, `\n` | of each chunk: the object, a newline |
//!
//! The file is named `base.<start>.<end>.data`. Beside it stand `base.<start>.<end>.index`, a line `start end` for each
//! chunk, and for both a file with `.checksum` after its name: the SHA-256 in 64 hexadecimal digits.
//!
//! ```
//! use binfmt::{BinFormat, Options};
//! use binfmt::formats::beat::{Chunk, DataFile, Declaration, Object};
//!
//! let declaration = Declaration::parse(r#"{"scores": [0, "float32"], "name": "string"}"#)?;
//! let bytes = b"binary\nu/scores/1\n0 3 26\n\x01\0\0\0\0\0\0\0a\x02\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\x40\n";
//!
//! // known when compiling
//! #[derive(BinFormat, Debug, PartialEq)]
//! #[binfmt(le, key_order = lexicographic, len = u64)]
//! struct Scores {
//!     #[binfmt(var_len)]
//!     scores: Vec<f32>,
//!     #[binfmt(var_len)]
//!     name: String,
//! }
//! let file: DataFile<Scores> = binfmt::from_slice(bytes)?;
//! let scores = Scores { scores: vec![1.0, 2.0], name: "a".into() };
//! assert_eq!(file.chunks, [Chunk { start: 0, end: 3, value: scores }]);
//! assert_eq!(binfmt::to_vec(&file)?, bytes);
//!
//! // known when running
//! let options = Options::new().ctx(&declaration);
//! let file: DataFile<Object> = binfmt::from_slice_with(bytes, &options)?;
//! assert_eq!(file.chunks[0].value.0.get("name").and_then(|name| name.as_str()), Some("a"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is supported
//!
//! * Declarations in JSON with references, `#extends` (of objects inside, too) and arrays of fixed and free dimensions:
//!   [`Declaration`]. Circles, references out of the folder, nesting deeper than 100 levels and more than a million fields are refused.
//! * Objects of a declaration: [`Object`], with the dimensions that the declaration fixes checked in both directions.
//! * Objects of a struct of your own, compared with the declaration by [`Declaration::check_struct`].
//! * Data files from slices and readers, with dumps: [`DataFile`], [`Chunk`]. Objects are read, written and dumped
//!   by the [program](Declaration::program) of their declaration.
//! * Sets of files in a folder: found by their base, checked, read by ranges of indices without reading the other chunks, wholly
//!   inside or touching ([`DataSet`]); written with index and checksums ([`Writer`]).
//! * Rows of any table as chunks, with the declaration that is said or that the columns have.
//! * Not supported: files with the encoding `json`, which the backend cannot write either.
//!
//! # Where this reader and the backend differ
//!
//! | | here | backend |
//! |---|---|---|
//! | `#extends`, when parent and child are in one declaration | the parent keeps its own fields | it gets those of the child |
//! | a nested field named `type` | a field | fails |
//! | a fixed dimension that is another one in the bytes | error | read |
//! | strings in arrays | kept | lose NULs at their end |
//! | a `bool` of 2 | true | true; in an array kept |
//! | bytes after the object, in a chunk after its newline | error | ignored |
//! | a chunk longer than its file, by its size | error | read, when the object is whole |
//! | chunks out of order, indices that two chunks have | error of [`DataSet::verify`] | ignored |
//! | files of one set that name different formats | error of [`DataSet::verify`] | read |
//! | an index or a checksum whose data file is lost | error of [`DataSet::verify`] | noticed by the number of checksums |
//! | a chunk that lies across the end of a range of indices | left out by [`DataSet::within`], given by [`DataSet::touching`] | left out |
//! | missing indices | listed by [`DataSet::gaps`] and [`DataSet::verify`] | not always noticed |
//! | a fixed array that was not set | zeros, see [`Declaration::blank`] | what happens to be in memory |

mod check;
mod checksum;
mod layout;
#[cfg(feature = "std")]
mod read;
#[cfg(feature = "table")]
mod table;
mod text;
#[cfg(feature = "std")]
mod write;

#[cfg(feature = "std")]
pub use check::Verified;
pub use checksum::Checksum;
pub use layout::{Chunk, DataFile, FileHead, Object, read_index, write_index};
#[cfg(feature = "std")]
pub use read::{Chunks, DataPath, DataSet, Joined, JoinedChunk, RawChunk, missing_indices};
#[cfg(feature = "table")]
pub use table::{Tables, sections};
pub use text::{Basic, Declaration, DeclarationError, FieldType, Format, FormatName};
#[cfg(feature = "std")]
pub use write::Writer;
