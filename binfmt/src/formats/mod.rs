//! Real formats as annotated structs, each behind its feature.

#[cfg(feature = "scidb")]
pub mod scidb;
#[cfg(feature = "sdds")]
pub mod sdds;
