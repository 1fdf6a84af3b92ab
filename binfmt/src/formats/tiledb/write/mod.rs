//! Writing: new arrays, cells as new fragments, and fragments put together.

#[cfg(feature = "ndarray")]
mod arrays;
mod attribute;
mod cells;
mod columns;
mod consolidate;
mod create;
mod dense;
mod file;
mod insert;
mod sparse;
mod tiles;

pub use consolidate::Vacuumed;
pub use insert::Insert;
