//! Putting an array in order: its fragments made one, and what is left over removed.

use super::open::{failure, open, open_options, place};
use super::options::Options;
use super::survey::size_of;
use crate::error::{Error, Result};
use crate::format::{Job, Tally, Vacuum};
use crate::units::{bytes, count};
use crate::{output, report, terminal};
use binfmt::formats::tiledb::{Folder, IgnoredReason};
use binfmt::storage::Below;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// What is younger may be what another program is writing.
const AT_WORK: Duration = Duration::from_secs(60 * 60);

/// What is counted.
const LEFT_OVER: (&str, &str) = ("fragment or file", "fragments and files");

/// Makes one fragment of all, and says what became of them.
pub(super) fn consolidate(options: &Options, job: &Job<'_>) -> Result<String> {
    let root = place(job)?.root;
    // a fragment that is not complete goes when the program is stopped
    let held = output::Place::new(&output::Target::Path(root.clone()), true);
    let files = Below::new(held.clone(), held.name());
    let how = open_options(&Folder::new(&root), options, job)?;
    let mut array = how.open(files).map_err(|e| failure(&e))?;
    let before = array.fragments().len() as u64;
    let amplification = options.amplification.value().copied().unwrap_or(1.0);
    let written = array.consolidate(amplification).map_err(|e| failure(&e))?;
    held.finish()?;
    let fragments = count(before, "fragment", "fragments");
    Ok(match written.map(|name| name.timestamps()) {
        Some((first, last)) => format!("{fragments} are one now, of the times {first} to {last}"),
        None => format!("{fragments}, nothing to do"),
    })
}

/// Removes what is left over, and tells each.
pub(super) fn vacuum(options: &Options, job: &Job<'_>, how: Vacuum) -> Result<Tally> {
    let array = open(options, job)?;
    let mut tally = Tally { count: 0, unit: LEFT_OVER, bytes: 0 };
    let mut out = output::stdout();
    for left in array.left_over().map_err(|e| failure(&e))? {
        let place = array.storage().path().join(&left.path);
        let size = size_of(&place);
        let why = left.reason;
        if left.reason != IgnoredReason::Replaced && !how.all && is_young(&place).map_err(Error::input)? {
            report::remark(&format!("{}: {why}; it is younger than an hour: --all removes it", left.path));
            continue;
        }
        if !how.dry_run {
            array.remove(&left).map_err(|e| failure(&e))?;
        }
        let path = terminal::line(&left.path);
        writeln!(out, "{path}: {why} ({})", bytes(size)).map_err(Error::output)?;
        tally.count += 1;
        tally.bytes = tally.bytes.saturating_add(size);
    }
    out.flush().map_err(Error::output)?;
    Ok(tally)
}

/// Whether a file, or one of a folder, was changed a short time ago.
fn is_young(place: &Path) -> std::io::Result<bool> {
    let now = SystemTime::now();
    let is_young = |place: &Path| {
        let changed = place.symlink_metadata()?.modified()?;
        // a time to come is that of another clock, and counts as now
        Ok(now.duration_since(changed).unwrap_or_default() < AT_WORK)
    };
    if is_young(place)? || !place.is_dir() {
        return is_young(place);
    }
    for entry in place.read_dir()? {
        if is_young(&entry?.path())? {
            return Ok(true);
        }
    }
    Ok(false)
}
