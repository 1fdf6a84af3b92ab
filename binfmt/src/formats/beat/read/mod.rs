//! Sets of data files and their chunks.

pub(super) mod chunks;
mod set;

pub use chunks::{Chunks, RawChunk};
pub(super) use set::between;
pub use set::{DataPath, DataSet};
