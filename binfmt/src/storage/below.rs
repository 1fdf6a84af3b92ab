//! A folder of a storage as a storage.

use super::Storage;
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
    pub(super) storage: Arc<dyn Storage>,
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

    /// The path of a file in the other storage.
    pub(super) fn at(&self, path: &str) -> String {
        if path.is_empty() { self.folder.clone() } else { format!("{}/{path}", self.folder) }
    }
}
