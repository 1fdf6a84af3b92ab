//! The bytes of a file, explained chunk by chunk.

use super::chunks::damaged;
use super::declared::Declared;
use crate::error::Result;
use crate::format::{Job, Window};
use crate::place::Start;
use binfmt::Options;
use binfmt::dump::{Trace, TracesFromReader, trace, trace_reader_with, trace_with};
use binfmt::formats::beat::{Chunk, Declaration, FileHead, Object};
use std::io::Write;

/// Writes what touches the window, up to its end or to the damage.
pub(super) fn dump(
    declared: &Declared,
    job: &mut Job<'_>,
    window: &Window,
    out: &mut dyn Write,
) -> Result<()> {
    let options = job.limits.within(Options::new()).ctx(&declared.declaration);
    let Some(header) = declared.header else {
        let bytes = job.input.whole(job.limits)?;
        let trace = trace_with::<Object, _>(&bytes, &options);
        return show(&trace, window, out).map(|_| ());
    };
    let head = job.input.head(usize::try_from(header).unwrap_or(usize::MAX))?;
    if !show(&trace::<FileHead>(head), window, out)? {
        return Ok(());
    }
    let reader = job.input.reader(header)?;
    let traces: TracesFromReader<_, Chunk<Object>, &Declaration> = trace_reader_with(reader, &options);
    for trace in traces.starting_at(header, 0) {
        if !show(&trace, window, out)? {
            break;
        }
    }
    Ok(())
}

/// Writes one part; whether the window goes on after it.
fn show(trace: &Trace, window: &Window, out: &mut dyn Write) -> Result<bool> {
    let goes_on = window.write(trace, out)?;
    // the trace counts from the front of the file already
    trace.error().filter(|_| goes_on).map_or(Ok(goes_on), |e| Err(damaged(Start::default(), e)))
}
