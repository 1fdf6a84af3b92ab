//! Sets of data files and their chunks.

pub(super) mod chunks;
pub(super) mod files;
mod join;
mod set;

pub use chunks::{Chunks, RawChunk};
pub use join::{Joined, JoinedChunk};
pub use set::{DataPath, DataSet, missing_indices};
