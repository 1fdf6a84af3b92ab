//! A folder of the file system.

use super::{Fill, NewFile, Storage, checked};
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// As many links as a system follows, one after the other.
const LINKS: u32 = 40;

/// Files in a folder of the file system.
///
/// A file that is written takes its place when it is complete, with the permissions of the one that was there. A link is replaced as
/// well: nothing that lies in the folder leads a file elsewhere. Who names a file finds with [`Folder::written`] where it leads.
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

    /// The file that is written under a name: a link stays one, and what it leads to is replaced or, where there is nothing, made.
    ///
    /// ```
    /// use binfmt::storage::Folder;
    /// use std::path::Path;
    /// assert_eq!(Folder::written(Path::new("no/such/file"))?, Path::new("no/such/file"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// There are too many links, one after the other.
    pub fn written(path: &Path) -> io::Result<PathBuf> {
        if let Ok(place) = fs::canonicalize(path) {
            return Ok(place);
        }
        let mut place = path.to_owned();
        for _ in 0..LINKS {
            match fs::read_link(&place) {
                // from the folder of the link on
                Ok(named) => place = place.parent().map_or(named.clone(), |folder| folder.join(&named)),
                Err(_) => return Ok(place),
            }
        }
        Err(io::Error::other("too many levels of symbolic links"))
    }

    /// Who may read and write a file that takes the place of another: those who might that one. Not as whom a program runs, which was
    /// said of other bytes.
    ///
    /// ```
    /// let old = std::fs::metadata(".")?;
    /// assert!(!binfmt::storage::Folder::permissions(&old).readonly());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn permissions(old: &fs::Metadata) -> fs::Permissions {
        let permissions = old.permissions();
        #[cfg(unix)]
        let permissions = {
            use std::os::unix::fs::PermissionsExt;
            fs::Permissions::from_mode(permissions.mode() & 0o777)
        };
        permissions
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
        let place = self.at(path)?;
        // what a link leads to is not of this place
        let is_link = |folder: &Path| fs::symlink_metadata(folder).is_ok_and(|data| data.is_symlink());
        if place.ancestors().skip(1).take_while(|above| *above != self.root).any(is_link) {
            return Ok(());
        }
        found(fs::remove_file(place)).map(|_| ())
    }

    fn delete_folder(&self, folder: &str) -> io::Result<()> {
        let place = self.at(folder)?;
        if fs::symlink_metadata(&place).is_ok_and(|data| data.is_symlink()) {
            // what it leads to is not of this place
            return fs::remove_file(place);
        }
        let Some(entries) = found(fs::read_dir(&place))? else { return Ok(()) };
        entries.into_iter().try_for_each(|entry| found(fs::remove_file(entry?.path())).map(|_| ()))?;
        found(fs::remove_dir(place)).map(|_| ())
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.write_with(path, &mut |file| file.write_all(bytes))
    }

    fn write_with(&self, path: &str, fill: Fill<'_>) -> io::Result<()> {
        put(Unfinished::new(self.at(path)?)?, fill, |beside, to| fs::rename(beside, to))
    }

    fn begin(&self, path: &str) -> io::Result<Option<Box<dyn NewFile>>> {
        Ok(Some(Box::new(Unfinished::new(self.at(path)?)?)))
    }

    fn create_new(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        put(Unfinished::new(self.at(path)?)?, &mut |file| file.write_all(bytes), |beside, to| {
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

/// Writes a file beside its place, and lets `place` put it there: never a part of a file. What is written is on the disk
/// when this returns.
fn put(
    mut new: Unfinished,
    fill: Fill<'_>,
    place: impl FnOnce(&Path, &Path) -> io::Result<()>,
) -> io::Result<()> {
    fill(&mut new)?;
    new.put(place)
}

/// A file of another name beside its place, which is removed unless it gets there.
struct Unfinished {
    to: PathBuf,
    beside: PathBuf,
    /// Small pieces go together; large ones do not stop in the buffer.
    file: Option<BufWriter<File>>,
}

impl Unfinished {
    fn new(to: PathBuf) -> io::Result<Self> {
        let is_special = |old: fs::Metadata| !old.is_file() && !old.is_dir() && !old.is_symlink();
        if fs::symlink_metadata(&to).is_ok_and(is_special) {
            let why = "this is a device or a pipe, which no file can replace";
            return Err(io::Error::new(io::ErrorKind::Unsupported, why));
        }
        if let Some(folder) = to.parent() {
            make_folder(folder)?;
        }
        let (beside, file) = new_file(&to)?;
        let new = Unfinished { to, beside, file: Some(BufWriter::new(file)) };
        if let (Ok(old), Some(file)) = (fs::symlink_metadata(&new.to), &new.file)
            && old.is_file()
        {
            file.get_ref().set_permissions(Folder::permissions(&old))?;
        }
        Ok(new)
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

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file()?.flush()
    }
}

impl NewFile for Unfinished {
    fn patch(&mut self, at: u64, bytes: &[u8]) -> io::Result<bool> {
        let file = self.file()?;
        // the buffer is written first
        file.seek(SeekFrom::Start(at))?;
        file.write_all(bytes)?;
        file.seek(SeekFrom::End(0))?;
        Ok(true)
    }

    fn commit(self: Box<Self>) -> io::Result<()> {
        self.put(|beside, to| fs::rename(beside, to))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            // what is in the buffer goes nowhere
            drop(file.into_parts());
            remove(&self.beside);
        }
    }
}

/// The ending of a file beside its place, after a number in hexadecimal digits.
const PART: &str = ".part";
const DIGITS: usize = 16;

/// The file whose place one of this name would take, if it is such a file.
#[cfg(feature = "tiledb")]
pub(crate) fn place_of(name: &str) -> Option<&str> {
    let (place, digits) = name.strip_suffix(PART)?.rsplit_once('.')?;
    (digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(place)
}

/// A file of an unused name beside another one, which nothing that was put there leads elsewhere.
fn new_file(to: &Path) -> io::Result<(PathBuf, File)> {
    loop {
        // random for each call; of an unused name nothing more is asked
        let id = RandomState::new().hash_one(std::process::id());
        let mut beside = to.to_owned().into_os_string();
        beside.push(format!(".{id:0DIGITS$x}{PART}"));
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
    // if it says that a file is there already, the file is where a folder was to be
    fs::create_dir_all(folder).or_else(|e| fs::read_dir(folder).map(drop).and(Err(e)))?;
    missing.iter().filter_map(|folder| folder.parent()).try_for_each(sync_folder)
}

/// Puts the names in a folder on the disk, where the system lets a folder be opened.
fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn links_are_followed_to_where_nothing_stands() {
        use std::os::unix::fs::symlink;
        let folder = std::env::temp_dir().join(format!("binfmt-storage-{}-links", std::process::id()));
        fs::create_dir_all(folder.join("sub")).unwrap();
        let at = |name: &str| folder.join(name);
        symlink("sub/new", at("a")).unwrap();
        symlink(at("a"), at("b")).unwrap();
        assert_eq!(Folder::written(&at("b")).unwrap(), at("sub/new"));
        assert_eq!(Folder::written(&at("plain")).unwrap(), at("plain"));
        fs::write(at("sub/new"), "x").unwrap();
        assert_eq!(Folder::written(&at("b")).unwrap(), fs::canonicalize(at("sub/new")).unwrap());
        symlink("loop", at("loop")).unwrap();
        assert!(Folder::written(&at("loop")).unwrap_err().to_string().contains("symbolic links"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn a_link_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = std::env::temp_dir().join(format!("binfmt-storage-{}-mode", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let at = |name: &str| folder.join(name);
        fs::write(at("old"), "old").unwrap();
        fs::set_permissions(at("old"), fs::Permissions::from_mode(0o4640)).unwrap();
        symlink("old", at("link")).unwrap();
        let files = Folder::new(&folder);
        let place = Folder::written(&at("link")).unwrap();
        let place = place.file_name().unwrap().to_str().unwrap();
        files.write(place, b"new").unwrap();
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
        assert_eq!(fs::read(at("old")).unwrap(), b"new");
        let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o7777;
        assert_eq!(mode("old"), 0o640);
        let mut file = files.begin(place).unwrap().unwrap();
        file.write_all(b"again").unwrap();
        file.commit().unwrap();
        assert_eq!((fs::read(at("old")).unwrap(), mode("old")), (b"again".to_vec(), 0o640));
        assert!(files.create_new("link", b"x").is_err(), "it is taken");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(folder).unwrap();
    }
}
