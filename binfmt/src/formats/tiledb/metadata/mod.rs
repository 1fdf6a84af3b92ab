//! The files that describe an array: its schema, the metadata of its fragments, and what later versions leave beside them.

mod fragment;
mod generic;
pub(crate) mod later;
mod schema_file;
mod sound;
mod version;

pub use fragment::FragmentMetadata;
