//! Data files with what is beside them.

mod data;
mod unfinished;

pub use data::Writer;
