//! Declarations, JSON that says which fields an object has, and the texts in files: names and numbers.

mod declaration;
mod describe;
pub(crate) mod digits;
mod error;
mod format;
mod json;
pub(crate) mod lines;
mod load;
mod name;

pub use declaration::Declaration;
pub use error::DeclarationError;
pub use format::{Basic, FieldType, Format};
pub use name::FormatName;
