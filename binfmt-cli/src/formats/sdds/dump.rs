//! The bytes of a file, explained: the header line by line, then the pages.

use super::open::{ASSUME, INCLUDE, damaged};
use crate::error::{Error, Result};
use crate::format::{Job, Window};
use binfmt::Options;
use binfmt::dump::{Style, trace_with};
use binfmt::formats::sdds::{Compression, File};
use std::io::{Read, Write};

/// What a compressed file may become: all of it is held, and explained, at once.
const MOST_UNPACKED: u64 = 1 << 30;

/// Writes what touches the window, up to its end or to the damage. Offsets are those of the decompressed file.
pub(super) fn dump(job: &mut Job<'_>, window: &Window, out: &mut dyn Write) -> Result<()> {
    if let Some(setting) = [INCLUDE, ASSUME].into_iter().find(|s| job.settings.get(s.name).is_some()) {
        let text =
            format_args!("--{} is not for dump, which explains what the file itself says", setting.name);
        return Err(Error::usage(text));
    }
    let mut bytes = Vec::new();
    let compression = job.input.compression()?;
    let mut reader = job.input.reader(0)?;
    match compression {
        Compression::None => reader.read_to_end(&mut bytes),
        _ => (&mut reader).take(MOST_UNPACKED + 1).read_to_end(&mut bytes),
    }
    .map_err(Error::input)?;
    if compression != Compression::None && bytes.len() as u64 > MOST_UNPACKED {
        return Err(Error::data(format_args!(
            "it decompresses to more than {MOST_UNPACKED} bytes, too many for dump"
        )));
    }
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
