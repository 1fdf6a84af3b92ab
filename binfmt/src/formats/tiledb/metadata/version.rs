//! Versions of the format, and which TileDB writes them.

use crate::formats::tiledb::layout::FORMAT_VERSION;
use crate::{Error, ErrorKind, Result, Step};

/// Any other version than the one that is read is an error, which says who writes it.
pub(crate) fn check_version(version: u32) -> Result<()> {
    if version == FORMAT_VERSION {
        return Ok(());
    }
    Err(Error::from(unsupported(version)).within(Step::Field("version")))
}

/// The error of another version.
pub(crate) fn unsupported(version: u32) -> ErrorKind {
    if version >= FIRST_SIZE {
        let text = "an array of TileDB 1.3 or earlier, whose files begin with a size and not with a version";
        return ErrorKind::unsupported("format version 3", text);
    }
    ErrorKind::UnsupportedVersion {
        found: version.into(),
        writer: written_by(version),
        expected: FORMAT_VERSION.into(),
    }
}

/// No file of TileDB 1.3 is smaller, and no TileDB of 2026 has a version as great.
const FIRST_SIZE: u32 = 50;

/// The software that writes a version of the format.
fn written_by(version: u32) -> &'static str {
    match version {
        FORMAT_VERSION => "TileDB 1.6",
        1 => "TileDB 1.3 to 1.4.0",
        2 => "TileDB 1.4.2 to 1.5",
        4 => "TileDB 1.7",
        5 => "TileDB 2.0",
        6 => "TileDB 2.1",
        7 => "TileDB 2.2.0 to 2.2.2",
        8 => "TileDB 2.2 from 2.2.3 on",
        9 => "TileDB 2.3",
        10 => "TileDB 2.4 to 2.6",
        11 => "TileDB 2.7",
        12 => "TileDB 2.8",
        13 => "TileDB 2.9",
        14 => "TileDB 2.10",
        15 => "TileDB 2.11",
        16 => "TileDB 2.12 to 2.13",
        17 => "TileDB 2.14",
        18 => "TileDB 2.15",
        19 => "TileDB 2.16",
        20 => "TileDB 2.17 to 2.18",
        21 => "TileDB 2.19 to 2.24",
        22 => "TileDB 2.25 or later",
        23.. => "a TileDB later than 2.25",
        0 => "",
    }
}
