//! Values as one table of the library.

use crate::error::{Error, Result};
use crate::format::{Job, NamedTable};
use crate::span::Span;
use crate::tabular;
use binfmt::formats::futhark::Tables;
use binfmt::storage::Storage;
use binfmt::table::{Settings, Table, TableFormat};
use std::sync::Arc;

/// The chosen values of a file as one table.
pub(super) fn of(job: &Job<'_>, files: Arc<dyn Storage>, name: &str) -> Result<Arc<dyn Table>> {
    Tables.open(files, name, &settings(job)).map_err(|e| told(&e))
}

/// Each of them as a table by itself, with its number as the name.
pub(super) fn each(job: &Job<'_>, files: Arc<dyn Storage>, name: &str) -> Result<Vec<NamedTable>> {
    Tables.each(files, name, &settings(job)).map_err(|e| told(&e))
}

fn settings(job: &Job<'_>) -> Settings {
    let settings = tabular::limited(Settings::new(), job.limits);
    let Some(pages) = &job.pages else { return settings };
    let end = |span: &Span| span.to.map(|end| end.to_string()).unwrap_or_default();
    let ranges = pages.ranges().iter().map(|span| format!("{}..{}", span.from, end(span)));
    settings.with("value", ranges.collect::<Vec<_>>().join(","))
}

fn told(e: &binfmt::Error) -> Error {
    let text = e.kind().to_string();
    match text.strip_suffix(": the setting `value` chooses") {
        Some(text) => Error::data(text).tip("--pages chooses among the values: --pages 1, --pages 2..4"),
        None => match text.strip_prefix("setting `value`: ") {
            Some(text) => Error::usage(format_args!("--pages: {text}")),
            None => tabular::failure(e),
        },
    }
}
