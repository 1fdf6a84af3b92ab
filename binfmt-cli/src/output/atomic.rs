//! A file that is written beside its place and renamed when it is complete.

use super::interrupt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Dropped without [`NewFile::commit`], it leaves nothing behind, and what stood at its place stays.
#[derive(Debug)]
pub(super) struct NewFile {
    out: BufWriter<File>,
    temporary: PathBuf,
    place: PathBuf,
    committed: bool,
}

impl NewFile {
    /// Begins the file that will stand at `path`.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        // a link stays one, and the file that it names is replaced
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if place.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
        }
        let (file, temporary) = interrupt::make(|| create_beside(&place))?;
        if let Ok(old) = fs::metadata(&place) {
            file.set_permissions(old.permissions())?;
        }
        Ok(NewFile { out: BufWriter::with_capacity(64 << 10, file), temporary, place, committed: false })
    }

    /// Puts the file in its place.
    pub(super) fn commit(mut self) -> io::Result<()> {
        self.out.flush()?;
        fs::rename(&self.temporary, &self.place)?;
        self.committed = true;
        Ok(())
    }
}

/// A new file in the same folder, whose name nobody else has.
fn create_beside(place: &Path) -> io::Result<(File, PathBuf)> {
    create(place, |path| OpenOptions::new().write(true).create_new(true).open(path))
}

/// Makes something new in the same folder, under a hidden name that nobody else has.
pub(super) fn create<T>(place: &Path, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<(T, PathBuf)> {
    const TRIES: u32 = 1000;
    let Some(name) = place.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"));
    };
    for attempt in 0..TRIES {
        let mut hidden = std::ffi::OsString::from(".");
        // a name may be as long as the system lets names be: only a part of it is taken
        hidden.push(name.to_string_lossy().chars().take(32).collect::<String>());
        hidden.push(format!(".{}-{attempt}.tmp", std::process::id()));
        let path = place.with_file_name(hidden);
        match make(&path) {
            Ok(made) => return Ok((made, path)),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "no free name for a temporary file"))
}

impl Write for NewFile {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.out.write(buf)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.committed {
            let _ = fs::remove_file(&self.temporary);
        }
        interrupt::forget(&self.temporary);
    }
}

#[cfg(test)]
mod tests {
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
        file.write_all(b"new").unwrap();
        assert!(!place.exists());
        file.commit().unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_directory_is_not_replaced() {
        assert!(NewFile::beside(&std::env::temp_dir()).is_err());
        assert!(NewFile::beside(Path::new("/")).is_err());
    }
}
