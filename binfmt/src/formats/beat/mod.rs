//! BEAT platform data: declarations, objects, files.

mod checksum;
mod declaration;
mod describe;
mod error;
mod file;
mod index;
mod json;
mod name;
mod object;

pub use checksum::Checksum;
pub use declaration::{Basic, Declaration, FieldType, Format};
pub use error::DeclarationError;
pub use file::{Chunk, DataFile};
pub use index::{read_index, write_index};
pub use name::FormatName;
pub use object::Object;
