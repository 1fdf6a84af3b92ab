//! Rows as columns: one vector for each field instead of one struct for each row.
//!
//! Text and lists take two vectors, where each row ends and what is in all of them; values that may be missing take one
//! byte more for each row.

mod data;
#[allow(dead_code)]
pub(crate) mod gather;
mod list;
mod nullable;

pub use data::{ColumnData, TextColumn, View};
pub use list::{BytesColumn, ListColumn};
pub use nullable::NullableColumn;
