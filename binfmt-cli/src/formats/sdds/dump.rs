//! The bytes of a file, explained: the header line by line, then the pages.

use super::open::damaged;
use crate::error::Result;
use crate::format::{Job, Window};
use binfmt::Options;
use binfmt::formats::sdds::Contents;
use std::io::Write;

/// Writes what touches the window, up to its end or to the damage. Offsets are those of the decompressed file.
pub(super) fn dump(job: &mut Job<'_>, window: &Window, out: &mut dyn Write) -> Result<()> {
    let compression = job.input.compression()?;
    let options = job.limits.within(Options::new());
    match window.write_parts::<Contents>(job.input.reader(0)?, &options, out)? {
        Some(e) => Err(damaged(compression, &e)),
        None => Ok(()),
    }
}
