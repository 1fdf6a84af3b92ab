//! What lies in an array's folder that does not count: fragments that no reader sees, and unknown files.

use super::open::failure;
use crate::error::{Error, Result};
use binfmt::formats::tiledb::{Array, Folder, FragmentName, Storage};

/// Something that does not count, and why.
#[derive(Debug)]
pub(super) struct Ignored {
    pub(super) name: String,
    pub(super) why: &'static str,
    /// Whether it should not be there.
    pub(super) is_strange: bool,
}

/// Everything in the folder that is not part of the array as it was opened.
pub(super) fn ignored(array: &Array<Folder>) -> Result<Vec<Ignored>> {
    const KNOWN: [&str; 2] = ["__array_schema.tdb", "__lock.tdb"];
    let mut found = Vec::new();
    for name in list(array, "")? {
        if KNOWN.contains(&name.as_str()) {
            continue;
        }
        match array.fragments().iter().find(|fragment| fragment.name().as_str() == name) {
            Some(fragment) => {
                let files = array.data_files(fragment);
                let is_known = |path: &str| files.iter().any(|file| file.path() == path);
                for file in list(array, &name)? {
                    let path = format!("{name}/{file}");
                    if file != METADATA && !is_known(&path) {
                        found.push(Ignored { name: path, why: "unknown file", is_strange: true });
                    }
                }
            }
            None => found.push(outside(array, name)?),
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

const METADATA: &str = "__fragment_metadata.tdb";

/// What is in the array's folder and no fragment that counts.
fn outside(array: &Array<Folder>, name: String) -> Result<Ignored> {
    let Some(parsed) = FragmentName::parse(&name) else {
        return Ok(Ignored { name, why: "unknown file", is_strange: true });
    };
    let path = format!("{name}/{METADATA}");
    let size = array.storage().size(&path).map_err(|e| Error::input(e).at(&path))?;
    let covered = array.fragments().iter().any(|fragment| fragment.name().hides(&parsed));
    let (why, is_strange) = match size {
        None => ("a fragment without metadata, which no reader sees", true),
        Some(_) if covered => ("a fragment that a consolidated one replaces", false),
        Some(_) => ("a fragment of a later time", false),
    };
    Ok(Ignored { name, why, is_strange })
}

/// The paths of all files in an array's folder: the schema first, then the others by name, metadata before tiles.
pub(super) fn files(root: &std::path::Path) -> Result<Vec<String>> {
    let mut paths = Vec::new();
    let read = |path: &std::path::Path| -> Result<Vec<(String, bool)>> {
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

fn list(array: &Array<Folder>, folder: &str) -> Result<Vec<String>> {
    array.storage().list(folder).map_err(|e| failure(&binfmt::Error::from(e)))
}
