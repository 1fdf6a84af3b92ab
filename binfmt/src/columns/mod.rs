//! Rows as columns: one vector for each field instead of one struct for each row.
//!
//! Text and lists take two vectors, where each row ends and what is in all of them; values that may be missing take one
//! byte more for each row.

mod body;
mod data;
pub(crate) mod form;
#[allow(dead_code)]
pub(crate) mod gather;
mod list;
mod methods;
mod missing;
mod nullable;
pub(crate) mod record;
mod rows;

pub use data::{BlankRows, ColumnData, TextColumn, View};
pub use list::{BytesColumn, ListColumn};
pub use methods::{ColumnMajor, TypedColumns};
pub use nullable::NullableColumn;
pub use record::Columnar;
