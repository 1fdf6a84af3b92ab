//! Data files with what stands beside them.

mod data;
mod unfinished;

pub use data::DataWriter;
