//! Fragments put together, and the removal of what is then in the way.

use super::open::{failure, open};
use super::options::Options;
use crate::error::Result;
use crate::format::Job;
use crate::units::count;
use binfmt::formats::tiledb::Vacuumed;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A fragment that is not whole after that long is not one that is still being written.
const PATIENCE: Duration = Duration::from_secs(3600);

pub(super) fn consolidate(options: &Options, job: &Job<'_>) -> Result<String> {
    let mut array = open(options, job)?;
    let before = array.fragments().len() as u64;
    Ok(match array.consolidate().map_err(|e| failure(&e))? {
        Some(name) => format!("{} are one: {name}", count(before, "fragment", "fragments")),
        None => format!("{}: nothing to put together", count(before, "fragment", "fragments")),
    })
}

/// What is removed, one line each; with `all` what a writer may still be writing, too.
pub(super) fn vacuum(options: &Options, job: &Job<'_>, all: bool) -> Result<Vec<String>> {
    let array = open(options, job)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let before = if all { Duration::MAX } else { now.saturating_sub(PATIENCE) };
    let before = u64::try_from(before.as_millis()).unwrap_or(u64::MAX);
    let Vacuumed { replaced, leftovers, spared, .. } = array.vacuum(before).map_err(|e| failure(&e))?;
    let replaced = replaced.iter().map(|name| format!("removed {name}: a consolidated fragment replaces it"));
    let leftovers = leftovers.iter().map(|name| format!("removed {name}: it was never finished"));
    let spared = spared.iter().map(|name| {
        format!("left {name}: not finished, and begun less than an hour ago; --force removes it")
    });
    Ok(replaced.chain(leftovers).chain(spared).collect())
}
