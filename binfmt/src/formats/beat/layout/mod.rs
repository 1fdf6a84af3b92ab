//! What is in the files: objects, chunks, lines.

pub(super) mod file;
pub(super) mod index;
pub(super) mod line;
mod object;
pub(super) mod payload;

pub use file::{Chunk, DataFile, FileHead};
pub use index::{read_index, write_index};
pub use object::Object;
