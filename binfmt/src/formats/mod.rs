//! Real formats, each behind its feature.
//!
//! What the words can say is annotated structs: the files of TileDB, the binary form of Futhark's values, pages of SDDS, the head
//! of a BEAT data file. Headers and text have parsers. A cell of SciDB has the layout of the user's struct or of a
//! `Description`; an object of BEAT is a value of the program of its declaration.
//!
//! Rooms have the same names in every format: `layout` (what stands in the bytes), `text` (what is written as text: format
//! strings, declarations, values; of SDDS `header` and `ascii`), `read`, `write`, `check`, `options`.

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
