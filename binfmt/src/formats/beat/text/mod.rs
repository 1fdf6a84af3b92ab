//! Declarations: JSON that says which fields an object has.

mod declaration;
mod describe;
mod error;
mod format;
mod json;
mod load;
mod name;

pub use declaration::Declaration;
pub use error::DeclarationError;
pub use format::{Basic, FieldType, Format};
pub use name::FormatName;
