//! Values written one after the other, in the style that was asked for.

use super::options::Options;
use super::values::{Pieces, UNIT};
use crate::error::{Error, Result};
use crate::format::{Job, Tally};
use crate::output::{Counted, Output, Target};
use crate::span::Span;
use binfmt::formats::futhark::{self, OutputStyle, Value};
use std::io::Write;

/// The style that was named, or the one that the name of the output tells.
pub(super) fn style(options: &Options, out: &Target) -> OutputStyle {
    let is_text = |path: &std::path::Path| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("txt"));
    match (options.style.value(), out) {
        (Some(style), _) => *style,
        (None, Target::Path(path)) if is_text(path) => OutputStyle::Text,
        (None, _) => OutputStyle::Packed,
    }
}

/// A file of values that grows value by value. Without [`Writer::finish`] there is none.
pub(super) struct Writer {
    out: Output,
    style: OutputStyle,
    tally: Tally,
}

impl Writer {
    pub(super) fn new(style: OutputStyle, out: &Target) -> Result<Self> {
        Ok(Writer { out: out.create()?, style, tally: Tally { count: 0, unit: UNIT, bytes: 0 } })
    }

    pub(super) fn put(&mut self, value: &Value) -> Result<()> {
        self.tally.bytes += put(value, self.style, &mut self.out)?;
        self.tally.count += 1;
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Tally> {
        self.out.finish()?;
        Ok(self.tally)
    }
}

/// Writes one value; the answer is the number of its bytes.
pub(super) fn put(value: &Value, style: OutputStyle, mut out: &mut dyn Write) -> Result<u64> {
    if style == OutputStyle::Text {
        let mut counted = Counted::new(out);
        writeln!(counted, "{value}").map_err(Error::output)?;
        return Ok(counted.bytes);
    }
    let bytes = binfmt::to_writer(value, &mut out).map_err(|e| unwritten(&e))?;
    if style == OutputStyle::Packed {
        return Ok(bytes);
    }
    out.write_all(b"\n").map_err(Error::output)?;
    Ok(bytes + 1)
}

/// What went wrong when a value was written.
pub(super) fn unwritten(e: &binfmt::Error) -> Error {
    Error::unwritten(e, |kind| Error::data(kind))
}

/// Writes the same values again.
pub(super) fn rewrite(options: &Options, job: &mut Job<'_>, out: &Target) -> Result<Tally> {
    let (style, mut tally) = (style(options, out), Tally { count: 0, unit: UNIT, bytes: 0 });
    let mut file = out.create()?;
    let mut writer = futhark::Writer::new(&mut file);
    let mut values = Pieces::open(job, Span::ALL)?;
    while let Some(piece) = values.next()? {
        tally.bytes += writer.write_piece(&piece, style).map_err(|e| unwritten(&e))?;
    }
    tally.count = writer.finish().map_err(|e| unwritten(&e))?;
    file.finish()?;
    Ok(tally)
}
