//! A folder that is written beside its place and renamed when it is complete.

use super::disk::{Disk, System, publish};
use super::gated::Gated;
use super::interrupt;
use super::leftover::{self, Lock};
use crate::error::{Error, Result};
use binfmt::storage::Folder;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Dropped without [`NewFolder::commit`], nothing of it stays. It takes no place that is taken.
#[derive(Debug)]
pub(crate) struct NewFolder {
    temporary: PathBuf,
    place: PathBuf,
    committed: bool,
    _lock: Lock,
}

impl NewFolder {
    /// Begins the folder that will be at `path`, where there is nothing but perhaps an empty folder.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        let is_free = match fs::read_dir(path) {
            Ok(mut entries) => entries.next().is_none(),
            Err(e) => e.kind() == io::ErrorKind::NotFound,
        };
        if !is_free {
            return Err(taken());
        }
        // an ending slash names no file
        let place: PathBuf = Folder::written(path)?.components().collect();
        let ((_, lock), temporary) =
            interrupt::make(|| leftover::create(&place, |path| fs::create_dir(path)))?;
        Ok(NewFolder { temporary, place, committed: false, _lock: lock })
    }

    /// Where its files are written.
    pub(crate) fn path(&self) -> &Path {
        &self.temporary
    }

    /// The same, to be written.
    pub(crate) fn files(&self) -> Gated {
        Gated(Folder::new(&self.temporary))
    }

    /// Puts the folder in its place, as soon as no power cut can take away what is in it. Whoever writes a file in it sees to
    /// that file's bytes.
    pub(crate) fn commit(self) -> Result<()> {
        self.commit_on(&System).map_err(Error::output)
    }

    fn commit_on(mut self, disk: &impl Disk) -> io::Result<()> {
        sync_all(disk, &self.temporary)?;
        let (is_there, done) =
            interrupt::publish(&self.temporary, || publish(disk, &self.temporary, &self.place));
        self.committed = is_there;
        // another program was quicker
        let is_lost =
            |e: &io::Error| matches!(e.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::NotADirectory);
        done.map_err(|e| if !is_there && is_lost(&e) { taken() } else { e })
    }
}

fn taken() -> io::Error {
    let text = "there is something already, which is not replaced by a folder";
    io::Error::new(ErrorKind::AlreadyExists, text)
}

/// The names in a folder and in those inside it.
fn sync_all(disk: &impl Disk, folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_all(disk, &entry.path())?;
        }
    }
    disk.sync_folder(folder)
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if !self.committed {
            let _ = fs::remove_dir_all(&self.temporary);
        }
        interrupt::forget(std::slice::from_ref(&self.temporary));
    }
}

#[cfg(test)]
mod tests {
    use super::super::disk::tests::Noted;
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

    #[test]
    fn the_second_of_two_programs_is_told_why() {
        let root = std::env::temp_dir().join(format!("binfmt-cli-{}-race", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        for is_folder in [true, false] {
            let place = root.join(if is_folder { "folder" } else { "file" });
            let folder = NewFolder::beside(&place).unwrap();
            if is_folder {
                fs::create_dir(&place).unwrap();
            }
            fs::write(if is_folder { place.join("a") } else { place }, "x").unwrap();
            let e = folder.commit().unwrap_err();
            let text = &e.message().unwrap().text;
            assert_eq!(text, "cannot write: there is something already, which is not replaced by a folder");
        }
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn names_are_durable_from_the_inside_out() {
        let root = std::env::temp_dir().join(format!("binfmt-cli-{}-inside", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        let begin = || {
            let folder = NewFolder::beside(&root.join("array")).unwrap();
            fs::create_dir(folder.path().join("fragment")).unwrap();
            folder
        };
        let disk = Noted::default();
        let folder = begin();
        let name = |path: &Path| format!("sync folder {}", path.file_name().unwrap().to_string_lossy());
        let expected = [
            "sync folder fragment".to_owned(),
            name(folder.path()),
            "rename to array".to_owned(),
            name(&root),
        ];
        folder.commit_on(&disk).unwrap();
        assert_eq!(*disk.steps.borrow(), expected);
        fs::remove_dir_all(root.join("array")).unwrap();
        for step in 1..=4 {
            let disk = Noted { fails_at: Some(step), ..Noted::default() };
            assert!(begin().commit_on(&disk).is_err());
            assert_eq!(root.join("array").exists(), step == 4, "step {step}");
        }
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_folder_that_a_signal_withdraws_is_given_no_name() {
        let root = std::env::temp_dir().join(format!("binfmt-cli-{}-withdrawn", std::process::id()));
        let place = root.join("array");
        for step in 1..=4 {
            fs::create_dir_all(&root).unwrap();
            let folder = NewFolder::beside(&place).unwrap();
            fs::create_dir(folder.path().join("fragment")).unwrap();
            let temporary = folder.path().to_owned();
            let disk = Noted { stopped: Some((step, temporary.clone())), ..Noted::default() };
            let is_done = folder.commit_on(&disk).is_ok();
            if let Some(signal) = disk.waiting.take() {
                assert!(!signal.join().unwrap(), "step {step}");
            }
            assert_eq!((is_done, place.join("fragment").is_dir()), (step > 2, step > 2), "step {step}");
            // until the program ends, nothing can be made where it was
            assert_eq!((place.is_file(), temporary.is_file()), (false, step <= 2), "step {step}");
            fs::remove_dir_all(&root).unwrap();
        }
    }
}
