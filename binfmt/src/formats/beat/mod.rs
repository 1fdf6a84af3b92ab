//! BEAT platform data: declarations, objects, files.

mod declaration;
mod describe;
mod error;
mod json;
mod name;
mod object;

pub use declaration::{Basic, Declaration, FieldType, Format};
pub use error::DeclarationError;
pub use name::FormatName;
pub use object::Object;
