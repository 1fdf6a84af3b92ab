//! Columns of layouts that are known only at run time.

mod batch;
mod cell;
mod choice;
mod column;
mod column_type;
mod form;
mod join;
mod plan;
#[cfg(feature = "table")]
mod slice;
pub(crate) mod typed;

pub use batch::Columns;
pub use cell::ValueRef;
pub use choice::ChoiceColumn;
pub use column::Column;
pub use column_type::ColumnType;
#[cfg(feature = "std")]
pub use plan::ColumnsReader;
#[cfg(all(feature = "sdds", feature = "table"))]
pub(crate) use plan::{Finder, FoundRows};
pub use plan::{Plan, RowSpan, Spans};
pub use typed::TypedColumn;
#[cfg(feature = "sdds")]
pub(crate) use {
    column::ColumnRef,
    plan::{ColumnWriter, RowReader, Scratch, skip_rows},
};
