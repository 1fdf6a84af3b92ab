//! Whether an array is sound: fragments that are there, and schemas of new arrays.

mod fragment;
mod new_schema;
mod order;

pub use fragment::Verified;
