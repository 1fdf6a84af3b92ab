//! `binfmt check`: whether files are sound.

use crate::args::Check;
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::format::Tally;
use crate::units::count;
use crate::{output, paths, style};
use std::io::Write;
use std::path::Path;

pub(crate) fn run(args: &Check, formats: Formats) -> Result<()> {
    let (mut is_bad, mut is_unknown) = (false, false);
    // what is wrong with the command line is so for every file, and told once
    let mut told = None;
    for path in &paths::meant(&args.paths)? {
        if args.reading.format.is_none()
            && let Some((text, true)) = formats.beside(path)
        {
            crate::report::remark(&format!("{}: {text}", path.display()));
            continue;
        }
        match check(path, args, formats) {
            Ok((name, tally)) => report(&name, &tally)?,
            Err(Error::ClosedPipe) => return Err(Error::ClosedPipe),
            Err(e) => {
                let text = e.message().map(|message| message.text.clone());
                let is_usage = matches!(e, Error::Usage(_));
                if !is_usage || told != text {
                    crate::report::show(&e);
                }
                if is_usage {
                    (is_unknown, told) = (true, text);
                } else {
                    is_bad = true;
                }
            }
        }
    }
    match (is_bad, is_unknown) {
        (false, false) => Ok(()),
        (true, _) => Err(Error::Shown(1)),
        (false, true) => Err(Error::Shown(2)),
    }
}

fn check(path: &Path, args: &Check, formats: Formats) -> Result<(String, Tally)> {
    let (format, mut job) = super::open::open(path, &args.reading, formats, true)?;
    let name = job.input.name();
    match format.check(&mut job) {
        Ok(tally) => Ok((name, tally)),
        Err(e) => Err(job.input.blamed(e)),
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
