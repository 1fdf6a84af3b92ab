//! What is added to a folder that is there: all of it, or nothing.

use super::interrupt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The folders that were made inside another one. Dropped without [`Growth::keep`], or when the program is told to stop, they go.
#[derive(Debug)]
pub(super) struct Growth {
    root: PathBuf,
    added: Mutex<Vec<PathBuf>>,
}

impl Growth {
    /// Nothing so far, of what will be in that folder.
    pub(super) fn of(root: &Path) -> Self {
        Growth { root: root.to_owned(), added: Mutex::new(Vec::new()) }
    }

    /// Makes the folder in which a file will be, if there is none.
    pub(super) fn make_room(&self, path: &str) -> io::Result<()> {
        let Some((folder, _)) = path.split_once('/') else { return Ok(()) };
        let place = self.root.join(folder);
        let make = || fs::create_dir(&place).map(|()| ((), place.clone()));
        match interrupt::make(make) {
            Ok(((), place)) => self.added.lock().unwrap_or_else(PoisonError::into_inner).push(place),
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
        Ok(())
    }

    /// All is there.
    pub(super) fn keep(self) {
        interrupt::forget(&self.taken());
    }

    fn taken(&self) -> Vec<PathBuf> {
        std::mem::take(&mut self.added.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Growth {
    fn drop(&mut self) {
        let added = self.taken();
        for place in &added {
            let _ = fs::remove_dir_all(place);
        }
        interrupt::forget(&added);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_stays_and_what_was_added_goes_unless_it_is_kept() {
        let root = std::env::temp_dir().join(format!("binfmt-cli-{}-growth", std::process::id()));
        fs::create_dir_all(root.join("old")).unwrap();
        let names = || {
            let mut names: Vec<_> =
                fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        for is_kept in [false, true] {
            let growth = Growth::of(&root);
            for path in ["old/a", "new/a", "new/b"] {
                growth.make_room(path).unwrap();
                fs::write(root.join(path), "x").unwrap();
            }
            assert_eq!(names(), ["new", "old"]);
            if is_kept {
                growth.keep();
            } else {
                drop(growth);
            }
            assert_eq!(names().len(), if is_kept { 2 } else { 1 });
            assert!(root.join("old/a").exists());
        }
        fs::remove_dir_all(root).unwrap();
    }
}
