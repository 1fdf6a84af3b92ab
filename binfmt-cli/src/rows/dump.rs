//! The bytes of rows, explained one after the other.

use super::RowFile;
use crate::error::Result;
use crate::format::{Job, Window};
use crate::place::Start;
use binfmt::dump::{trace_reader_with, trace_with};
use binfmt::value::Value;
use std::io::Write;

/// Writes what touches the window, up to its end or to the damage.
pub(crate) fn dump(file: RowFile<'_>, job: &mut Job<'_>, window: &Window, out: &mut dyn Write) -> Result<()> {
    let options = job.limits.within(file.options).ctx(file.program);
    if file.is_one_value() {
        let trace = trace_with::<Value, _>(&job.input.whole(job.limits)?, &options);
        window.write(&trace, out)?;
        return trace.error().map_or(Ok(()), |e| Err(file.words.damaged(Start::default(), e)));
    }
    let start = first(file, job, window)?;
    let reader = job.input.reader(start.byte)?;
    let record = usize::try_from(start.record).unwrap_or(usize::MAX);
    for trace in trace_reader_with::<Value, _, _>(reader, &options).starting_at(start.byte, record) {
        if !window.write(&trace, out)? {
            break;
        }
        if let Some(e) = trace.error() {
            // the trace counts from the front of the file already
            return Err(file.words.damaged(Start::default(), e));
        }
    }
    Ok(())
}

/// A row at or before that in which the window begins. A stream is explained from its front.
fn first(file: RowFile<'_>, job: &mut Job<'_>, window: &Window) -> Result<Start> {
    let Some(all) = job.input.len().filter(|_| window.bytes.from > 0) else { return Ok(Start::default()) };
    if let Some(each) = file.row_size() {
        let record = window.bytes.from.min(all) / each;
        return Ok(Start { byte: record * each, record });
    }
    let Some(plan) = file.plan else { return Ok(Start::default()) };
    // decoding is much faster than explaining
    let options = job.limits.within(file.options);
    let mut rows = plan.reader(job.input.reader(0)?, &options).batch_bytes(BATCH);
    let mut start = Start::default();
    // what is damaged is explained as well, from the last sound rows on
    while let Ok(Some(batch)) = rows.next_batch(ROWS) {
        if rows.offset() > window.bytes.from {
            break;
        }
        start = Start { byte: rows.offset(), record: start.record + batch.num_rows() as u64 };
    }
    Ok(start)
}

/// Bytes and rows of a batch that is stepped over.
const BATCH: u64 = 64 << 10;
const ROWS: usize = 1 << 10;
