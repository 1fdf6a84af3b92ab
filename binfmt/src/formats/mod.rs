//! Real formats as annotated structs, each behind its feature.

#[cfg(feature = "beat")]
pub mod beat;
#[cfg(feature = "futhark")]
pub mod futhark;
#[cfg(feature = "scidb")]
pub mod scidb;
#[cfg(feature = "sdds")]
pub mod sdds;
#[cfg(feature = "tiledb")]
pub mod tiledb;
