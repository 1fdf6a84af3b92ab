//! Real formats, each behind its feature.
//!
//! What the words can say is annotated structs: the files of TileDB, the binary form of Futhark's values, rows and parts of
//! pages of SDDS. Headers and text have parsers. A cell of SciDB has the layout of the user's struct or of a `Description`; an
//! object of BEAT is read along its declaration.

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
