//! Real formats, each behind its feature.
//!
//! What the words can say is annotated structs: the files of TileDB, the binary form of Futhark's values, pages of SDDS, the head
//! of a BEAT data file. Headers and text have parsers. A cell of SciDB has the layout of the user's struct or of a
//! `Description`; an object of BEAT is a value of the program of its declaration.
//!
//! Rooms have the same names in every format: `layout` (what is in the bytes), `text` (what is written as text: format
//! strings, declarations, values; of SDDS `header` and `ascii`), `read`, `write`, `check`, `table`, `serial`. A small format is one
//! file, or a few of them.

#[cfg(feature = "table")]
use crate::table::{AnyLayout, TableFormat, csv::Csv, jsonl::JsonLines, npy::Npy};

#[cfg(feature = "beat")]
pub mod beat;
#[cfg(feature = "futhark")]
pub mod futhark;
#[cfg(feature = "scidb")]
pub mod scidb;
#[cfg(feature = "sdds")]
pub mod sdds;
#[cfg(feature = "tiledb")]
pub mod tiledb;

/// All of them, in the order in which a file is tried. What is here, [`open`](crate::open()) finds, and so does the command.
#[cfg(feature = "table")]
pub(crate) const TABLES: &[&dyn TableFormat] = &[
    #[cfg(feature = "sdds")]
    &sdds::Tables,
    #[cfg(feature = "tiledb")]
    &tiledb::Tables,
    #[cfg(feature = "futhark")]
    &futhark::Tables,
    #[cfg(feature = "beat")]
    &beat::Tables,
    #[cfg(feature = "scidb")]
    &scidb::Tables,
    &Npy,
    &Csv,
    &JsonLines,
    &AnyLayout,
];

/// Files that are compressed as a whole, of any format: gzip, xz, lzma.
///
/// ```
/// use binfmt::formats::packed::{Compression, Packed, Unpacked};
/// use std::io::{Read, Write};
///
/// let mut packed = Packed::new(Vec::new(), Compression::Gzip)?;
/// packed.write_all(b"abc")?;
/// let bytes = packed.finish()?;
/// assert_eq!(Compression::of(&bytes), Compression::Gzip);
/// let mut text = String::new();
/// Unpacked::new(&bytes[..], 1 << 20)?.read_to_string(&mut text)?;
/// assert_eq!(text, "abc");
/// # Ok::<(), std::io::Error>(())
/// ```
#[cfg(feature = "sdds")]
pub mod packed {
    pub use super::sdds::{Compression, Packed, Unpacked};
}
