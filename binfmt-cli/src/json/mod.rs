//! JSON in both directions, a piece at a time: neither direction holds the document.

mod read;
mod write;

pub(crate) use read::{Keys, Source};
pub(crate) use write::JsonWriter;
