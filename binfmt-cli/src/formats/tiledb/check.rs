//! Whether an array is sound: everything is read.

use super::open::{failure, open};
use super::options::Options;
use super::survey::size_of;
use crate::error::{Error, Result};
use crate::format::{Job, Tally};
use binfmt::formats::tiledb::IgnoredReason;

/// What is counted.
const TILES: (&str, &str) = ("tile", "tiles");

/// Reads every fragment. What does not count, and what libtiledb would not write, is told, and is an error for `--strict`.
pub(super) fn check(options: &Options, job: &mut Job<'_>) -> Result<Tally> {
    let array = open(options, job)?;
    let mut tally = Tally { count: 0, unit: TILES, bytes: size_of(array.storage().path()) };
    let mut found = Vec::new();
    for fragment in array.fragments() {
        let verified = array.verify(fragment).map_err(|e| failure(&e))?;
        tally.count += verified.tiles;
        let counts = [
            (verified.duplicates, "at the place of the cell before"),
            (verified.out_of_order, "not in global order"),
        ];
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        found.extend(counts.map(|(count, what)| format!("{}: cells {what}: {count}", fragment.name())));
    }
    let ignored = array.ignored().map_err(|e| failure(&e))?.into_iter();
    let strange =
        ignored.filter(|found| !matches!(found.reason, IgnoredReason::Replaced | IgnoredReason::Later));
    found.extend(strange.map(|found| format!("{}: {}", found.path, found.reason)));
    for text in found {
        if options.strict.is_given() {
            return Err(Error::data(text));
        }
        crate::report::remark(&format!("{}: {text}", job.input.name()));
    }
    Ok(tally)
}
