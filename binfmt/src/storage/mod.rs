//! Where files are: in a folder, in memory, or wherever a storage of the user's has them.
//!
//! Formats that consist of several files, and tables that are read in parts, ask a [`Storage`] for names, sizes and ranges of
//! bytes. So they are read in the same way from a disk, from memory, and from an object store whose bytes someone fetches.

mod below;
mod folder;
mod memory;
mod reader;
mod unnamed;
mod writer;

pub use below::Below;
pub use folder::Folder;
#[cfg(feature = "tiledb")]
pub(crate) use folder::place_of;
pub use memory::Memory;
pub use reader::StorageReader;
#[doc(hidden)]
pub use unnamed::unnamed_file;
pub use writer::{NewFile, StorageWriter};

use std::fs::File;
use std::io;
use std::sync::Arc;

/// Bytes of a file that is not written piece by piece. Without memory for them there is an error.
struct Gathered(Vec<u8>);

impl io::Write for Gathered {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.try_reserve(bytes.len())?;
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The files of one place. Paths are relative to it, with `/` between their parts.
///
/// ```
/// use binfmt::storage::{Memory, Storage};
/// let files = Memory::new();
/// files.write("__1_1_a/a.tdb", b"abc")?;
/// assert_eq!(files.list("")?, ["__1_1_a"]);
/// assert_eq!(files.size("__1_1_a/a.tdb")?, Some(3));
/// let mut two = [0; 2];
/// files.read("__1_1_a/a.tdb", 1, &mut two)?;
/// assert_eq!(&two, b"bc");
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Storage: Send + Sync {
    /// The names of the files and folders that lie directly in a folder (`""` is the place itself), in any order; none
    /// for a folder that does not exist.
    ///
    /// # Errors
    /// The folder cannot be read.
    fn list(&self, folder: &str) -> io::Result<Vec<String>>;

    /// Bytes of a file; `None` when there is no such file.
    ///
    /// # Errors
    /// The file cannot be looked at.
    fn size(&self, path: &str) -> io::Result<Option<u64>>;

    /// Fills `out` with the bytes of a file from `offset` on.
    ///
    /// # Errors
    /// The file cannot be read, or ends too early.
    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()>;

    /// Several ranges of a file, each from its offset on: one request where the storage can make one of them.
    ///
    /// # Errors
    /// As [`read`](Storage::read).
    ///
    /// ```
    /// use binfmt::storage::{Memory, Storage};
    /// let files = Memory::new();
    /// files.write("a", b"abcdef")?;
    /// let (mut first, mut last) = ([0; 2], [0; 1]);
    /// files.read_ranges("a", &mut [(0, &mut first), (5, &mut last)])?;
    /// assert_eq!((&first, &last), (b"ab", b"f"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn read_ranges(&self, path: &str, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        ranges.iter_mut().try_for_each(|(offset, out)| self.read(path, *offset, out))
    }

    /// The file itself, if it is one of the file system: who reads all of it does not ask for each piece.
    ///
    /// # Errors
    /// The file cannot be opened.
    fn local(&self, path: &str) -> io::Result<Option<File>> {
        let _ = path;
        Ok(None)
    }

    /// Whether a file is still coming, so that how long it is is known only when all of it has come.
    fn is_arriving(&self, path: &str) -> bool {
        let _ = path;
        false
    }

