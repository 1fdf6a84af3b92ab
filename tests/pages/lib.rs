//! The examples of the READMEs, the attribute reference and the cookbook. They are not part of the library's own tests, so that a page that changes costs no build
//! of the library.

/// What the repository shows.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub mod repository {}

/// What crates.io and the first page of the library's documentation show.
#[cfg(doctest)]
#[doc = include_str!("../../binfmt/README.md")]
pub mod readme {}

/// The attribute reference.
#[cfg(doctest)]
#[doc = include_str!("../../binfmt/docs/attributes.md")]
pub mod attributes {}

/// Recipes.
#[cfg(doctest)]
#[doc = include_str!("../../binfmt/docs/cookbook.md")]
pub mod cookbook {}
