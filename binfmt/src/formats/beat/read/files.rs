//! Paths of the files of a set, and errors that name them.

use crate::error::{Error, ErrorKind, Step};
use alloc::string::ToString;
use std::path::{Path, PathBuf};

pub(crate) fn io(e: std::io::Error, at: u64) -> Error {
    Error::new(ErrorKind::Io(e), at)
}

/// The error of a file.
pub(crate) fn of_file(path: &Path) -> impl FnOnce(Error) -> Error + use<> {
    let name = path.display().to_string();
    move |e| e.within(Step::Name(name))
}

/// The path with another ending after it.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
