//! What is seen of a file that may change.

use crate::error::{Error, Result};
use std::fs::Metadata;
use std::path::Path;
use std::time::SystemTime;

/// By what it is seen that a file has changed.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct State {
    pub(super) bytes: u64,
    changed: Option<SystemTime>,
    /// Which file has the name.
    pub(super) file: Option<(u64, u64)>,
}

pub(super) fn state(path: &Path) -> Result<State> {
    let data = std::fs::metadata(path).map_err(|e| Error::input(e).at(path.display()))?;
    Ok(State { bytes: data.len(), changed: data.modified().ok(), file: file_of(&data) })
}

#[cfg(unix)]
fn file_of(data: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((data.dev(), data.ino()))
}

#[cfg(not(unix))]
fn file_of(_: &Metadata) -> Option<(u64, u64)> {
    None
}
