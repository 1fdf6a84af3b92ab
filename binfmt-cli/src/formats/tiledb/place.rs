//! Where an array is: the folder, or one file inside it.

use crate::error::{Error, Result};
use crate::probe::Probe;
use binfmt::formats::tiledb::{Folder, Storage as _, Tables};
use binfmt::table::{self, TableFormat as _};
use std::path::{Component, Path, PathBuf};

/// The folder of an array, and the one file of it that was named.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) root: PathBuf,
    /// Its path inside the array, with `/`.
    pub(super) file: Option<String>,
}

/// Whether a path is that of something of TileDB.
pub(super) fn is_ours(probe: &Probe<'_>) -> bool {
    match probe.is_directory {
        true => {
            let names = Folder::new(probe.path).list("").unwrap_or_default();
            Tables.detect(&table::Probe { path: "", head: &[], names: &names })
        }
        false => {
            probe.path.extension().is_some_and(|ending| ending == "tdb") && root_of(probe.path).is_some()
        }
    }
}

/// The array that a path names.
pub(super) fn of(path: &Path, is_directory: bool) -> Result<Place> {
    if is_directory {
        return Ok(Place { root: path.to_owned(), file: None });
    }
    let Some(root) = root_of(path) else {
        return Err(Error::data("it is not in the folder of a TileDB array")
            .tip("an array is a folder with a file __array_schema.tdb"));
    };
    match std::path::absolute(path).ok().and_then(|path| inside(&root, &path)) {
        Some(file) => Ok(Place { root, file: Some(file) }),
        None => Err(Error::data("its path is not text")),
    }
}

/// The nearest folder above that is an array.
fn root_of(path: &Path) -> Option<PathBuf> {
    // the fragment's folder, and the array's
    const ABOVE: usize = 2;
    let path = std::path::absolute(path).ok()?;
    path.ancestors().skip(1).take(ABOVE).find(|folder| is_array(folder)).map(Path::to_owned)
}

fn is_array(folder: &Path) -> bool {
    folder.join("__array_schema.tdb").is_file() || folder.join("__schema").is_dir()
}

/// A path from the array's folder on.
fn inside(root: &Path, path: &Path) -> Option<String> {
    let parts = path.strip_prefix(root).ok()?.components();
    let parts = parts.map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    Some(parts.collect::<Option<Vec<_>>>()?.join("/"))
}
