//! A file of a storage as a reader that goes to any place.

use super::Storage;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

/// A file of a storage, or a range of one, as a reader.
///
/// ```
/// use binfmt::storage::{Memory, Storage, StorageReader};
/// use std::io::Read;
/// let files = Memory::new();
/// files.write("a", b"abcdef")?;
/// let mut text = String::new();
/// StorageReader::new(std::sync::Arc::new(files), "a", 1..4)?.read_to_string(&mut text)?;
/// assert_eq!(text, "bcd");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct StorageReader {
    storage: Arc<dyn Storage>,
    path: String,
    /// The file, if it is one of the file system, and where it is read next.
    file: Option<(File, u64)>,
    at: u64,
    end: u64,
}

impl fmt::Debug for StorageReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StorageReader { path, at, end, .. } = self;
        f.debug_struct("StorageReader").field("path", path).field("at", at).field("end", end).finish()
    }
}

impl StorageReader {
    /// These bytes of a file, or as many of them as it has.
    ///
    /// ```
    /// use binfmt::storage::{Memory, StorageReader};
    /// let e = StorageReader::new(std::sync::Arc::new(Memory::new()), "a", 0..u64::MAX).unwrap_err();
    /// assert_eq!(e.kind(), std::io::ErrorKind::NotFound);
    /// ```
    ///
    /// # Errors
    /// There is no such file, or it cannot be looked at.
    pub fn new(storage: Arc<dyn Storage>, path: &str, bytes: std::ops::Range<u64>) -> io::Result<Self> {
        let Some(size) = storage.size(path)? else {
            return Err(io::Error::new(io::ErrorKind::NotFound, format!("there is no file {path:?}")));
        };
        Self::up_to(size, storage, path, bytes)
    }

    /// The same of a file that is read forward, and that may still be coming: then nobody asks how long it is.
    #[cfg(feature = "table")]
    pub(crate) fn forward(
        storage: Arc<dyn Storage>,
        path: &str,
        bytes: std::ops::Range<u64>,
    ) -> io::Result<Self> {
        match storage.is_arriving(path) {
            true => Self::up_to(u64::MAX, storage, path, bytes),
            false => Self::new(storage, path, bytes),
        }
    }

    fn up_to(
        size: u64,
        storage: Arc<dyn Storage>,
        path: &str,
        bytes: std::ops::Range<u64>,
    ) -> io::Result<Self> {
        let file = storage.local(path)?.map(|file| (file, 0));
        Ok(StorageReader { storage, path: path.to_owned(), file, at: bytes.start, end: bytes.end.min(size) })
    }
}

impl StorageReader {
    /// Where it ends, in bytes of the file.
    ///
    /// ```
    /// use binfmt::storage::{Memory, Storage, StorageReader};
    /// let files = Memory::new();
    /// files.write("a", b"abc")?;
    /// assert_eq!(StorageReader::new(std::sync::Arc::new(files), "a", 1..9)?.end(), 3);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Steps over bytes without reading them: how many there were.
    #[cfg(all(any(feature = "beat", feature = "sdds"), feature = "table"))]
    pub(crate) fn leap(&mut self, n: u64) -> io::Result<Option<u64>> {
        let beyond = n.min(self.end.saturating_sub(self.at));
        self.at = self.at.saturating_add(beyond);
        Ok(Some(beyond))
    }
}

impl Read for StorageReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let n = out.len().min(left);
        let out = &mut out[..n];
        let done = match &mut self.file {
            _ if n == 0 => 0,
            Some((file, place)) => {
                if *place != self.at {
                    *place = file.seek(SeekFrom::Start(self.at))?;
                }
                let done = file.read(out)?;
                *place += done as u64;
                done
            }
            None => self.storage.read_some(&self.path, self.at, out)?,
        };
        self.at += done as u64;
        Ok(done)
    }
}

impl Seek for StorageReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(n) => Some(n),
            SeekFrom::Current(n) => self.at.checked_add_signed(n),
            SeekFrom::End(n) => self.end.checked_add_signed(n),
        };
        let before = || io::Error::new(io::ErrorKind::InvalidInput, "a place before the first byte");
        self.at = place.ok_or_else(before)?;
        Ok(self.at)
    }
}
