//! Values in memory: columns of an attribute's cells, and how a struct's fields are cells.

pub(crate) mod cell;
mod column;
mod element;

pub use column::{Column, Values};
pub(crate) use column::{Value, whole, with_values};
pub use element::Element;
