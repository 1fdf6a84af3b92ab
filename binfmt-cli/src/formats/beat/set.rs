//! The files of one set: `base.0.9.data`, `base.10.19.data`, with what is beside each.

use crate::error::{Error, Result};
use crate::output::is_one;
use crate::pick;
use crate::place::Start;
use crate::summary::Summary;
use crate::tabular;
use binfmt::ErrorKind;
use binfmt::formats::beat::{DataPath, DataSet, Tables, missing_indices};
use binfmt::storage::Folder;
use binfmt::table::{Concatenated, Filter, Filtered, Settings, Table, TableFormat};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Refuses to replace a file of the set that is read: the other chunks of that file would be lost.
pub(super) fn spared(set: &DataSet, out: &Path) -> Result<()> {
    match set.files().iter().find(|file| is_one(&file.path, out)) {
        Some(file) => {
            Err(Error::usage(format_args!("{}: it is a file of the set that is read", file.path.display())))
        }
        None => Ok(()),
    }
}

/// Whether a path is what the names of data files begin with, also of files that do not belong together.
pub(super) fn is_set(base: &Path) -> bool {
    match DataSet::open(base) {
        Ok(_) => true,
        Err(e) => !matches!(e.kind(), ErrorKind::Missing { .. } | ErrorKind::Io(_)),
    }
}

/// The set of that base. Where there is none, the sets of its folder are told.
pub(super) fn named(base: &str) -> Result<DataSet> {
    DataSet::open(base).map_err(|e| match e.kind() {
        ErrorKind::Missing { .. } => {
            let error = Error::usage(format_args!("--join: there is no set `{base}`"));
            let bases = bases(Path::new(base).parent().unwrap_or(Path::new("")));
            match bases.is_empty() {
                true => error.tip("no data file with indices in its name, such as left.0.9.data, is there"),
                false => {
                    let names: Vec<&str> = bases.iter().map(String::as_str).collect();
                    error.tip(format_args!("the sets there are {}", pick::listed(&names)))
                }
            }
        }
        _ => Start::default().located(&e),
    })
}

/// What the names of the data files of a folder begin with, each once.
fn bases(folder: &Path) -> Vec<String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let bases = entries.filter_map(|entry| parts(&entry.path()).map(|(base, _)| base));
    let names = bases.filter_map(|base| Some(base.file_name()?.to_string_lossy().into_owned()));
    names.collect::<BTreeSet<String>>().into_iter().collect()
}

/// The bytes of all data files.
pub(super) fn size(set: &DataSet) -> Result<u64> {
    let named = |file: &DataPath, e| Error::input(e).at(file.path.display());
    let sizes = set.files().iter().map(|file| file.path.metadata().map_err(|e| named(file, e)));
    sizes.map(|found| found.map(|about| about.len())).sum()
}

/// All files of a set as one table.
pub(super) fn table(set: &DataSet, settings: &Settings) -> Result<Arc<dyn Table>> {
    let open = |file: &DataPath| {
        let folder = Arc::new(Folder::new(file.path.parent().unwrap_or(Path::new(""))));
        let name = file.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let table =
            Tables.open(folder, &name, settings).map_err(|e| tabular::failure(&e).at(file.path.display()))?;
        Ok((file.path.display().to_string(), table))
    };
    let tables = set.files().iter().map(open).collect::<Result<Vec<_>>>()?;
    let all = Concatenated::new(tables).map_err(|e| tabular::failure(&e))?;
    Ok(Arc::new(all))
}

/// Only the chunks that lie wholly within these indices.
pub(super) fn within(table: Arc<dyn Table>, indices: Option<RangeInclusive<u64>>) -> Result<Arc<dyn Table>> {
    let Some(indices) = indices else { return Ok(table) };
    // indices of tables are signed
    let end = (*indices.end()).min(i64::MAX as u64);
    let filter = Filter::new(&format!("_start >= {} and _end <= {end}", indices.start()), table.schema());
    let filter = filter.map_err(|e| tabular::failure(&e))?;
    Ok(Arc::new(Filtered::new(table, filter)))
}

/// The base of a data file and the indices in its name; `None` of any other name.
pub(super) fn parts(path: &Path) -> Option<(PathBuf, DataPath)> {
    let file = DataPath::of(path)?;
    let mut parts = path.file_name()?.to_str()?.rsplitn(4, '.');
    Some((path.with_file_name(parts.nth(3)?), file))
}

/// The name of the checksum's file.
pub(super) fn with_checksum(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".checksum");
    name.into()
}

/// What a file is that the platform keeps beside a data file, by its name, and that data file, which may not be there.
pub(super) fn whole_of(path: &Path) -> Option<(&'static str, PathBuf)> {
    let is = |path: &Path, ending: &str| path.extension().is_some_and(|found| found == ending);
    let summed = if is(path, "checksum") { path.with_extension("") } else { path.to_owned() };
    let data = if is(&summed, "index") { summed.with_extension("data") } else { summed.clone() };
    let what = match (summed == path, data == summed) {
        (true, true) => return None,
        (true, false) => "the index",
        (false, true) => "the checksum",
        (false, false) => "the checksum of the index",
    };
    parts(&data).is_some().then_some((what, data))
}

