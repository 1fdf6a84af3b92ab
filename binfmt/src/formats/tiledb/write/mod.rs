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

pub use insert::Insert;
