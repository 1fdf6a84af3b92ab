//! Files as tables of the library, how their errors are told, and what names stand for in them.

use super::options::Options;
use crate::error::{Error, Result};
use crate::format::Job;
use crate::place::Start;
use crate::settings::Choice;
use crate::tabular;
use binfmt::ErrorKind;
use binfmt::formats::sdds::{self, Compression, Header};
use binfmt::table::{Table, TableFormat};
use std::sync::Arc;

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

/// The table of a file with these settings.
pub(super) fn opened(options: &Options, job: &mut Job<'_>, more: &[(&str, &str)]) -> Result<Arc<dyn Table>> {
    let settings = binfmt::table::Settings::new().with("page_numbers", "true").with("indices", "true");
    let mut settings = tabular::limited(settings, job.limits);
    if let Some(order) = options.assume.value() {
        settings = settings.with("assume_byte_order", order.word());
    }
    if options.any_names.is_given() {
        settings = settings.with("any_names", "true");
    }
    let settings = more.iter().fold(settings, |settings, (name, text)| settings.with(*name, *text));
    let compression = job.input.compression()?;
    let (storage, name) = tabular::place(job)?;
    let table = sdds::Tables.open(storage, &name, &settings);
    table.map_err(|e| unopened(compression, &e, true))
}

/// The header, if it is in the first bytes: nothing else of the file is read.
pub(super) fn header(job: &mut Job<'_>) -> Result<Option<Header>> {
    for most in [1 << 12, 1 << 16, 1 << 20] {
        let head = job.input.head(most)?;
        let is_all = head.len() < most;
        match sdds::Options::new().any_names(true).slice(head) {
            Ok(reader) => return Ok(Some(reader.file_header().clone())),
            Err(_) if is_all => return Ok(None),
            Err(_) => {}
        }
    }
    Ok(None)
}
