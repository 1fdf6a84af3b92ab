//! The files of one set: `base.0.9.data`, `base.10.19.data`, with what stands beside each.

use crate::error::Result;
use crate::place::Start;
use crate::summary::Summary;
use binfmt::formats::beat::{DataPath, DataSet};
use std::path::{Path, PathBuf};

/// The base of a data file and the indices in its name; `None` of any other name.
fn parts(path: &Path) -> Option<(PathBuf, DataPath)> {
    let name = path.file_name()?.to_str()?.strip_suffix(".data")?;
    let (front, end) = name.rsplit_once('.')?;
    let (base, start) = front.rsplit_once('.')?;
    let (start, end) = (start.parse().ok()?, end.parse().ok()?);
    Some((path.with_file_name(base), DataPath { path: path.to_owned(), start, end }))
}

/// Compares a file with its index and its checksums, if any of them stands beside it.
pub(super) fn check(path: &Path) -> Result<()> {
    let Some((base, file)) = parts(path) else { return Ok(()) };
    let index = file.index_path();
    let sums = [path, &index].map(|path| {
        let mut name = path.as_os_str().to_owned();
        name.push(".checksum");
        PathBuf::from(name)
    });
    if !index.exists() && !sums.iter().any(|sum| sum.exists()) {
        return Ok(());
    }
    // no other file of the set may have the same indices
    let done = file.verify().and_then(|_| DataSet::open(base));
    done.map(|_| ()).map_err(|e| {
        let error = Start::default().located(&e);
        error.tip("binfmt cat and convert read the file without what stands beside it")
    })
}

/// Tells of the other files of the set, and of what is missing between them.
pub(super) fn tell(path: &Path, summary: &mut Summary) {
    let Some(set) = parts(path).and_then(|(base, _)| DataSet::open(base).ok()) else { return };
    let files = set.files().len();
    summary.fact("set_files", "Files of the set", files);
    let gaps: Vec<(u64, u64)> = set.gaps().into_iter().map(|gap| (*gap.start(), *gap.end())).collect();
    if !gaps.is_empty() {
        let text: Vec<String> = gaps.iter().map(|(start, end)| format!("{start} to {end}")).collect();
        let value: Vec<Vec<u64>> = gaps.iter().map(|(start, end)| vec![*start, *end]).collect();
        summary.worded("gaps", "Missing indices", value, text.join(", "));
    }
}
