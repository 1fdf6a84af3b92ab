//! `binfmt check`: whether files are sound.

use crate::args::Check;
use crate::error::{Error, Result};
use crate::format::Tally;
use crate::units::count;
use crate::{output, style};
use std::io::Write;
use std::path::Path;

pub(crate) fn run(args: &Check) -> Result<()> {
    let mut all_well = true;
    for path in &args.paths {
        match check(path, args) {
            Ok((name, tally)) => report(&name, &tally)?,
            Err(e @ (Error::Usage(_) | Error::ClosedPipe)) => return Err(e),
            Err(e) => {
                crate::show(&e);
                all_well = false;
            }
        }
    }
    if all_well { Ok(()) } else { Err(Error::Shown) }
}

fn check(path: &Path, args: &Check) -> Result<(String, Tally)> {
    let (format, mut job) = super::open(path, &args.reading, true)?;
    let name = job.input.name();
    match format.check(&mut job) {
        Ok(tally) => Ok((name, tally)),
        Err(e) => Err(e.at(name)),
    }
}

fn report(name: &str, tally: &Tally) -> Result<()> {
    let green = style::when(style::on_stdout(), style::GOOD);
    let counted = count(tally.count, tally.unit.0, tally.unit.1);
    let bytes = count(tally.bytes, "byte", "bytes");
    let name = crate::terminal::line(name);
    let mut out = output::stdout();
    writeln!(out, "{name}: {green}ok{green:#} ({counted}, {bytes})")
        .and_then(|()| out.flush())
        .map_err(Error::output)
}
