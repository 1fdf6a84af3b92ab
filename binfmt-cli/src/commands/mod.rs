//! What each command does. No format is named here.

mod cat;
mod check;
mod completions;
mod convert;
mod dump;
mod inspect;
mod make;

use crate::args::{Command, Reading};
use crate::error::Result;
use crate::format::{Format, Job};
use crate::formats;
use crate::input::Input;
use crate::output::STDOUT;
use std::path::Path;

pub(crate) fn run(command: Command) -> Result<()> {
    let done = match command {
        Command::Inspect(args) => inspect::run(&args),
        Command::Cat(args) => cat::run(&args),
        Command::Dump(args) => dump::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Make(args) => make::run(&args),
        Command::Completions(args) => completions::run(&args),
    };
    done.map_err(|e| e.writing(STDOUT))
}

/// Opens a file and finds out its format; `progress` says whether a person may wait for it.
fn open<'a>(path: &Path, reading: &'a Reading, progress: bool) -> Result<(&'static dyn Format, Job<'a>)> {
    let mut input = Input::open(path, reading.limits)?.with_progress(progress);
    let format = formats::of(&mut input, reading.format.as_deref())?;
    reading.settings.check_for(format.settings(), format.title())?;
    Ok((format, Job { input, settings: &reading.settings, limits: reading.limits }))
}
