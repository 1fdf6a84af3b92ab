//! The bytes of a load file, explained cell by cell.

use super::layout::Layout;
use crate::error::{Error, Result};
use crate::format::{Job, Window};
use crate::place::Start;
use binfmt::dump::trace_reader_with;
use binfmt::value::Value;
use std::io::Write;

/// Writes what touches the window, up to its end or to the damage.
pub(super) fn dump(layout: &Layout, job: &mut Job<'_>, window: &Window, out: &mut dyn Write) -> Result<()> {
    let start = first(layout, job, window);
    let style = window.style();
    let options = layout.loader.options().ctx(&layout.description);
    let reader = job.input.reader(start.byte)?;
    let record = usize::try_from(start.record).unwrap_or(usize::MAX);
    for trace in trace_reader_with::<Value, _, _>(reader, &options).starting_at(start.byte, record) {
        let range = trace.range();
        if window.bytes.to.is_some_and(|to| range.start >= to) {
            break;
        }
        if range.end > window.bytes.from || trace.error().is_some() {
            write!(out, "{}", trace.text(&style)).map_err(Error::output)?;
        }
        if let Some(e) = trace.error() {
            // the trace counts from the front of the file already
            return Err(layout.damaged(Start::default(), e));
        }
    }
    Ok(())
}

/// The cell in which the window begins, where cells all have the same size.
fn first(layout: &Layout, job: &Job<'_>, window: &Window) -> Start {
    match (layout.cell_size(), job.input.len()) {
        (Some(each), Some(all)) => {
            let record = window.bytes.from.min(all) / each;
            Start { byte: record.saturating_mul(each), record }
        }
        _ => Start::default(),
    }
}
