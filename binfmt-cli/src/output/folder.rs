//! A folder that is written beside its place and renamed when it is complete.

use super::{atomic, interrupt};
use crate::error::{Error, Result};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Dropped without [`NewFolder::commit`], it leaves nothing behind. It takes no place that is taken.
#[derive(Debug)]
pub(crate) struct NewFolder {
    temporary: PathBuf,
    place: PathBuf,
    committed: bool,
}

impl NewFolder {
    /// Begins the folder that will stand at `path`, where nothing stands but perhaps an empty folder.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        let is_free = match fs::read_dir(path) {
            Ok(mut entries) => entries.next().is_none(),
            Err(e) => e.kind() == io::ErrorKind::NotFound,
        };
        if !is_free {
            let text = "there is something already, which is not replaced by a folder";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
        }
        // an ending slash names no file
        let place: PathBuf = path.components().collect();
        let (_, temporary) = interrupt::make(|| atomic::create(&place, |path| fs::create_dir(path)))?;
        Ok(NewFolder { temporary, place, committed: false })
    }

    /// Where its files are written.
    pub(crate) fn path(&self) -> &Path {
        &self.temporary
    }

    /// Puts the folder in its place.
    pub(crate) fn commit(mut self) -> Result<()> {
        fs::rename(&self.temporary, &self.place).map_err(Error::output)?;
        self.committed = true;
        Ok(())
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if !self.committed {
            let _ = fs::remove_dir_all(&self.temporary);
        }
        interrupt::forget(&self.temporary);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_appears_when_it_is_complete() {
        let root = std::env::temp_dir().join(format!("binfmt-cli-{}-folders", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        let place = root.join("array");
        let folder = NewFolder::beside(&place).unwrap();
        fs::write(folder.path().join("a"), "x").unwrap();
        assert!(!place.exists());
        folder.commit().unwrap();
        assert_eq!(fs::read(place.join("a")).unwrap(), b"x");
        let e = NewFolder::beside(&place).unwrap_err();
        assert_eq!(e.kind(), io::ErrorKind::AlreadyExists);
        drop(NewFolder::beside(&root.join("other")).unwrap());
        assert_eq!(fs::read_dir(&root).unwrap().count(), 1);
        fs::remove_dir_all(root).unwrap();
    }
}
