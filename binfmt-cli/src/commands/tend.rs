//! `binfmt consolidate` and `binfmt vacuum`: order among the files of an array.

use crate::args;
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::format::Vacuum;
use crate::units::{bytes, count};
use crate::{output, terminal};
use std::io::Write;

pub(crate) fn consolidate(args: &args::Consolidate, formats: Formats) -> Result<()> {
    let (format, mut job) = super::open::open(&args.path, &args.reading, formats, true)?;
    let done = format.consolidate(&mut job).map_err(|e| job.input.blamed(e))?;
    say(&job.input.name(), &done)
}

pub(crate) fn vacuum(args: &args::Vacuum, formats: Formats) -> Result<()> {
    let (format, mut job) = super::open::open(&args.path, &args.reading, formats, true)?;
    let how = Vacuum { dry_run: args.dry_run, all: args.all };
    let tally = format.vacuum(&mut job, how).map_err(|e| job.input.blamed(e))?;
    let what = count(tally.count, tally.unit.0, tally.unit.1);
    let removed = if args.dry_run { "would be removed" } else { "removed" };
    say(&job.input.name(), &format!("{what} {removed}, {}", bytes(tally.bytes)))
}

fn say(name: &str, text: &str) -> Result<()> {
    let mut out = output::stdout();
    writeln!(out, "{}: {text}", terminal::line(name)).and_then(|()| out.flush()).map_err(Error::output)
}
