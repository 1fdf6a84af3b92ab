//! Writing: new arrays, and cells as new fragments.

#[cfg(feature = "ndarray")]
mod arrays;
mod cells;
mod columns;
mod consolidate;
mod create;
mod dense;
mod file;
mod insert;
mod parts;
mod sparse;
mod tiles;

pub(super) use create::LOCK_FILE;
pub use insert::Insert;
pub(super) use parts::file_names;
