//! Whether the files of a set are sound, and whether a struct fits a declaration.

#[cfg(feature = "std")]
mod set;
mod structs;

#[cfg(feature = "std")]
pub use set::Verified;
