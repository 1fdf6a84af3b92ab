//! `binfmt inspect`: what a file is.

use crate::args::Inspect;
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::json;
use crate::unpack;
use crate::{output, style};
use std::io::Write;

pub(crate) fn run(args: &Inspect, formats: Formats) -> Result<()> {
    let (format, mut job) = super::open::open(&args.path, &args.reading, formats, true)?;
    let summary = format.inspect(&mut job);
    let mut summary = summary.map_err(|e| job.input.blamed(e))?;
    if let Some(packed) = unpack::name(job.input.compression()?) {
        // a format may tell more of it
        summary.perhaps("compression", "Compression", packed);
    }
    let mut out = output::stdout();
    if args.json {
        json::pretty(&mut out, &summary).map_err(|e| Error::output(std::io::Error::from(e)))?;
        out.write_all(b"\n").map_err(Error::output)?;
    } else {
        summary.write(&mut out, style::on_stdout())?;
    }
    out.flush().map_err(Error::output)?;
    summary.damage.map_or(Ok(()), |e| Err(job.input.blamed(e)))
}
