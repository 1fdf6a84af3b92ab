//! The formats that the command knows. A new one is a file here and a line in [`ALL`].

mod beat;
mod futhark;
mod layout;
mod scidb;
mod sdds;
mod table_file;
mod tiledb;

#[cfg(test)]
pub(crate) mod sample;

use crate::format::Format;

/// Every format, in the order in which files are tried and help names them.
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
