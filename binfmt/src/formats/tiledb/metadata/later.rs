//! What a later TileDB leaves in the folder of an array: its schema and its older fragments stay as they were, so that a
//! reader of this version alone would show cells as they once were, or none.

use super::version::unsupported;
use crate::formats::tiledb::layout::FORMAT_VERSION;
use crate::formats::tiledb::storage::{FragmentName, Storage, in_file, io_error};
use crate::{Error, ErrorKind, Result};

/// Where later versions keep their schemas.
pub(crate) const SCHEMA_FOLDER: &str = "__schema";

/// Folders that version 3 does not have, those first whose names tell the version.
const FOLDERS: [&str; 6] =
    ["__fragments", "__commits", SCHEMA_FOLDER, "__meta", "__fragment_meta", "__labels"];

/// Refuses an array with something of a later version in its folder, which has these names.
pub(crate) fn check_untouched(storage: &dyn Storage, names: &[String]) -> Result<()> {
    // TileDB 1.7 to 2.7 write beside the fragments that are there
    let beside = names.iter().filter_map(|name| Some((name, version_of(name)?)));
    if let Some((name, version)) = beside.max_by_key(|(_, version)| *version) {
        return Err(changed(name, Some(version)));
    }
    let folders = FOLDERS.iter().filter(|folder| names.iter().any(|name| name == *folder));
    let mut found = None;
    for folder in folders {
        let version = version_in(storage, folder)?;
        if version.is_some() {
            return Err(changed(folder, version));
        }
        found = found.or(Some(folder));
    }
    found.map_or(Ok(()), |folder| Err(changed(folder, None)))
}

/// The version in the name of a fragment, or of a file about one: `__T1_T2_UUID_VERSION`, and perhaps an ending. `None` for
/// version 3, whose names have none.
fn version_of(name: &str) -> Option<u32> {
    FragmentName::parse(name)?;
    let version = name.split('_').nth(5)?.split('.').next()?;
    version.parse().ok().filter(|version| *version != FORMAT_VERSION)
}

/// The version that the newest of the files in a folder tells, by its name or in its first bytes.
fn version_in(storage: &dyn Storage, folder: &str) -> Result<Option<u32>> {
    let names = storage.list(folder).map_err(|e| io_error(e, folder))?;
    let by_name = names.iter().filter_map(|name| version_of(name)).max();
    if by_name.is_some() {
        return Ok(by_name);
    }
    let newest = names.iter().filter_map(|name| FragmentName::parse(name)).max();
    let Some(path) = newest.map(|name| format!("{folder}/{name}")) else { return Ok(None) };
    // generic tiles begin with it; there are folders, too
    let mut version = [0; 4];
    match storage.size(&path).map_err(|e| io_error(e, &path))? {
        Some(4..) => storage.read(&path, 0, &mut version).map_err(|e| io_error(e, &path))?,
        _ => return Ok(None),
    }
    Ok(Some(u32::from_le_bytes(version)).filter(|version| *version != FORMAT_VERSION))
}

fn changed(name: &str, version: Option<u32>) -> Error {
    let kind = match version {
        Some(version) => unsupported(version),
        None => ErrorKind::unsupported("format version 3", "what TileDB 2.0 or later adds to an array"),
    };
    in_file(kind.into(), name)
}

#[cfg(test)]
mod tests {
    use super::version_of;
    use crate::formats::tiledb::{
        ArraySchema, Attribute, Datatype, Dimension, Memory, Number, Options, Storage,
    };

    #[test]
    fn versions_in_names() {
        let of = |rest: &str| version_of(&format!("__1_2_2758e4cbc087afbc87fcea36f6900b4d{rest}"));
        assert_eq!((of(""), of("_3"), of("_22"), of("_8.ok")), (None, None, Some(22), Some(8)));
        assert_eq!((of("_x"), version_of("__schema"), version_of("__1_1_x")), (None, None, None));
    }

    #[test]
    fn whatever_is_there_is_an_error() {
        let array = || {
            let x = Dimension::new("x", Number::I8(0), Number::I8(3), Number::I8(2));
            let schema =
                ArraySchema::dense(Datatype::Int8, [x]).attribute(Attribute::new("a", Datatype::Int8));
            Options::new().create(Memory::new(), schema).unwrap().storage().clone()
        };
        let told = |path: &str, bytes: &[u8]| {
            let files = array();
            files.write(path, bytes).unwrap();
            Options::new().open(files).unwrap_err().to_string()
        };
        assert_eq!(
            told("__meta/__5_5_0123456789abcdef0123456789abcdef", &[22, 0, 0, 0, 9]),
            "__meta: unsupported format version 22, which TileDB 2.25 or later writes; expected 3"
        );
        assert_eq!(
            told("__labels/x", b""),
            "__labels: format version 3 does not support what TileDB 2.0 or later adds to an array"
        );
        assert!(told("__schema/__5_5_x", &[3]).contains("TileDB 2.0 or later"));
        assert!(
            told("__1_1_0123456789abcdef0123456789abcdef_5.ok", b"").contains("version 5, which TileDB 2.0")
        );
    }
}
