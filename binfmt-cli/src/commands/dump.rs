//! `binfmt dump`: every byte, explained.

use crate::args::Dump;
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::format::Window;
use crate::input::Input;
use crate::probe::Probe;
use crate::span::Span;
use crate::{hex, output, report, resembles, style};
use std::io::Write;

pub(crate) fn run(args: &Dump, formats: Formats) -> Result<()> {
    let mut input = Input::open(&args.path, args.reading.limits, formats.recogniser())?;
    if args.reading.format.is_none() && !input.is_directory() && !input.head(1)?.is_empty() {
        let known = formats.of(&mut input, None);
        if let (Err(_), true) = (&known, args.reading.settings.is_empty()) {
            return plain(args, input);
        }
    }
    let (format, mut job) = super::open::opened(input, &args.reading, formats)?;
    let window = Window {
        bytes: args.range.unwrap_or(Span::ALL),
        depth: args.depth,
        color: style::on_stdout(),
        needle: None,
    };
    job.limits = job.limits.of_a_dump();
    let mut out = output::stdout();
    let done = format.dump(&mut job, &window, &mut out);
    let flushed = out.flush().map_err(Error::output);
    done.map_err(|e| job.input.blamed(e)).and(flushed)
}

/// The bytes of a file of which nothing is known, and what they may be.
fn plain(args: &Dump, mut input: Input) -> Result<()> {
    let name = input.name();
    let mut text = format!("{name}: not a format that is known here");
    if let Some(what) = resembles::what(input.head(Probe::BYTES)?) {
        text.push_str(&format!("; it begins like {what}"));
    }
    report::remark(&text);
    let mut out = output::stdout();
    let done = hex::dump(&mut input, args.range.unwrap_or(Span::ALL), &mut out);
    let flushed = out.flush().map_err(Error::output);
    done.map_err(|e| input.blamed(e)).and(flushed)
}