    /// Reads some bytes from `offset` on, at least one, and tells how many; none at the end of the file. Without a word of the
    /// storage's own all of `out` is filled.
    ///
    /// # Errors
    /// As [`read`](Storage::read).
    ///
    /// ```
    /// use binfmt::storage::{Memory, Storage};
    /// let files = Memory::new();
    /// files.write("a", b"abc")?;
    /// let mut two = [0; 2];
    /// assert!(!files.is_arriving("a") && files.read_some("a", 1, &mut two)? == 2);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn read_some(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        self.read(path, offset, out)?;
        Ok(out.len())
    }

    /// Makes a file of these bytes, with the folders that it lies in. The file is there whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written.
    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()>;

    /// The same for bytes that `fill` puts out piece by piece. Without a word of the storage's own they are gathered in
    /// memory for [`write`](Storage::write).
    ///
    /// # Errors
    /// The file cannot be written, or `fill` says so; then there is no file.
    fn write_with(&self, path: &str, fill: Fill<'_>) -> io::Result<()> {
        let mut gathered = Gathered(Vec::new());
        fill(&mut gathered)?;
        self.write(path, &gathered.0)
    }

    /// Begins a file that is written piece by piece, if the storage can do that; see [`StorageWriter`] for one that always can.
    ///
    /// # Errors
    /// The file cannot be made.
    fn begin(&self, path: &str) -> io::Result<Option<Box<dyn NewFile>>> {
        let _ = path;
        Ok(None)
    }

    /// As [`write`](Storage::write), where there is no such file yet: of several that make it at the same time exactly one
    /// succeeds, and its bytes stay. So two programs never make one array of two schemas.
    ///
    /// Without a word of the storage's own it looks first and then writes, which another program can come between.
    ///
    /// # Errors
    /// [`AlreadyExists`](io::ErrorKind::AlreadyExists) when there is such a file; the file cannot be written.
    ///
    /// ```
    /// use binfmt::storage::{Memory, Storage};
    /// let files = Memory::new();
    /// files.create_new("a", b"1")?;
    /// let e = files.create_new("a", b"2").unwrap_err();
    /// assert_eq!(e.kind(), std::io::ErrorKind::AlreadyExists);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn create_new(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        match self.size(path)? {
            Some(_) => Err(io::ErrorKind::AlreadyExists.into()),
            None => self.write(path, bytes),
        }
    }

    /// Removes a file; nothing happens where there is none. Without a word of the storage's own it cannot be done.
    ///
    /// # Errors
    /// The file cannot be removed, or the storage removes none.
    ///
    /// ```
    /// use binfmt::storage::{Memory, Storage};
    /// let files = Memory::new();
    /// files.write("a", b"1")?;
    /// files.delete("a")?;
    /// assert_eq!(files.size("a")?, None);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn delete(&self, path: &str) -> io::Result<()> {
        let text = format!("this storage does not remove files: {path}");
        Err(io::Error::new(io::ErrorKind::Unsupported, text))
    }

    /// Removes the files that lie directly in a folder, and the folder itself where the storage has such a thing.
    ///
    /// # Errors
    /// As [`delete`](Storage::delete); or there is another folder in it.
    ///
    /// ```
    /// use binfmt::storage::{Memory, Storage};
    /// let files = Memory::new();
    /// files.write("a/b", b"1")?;
    /// files.delete_folder("a")?;
    /// assert!(files.list("")?.is_empty());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn delete_folder(&self, folder: &str) -> io::Result<()> {
        self.list(folder)?.iter().try_for_each(|name| self.delete(&format!("{folder}/{name}")))
    }
}

/// Puts out the bytes of a file, in large pieces.
pub type Fill<'a> = &'a mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>;

/// What one storage does, another one does, with the path that this is there.
macro_rules! through {
    ([$($of:tt)*] $Storage:ty, $me:ident => $inner:expr, $path:ident => $there:expr) => {
        impl<$($of)*> Storage for $Storage {
            fn list(&self, $path: &str) -> io::Result<Vec<String>> {
                let $me = self;
                ($inner).list($there)
            }

            fn size(&self, $path: &str) -> io::Result<Option<u64>> {
                let $me = self;
                ($inner).size($there)
            }

            fn read(&self, $path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
                let $me = self;
                ($inner).read($there, offset, out)
            }

            fn read_ranges(&self, $path: &str, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
                let $me = self;
                ($inner).read_ranges($there, ranges)
            }

            fn local(&self, $path: &str) -> io::Result<Option<File>> {
                let $me = self;
                ($inner).local($there)
            }

            fn is_arriving(&self, $path: &str) -> bool {
                let $me = self;
                ($inner).is_arriving($there)
            }

            fn read_some(&self, $path: &str, offset: u64, out: &mut [u8]) -> io::Result<usize> {
                let $me = self;
                ($inner).read_some($there, offset, out)
            }

            fn write(&self, $path: &str, bytes: &[u8]) -> io::Result<()> {
                let $me = self;
                ($inner).write($there, bytes)
            }

            fn write_with(&self, $path: &str, fill: Fill<'_>) -> io::Result<()> {
                let $me = self;
                ($inner).write_with($there, fill)
            }

            fn begin(&self, $path: &str) -> io::Result<Option<Box<dyn NewFile>>> {
                let $me = self;
                ($inner).begin($there)
            }

            fn create_new(&self, $path: &str, bytes: &[u8]) -> io::Result<()> {
                let $me = self;
                ($inner).create_new($there, bytes)
            }

            fn delete(&self, $path: &str) -> io::Result<()> {
                let $me = self;
                ($inner).delete($there)
            }

            fn delete_folder(&self, $path: &str) -> io::Result<()> {
                let $me = self;
                ($inner).delete_folder($there)
            }
        }
    };
}
through!([T: Storage + ?Sized] &T, me => **me, path => path);
through!([T: Storage + ?Sized] Arc<T>, me => **me, path => path);
through!([] Below, me => me.storage, path => &me.at(path));

/// A path must stay inside the place: its parts are plain names.
fn checked(path: &str) -> io::Result<&str> {
    let odd: &[char] = if cfg!(windows) { &['\\', ':', '\0'] } else { &['\0'] };
    let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(odd);
    if path.is_empty() || path.split('/').all(plain) {
        return Ok(path);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{path:?} is not a path inside the storage")))
}
