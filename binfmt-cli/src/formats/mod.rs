//! The formats that the command knows. One of which it has more to tell than its tables is a file here and a line in [`ALL`]; others
//! are taken from the list of the library, or of who calls the command.

mod beat;
mod futhark;
mod layout;
mod scidb;
mod sdds;
mod table_file;
mod tabled;
mod tiledb;

#[cfg(test)]
pub(crate) mod sample;

pub(crate) use tabled::with;

use crate::format::Format;

/// Formats with pages of their own here, in the order in which files are tried and help names them.
pub(crate) static ALL: &[&dyn Format] = &[
    &beat::Beat,
    &futhark::Futhark,
    &layout::AnyLayout,
    &table_file::NPY,
    &table_file::CSV,
    &table_file::LINES,
    #[cfg(feature = "arrow")]
    &table_file::PARQUET,
    #[cfg(feature = "arrow")]
    &table_file::ARROW,
    &scidb::Scidb,
    &sdds::Sdds,
    &tiledb::Tiledb,
    #[cfg(test)]
    &sample::Sample,
];
