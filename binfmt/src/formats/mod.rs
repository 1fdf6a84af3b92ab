//! Real formats as annotated structs, each behind its feature.

#[cfg(feature = "futhark")]
pub mod futhark;
#[cfg(feature = "scidb")]
pub mod scidb;
