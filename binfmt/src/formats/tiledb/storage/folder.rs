//! A folder of the file system.

use super::{Fill, Storage, checked};
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// An array in a folder of the file system.
///
/// ```
/// use binfmt::formats::tiledb::{Folder, Storage};
/// let files = Folder::new("no/such/folder");
/// assert_eq!(files.size("__array_schema.tdb")?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The array whose folder this is.
    ///
    /// ```
    /// let files = binfmt::formats::tiledb::Folder::new("array");
    /// assert_eq!(files.path(), std::path::Path::new("array"));
    /// ```
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Folder { root: root.into() }
    }

    /// The folder.
    ///
    /// ```
    /// assert!(binfmt::formats::tiledb::Folder::new("a").path().is_relative());
    /// ```
    pub fn path(&self) -> &Path {
        &self.root
    }

    fn at(&self, path: &str) -> io::Result<PathBuf> {
        Ok(self.root.join(checked(path)?))
    }
}

/// `None` where the file is not there.
fn found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(e) => Err(e),
    }
}

impl Storage for Folder {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let Some(entries) = found(fs::read_dir(self.at(folder)?))? else { return Ok(Vec::new()) };
        let mut names = Vec::new();
        for entry in entries {
            // what is no text is no name of an array's file
            if let Ok(name) = entry?.file_name().into_string() {
                names.push(name);
            }
        }
        Ok(names)
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        let data = found(fs::metadata(self.at(path)?))?;
        Ok(data.filter(|data| data.is_file()).map(|data| data.len()))
    }

    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let mut file = File::open(self.at(path)?)?;
        if offset > 0 {
            file.seek(SeekFrom::Start(offset))?;
        }
        file.read_exact(out)
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.write_with(path, &mut |file| file.write_all(bytes))
    }

    fn write_with(&self, path: &str, fill: Fill<'_>) -> io::Result<()> {
        let to = self.at(path)?;
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        // written beside and renamed: never a part of a file
        let mut beside = to.clone().into_os_string();
        beside.push(".part");
        let beside = PathBuf::from(beside);
        let put = |file: File| {
            // small tiles go together; whole chunks do not stop in the buffer
            let mut file = BufWriter::new(file);
            fill(&mut file)?;
            file.into_inner()?.sync_all()
        };
        let written = File::create(&beside).and_then(put).and_then(|()| fs::rename(&beside, &to));
        if written.is_err() {
            // the first error is the one that counts
            let _ = fs::remove_file(&beside);
        }
        written
    }
}
