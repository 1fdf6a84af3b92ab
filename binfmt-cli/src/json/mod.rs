//! JSON in both directions, a piece at a time: neither direction holds the document.

mod read;
mod tame;
mod write;

pub(crate) use read::{Items, Keys, Source};
pub(crate) use tame::{compact, pretty};
pub(crate) use write::JsonWriter;