/// Compares a file with its index and its checksums, if any of them is beside it, and with its set: other files may
/// not have the same indices or another format, and none may be lost.
pub(super) fn check(path: &Path) -> Result<()> {
    let Some((base, file)) = parts(path) else { return Ok(()) };
    let index = file.index_path();
    let sums = [path, &index].map(with_checksum);
    if !index.exists() && !sums.iter().any(|sum| sum.exists()) {
        return Ok(());
    }
    let wrong = |e: binfmt::Error| {
        let error = Start::default().located(&e);
        error.tip("binfmt cat and convert read the file without what is beside it")
    };
    file.verify().map_err(wrong)?;
    let set = DataSet::open(base).map_err(wrong)?;
    if let Some(lost) = set.lost().map_err(wrong)?.first() {
        let lost = lost.display();
        return Err(Error::data(format_args!("{lost} is lost: only what belongs beside it is there")));
    }
    let Some(first) = set.files().first() else { return Ok(()) };
    let (own, other) = (file.format().map_err(wrong)?, first.format().map_err(wrong)?);
    if own != other {
        let first = first.path.display();
        return Err(Error::data(format_args!(
            "it has objects of {own}, {first} of the same set those of {other}"
        )));
    }
    Ok(())
}

/// Tells of the other files of the set, and of indices that are missing: those of no file, and if all chunks of this file
/// are known those of no chunk.
pub(super) fn tell(
    path: &Path,
    whole: Option<&DataSet>,
    chunks: Option<&[(u64, u64)]>,
    summary: &mut Summary,
) {
    let parts = parts(path).filter(|_| whole.is_none());
    let ends = whole.and_then(|set| Some((set.files().first()?.start, set.files().last()?.end)));
    let named = ends.or(parts.as_ref().map(|(_, file)| (file.start, file.end)));
    let is_told = whole.is_some() && chunks.is_some();
    let missing = |chunks: &[(u64, u64)]| missing_indices(chunks.iter().copied(), named);
    let mut gaps = chunks.map(missing).unwrap_or_default();
    if let Some(set) = whole.cloned().or_else(|| DataSet::open(parts?.0).ok()) {
        let files = set.files().len();
        summary.fact("set_files", "Files of the set", files);
        let lost = set.lost().unwrap_or_default();
        if !lost.is_empty() {
            let names: Vec<String> =
                lost.iter().filter_map(|path| path.file_name()).map(shown_name).collect();
            let text = names.join(", ");
            summary.worded("lost_files", "Lost files", names, text);
        }
        // all chunks of the set tell more than the names of its files
        gaps.extend(if is_told { Vec::new() } else { set.gaps() });
        gaps.sort_unstable_by_key(|gap| (*gap.start(), *gap.end()));
    }
    if !gaps.is_empty() {
        let text: Vec<String> = gaps.iter().map(shown).collect();
        let value: Vec<Vec<u64>> = gaps.iter().map(|gap| vec![*gap.start(), *gap.end()]).collect();
        summary.worded("gaps", "Missing indices", value, text.join(", "));
    }
}

fn shown_name(name: &std::ffi::OsStr) -> String {
    name.to_string_lossy().into_owned()
}

/// The indices of the chunks of a file: those that follow one another are one range.
#[derive(Default)]
pub(super) struct Seen {
    ranges: Vec<(u64, u64)>,
    /// The last of a file whose chunks have too many gaps to tell them.
    last: Option<u64>,
}

impl Seen {
    /// As many ranges as are remembered.
    const MOST: usize = 1 << 16;

    /// The next chunk.
    pub(super) fn add(&mut self, start: u64, end: u64) {
        let is_full = self.ranges.len() >= Self::MOST;
        match self.ranges.last_mut() {
            _ if self.last.is_some() => self.last = Some(end),
            Some((_, last)) if last.checked_add(1) == Some(start) && start <= end => *last = end,
            _ if is_full => self.last = Some(end),
            _ => self.ranges.push((start, end)),
        }
    }

    /// The first index of the first chunk and the last of the last.
    pub(super) fn ends(&self) -> Option<(u64, u64)> {
        let ((start, _), (_, end)) = self.ranges.first().copied().zip(self.ranges.last().copied())?;
        Some((start, self.last.unwrap_or(end)))
    }

    /// All indices, unless there were too many.
    pub(super) fn all(&self) -> Option<&[(u64, u64)]> {
        self.last.is_none().then_some(self.ranges.as_slice())
    }
}

fn shown(gap: &RangeInclusive<u64>) -> String {
    let (start, end) = (gap.start(), gap.end());
    if start == end { start.to_string() } else { format!("{start} to {end}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_that_follow_one_another_are_one_range() {
        let mut seen = Seen::default();
        assert_eq!((seen.ends(), seen.all()), (None, Some(&[][..])));
        for (start, end) in [(0, 3), (4, 4), (6, 7), (8, 9), (2, 2)] {
            seen.add(start, end);
        }
        assert_eq!((seen.ends(), seen.all()), (Some((0, 2)), Some(&[(0, 4), (6, 9), (2, 2)][..])));
        for i in 1..Seen::MOST as u64 {
            seen.add(i * 10, i * 10);
        }
        assert_eq!((seen.ends(), seen.all()), (Some((0, (Seen::MOST as u64 - 1) * 10)), None));
    }
}
