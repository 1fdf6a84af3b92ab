//! Format strings and schemas of arrays: texts that say what a cell is.

mod afl;
mod attribute;
mod convert;
mod dimension;
mod error;
mod scan;
mod schema;
#[cfg(feature = "serde")]
mod serial;
mod template;
mod types;

pub use attribute::AflAttribute;
pub use convert::{AttributeMismatch, column_name};
pub use dimension::{AflDimension, DimensionBound};
pub use error::{Caret, TextError, TextErrorKind, TextKind};
pub use schema::AflSchema;
pub use template::{ColumnLength, Template, TemplateColumn, WireLen};
pub use types::{ScidbType, UserType};
