//! The bytes of a file, explained chunk by chunk.

use super::chunks::damaged;
use super::declared::Declared;
use crate::error::{Error, Result};
use crate::format::{Job, Window};
use crate::place::Start;
use binfmt::Options;
use binfmt::dump::{Style, Trace, TracesFromReader, trace_reader_with, trace_with};
use binfmt::formats::beat::{Chunk, DataFile, Declaration, Object};
use std::io::Write;

/// Writes what touches the window, up to its end or to the damage.
pub(super) fn dump(
    declared: &Declared,
    job: &mut Job<'_>,
    window: &Window,
    out: &mut dyn Write,
) -> Result<()> {
    let options = job.limits.within(Options::new()).ctx(&declared.declaration);
    let style = window.style();
    let Some(header) = declared.header else {
        let bytes = job.input.whole(job.limits)?;
        let trace = trace_with::<Object, _>(&bytes, &options);
        return show(&trace, window, &style, out).map(|_| ());
    };
    let head = job.input.head(usize::try_from(header).unwrap_or(usize::MAX))?;
    if !show(&trace_with::<DataFile<Object>, _>(head, &options), window, &style, out)? {
        return Ok(());
    }
    let reader = job.input.reader(header)?;
    let traces: TracesFromReader<_, Chunk<Object>, &Declaration> = trace_reader_with(reader, &options);
    for trace in traces.starting_at(header, 0) {
        if !show(&trace, window, &style, out)? {
            break;
        }
    }
    Ok(())
}

/// Writes one part; the answer is whether the window goes on behind it.
fn show(trace: &Trace, window: &Window, style: &Style, out: &mut dyn Write) -> Result<bool> {
    let range = trace.range();
    if window.bytes.to.is_some_and(|to| range.start >= to) {
        return Ok(false);
    }
    if range.end > window.bytes.from || trace.error().is_some() {
        write!(out, "{}", trace.text(style)).map_err(Error::output)?;
    }
    // the trace counts from the front of the file already
    trace.error().map_or(Ok(true), |e| Err(damaged(Start::default(), e)))
}
