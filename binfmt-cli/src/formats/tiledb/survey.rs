//! The files in an array's folder.

use crate::error::{Error, Result};
use std::path::Path;

/// Bytes of a file, or of all files in a folder and in the folders in it, as far as they can be seen.
pub(super) fn size_of(place: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(place) else {
        return place.symlink_metadata().map_or(0, |data| data.len());
    };
    let size = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(data) if data.is_dir() => size_of(&entry.path()),
        data => data.map_or(0, |data| data.len()),
    };
    entries.flatten().map(size).sum()
}

const METADATA: &str = "__fragment_metadata.tdb";

/// The paths of all files in an array's folder: the schema first, then the others by name, metadata before tiles.
pub(super) fn files(root: &Path) -> Result<Vec<String>> {
    let mut paths = Vec::new();
    let read = |path: &Path| -> Result<Vec<(String, bool)>> {
        let entries = std::fs::read_dir(path).map_err(Error::input)?;
        let named = |entry: std::fs::DirEntry| {
            (entry.file_name().to_string_lossy().into_owned(), entry.path().is_dir())
        };
        let mut names: Vec<(String, bool)> = entries.flatten().map(named).collect();
        names.sort_by_key(|(name, is_folder)| (*is_folder, name != METADATA, name.clone()));
        Ok(names)
    };
    for (name, is_folder) in read(root)? {
        if !is_folder {
            paths.push(name);
            continue;
        }
        let inner = read(&root.join(&name))?.into_iter().filter(|(_, is_folder)| !is_folder);
        paths.extend(inner.map(|(file, _)| format!("{name}/{file}")));
    }
    Ok(paths)
}
