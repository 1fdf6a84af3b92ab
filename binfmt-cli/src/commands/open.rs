//! A file that a command reads: opened, and its format found out.

use crate::args::Reading;
use crate::error::Result;
use crate::find::Formats;
use crate::format::{Format, Job, Written};
use crate::input::Input;
use crate::report::remark;
use crate::settings::{Setting, Sides, with_those_of_output};
use crate::target::Target;
use std::cell::OnceCell;
use std::path::Path;

/// A file, and what reads it.
pub(super) type Opened<'a> = (&'static dyn Format, Job<'a>);

/// Opens a file and finds out its format; `progress` says whether a person may wait for it.
pub(super) fn open<'a>(
    path: &Path,
    reading: &'a Reading,
    formats: Formats,
    progress: bool,
) -> Result<(&'static dyn Format, Job<'a>)> {
    let input = Input::open(path, reading.limits, formats.recogniser())?.with_progress(progress);
    let (format, mut job) = opened(input, reading, formats)?;
    if progress {
        tell_if_empty(&mut job.input, reading)?;
    }
    Ok((format, job))
}

/// Says of a file whose name alone tells its format that nothing is in it.
pub(super) fn tell_if_empty(input: &mut Input, reading: &Reading) -> Result<()> {
    if reading.format.is_none() && !input.is_directory() && input.head(1)?.is_empty() {
        remark(&format!("{}: the file is empty", input.name()));
    }
    Ok(())
}

/// The format of a file that is open.
pub(super) fn opened(
    mut input: Input,
    reading: &Reading,
    formats: Formats,
) -> Result<(&'static dyn Format, Job<'_>)> {
    let format = formats.of(&mut input, reading.format.as_deref())?;
    reading.settings.check_for(format.facts().settings, format.facts().title)?;
    Ok((format, job(input, reading)))
}

/// Opens a file, of which one of that format is made, with others: options may be about that, too. Which are is found out of the first file.
pub(super) fn beside<'a>(
    path: &Path,
    reading: &'a Reading,
    formats: Formats,
    (target, sides): (Option<Target>, &'a OnceCell<Sides>),
) -> Result<Opened<'a>> {
    let mut input = Input::open(path, reading.limits, formats.recogniser())?.with_progress(true);
    let format = formats.of(&mut input, reading.format.as_deref())?;
    // without a word it is one of the same format
    let settings = target.unwrap_or_else(|| formats.same(format)).settings();
    let known = [format.facts().settings, &with_those_of_output(settings)].concat();
    reading.settings.check_for(&known, format.facts().title)?;
    let is_named = reading.format.is_some();
    let how = target.map_or((is_named, true), |target| target.how(format, is_named));
    if sides.get().is_none() {
        _ = sides.set(reading.settings.sides(format.facts().settings, settings, how)?);
    }
    let mut job = job(input, reading);
    if let Some(Sides { read, written }) = sides.get() {
        (job.settings, job.out) = (read, written);
    }
    Ok((format, job))
}

fn job(input: Input, reading: &Reading) -> Job<'_> {
    Job {
        input,
        settings: &reading.settings,
        out: &reading.settings,
        limits: reading.limits,
        pages: None,
        asked: Vec::new(),
        written: Written::All,
        to: None,
        end: None,
    }
}

/// Opens two files, of which an option may be about one: so may `--format`, where the other says what it is.
pub(super) fn two<'a>(paths: [&Path; 2], reading: &'a Reading, formats: Formats) -> [Result<Opened<'a>>; 2] {
    let open = |path: &Path| -> Result<(&'static dyn Format, Input)> {
        let mut input = Input::open(path, reading.limits, formats.recogniser())?.with_progress(true);
        let named = reading.format.as_deref();
        let itself = named.and_then(|name| formats.before(&mut input, name, false));
        let format = itself.map_or_else(|| formats.of(&mut input, named), Ok)?;
        Ok((format, input))
    };
    let both = paths.map(open);
    let facts = both.iter().flatten().flat_map(|(format, _)| format.facts().settings);
    let known: Vec<Setting> = facts.copied().collect();
    both.map(|opened| {
        let (format, input) = opened?;
        reading.settings.check_for(&known, format.facts().title)?;
        Ok((format, job(input, reading)))
    })
}
