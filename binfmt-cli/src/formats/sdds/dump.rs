//! The bytes of a file, explained: the header line by line, then the pages.

use super::open::{ASSUME, INCLUDE, damaged};
use crate::error::{Error, Result};
use crate::format::{Job, Window};
use crate::limits::Size;
use binfmt::Options;
use binfmt::dump::{Style, trace_with};
use binfmt::formats::sdds::File;
use std::io::{Read, Write};

/// Writes what touches the window, up to its end or to the damage. Offsets are those of the decompressed file.
pub(super) fn dump(job: &mut Job<'_>, window: &Window, out: &mut dyn Write) -> Result<()> {
    if let Some(setting) = [INCLUDE, ASSUME].into_iter().find(|s| job.settings.get(s.name).is_some()) {
        let text =
            format_args!("--{} is not for dump, which explains what the file itself says", setting.name);
        return Err(Error::usage(text));
    }
    job.limits = job.limits.of_a_dump();
    let compression = job.input.compression()?;
    let bytes = whole(job)?;
    let trace = trace_with::<File, _>(&bytes, &job.limits.within(Options::new()));
    let style = Style::new().color(window.color);
    let style = style.range(window.bytes.from..window.bytes.to.unwrap_or(u64::MAX));
    let style = match window.depth {
        Some(depth) => style.depth(usize::try_from(depth).unwrap_or(usize::MAX)),
        None => style,
    };
    write!(out, "{}", trace.text(&style)).map_err(Error::output)?;
    match trace.error() {
        Some(e) => Err(damaged(compression, e)),
        None => Ok(()),
    }
}

/// All bytes of the file, which are explained at once.
fn whole(job: &mut Job<'_>) -> Result<Vec<u8>> {
    let most = job.limits.max_memory.map_or(u64::MAX, |Size(bytes)| bytes);
    let mut bytes = Vec::new();
    job.input.reader(0)?.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(Error::input)?;
    if bytes.len() as u64 > most {
        let text = format_args!(
            "a dump holds the whole file, and this one is larger than the limit of {most} bytes"
        );
        return Err(Error::data(text));
    }
    Ok(bytes)
}
