//! Where the files of an array are: a small trait, so that arrays can be in other places than folders.

use crate::formats::tiledb::room::zeros;
use crate::{Error, ErrorKind, Result, Step};
use std::io;

/// The files of one array. Paths are relative to it, with `/` between their parts.
///
/// ```
/// use binfmt::formats::tiledb::{Memory, Storage};
/// let files = Memory::new();
/// files.write("__1_1_a/a.tdb", b"abc")?;
/// assert_eq!(files.list("")?, ["__1_1_a"]);
/// assert_eq!(files.size("__1_1_a/a.tdb")?, Some(3));
/// let mut two = [0; 2];
/// files.read("__1_1_a/a.tdb", 1, &mut two)?;
/// assert_eq!(&two, b"bc");
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Storage: Sync {
    /// The names of the files and folders that lie directly in a folder (`""` is the array's own), in any order; none
    /// for a folder that does not exist.
    ///
    /// # Errors
    /// The folder cannot be read.
    fn list(&self, folder: &str) -> io::Result<Vec<String>>;

    /// Bytes of a file; `None` when there is no such file.
    ///
    /// # Errors
    /// The file cannot be looked at.
    fn size(&self, path: &str) -> io::Result<Option<u64>>;

    /// Fills `out` with the bytes of a file from `offset` on.
    ///
    /// # Errors
    /// The file cannot be read, or ends too early.
    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()>;

    /// Makes a file of these bytes, with the folders that it lies in. The file is there whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written.
    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()>;

    /// The same for bytes that `fill` puts out piece by piece. Without a word of the storage's own they are gathered in
    /// memory for [`write`](Storage::write).
    ///
    /// # Errors
    /// The file cannot be written, or `fill` says so; then there is no file.
    fn write_with(&self, path: &str, fill: Fill<'_>) -> io::Result<()> {
        let mut bytes = Vec::new();
        fill(&mut bytes)?;
        self.write(path, &bytes)
    }

    /// As [`write`](Storage::write), where there is no such file yet: of several that make it at the same time exactly one
    /// succeeds, and its bytes stay. So two programs never make one array of two schemas.
    ///
    /// Without a word of the storage's own it looks first and then writes, which another program can come between.
    ///
    /// # Errors
    /// [`AlreadyExists`](io::ErrorKind::AlreadyExists) when there is such a file; the file cannot be written.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Memory, Storage};
    /// let files = Memory::new();
    /// files.create_new("a", b"1")?;
    /// let e = files.create_new("a", b"2").unwrap_err();
    /// assert_eq!(e.kind(), std::io::ErrorKind::AlreadyExists);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn create_new(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        match self.size(path)? {
            Some(_) => Err(io::ErrorKind::AlreadyExists.into()),
            None => self.write(path, bytes),
        }
    }
}

/// Puts out the bytes of a file, in large pieces.
pub type Fill<'a> = &'a mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>;

impl<T: Storage + ?Sized> Storage for &T {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        (**self).list(folder)
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        (**self).size(path)
    }

    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        (**self).read(path, offset, out)
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        (**self).write(path, bytes)
    }

    fn write_with(&self, path: &str, fill: Fill<'_>) -> io::Result<()> {
        (**self).write_with(path, fill)
    }

    fn create_new(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        (**self).create_new(path, bytes)
    }
}

/// A path must stay inside the array: its parts are plain names.
pub(crate) fn checked(path: &str) -> io::Result<&str> {
    let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', '\0', ':']);
    if path.is_empty() || path.split('/').all(plain) {
        return Ok(path);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{path:?} is not a path inside an array")))
}

/// An error of the file system, at a file.
pub(crate) fn io_error(e: std::io::Error, path: &str) -> Error {
    in_file(Error::from(e), path)
}

/// The file is the first step of the path.
pub(crate) fn in_file(e: Error, path: &str) -> Error {
    e.within(Step::Name(path.into()))
}

/// A whole file, of metadata.
pub(crate) fn read_file(storage: &impl Storage, path: &str, limit: u64) -> Result<Vec<u8>> {
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
pub(crate) fn check_size(storage: &impl Storage, path: &str, expected: u64) -> Result<()> {
    match storage.size(path).map_err(|e| io_error(e, path))? {
        Some(found) if found == expected => Ok(()),
        Some(found) => {
            Err(in_file(ErrorKind::CountMismatch { of: "bytes in the file", expected, found }.into(), path))
        }
        None => Err(missing(path)),
    }
}
