//! Where an array is: the folder, or one file inside it.

use crate::error::{Error, Result};
use crate::probe::Probe;
use std::path::{Component, Path, PathBuf};

const SCHEMA: &str = "__array_schema.tdb";
/// Where arrays of later versions have their schemas.
const SCHEMAS: &str = "__schema";
const KEY_VALUE: &str = "__kv_schema.tdb";
/// What groups have: of all versions, of later ones.
const GROUPS: [&str; 2] = ["__tiledb_group.tdb", "__group"];
const METADATA: &str = "__fragment_metadata.tdb";

/// The folder of an array, and the one file of it that was named.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) root: PathBuf,
    /// Its path inside the array, with `/`.
    pub(super) file: Option<String>,
}

/// Whether a path is that of something of TileDB.
pub(super) fn is_ours(probe: &Probe<'_>) -> bool {
    let has = |name: &&str| probe.path.join(name).exists();
    match probe.is_directory {
        true => [SCHEMA, SCHEMAS, KEY_VALUE, METADATA].iter().chain(&GROUPS).any(has),
        false => {
            probe.path.extension().is_some_and(|ending| ending == "tdb") && root_of(probe.path).is_some()
        }
    }
}

/// The array that a path names.
pub(super) fn of(path: &Path, is_directory: bool) -> Result<Place> {
    let whole = |root: &Path| Place { root: root.to_owned(), file: None };
    if !is_directory {
        let Some(root) = root_of(path) else {
            return Err(Error::data("it is not in the folder of a TileDB array")
                .tip("an array is a folder with a file __array_schema.tdb"));
        };
        let file = std::path::absolute(path).ok().and_then(|path| inside(&root, &path));
        return match file {
            Some(file) => Ok(Place { root, file: Some(file) }),
            None => Err(Error::data("its path is not text")),
        };
    }
    if is_array(path) {
        return Ok(whole(path));
    }
    let has = |name: &&str| path.join(name).exists();
    Err(if has(&KEY_VALUE) {
        Error::data("it is a key-value store of TileDB, not an array").tip("only arrays are read")
    } else if GROUPS.iter().any(has) {
        let arrays = arrays_in(path);
        let error = Error::data("it is a group of TileDB, not an array");
        match arrays.is_empty() {
            true => error,
            false => error.tip(format_args!("the arrays in it are {}", arrays.join(", "))),
        }
    } else if let (true, Some(root)) = (has(&METADATA), root_of(path)) {
        Error::data("it is a fragment of a TileDB array").tip(format_args!("the array is {}", root.display()))
    } else {
        Error::data("it is not a TileDB array").tip("an array is a folder with a file __array_schema.tdb")
    })
}

fn is_array(path: &Path) -> bool {
    path.join(SCHEMA).is_file() || path.join(SCHEMAS).is_dir()
}

/// The nearest folder above that is an array.
fn root_of(path: &Path) -> Option<PathBuf> {
    // the fragment's folder, and the array's
    const ABOVE: usize = 2;
    let path = std::path::absolute(path).ok()?;
    path.ancestors().skip(1).take(ABOVE).find(|folder| is_array(folder)).map(Path::to_owned)
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

/// The arrays in a group, some of them.
fn arrays_in(path: &Path) -> Vec<String> {
    const SHOWN: usize = 10;
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| is_array(&entry.path()))
        .map(|entry| entry.path().display().to_string())
        .collect();
    names.sort();
    names.truncate(SHOWN);
    names
}
