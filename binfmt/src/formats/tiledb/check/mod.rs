//! Whether an array is sound: fragments that are there, what else lies beside them, and schemas of new arrays.

mod fragment;
mod ignored;
mod new_schema;
mod order;
mod structs;

pub use fragment::Verified;
pub use ignored::{IgnoredFile, IgnoredReason};
