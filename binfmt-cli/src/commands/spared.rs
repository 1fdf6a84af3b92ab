//! Files that are not replaced unless that is said.

use crate::args::{Convert, Reading};
use crate::error::{Error, Result};
use crate::find::Target;
use crate::input::is_dash;
use crate::output::is_one;
use crate::unpack::{self, Compression};
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

/// Refuses to replace a file that may be the last of those to read: who forgets to name what is written would lose it.
pub(super) fn not_last_of_several(args: &Convert) -> Result<()> {
    // what is no plain file is written into, or refused by its format
    if args.inputs.len() < 2 || args.force || !args.output.is_file() {
        return Ok(());
    }
    let text = format_args!("{}: it is there, and would be what several files become", args.output.display());
    Err(Error::usage(text)
        .tip("the last file is the one that is written: name another one, or --force replaces it"))
}

/// Refuses a name that promises a compressed file where none is written.
pub(super) fn named_truly(args: &Convert, target: Target) -> Result<()> {
    let compresses = matches!(target, Target::Format(format) if format.facts().compresses);
    if compresses || unpack::by_name(&args.output) == Compression::None {
        return Ok(());
    }
    Err(Error::usage(format_args!("{}: what is written is not compressed", args.output.display()))
        .tip("leave the ending away and compress the file, or write to - and compress what comes"))
}
