//! Rules of the house: what holds for sources, documents and packages.

mod docs;
mod formats;
mod layering;
mod names;
mod private;
mod published;
mod rooms;
mod sources;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

/// The checkout.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text of a file of the checkout.
#[track_caller]
fn file(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}
