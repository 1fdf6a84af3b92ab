//! The fuzz targets of binfmt.

pub mod targets;
