//! The text of the header: read with the places of its words, and written.

mod build;
mod error;
mod format_string;
mod include;
mod scan;
mod write;

pub(crate) use build::{Rules, read};
pub use error::HeaderError;
pub use include::{Beneath, Included, Resolver};
