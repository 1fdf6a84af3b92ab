//! The checks of damaged files: a clear error or another value, never a panic or a large allocation.

use super::kit::{Conformance, Sample, Trickle, written};
use super::report::Report;
use crate::error::Result;
use crate::wire::Endian;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Memory that a refused file may cost beside a multiple of its size: what a block of a stream takes.
const ALLOWANCE: usize = 256 << 10;
/// How much more than the file its content may take in memory.
const EXPANSION: usize = 64;

/// Reads damaged bytes both ways: a panic and too much memory are failures, whatever else comes out. When they are a
/// `whole` file, both ways must agree; what a stream leaves after its value is for the caller, and an error in memory.
fn survived<F: Conformance>(
    format: &F,
    sample: &Sample,
    bytes: &[u8],
    what: &str,
    whole: bool,
) -> Result<Result<F::Value>, String> {
    let mut found = None;
    let mut run = || {
        found = Some(catch_unwind(AssertUnwindSafe(|| {
            let mut reader = Trickle(bytes);
            let streamed = format.decode_stream(sample, &mut reader);
            (format.decode(sample, bytes), streamed, bytes.len() - reader.0.len())
        })));
    };
    let peak = format.peak_memory(&mut run);
    let allowed = bytes.len().saturating_mul(EXPANSION).saturating_add(ALLOWANCE);
    if let Some(peak) = peak.filter(|peak| *peak > allowed) {
        return Err(format!("{what}: {peak} bytes of memory for a file of {}", bytes.len()));
    }
    match found {
        None => Err("`peak_memory` did not run its function".into()),
        Some(Err(_)) => Err(format!("{what}: panic")),
        // a stream may hold more than the file
        Some(Ok((value, ..))) if !whole => Ok(value),
        Some(Ok((Ok(_), Err(e), _))) => Err(format!("{what}: read from memory, refused from a stream: {e}")),
        Some(Ok((Err(e), Ok(streamed), taken))) => match bytes.get(..taken) {
            Some(value) if taken < bytes.len() && is_read(format, sample, value, &streamed) => Ok(Err(e)),
            _ => Err(format!("{what}: read from a stream, refused from memory: {e}")),
        },
        Some(Ok((Ok(value), Ok(streamed), _))) if !format.same(&value, &streamed) => {
            Err(format!("{what}: a stream gives another value"))
        }
        Some(Ok((value, ..))) => Ok(value),
    }
}

/// Whether these bytes alone are read from memory as they were from a stream.
fn is_read<F: Conformance>(format: &F, sample: &Sample, bytes: &[u8], streamed: &F::Value) -> bool {
    format.decode(sample, bytes).is_ok_and(|value| format.same(&value, streamed))
}

/// An error that points somewhere must point into the file, or to its end.
fn placed<T>(value: &Result<T>, len: usize, what: &str) -> Result<(), String> {
    match value {
        Err(e) if e.offset().is_some_and(|offset| offset > len as u64) => {
            Err(format!("{what}: the error points outside: {e}"))
        }
        _ => Ok(()),
    }
}

/// One more byte after the file: an error, unless files of the format may end anywhere there.
pub(super) fn trailing<F: Conformance>(format: &F, sample: &Sample, report: &mut Report) {
    let mut bytes = sample.bytes.clone();
    bytes.push(0);
    let outcome = survived(format, sample, &bytes, "a byte more", false).and_then(|value| match value {
        Ok(_) if !format.may_end_at(sample, bytes.len()) => Err("a byte after the end goes unnoticed".into()),
        value => placed(&value, bytes.len(), "a byte more"),
    });
    report.note("trailing byte", &sample.name, outcome);
}

/// The file cut at every byte.
pub(super) fn cut<F: Conformance>(format: &F, sample: &Sample, report: &mut Report) {
    for n in 0..sample.bytes.len() {
        let bytes = &sample.bytes[..n];
        let what = format!("cut at byte {n:#x}");
        let outcome = survived(format, sample, bytes, &what, true).and_then(|value| {
            match (&value, format.may_end_at(sample, n)) {
                (Ok(_), false) => Err(format!("{what} goes unnoticed")),
                (Err(e), true) => Err(format!("{what}, where a file may end: {e}")),
                _ => placed(&value, n, &what),
            }
        });
        report.note("cut", &sample.name, outcome);
    }
}

/// One byte changed, at every place, in three ways. What is still read must survive being written.
pub(super) fn changed<F: Conformance>(format: &F, sample: &Sample, report: &mut Report) {
    let mut bytes = sample.bytes.clone();
    for at in 0..bytes.len() {
        let before = bytes[at];
        for now in [before ^ 0xff, before.wrapping_add(1), before ^ 0x80] {
            bytes[at] = now;
            let what = format!("byte {at:#x} changed from {before:#04x} to {now:#04x}");
            let outcome = survived(format, sample, &bytes, &what, true).and_then(|value| {
                placed(&value, bytes.len(), &what)?;
                match value {
                    Ok(value) => rewritten(format, sample, &value).map_err(|text| format!("{what}: {text}")),
                    Err(_) => Ok(()),
                }
            });
            report.note("changed byte", &sample.name, outcome);
        }
        bytes[at] = before;
    }
}

fn rewritten<F: Conformance>(format: &F, sample: &Sample, value: &F::Value) -> Result<(), String> {
    let bytes = match written(format, sample, value) {
        Err(_) if !format.writes_all_it_reads() => return Ok(()),
        written => written?,
    };
    let again = format.decode(sample, &bytes).map_err(|e| format!("what was written is not read: {e}"))?;
    if format.same(value, &again) { Ok(()) } else { Err("another value comes back".into()) }
}

/// Every length and dimension that the trace names, as large as its integer goes and a little larger than the file.
pub(super) fn oversized<F: Conformance>(format: &F, sample: &Sample, report: &mut Report) {
    for trace in format.trace(sample, &sample.bytes) {
        for node in trace.nodes().filter(|node| matches!(node.piece(), Some("length" | "dimension"))) {
            let (from, width) = (node.range().start as usize, node.bytes().len());
            let max = u128::MAX >> (128 - 8 * width.clamp(1, 16));
            for count in [max, max >> 1, sample.bytes.len() as u128 + 1] {
                let mut bytes = sample.bytes.clone();
                let Some(place) = bytes.get_mut(from..from + width) else { continue };
                match node.endian() {
                    Endian::Little => place.copy_from_slice(&count.to_le_bytes()[..width]),
                    Endian::Big => place.copy_from_slice(&count.to_be_bytes()[16 - width..]),
                }
                let what = format!("length {count} at byte {from:#x}");
                let outcome = survived(format, sample, &bytes, &what, true).and_then(|value| match value {
                    Ok(_) if count <= max && count > sample.bytes.len() as u128 => {
                        Err(format!("{what} goes unnoticed"))
                    }
                    value => placed(&value, bytes.len(), &what),
                });
                report.note("oversized length", &sample.name, outcome);
            }
        }
    }
}
