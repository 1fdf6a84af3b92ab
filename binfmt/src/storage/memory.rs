//! Files in memory.

use super::{Storage, checked};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Files in memory.
///
/// ```
/// use binfmt::storage::{Memory, Storage};
/// let files = Memory::new();
/// files.write("a", b"1")?;
/// assert_eq!(files.size("a")?, Some(1));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Memory {
    files: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl Memory {
    /// No files.
    ///
    /// ```
    /// use binfmt::storage::{Memory, Storage};
    /// assert!(Memory::new().list("")?.is_empty());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new() -> Self {
        Memory::default()
    }

    fn files(&self) -> MutexGuard<'_, BTreeMap<String, Vec<u8>>> {
        // a map is whole after every call, so a panic elsewhere has not spoilt it
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Copies, whose later changes are their own.
impl Clone for Memory {
    fn clone(&self) -> Self {
        Memory { files: Mutex::new(self.files().clone()) }
    }
}

impl Storage for Memory {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{}/", checked(folder)?) };
        let files = self.files();
        let below = files.keys().filter_map(|path| path.strip_prefix(&prefix));
        let names: BTreeSet<&str> = below.map(|path| path.split('/').next().unwrap_or(path)).collect();
        Ok(names.into_iter().map(String::from).collect())
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        Ok(self.files().get(checked(path)?).map(|bytes| bytes.len() as u64))
    }

    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let files = self.files();
        let bytes = files.get(checked(path)?).ok_or(io::ErrorKind::NotFound)?;
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let found = bytes.get(from..).and_then(|rest| rest.get(..out.len()));
        out.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.files().insert(checked(path)?.into(), bytes.into());
        Ok(())
    }

    fn delete(&self, path: &str) -> io::Result<()> {
        self.files().remove(checked(path)?);
        Ok(())
    }

    fn create_new(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        match self.files().entry(checked(path)?.into()) {
            Entry::Occupied(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Entry::Vacant(place) => {
                place.insert(bytes.into());
                Ok(())
            }
        }
    }
}
