//! Files that are not replaced unless that is said.

use crate::args::Reading;
use crate::error::{Error, Result};
use crate::input::is_dash;
use crate::output::is_one;
use std::path::Path;

/// Refuses to replace the file that is read, of which what is written may say less, and one that an option names.
pub(super) fn spared(input: &Path, output: &Path, reading: &Reading, force: bool) -> Result<()> {
    let is_output = |path: &Path| is_one(path, output);
    if let Some(option) = reading.settings.of_file(is_output) {
        return Err(Error::usage(format_args!("{}: it is the file of --{option}", output.display())));
    }
    if !is_output(input) || force || is_dash(input) {
        return Ok(());
    }
    Err(Error::usage(format_args!("{}: it is the file that is read", output.display()))
        .tip("--force replaces it when the new one is complete"))
}
