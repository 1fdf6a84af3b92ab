//! Files of an array: what is said of one that is not as it should be.

use crate::formats::tiledb::room::zeros;
use crate::storage::Storage;
use crate::{Error, ErrorKind, Result, Step};

/// An error of the file system, at a file.
pub(crate) fn io_error(e: std::io::Error, path: &str) -> Error {
    in_file(Error::from(e), path)
}

/// The file is the first step of the path.
pub(crate) fn in_file(e: Error, path: &str) -> Error {
    e.within(Step::Name(path.into()))
}

/// A whole file, of metadata.
pub(crate) fn read_file(storage: &dyn Storage, path: &str, limit: u64) -> Result<Vec<u8>> {
    let size = storage.size(path).map_err(|e| io_error(e, path))?;
    let size = size.ok_or_else(|| missing(path))?;
    let len = usize::try_from(size)
        .ok()
        .filter(|_| size <= limit)
        .ok_or_else(|| in_file(ErrorKind::size_limit("file", Some(size), limit).into(), path))?;
    let mut bytes = zeros(len).map_err(|e| in_file(e, path))?;
    storage.read(path, 0, &mut bytes).map_err(|e| io_error(e, path))?;
    Ok(bytes)
}

/// A file that must be there, and is not.
#[cold]
pub(crate) fn missing(path: &str) -> Error {
    in_file(ErrorKind::MissingFile { consequence: "" }.into(), path)
}

/// Whether a file has as many bytes as the metadata of its fragment say.
pub(crate) fn check_size(storage: &dyn Storage, path: &str, expected: u64) -> Result<()> {
    match storage.size(path).map_err(|e| io_error(e, path))? {
        Some(found) if found == expected => Ok(()),
        Some(found) => {
            Err(in_file(ErrorKind::CountMismatch { of: "bytes in the file", expected, found }.into(), path))
        }
        None => Err(missing(path)),
    }
}
