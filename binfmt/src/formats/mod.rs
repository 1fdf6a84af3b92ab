//! Real formats as annotated structs, each behind its feature.

#[cfg(feature = "scidb")]
pub mod scidb;

#[cfg(feature = "tiledb")]
pub mod tiledb;
