//! A folder of a storage as a storage.

use super::{Fill, NewFile, Storage};
use std::fs::File;
use std::io;
use std::sync::Arc;

/// The files in a folder of another storage.
///
/// ```
/// use binfmt::storage::{Below, Memory, Storage};
/// let files = Memory::new();
/// files.write("a/b", b"1")?;
/// assert_eq!(Below::new(std::sync::Arc::new(files), "a").size("b")?, Some(1));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Below {
    storage: Arc<dyn Storage>,
    folder: String,
}

impl std::fmt::Debug for Below {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Below").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Below {
    /// What is in this folder, whose path has no `/` at its end.
    ///
    /// ```
    /// use binfmt::storage::{Below, Memory, Storage};
    /// assert!(Below::new(std::sync::Arc::new(Memory::new()), "a").list("")?.is_empty());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(storage: Arc<dyn Storage>, folder: impl Into<String>) -> Self {
        Below { storage, folder: folder.into() }
    }

    fn at(&self, path: &str) -> String {
        if path.is_empty() { self.folder.clone() } else { format!("{}/{path}", self.folder) }
    }
}

impl Storage for Below {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.storage.list(&self.at(folder))
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        self.storage.size(&self.at(path))
    }

    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.storage.read(&self.at(path), offset, out)
    }

    fn read_ranges(&self, path: &str, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        self.storage.read_ranges(&self.at(path), ranges)
    }

    fn local(&self, path: &str) -> io::Result<Option<File>> {
        self.storage.local(&self.at(path))
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.storage.write(&self.at(path), bytes)
    }

    fn write_with(&self, path: &str, fill: Fill<'_>) -> io::Result<()> {
        self.storage.write_with(&self.at(path), fill)
    }

    fn begin(&self, path: &str) -> io::Result<Option<Box<dyn NewFile>>> {
        self.storage.begin(&self.at(path))
    }

    fn create_new(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.storage.create_new(&self.at(path), bytes)
    }

    fn delete(&self, path: &str) -> io::Result<()> {
        self.storage.delete(&self.at(path))
    }

    fn delete_folder(&self, folder: &str) -> io::Result<()> {
        self.storage.delete_folder(&self.at(folder))
    }
}
