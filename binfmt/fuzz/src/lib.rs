//! The fuzz targets of binfmt.

mod memory;
pub mod targets;
