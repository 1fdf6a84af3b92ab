//! Values as one table of the library.

use crate::error::{Error, Result};
use crate::format::Job;
use crate::span::Span;
use crate::tabular;
use binfmt::formats::futhark::Tables;
use binfmt::storage::Storage;
use binfmt::table::{Table, TableFormat};
use std::sync::Arc;

/// The chosen values of a file as one table.
pub(super) fn of(job: &Job<'_>, files: Arc<dyn Storage>, name: &str) -> Result<Arc<dyn Table>> {
    let mut settings = tabular::limited(binfmt::table::Settings::new(), job.limits);
    if let Some(pages) = &job.pages {
        let end = |span: &Span| span.to.map(|end| end.to_string()).unwrap_or_default();
        let ranges = pages.ranges().iter().map(|span| format!("{}..{}", span.from, end(span)));
        settings = settings.with("value", ranges.collect::<Vec<_>>().join(","));
    }
    Tables.open(files, name, &settings).map_err(|e| {
        let text = e.kind().to_string();
        match text.strip_suffix(": the setting `value` chooses") {
            Some(text) => Error::data(text).tip("--pages chooses among the values: --pages 1, --pages 2..4"),
            None => match text.strip_prefix("setting `value`: ") {
                Some(text) => Error::usage(format_args!("--pages: {text}")),
                None => tabular::failure(&e),
            },
        }
    })
}
