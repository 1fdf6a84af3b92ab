//! Arrays of NumPy: files of any one array as tables, and columns of any table as such files.
//!
//! | in the file | as a column | back |
//! |---|---|---|
//! | `b1`, `i1` .. `i8`, `u1` .. `u8`, `f2` .. `f8` | numbers, in either byte order | the same, little-endian |
//! | `c8`, `c16` | `[f32; 2]`, `[f64; 2]` | the same |
//! | `S`, `U` | text, without the zeros at its end | `U` as wide as the longest; `S` if one is not UTF-8 |
//! | `V`, floats of more than 64 bits | bytes | `V` |
//! | `M8[..]`, `m8[..]` | `i64` that is a time, and missing where it is `NaT` | the same |
//! | a shape in each row | `[..; n]` | the same |
//! | named fields | a column for each | the same |
//!
//! An array of several dimensions in Fortran order is read as a whole and brought into the other order, in memory.
//!
//! A row is an index of the first dimension. One column becomes a plain array with a first dimension for its rows, several become an
//! array of named fields. Missing floats are `NaN`, missing times `NaT`; other values that are missing are refused, and so are
//! lists whose lengths differ.

mod dtype;
mod header;
mod literal;
mod npz;
mod read;
mod sink;
mod survey;
mod times;
mod turned;
mod write;

pub use npz::{write_each, write_tables};

/// The times that NumPy means by the name of a type.
pub(in crate::table) fn time_of(native: &str) -> Option<super::Logical> {
    dtype::Element::logical_of(native)
}
pub use read::Npy;
