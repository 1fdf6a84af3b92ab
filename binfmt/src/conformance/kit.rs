//! The questions, and the checks of files as they should be.

use super::damage;
use super::report::Report;
use super::writer::FailingWriter;
use crate::dump::Trace;
use crate::error::Result;
use std::fmt::Debug;
use std::io::{Read, Write};

/// A file of the format, and what is known of it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Its name in messages.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether the format has only these bytes for this content, so that writing gives them back.
    pub canonical: bool,
    /// What the reader must be told, such as a schema; empty when the file says everything.
    pub context: String,
}

impl Sample {
    /// A canonical sample that needs no context.
    ///
    /// ```
    /// let sample = binfmt::conformance::Sample::new("empty", []);
    /// assert!(sample.canonical);
    /// ```
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Sample { name: name.into(), bytes: bytes.into(), canonical: true, context: String::new() }
    }

    /// The same sample, read with this context.
    ///
    /// ```
    /// let sample = binfmt::conformance::Sample::new("cells", [1]).context("(int8)");
    /// assert_eq!(sample.context, "(int8)");
    /// ```
    #[must_use]
    pub fn context(mut self, context: impl Into<String>) -> Self {
        self.context = context.into();
        self
    }

    /// The same sample, whose content could be written otherwise, too.
    ///
    /// ```
    /// assert!(!binfmt::conformance::Sample::new("a", []).not_canonical().canonical);
    /// ```
    #[must_use]
    pub fn not_canonical(mut self) -> Self {
        self.canonical = false;
        self
    }
}

/// What a format answers so that [`check`] can test it.
pub trait Conformance {
    /// What a file is decoded into.
    type Value: Debug;

    /// The name of the format.
    fn name(&self) -> &str;

    /// Files of the real software, small ones: every byte of each is changed.
    fn samples(&self) -> Vec<Sample>;

    /// Reads a file from memory.
    ///
    /// # Errors
    /// The bytes are not such a file.
    fn decode(&self, sample: &Sample, bytes: &[u8]) -> Result<Self::Value>;

    /// Reads a file from a stream, which may go on after it. If the format knows its end, what comes after that is
    /// left for the caller; no answer has to look for it. The kit gives one byte at a time and so sees what was left.
    ///
    /// # Errors
    /// The bytes are not such a file.
    fn decode_stream(&self, sample: &Sample, reader: &mut dyn Read) -> Result<Self::Value>;

    /// Writes a file.
    ///
    /// # Errors
    /// The value is not one of the format's, or the writer fails.
    fn encode(&self, sample: &Sample, value: &Self::Value, out: &mut dyn Write) -> Result<()>;

    /// What each byte is; the lengths that it names are made too large.
    fn trace(&self, sample: &Sample, bytes: &[u8]) -> Vec<Trace>;

    /// Whether a file may end after its first `len` bytes: where a format has no end of its own.
    fn may_end_at(&self, sample: &Sample, len: usize) -> bool;

    /// Whether everything that the reader lets pass can be written: not where it is more lenient than the writer.
    fn writes_all_it_reads(&self) -> bool;

    /// Runs a function and tells the most bytes of memory that it had allocated at one time, as a counting allocator
    /// sees it; `None` if there is none.
    fn peak_memory(&self, run: &mut dyn FnMut()) -> Option<usize>;

    /// Whether two values are the same: for those with a NaN inside, which is equal to none.
    fn same(&self, a: &Self::Value, b: &Self::Value) -> bool {
        format!("{a:?}") == format!("{b:?}")
    }
}

/// Runs every check on every sample.
///
/// See the [module](super) for an example.
pub fn check<F: Conformance>(format: &F) -> Report {
    let mut report = Report::new(format.name());
    let samples = format.samples();
    report.note("samples", "all", if samples.is_empty() { Err("there are none".into()) } else { Ok(()) });
    for sample in &samples {
        report.note("round trip", &sample.name, round_trip(format, sample));
        report.note("stream", &sample.name, stream(format, sample));
        report.note("every byte named", &sample.name, named(format, sample));
        failing_writer(format, sample, &mut report);
        damage::trailing(format, sample, &mut report);
        damage::cut(format, sample, &mut report);
        damage::changed(format, sample, &mut report);
        damage::oversized(format, sample, &mut report);
    }
    report
}

