//! `binfmt inspect`: what files are.

use crate::args::Inspect;
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::style::{self, HEADING};
use crate::summary::Summary;
use crate::{json, output, paths, terminal, unpack};
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &Inspect, formats: Formats) -> Result<()> {
    let paths = paths::meant(&args.paths)?;
    let [path] = &paths[..] else { return several(&paths, args, formats) };
    let (summary, damage) = summary(path, args, formats)?;
    let mut out = output::stdout();
    if args.json {
        json::pretty(&mut out, &summary).map_err(|e| Error::output(std::io::Error::from(e)))?;
        out.write_all(b"\n").map_err(Error::output)?;
    } else {
        summary.write(&mut out, style::on_stdout())?;
    }
    out.flush().map_err(Error::output)?;
    damage.map_or(Ok(()), Err)
}

/// What a file is, and what ended the reading before its end.
fn summary(path: &Path, args: &Inspect, formats: Formats) -> Result<(Summary, Option<Error>)> {
    let (format, mut job) = super::open::open(path, &args.reading, formats, true)?;
    let summary = format.inspect(&mut job);
    let mut summary = summary.map_err(|e| job.input.blamed(e))?;
    if let Some(packed) = unpack::name(job.input.compression()?) {
        // a format may tell more of it
        summary.perhaps("compression", "Compression", packed);
    }
    let damage = summary.damage.take();
    if let Some(message) = damage.as_ref().and_then(Error::message) {
        summary.error = Some(message.text.clone());
    }
    Ok((summary, damage.map(|e| job.input.blamed(e))))
}

/// One after the other, each below its name, even if some are damaged.
fn several(paths: &[PathBuf], args: &Inspect, formats: Formats) -> Result<()> {
    let mut out = output::stdout();
    let mut status = 0;
    for (i, path) in paths.iter().enumerate() {
        let found = summary(path, args, formats);
        let (shown, damage) = match found {
            Ok((summary, damage)) => (Some(summary), damage),
            Err(Error::ClosedPipe) => return Err(Error::ClosedPipe),
            Err(e) => (None, Some(e)),
        };
        let name = path.display().to_string();
        let done = match (args.json, shown) {
            (true, shown) => listed(&name, shown.as_ref(), damage.as_ref(), i, &mut out),
            (false, shown) => headed(&name, shown.as_ref(), i, &mut out),
        };
        done.and_then(|()| out.flush().map_err(Error::output))?;
        if let Some(e) = damage {
            // bad data count for more than a file of which nothing is known
            status = if status == 1 { 1 } else { e.status() };
            crate::report::show(&e);
        }
    }
    if args.json {
        out.write_all(b"\n]\n").and_then(|()| out.flush()).map_err(Error::output)?;
    }
    if status == 0 { Ok(()) } else { Err(Error::Shown(status)) }
}

fn headed(name: &str, summary: Option<&Summary>, number: usize, out: &mut impl Write) -> Result<()> {
    let Some(summary) = summary else { return Ok(()) };
    let style = style::when(style::on_stdout(), HEADING);
    let between = if number > 0 { "\n" } else { "" };
    let name = terminal::line(name);
    writeln!(out, "{between}{style}==> {name} <=={style:#}").map_err(Error::output)?;
    summary.write(out, style::on_stdout())
}

/// An object in a list: the name of the file, and what else is known of it.
fn listed(
    name: &str,
    summary: Option<&Summary>,
    damage: Option<&Error>,
    number: usize,
    out: &mut impl Write,
) -> Result<()> {
    #[derive(serde::Serialize)]
    struct Named<'a> {
        file: &'a str,
        #[serde(flatten)]
        summary: Option<&'a Summary>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<&'a str>,
    }
    out.write_all(if number == 0 { b"[\n" } else { b",\n" }).map_err(Error::output)?;
    let error = if summary.is_some() { None } else { damage.map(Error::text) };
    let named = Named { file: name, summary, error };
    json::pretty(out, &named).map_err(|e| Error::output(std::io::Error::from(e)))
}
