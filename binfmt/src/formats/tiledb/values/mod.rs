//! Values in memory: columns of an attribute's cells, numbers as cells need them, and how a struct's fields are cells.

pub(crate) mod cell;
mod column;
mod number;

pub use column::Column;
pub(crate) use column::whole;
pub(crate) use number::{ends, first_outside, gather, integer, key, keys, of_bits};
