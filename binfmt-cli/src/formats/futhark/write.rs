//! Values written one after the other, in the style that was asked for.

use super::values::{UNIT, Values};
use crate::error::{Error, Result};
use crate::format::{Job, Tally};
use crate::output::{Counted, Output, Target};
use crate::settings::Settings;
use crate::span::Span;
use binfmt::ErrorKind;
use binfmt::formats::futhark::{Style, Value};
use std::io::{self, Write};

/// The style that `--style` names.
pub(super) fn said(settings: &Settings) -> Result<Option<Style>> {
    Ok(Some(match settings.get("style") {
        None => return Ok(None),
        Some("packed") => Style::Packed,
        Some("printed") => Style::Printed,
        Some("text") => Style::Text,
        Some(other) => {
            return Err(Error::usage(format_args!("--style {other}: there is no such style"))
                .tip("the styles are packed, printed and text"));
        }
    }))
}

/// The style that was named, or the one that the name of the output tells.
pub(super) fn style(said: Option<Style>, out: &Target) -> Style {
    let is_text = |path: &std::path::Path| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("txt"));
    said.unwrap_or(match out {
        Target::Path(path) if is_text(path) => Style::Text,
        _ => Style::Packed,
    })
}

/// A file of values that grows value by value. Without [`Writer::finish`] there is none.
pub(super) struct Writer {
    out: Output,
    style: Style,
    tally: Tally,
}

impl Writer {
    pub(super) fn new(style: Style, out: &Target) -> Result<Self> {
        Ok(Writer { out: out.create()?, style, tally: Tally { count: 0, unit: UNIT, bytes: 0 } })
    }

    pub(super) fn write(&mut self, value: &Value) -> Result<()> {
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
pub(super) fn put(value: &Value, style: Style, mut out: &mut dyn Write) -> Result<u64> {
    if style == Style::Text {
        let mut counted = Counted::new(out);
        writeln!(counted, "{value}").map_err(Error::output)?;
        return Ok(counted.bytes);
    }
    let bytes = binfmt::to_writer(value, &mut out).map_err(|e| failure(&e))?;
    if style == Style::Packed {
        return Ok(bytes);
    }
    out.write_all(b"\n").map_err(Error::output)?;
    Ok(bytes + 1)
}

/// Writes the same values again.
pub(super) fn rewrite(job: &mut Job<'_>, out: &Target) -> Result<Tally> {
    let mut writer = Writer::new(style(said(job.settings)?, out), out)?;
    let mut values = Values::open(job, Span::ALL)?;
    while let Some((_, value)) = values.next()? {
        writer.write(&value)?;
    }
    writer.finish()
}

/// What failed when a value was written.
fn failure(e: &binfmt::Error) -> Error {
    match e.kind() {
        ErrorKind::Io(e) => {
            Error::output(e.raw_os_error().map_or_else(|| e.kind().into(), io::Error::from_raw_os_error))
        }
        kind => Error::data(kind),
    }
}
