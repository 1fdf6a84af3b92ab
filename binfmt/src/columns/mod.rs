//! Rows as columns: one vector for each field instead of one struct for each row.
//!
//! Text and lists take two vectors, where each row ends and what is in all of them; values that may be missing take one
//! byte more for each row.

mod body;
mod data;
#[cfg(feature = "dynamic")]
pub(crate) mod dynamic;
pub(crate) mod form;
mod integers;
mod list;
mod methods;
mod missing;
pub(crate) mod nested;
mod nullable;
mod packed;
pub(crate) mod record;
mod rows;
#[cfg(feature = "serde")]
mod serde;
mod trimmed;
mod wide;

pub use data::{BlankRows, ColumnData, TextColumn, View};
#[cfg(all(feature = "dynamic", feature = "std"))]
pub use dynamic::ColumnsReader;
#[cfg(feature = "dynamic")]
pub use dynamic::{ChoiceColumn, Column, ColumnType, Columns, Plan, RowSpan, Spans, TypedColumn, ValueRef};
#[cfg(feature = "sdds")]
pub(crate) use dynamic::{ColumnRef, ColumnWriter, RowReader, Scratch, skip_rows};
#[cfg(all(feature = "sdds", feature = "table"))]
pub(crate) use dynamic::{Finder, FoundRows};
pub use list::{BytesColumn, ListColumn};
pub use methods::{ColumnMajor, TypedColumns};
pub use nullable::NullableColumn;
pub use record::Columnar;
