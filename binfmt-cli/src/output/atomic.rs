//! A file that is written beside its place and renamed when it is complete.

use super::disk::{Disk, System, publish};
use super::interrupt;
use super::leftover::{self, Lock};
use binfmt::storage::Folder;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Dropped without [`NewFile::commit`], nothing of it stays, and what was at its place stays.
#[derive(Debug)]
pub(super) struct NewFile<D: Disk = System> {
    out: BufWriter<File>,
    temporary: PathBuf,
    place: PathBuf,
    committed: bool,
    disk: D,
    _lock: Lock,
}

impl NewFile {
    /// Begins the file that will be at `path`.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        Self::on(System, path)
    }
}

impl<D: Disk> NewFile<D> {
    fn on(disk: D, path: &Path) -> io::Result<Self> {
        let place = Folder::written(path)?;
        if place.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
        }
        let new = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
        let ((file, lock), temporary) = interrupt::make(|| leftover::create(&place, new))?;
        let out = BufWriter::with_capacity(64 << 10, file);
        let new = NewFile { out, temporary, place, committed: false, disk, _lock: lock };
        if let Ok(old) = fs::metadata(&new.place) {
            new.out.get_ref().set_permissions(Folder::permissions(&old))?;
        }
        Ok(new)
    }

    /// Puts other bytes in the place of some that were written.
    pub(super) fn patch(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        // the buffer is written first
        self.out.seek(SeekFrom::Start(at))?;
        self.out.write_all(bytes)?;
        self.out.seek(SeekFrom::End(0)).map(|_| ())
    }

    /// Puts the file in its place, as soon as no power cut can take its bytes away.
    pub(super) fn commit(mut self) -> io::Result<()> {
        self.out.flush()?;
        self.disk.sync(self.out.get_ref())?;
        let rename = || publish(&self.disk, &self.temporary, &self.place);
        let (is_there, done) = interrupt::publish(&self.temporary, rename);
        self.committed = is_there;
        done
    }
}

impl<D: Disk> Write for NewFile<D> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.out.write(buf)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<D: Disk> Drop for NewFile<D> {
    fn drop(&mut self) {
        if !self.committed {
            let _ = fs::remove_file(&self.temporary);
        }
        interrupt::forget(std::slice::from_ref(&self.temporary));
    }
}

#[cfg(test)]
mod tests {
    use super::super::disk::tests::Noted;
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("binfmt-cli-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn nothing_is_left_of_what_was_not_finished() {
        let folder = folder("dropped");
        let place = folder.join("out");
        fs::write(&place, "old").unwrap();
        let mut file = NewFile::beside(&place).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        assert_eq!(fs::read(&place).unwrap(), b"old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_place_is_taken_at_the_end() {
        let folder = folder("kept");
        let place = folder.join("o".repeat(250));
        let mut file = NewFile::beside(&place).unwrap();
        file.write_all(b"old").unwrap();
        file.patch(0, b"ne").unwrap();
        file.patch(2, b"w").unwrap();
        assert!(!place.exists());
        file.write_all(b"er").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"newer");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn bytes_then_name_then_folder_are_made_durable() {
        let folder = folder("durable");
        let disk = Noted::default();
        let mut file = NewFile::on(disk.clone(), &folder.join("out")).unwrap();
        file.write_all(b"four").unwrap();
        file.commit().unwrap();
        let name = folder.file_name().unwrap().to_string_lossy();
        let expected = ["sync 4 bytes".to_owned(), "rename to out".to_owned(), format!("sync folder {name}")];
        assert_eq!(*disk.steps.borrow(), expected);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_step_that_fails_is_told() {
        let folder = folder("failing");
        let place = folder.join("out");
        for step in 1..=3 {
            fs::write(&place, "old").unwrap();
            let disk = Noted { fails_at: Some(step), ..Noted::default() };
            let mut file = NewFile::on(disk, &place).unwrap();
            file.write_all(b"new").unwrap();
            assert_eq!(file.commit().unwrap_err().kind(), io::ErrorKind::StorageFull, "step {step}");
            // the last step is one of a file that is in its place
            let stays = if step < 3 { "old" } else { "new" };
            assert_eq!(fs::read_to_string(&place).unwrap(), stays);
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "step {step}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_that_a_signal_withdraws_is_given_no_name() {
        let folder = folder("withdrawn");
        let place = folder.join("out");
        for step in 1..=3 {
            fs::write(&place, "old").unwrap();
            let mut file = NewFile::on(Noted::default(), &place).unwrap();
            file.disk.stopped = Some((step, file.temporary.clone()));
            file.write_all(b"new").unwrap();
            let disk = file.disk.clone();
            assert_eq!(file.commit().is_ok(), step > 1, "step {step}");
            if let Some(signal) = disk.waiting.take() {
                assert!(!signal.join().unwrap(), "step {step}");
            }
            assert_eq!(fs::read_to_string(&place).unwrap(), if step > 1 { "new" } else { "old" });
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "step {step}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn permissions_stay_and_privileges_do_not() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder("mode");
        let place = folder.join("out");
        fs::write(&place, "old").unwrap();
        fs::set_permissions(&place, fs::Permissions::from_mode(0o6751)).unwrap();
        NewFile::beside(&place).unwrap().commit().unwrap();
        assert_eq!(fs::metadata(&place).unwrap().permissions().mode() & 0o7777, 0o751);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_directory_is_not_replaced() {
        assert!(NewFile::beside(&std::env::temp_dir()).is_err());
        assert!(NewFile::beside(Path::new("/")).is_err());
    }
}
