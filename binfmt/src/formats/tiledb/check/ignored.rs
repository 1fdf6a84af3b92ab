//! What lies in an array's folder and is not a part of it: fragments that no reader sees, and files that nothing knows.

use crate::Result;
use crate::formats::tiledb::array::{AnyArray, Array, LOCK_FILE, METADATA_FILE, SCHEMA_FILE};
use crate::formats::tiledb::storage::{FragmentName, Storage, io_error};
use std::fmt;

/// Something in the folder of an array that its readers do not see.
///
/// ```
/// use binfmt::formats::tiledb::*;
/// let x = Dimension::new("x", Number::I32(1), Number::I32(9), Number::I32(3));
/// let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
/// let array = Options::new().create(Memory::new(), schema)?;
/// array.storage().write("__5_5_0123/a.tdb", b"killed before the end")?;
/// let [ignored] = &array.left_over()?[..] else { panic!() };
/// assert_eq!((ignored.path.as_str(), ignored.reason), ("__5_5_0123", IgnoredReason::Unfinished));
/// array.remove(ignored)?;
/// assert!(array.left_over()?.is_empty());
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IgnoredFile {
    /// The file or, if it is that of a fragment, the folder.
    pub path: String,
    /// Why nothing is read of it.
    pub reason: IgnoredReason,
}

/// Why something in the folder of an array is not a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IgnoredReason {
    /// A fragment that a consolidated one stands for.
    Replaced,
    /// A fragment without metadata: its writer is at work, or was killed.
    Unfinished,
    /// A file that was to take its place when it was complete: its writer is at work, or was killed.
    Partial,
    /// A fragment that is later than the time at which the array was opened.
    Later,
    /// A file that does not belong to the format.
    Unknown,
}

/// In words: `a fragment of a later time`.
impl fmt::Display for IgnoredReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IgnoredReason::Replaced => "a fragment that a consolidated one replaces",
            IgnoredReason::Unfinished => "a fragment without metadata, which no reader sees",
            IgnoredReason::Partial => "a part of a file that was never finished",
            IgnoredReason::Later => "a fragment of a later time",
            IgnoredReason::Unknown => "unknown file",
        })
    }
}

impl<S: Storage> Array<S> {
    /// Everything in the folder that is not a part of the array as it was opened, by name.
    ///
    /// # Errors
    /// The folder cannot be read.
    ///
    /// ```
    /// # fn show(array: &binfmt::formats::tiledb::Array) -> binfmt::Result<()> {
    /// for ignored in array.ignored()? {
    ///     println!("{}: {}", ignored.path, ignored.reason);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn ignored(&self) -> Result<Vec<IgnoredFile>> {
        self.any().ignored()
    }

    /// What of that is of no use any more: fragments that a consolidated one stands for, and what killed writers left. While
    /// others write, what they have not finished is among it.
    ///
    /// # Errors
    /// As [`ignored`](Array::ignored).
    ///
    /// ```
    /// # fn vacuum(array: &binfmt::formats::tiledb::Array) -> binfmt::Result<()> {
    /// for left in array.left_over()? {
    ///     array.remove(&left)?;
    /// }
    /// # Ok(()) }
    /// ```
    pub fn left_over(&self) -> Result<Vec<IgnoredFile>> {
        self.any().left_over()
    }

    /// Removes the file, or the folder with its files. Of a fragment the metadata go first: what is left when something goes
    /// wrong is not a fragment.
    ///
    /// # Errors
    /// A file cannot be removed, or the storage removes none.
    ///
    /// ```
    /// # fn remove(array: &binfmt::formats::tiledb::Array) -> binfmt::Result<()> {
    /// for stranger in array.ignored()? {
    ///     array.remove(&stranger)?;
    /// }
    /// # Ok(()) }
    /// ```
    pub fn remove(&self, ignored: &IgnoredFile) -> Result<()> {
        self.any().remove(ignored)
    }
}

impl AnyArray<'_> {
    fn ignored(&self) -> Result<Vec<IgnoredFile>> {
        let mut found = Vec::new();
        for name in self.names("")? {
            if [SCHEMA_FILE, LOCK_FILE].contains(&name.as_str()) {
                continue;
            }
            let own = self.fragments.iter().find(|fragment| fragment.name.as_str() == name);
            let Some(own) = own else {
                let reason = self.reason(&name)?;
                found.push(IgnoredFile { path: name, reason });
                continue;
            };
            let known = self.data_files(own);
            let is_known = |file: &str| {
                file == METADATA_FILE || known.iter().any(|known| known.path().ends_with(&format!("/{file}")))
            };
            for file in self.names(&name)? {
                if !is_known(&file) {
                    let reason = reason_of_file(&file, is_known);
                    found.push(IgnoredFile { path: format!("{name}/{file}"), reason });
                }
            }
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    fn left_over(&self) -> Result<Vec<IgnoredFile>> {
        use IgnoredReason::{Partial, Replaced, Unfinished};
        let mut found = self.ignored()?;
        found.retain(|ignored| matches!(ignored.reason, Replaced | Unfinished | Partial));
        Ok(found)
    }

    fn remove(&self, ignored: &IgnoredFile) -> Result<()> {
        let path = &ignored.path;
        match self.storage.size(path).map_err(|e| io_error(e, path))? {
            Some(_) => self.storage.delete(path).map_err(|e| io_error(e, path)),
            None => self.remove_folder(path),
        }
    }

    pub(crate) fn remove_folder(&self, folder: &str) -> Result<()> {
        let metadata = format!("{folder}/{METADATA_FILE}");
        self.storage.delete(&metadata).map_err(|e| io_error(e, &metadata))?;
        self.storage.delete_folder(folder).map_err(|e| io_error(e, folder))
    }

    fn names(&self, folder: &str) -> Result<Vec<String>> {
        self.storage.list(folder).map_err(|e| io_error(e, if folder.is_empty() { "." } else { folder }))
    }

    /// Why something beside the fragments does not count.
    fn reason(&self, name: &str) -> Result<IgnoredReason> {
        let metadata = format!("{name}/{METADATA_FILE}");
        let is_file = self.storage.size(name).map_err(|e| io_error(e, name))?.is_some();
        let Some(parsed) = FragmentName::parse(name).filter(|_| !is_file) else {
            return Ok(reason_of_file(name, |of| [SCHEMA_FILE, LOCK_FILE].contains(&of)));
        };
        let is_whole = self.storage.size(&metadata).map_err(|e| io_error(e, &metadata))?.is_some();
        Ok(match self.fragments.iter().any(|fragment| fragment.name.hides(&parsed)) {
            _ if !is_whole => IgnoredReason::Unfinished,
            true => IgnoredReason::Replaced,
            false => IgnoredReason::Later,
        })
    }
}

/// Why a file does not belong to the array: one beside its place has the name that it would get, and an ending.
fn reason_of_file(name: &str, is_known: impl Fn(&str) -> bool) -> IgnoredReason {
    match crate::storage::place_of(name) {
        Some(of) if is_known(of) => IgnoredReason::Partial,
        _ => IgnoredReason::Unknown,
    }
}
