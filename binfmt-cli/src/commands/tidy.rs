//! `binfmt consolidate` and `binfmt vacuum`: what was written bit by bit, put together, and what is then in the way.

use crate::args::{Consolidate, Vacuum};
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::{output, terminal};
use std::io::Write;

pub(crate) fn consolidate(args: &Consolidate, formats: Formats) -> Result<()> {
    let (format, mut job) = super::open::open(&args.path, &args.reading, formats, true)?;
    let told = format.consolidate(&mut job).map_err(|e| job.input.blamed(e))?;
    tell(&[format!("{}: {told}", job.input.name())])
}

pub(crate) fn vacuum(args: &Vacuum, formats: Formats) -> Result<()> {
    let (format, mut job) = super::open::open(&args.path, &args.reading, formats, true)?;
    let told = format.vacuum(&mut job, args.force).map_err(|e| job.input.blamed(e))?;
    match told.is_empty() {
        true => tell(&[format!("{}: nothing to remove", job.input.name())]),
        false => tell(&told),
    }
}

fn tell(lines: &[String]) -> Result<()> {
    let mut out = output::stdout();
    lines.iter().try_for_each(|line| writeln!(out, "{}", terminal::line(line))).map_err(Error::output)?;
    out.flush().map_err(Error::output)
}
