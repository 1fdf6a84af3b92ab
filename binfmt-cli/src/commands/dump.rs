//! `binfmt dump`: every byte, explained.

use crate::args::Dump;
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::format::Window;
use crate::span::Span;
use crate::{output, style};
use std::io::Write;

pub(crate) fn run(args: &Dump, formats: Formats) -> Result<()> {
    let (format, mut job) = super::open::open(&args.path, &args.reading, formats, false)?;
    let window =
        Window { bytes: args.range.unwrap_or(Span::ALL), depth: args.depth, color: style::on_stdout() };
    job.limits = job.limits.of_a_dump();
    let mut out = output::stdout();
    let done = format.dump(&mut job, &window, &mut out);
    let flushed = out.flush().map_err(Error::output);
    done.map_err(|e| job.input.blamed(e)).and(flushed)
}
