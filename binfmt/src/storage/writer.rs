//! A file of a storage that is being written.

use super::Storage;
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

/// A file that is being written. It is there when it is committed; dropped before that, it never was.
pub trait NewFile: Write + Send {
    /// Puts other bytes in the place of some that were written, which are at that place of the file; what is written next comes after all
    /// others, as before. `false`, and nothing happens, where what was written cannot be changed: in a stream, for example.
    ///
    /// # Errors
    /// The file cannot be written.
    fn patch(&mut self, at: u64, bytes: &[u8]) -> io::Result<bool> {
        let _ = (at, bytes);
        Ok(false)
    }

    /// Puts the whole file in its place.
    ///
    /// # Errors
    /// The file cannot be written.
    fn commit(self: Box<Self>) -> io::Result<()>;
}

/// A file of a storage that is written piece by piece. Without [`finish`](Self::finish) there is none.
///
/// ```
/// use binfmt::storage::{Memory, Storage, StorageWriter};
/// use std::io::Write;
/// let files = std::sync::Arc::new(Memory::new());
/// let mut file = StorageWriter::new(files.clone(), "a")?;
/// file.write_all(b"abc")?;
/// assert_eq!(files.size("a")?, None);
/// assert_eq!(file.finish()?, 3);
/// assert_eq!(files.size("a")?, Some(3));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct StorageWriter {
    file: Box<dyn NewFile>,
    bytes: u64,
}

impl fmt::Debug for StorageWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StorageWriter").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl StorageWriter {
    /// Begins a file, which replaces the one of this name when it is finished.
    ///
    /// ```
    /// use binfmt::storage::{Memory, StorageWriter};
    /// assert_eq!(StorageWriter::new(std::sync::Arc::new(Memory::new()), "a")?.bytes(), 0);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// The storage cannot make such a file.
    pub fn new(storage: Arc<dyn Storage>, path: &str) -> io::Result<Self> {
        let file = match storage.begin(path)? {
            Some(file) => file,
            None => Box::new(Gathered { storage, path: path.to_owned(), bytes: Vec::new() }),
        };
        Ok(StorageWriter { file, bytes: 0 })
    }

    /// How many bytes were written.
    ///
    /// ```
    /// # use binfmt::storage::{Memory, StorageWriter};
    /// # let file = StorageWriter::new(std::sync::Arc::new(Memory::new()), "a")?;
    /// assert_eq!(file.bytes(), 0);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Puts other bytes in the place of some that were written; `false` where [what was written](NewFile::patch) cannot be changed.
    ///
    /// ```
    /// # use binfmt::storage::{Memory, Storage, StorageWriter};
    /// # use std::io::Write;
    /// let files = std::sync::Arc::new(Memory::new());
    /// let mut file = StorageWriter::new(files.clone(), "a")?;
    /// file.write_all(b"0 rows")?;
    /// assert!(file.patch(0, b"7")?);
    /// file.finish()?;
    /// let mut bytes = [0; 6];
    /// files.read("a", 0, &mut bytes)?;
    /// assert_eq!(&bytes, b"7 rows");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn patch(&mut self, at: u64, bytes: &[u8]) -> io::Result<bool> {
        self.file.patch(at, bytes)
    }

    /// Puts the file in its place, and tells how many bytes it has.
    ///
    /// ```
    /// # use binfmt::storage::{Memory, StorageWriter};
    /// assert_eq!(StorageWriter::new(std::sync::Arc::new(Memory::new()), "a")?.finish()?, 0);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> io::Result<u64> {
        self.file.flush()?;
        self.file.commit()?;
        Ok(self.bytes)
    }
}

impl Write for StorageWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.file.write(bytes)?;
        self.bytes = self.bytes.saturating_add(n as u64);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The bytes of a file for a storage that takes it at once.
struct Gathered {
    storage: Arc<dyn Storage>,
    path: String,
    bytes: Vec<u8>,
}

impl Write for Gathered {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.try_reserve(bytes.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl NewFile for Gathered {
    fn patch(&mut self, at: u64, bytes: &[u8]) -> io::Result<bool> {
        let place = usize::try_from(at).ok().and_then(|at| self.bytes.get_mut(at..)?.get_mut(..bytes.len()));
        place.ok_or(io::ErrorKind::InvalidInput)?.copy_from_slice(bytes);
        Ok(true)
    }

    fn commit(self: Box<Self>) -> io::Result<()> {
        self.storage.write(&self.path, &self.bytes)
    }
}