pub(super) fn written<F: Conformance>(
    format: &F,
    sample: &Sample,
    value: &F::Value,
) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    format.encode(sample, value, &mut out).map_err(|e| format!("what was read cannot be written: {e}"))?;
    Ok(out)
}

fn round_trip<F: Conformance>(format: &F, sample: &Sample) -> Result<(), String> {
    let value = format.decode(sample, &sample.bytes).map_err(|e| format!("not read: {e}"))?;
    let bytes = written(format, sample, &value)?;
    if sample.canonical && bytes != sample.bytes {
        let at = bytes.iter().zip(&sample.bytes).position(|(a, b)| a != b);
        let at = at.unwrap_or(bytes.len().min(sample.bytes.len()));
        return Err(format!("written bytes differ at byte {at:#x}"));
    }
    let again = format.decode(sample, &bytes).map_err(|e| format!("what was written is not read: {e}"))?;
    if format.same(&value, &again) { Ok(()) } else { Err("another value comes back".into()) }
}

/// Gives one byte at a time: a reader that relies on more fails.
pub(super) struct Trickle<'a>(pub(super) &'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        match out.first_mut() {
            Some(byte) => self.0.read(core::slice::from_mut(byte)),
            None => Ok(0),
        }
    }
}

fn stream<F: Conformance>(format: &F, sample: &Sample) -> Result<(), String> {
    let value = format.decode(sample, &sample.bytes).map_err(|e| format!("not read: {e}"))?;
    let streamed = format
        .decode_stream(sample, &mut Trickle(&sample.bytes))
        .map_err(|e| format!("not read from a stream: {e}"))?;
    if format.same(&value, &streamed) { Ok(()) } else { Err("a stream gives another value".into()) }
}

/// The leaves of the trace cover the file, each byte once; where parts lie in any order, two may share bytes.
fn named<F: Conformance>(format: &F, sample: &Sample) -> Result<(), String> {
    let mut leaves = Vec::new();
    for trace in format.trace(sample, &sample.bytes) {
        if let Some(e) = trace.error() {
            return Err(format!("the trace fails: {e}"));
        }
        leaves.extend(trace.nodes().filter(|node| !node.is_group()).map(|leaf| leaf.range()));
    }
    let jumps = leaves.windows(2).any(|pair| matches!(pair, [a, b] if b.start < a.start));
    if jumps {
        leaves.sort_unstable_by_key(|leaf| (leaf.start, leaf.end));
    }
    let mut at = 0;
    for leaf in leaves {
        if leaf.start > at || (leaf.start < at && !jumps) {
            return Err(format!("nothing names byte {at:#x}"));
        }
        at = leaf.end.max(at);
    }
    if at == sample.bytes.len() as u64 { Ok(()) } else { Err(format!("nothing names byte {at:#x}")) }
}

fn failing_writer<F: Conformance>(format: &F, sample: &Sample, report: &mut Report) {
    let Ok(value) = format.decode(sample, &sample.bytes) else { return };
    let Ok(bytes) = written(format, sample, &value) else { return };
    for n in 0..bytes.len() {
        let outcome = match format.encode(sample, &value, &mut FailingWriter::new(n)) {
            Err(_) => Ok(()),
            Ok(()) => Err(format!("a writer that fails at byte {n:#x} goes unnoticed")),
        };
        report.note("failing writer", &sample.name, outcome);
    }
    let enough = format.encode(sample, &value, &mut FailingWriter::new(bytes.len()));
    report.note("failing writer", &sample.name, enough.map_err(|e| format!("with enough room: {e}")));
}
