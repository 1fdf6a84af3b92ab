//! `binfmt dump`: every byte, explained.

use super::spared::spared;
use crate::args::Dump;
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::format::{Aim, Window};
use crate::html::{self, About, Page};
use crate::input::Input;
use crate::probe::Probe;
use crate::span::Span;
use crate::{output, report, resembles, style, units};
use std::io::Write;
use std::path::Path;

pub(crate) fn run(args: &Dump, formats: Formats) -> Result<()> {
    if args.html {
        return page(args, formats);
    }
    let mut out = output::stdout();
    let aim = if args.jsonl { Aim::Json } else { Aim::Lines };
    let done = explain(args, formats, aim, &mut out);
    let flushed = out.flush().map_err(Error::output);
    done.0.and(flushed)
}

/// Writes the page; of a damaged file up to the damage, which is told as well.
fn page(args: &Dump, formats: Formats) -> Result<()> {
    let output = args.output.as_deref().unwrap_or(Path::new("-"));
    spared(&args.path, output, &args.reading, args.force)?;
    let page = Page::new(args.most.unwrap_or(html::MOST));
    let (done, about) = explain(args, formats, Aim::Page(page.clone()), &mut std::io::sink());
    // of a file that was not read there is no page
    let (Some(about), Ok(()) | Err(Error::Data(_))) = (about, &done) else { return done };
    let target = output::Target::new(output);
    let written = target.create().and_then(|mut out| {
        page.write(&about, &mut out).map_err(Error::output)?;
        out.finish()
    });
    written.map_err(|e| e.writing(target.name()))?;
    if let Some(text) = page.remark() {
        report::remark(&format!("{}: {text}", about.file));
    }
    done
}

/// Explains the file, as far as it can be, and says what it is, if it could be opened.
fn explain(args: &Dump, formats: Formats, aim: Aim, out: &mut dyn Write) -> (Result<()>, Option<About>) {
    let color = style::on_stdout();
    let window = Window { bytes: args.range.unwrap_or(Span::ALL), depth: args.depth, color, aim };
    let mut about = None;
    let done = explained(args, formats, &window, &mut about, out);
    (done, about)
}

fn explained(
    args: &Dump,
    formats: Formats,
    window: &Window,
    about: &mut Option<About>,
    out: &mut dyn Write,
) -> Result<()> {
    let mut input = Input::open(&args.path, args.reading.limits, formats.recogniser())?;
    if args.reading.format.is_none() && !input.is_directory() && !input.head(1)?.is_empty() {
        let known = formats.of(&mut input, None);
        if let (Err(_), true) = (&known, args.reading.settings.is_empty()) {
            *about = Some(About { format: UNKNOWN.to_owned(), ..of(&input) });
            return plain(window, input, out);
        }
    }
    let (format, mut job) = super::open::opened(input, &args.reading, formats)?;
    super::open::tell_if_empty(&mut job.input, &args.reading)?;
    if let Some(bytes) = job.input.len().filter(|bytes| *bytes <= window.bytes.from && args.range.is_some()) {
        let (name, bytes) = (job.input.name(), units::count(bytes, "byte", "bytes"));
        report::remark(&format!(
            "{name}: --range {} begins after the end: the file has {bytes}",
            window.bytes
        ));
    }
    job.limits = job.limits.of_a_dump();
    if let Aim::Page(_) = window.aim {
        let layout = format.layout(&mut job).map_err(|e| job.input.blamed(e))?;
        *about = Some(About { format: format.facts().title.to_owned(), layout, ..of(&job.input) });
    }
    format.dump(&mut job, window, out).map_err(|e| job.input.blamed(e))
}

fn of(input: &Input) -> About {
    About { file: input.name(), size: input.len(), ..About::default() }
}

const UNKNOWN: &str = "not a format that is known here";

/// The bytes of a file of which nothing is known, and what they may be.
fn plain(window: &Window, mut input: Input, out: &mut dyn Write) -> Result<()> {
    let name = input.name();
    let mut text = format!("{name}: {UNKNOWN}");
    if let Some(what) = resembles::what(input.head(Probe::BYTES)?) {
        text.push_str(&format!("; it begins like {what}"));
    }
    report::remark(&text);
    window.plain(&mut input, "file", out).map_err(|e| input.blamed(e))
}
