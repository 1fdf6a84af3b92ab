//! A file that a command reads: opened, and its format found out.

use crate::args::Reading;
use crate::error::Result;
use crate::find::Formats;
use crate::format::{Format, Job};
use crate::input::Input;
use std::path::Path;

/// Opens a file and finds out its format; `progress` says whether a person may wait for it.
pub(super) fn open<'a>(
    path: &Path,
    reading: &'a Reading,
    formats: Formats,
    progress: bool,
) -> Result<(&'static dyn Format, Job<'a>)> {
    let input = Input::open(path, reading.limits, formats.recogniser())?.with_progress(progress);
    opened(input, reading, formats)
}

/// The format of a file that is open.
pub(super) fn opened(
    mut input: Input,
    reading: &Reading,
    formats: Formats,
) -> Result<(&'static dyn Format, Job<'_>)> {
    let format = formats.of(&mut input, reading.format.as_deref())?;
    reading.settings.check_for(format.facts().settings, format.facts().title)?;
    Ok((
        format,
        Job {
            input,
            settings: &reading.settings,
            limits: reading.limits,
            pages: None,
            writes: false,
            end: None,
        },
    ))
}
