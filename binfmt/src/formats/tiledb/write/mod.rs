//! Writing: new arrays, and cells as new fragments.

#[cfg(feature = "ndarray")]
mod arrays;
mod attribute;
mod cells;
mod columns;
mod create;
mod dense;
mod file;
mod insert;
mod sparse;
mod tiles;

pub use insert::Insert;
