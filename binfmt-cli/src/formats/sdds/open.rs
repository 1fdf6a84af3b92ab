//! How errors of files are told, and what names stand for in them.

use crate::error::Error;
use crate::place::Start;
use binfmt::ErrorKind;
use binfmt::formats::sdds::{Compression, Header};

/// What is counted.
pub(super) const UNIT: (&str, &str) = ("page", "pages");

pub(super) fn names(header: &Header) -> Vec<&str> {
    header.columns.iter().map(|c| c.name.as_str()).collect()
}

/// An error of the file, with its place.
pub(super) fn damaged(compression: Compression, e: &binfmt::Error) -> Error {
    let error = Start::default().located(e);
    match e.kind() {
        ErrorKind::Io(_) => error,
        _ if compression != Compression::None && e.offset().is_some() => {
            error.tip("bytes are counted in the decompressed file")
        }
        kind if kind.to_string().contains("does not declare a byte order") => {
            error.tip("--assume-byte-order says it")
        }
        _ => error,
    }
}

/// An error of the header.
pub(super) fn unopened(compression: Compression, e: &binfmt::Error, has_include: bool) -> Error {
    let error = damaged(compression, e);
    match e.to_string().contains("no directory was named") && !has_include {
        true => error.tip("--include DIR names the folder of the included files"),
        false if e.to_string().contains("is not a name: it must begin") => {
            error.tip("--any-names reads a file with such names")
        }
        false => error,
    }
}
