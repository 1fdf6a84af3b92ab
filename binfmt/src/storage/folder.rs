//! A folder of the file system.

use super::{Fill, NewFile, Storage, checked};
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Files in a folder of the file system.
///
/// ```
/// use binfmt::storage::{Folder, Storage};
/// let files = Folder::new("no/such/folder");
/// assert_eq!(files.size("__array_schema.tdb")?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The files in this folder.
    ///
    /// ```
    /// let files = binfmt::storage::Folder::new("array");
    /// assert_eq!(files.path(), std::path::Path::new("array"));
    /// ```
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Folder { root: root.into() }
    }

    /// The folder.
    ///
    /// ```
    /// assert!(binfmt::storage::Folder::new("a").path().is_relative());
    /// ```
    pub fn path(&self) -> &Path {
        &self.root
    }

    fn at(&self, path: &str) -> io::Result<PathBuf> {
        Ok(self.root.join(checked(path)?))
    }
}

/// `None` if the file is not there.
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
            // what is not text is not a path of a storage
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

    fn read_ranges(&self, path: &str, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        let mut file = File::open(self.at(path)?)?;
        ranges.iter_mut().try_for_each(|(offset, out)| {
            file.seek(SeekFrom::Start(*offset))?;
            file.read_exact(out)
        })
    }

    fn local(&self, path: &str) -> io::Result<Option<File>> {
        File::open(self.at(path)?).map(Some)
    }

    fn delete(&self, path: &str) -> io::Result<()> {
        found(fs::remove_file(self.at(path)?)).map(|_| ())
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.write_with(path, &mut |file| file.write_all(bytes))
    }

    fn write_with(&self, path: &str, fill: Fill<'_>) -> io::Result<()> {
        self.put(path, fill, |beside, to| fs::rename(beside, to))
    }

    fn begin(&self, path: &str) -> io::Result<Option<Box<dyn NewFile>>> {
        Ok(Some(Box::new(Beside::new(self.at(path)?)?)))
    }

    fn create_new(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.put(path, &mut |file| file.write_all(bytes), |beside, to| {
            match fs::hard_link(beside, to) {
                Err(e) if e.kind() != io::ErrorKind::AlreadyExists => {
                    // a file system without links: no other program makes the file, but one that looks early sees a part of it
                    let mut file = File::create_new(to)?;
                    file.write_all(bytes).and_then(|()| file.sync_all()).inspect_err(|_| remove(to))?;
                }
                linked => linked?,
            }
            remove(beside);
            Ok(())
        })
    }
}

impl Folder {
    /// Writes a file beside its place, and lets `place` put it there: never a part of a file. What is written is on the disk
    /// when this returns.
    fn put(
        &self,
        path: &str,
        fill: Fill<'_>,
        place: impl FnOnce(&Path, &Path) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut new = Beside::new(self.at(path)?)?;
        fill(&mut new)?;
        new.put(place)
    }
}

/// A file of another name beside its place, which is removed unless it gets there.
struct Beside {
    to: PathBuf,
    beside: PathBuf,
    /// Small pieces go together; large ones do not stop in the buffer.
    file: Option<BufWriter<File>>,
}

impl Beside {
    fn new(to: PathBuf) -> io::Result<Self> {
        if let Some(folder) = to.parent() {
            make_folder(folder)?;
        }
        let (beside, file) = new_file(&to)?;
        Ok(Beside { to, beside, file: Some(BufWriter::new(file)) })
    }

    fn file(&mut self) -> io::Result<&mut BufWriter<File>> {
        self.file.as_mut().ok_or_else(|| io::ErrorKind::BrokenPipe.into())
    }

    /// Ends the file on the disk, and lets `place` put it in its place.
    fn put(mut self, place: impl FnOnce(&Path, &Path) -> io::Result<()>) -> io::Result<()> {
        self.file()?.flush()?;
        self.file()?.get_ref().sync_all()?;
        place(&self.beside, &self.to)?;
        self.file = None;
        self.to.parent().map_or(Ok(()), sync_folder)
    }
}

impl Write for Beside {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file()?.flush()
    }
}

impl NewFile for Beside {
    fn commit(self: Box<Self>) -> io::Result<()> {
        self.put(|beside, to| fs::rename(beside, to))
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            // what is in the buffer goes nowhere
            drop(file.into_parts());
            remove(&self.beside);
        }
    }
}

/// A file of an unused name beside another one, which nothing that was put there leads elsewhere.
fn new_file(to: &Path) -> io::Result<(PathBuf, File)> {
    loop {
        // random for each call; of an unused name nothing more is asked
        let id = RandomState::new().hash_one(std::process::id());
        let mut beside = to.to_owned().into_os_string();
        beside.push(format!(".{:016x}.part", id));
        let beside = PathBuf::from(beside);
        match File::create_new(&beside) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            file => return Ok((beside, file?)),
        }
    }
}

fn remove(path: &Path) {
    // it may be gone; another error tells what went wrong
    let _ = fs::remove_file(path);
}

/// Makes a folder with those that it lies in, each on the disk when this returns.
fn make_folder(folder: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = folder.ancestors().take_while(|folder| !folder.is_dir()).collect();
    fs::create_dir_all(folder)?;
    missing.iter().filter_map(|folder| folder.parent()).try_for_each(sync_folder)
}

/// Puts the names in a folder on the disk, where the system lets a folder be opened.
fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
