//! Reading cells.

#[cfg(feature = "ndarray")]
mod arrays;
mod batches;
mod cells;
mod data_file;
mod dense;
mod file;
mod fixed;
mod grid;
mod place;
mod plan;
mod query;
mod result;
mod select;
mod sparse;
mod tile_cells;
#[cfg(feature = "table")]
mod tiles;
mod unwritten;
mod variable;

pub use batches::Batches;
#[cfg(feature = "table")]
pub(crate) use batches::Boxes;
pub use data_file::{FragmentFile, TileContent};
pub use query::Query;
pub use result::Cells;
