//! Arrays: their schema and their fragments.

use super::filter::Key;
use super::layout::{ArraySchema, TileOffsets};
use super::metadata::FragmentMetadata;
use super::metadata::later::{SCHEMA_FOLDER, check_untouched};
use super::storage::{Folder, FragmentName, Storage, in_file, io_error, read_file, visible};
use crate::{Error, ErrorKind, Result};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;

/// How an array is opened.
///
/// ```
/// use binfmt::formats::tiledb::{Key, Memory, Options};
/// let options = Options::new().key(Key::new([1; 32])).at(1_700_000_000_000).limit(1 << 24);
/// assert!(options.open(Memory::new()).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    key: Option<Key>,
    at: u64,
    limit: u64,
    threads: NonZeroUsize,
    huge_pages: Option<bool>,
    only: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}

impl Options {
    /// Not encrypted, as the array is now, at most 1 GiB of memory for each result and tile, one thread.
    ///
    /// ```
    /// let options = binfmt::formats::tiledb::Options::new();
    /// ```
    pub const fn new() -> Self {
        Options {
            key: None,
            at: u64::MAX,
            limit: 1 << 30,
            threads: NonZeroUsize::MIN,
            huge_pages: None,
            only: None,
        }
    }

    /// The key of an encrypted array.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Key, Options};
    /// let options = Options::new().key(Key::new(*b"0123456789abcdeF0123456789abcdeF"));
    /// ```
    #[must_use]
    pub fn key(mut self, key: Key) -> Self {
        self.key = Some(key);
        self
    }

    /// As the array was at this time, in milliseconds since 1970: fragments that began later are left out.
    ///
    /// ```
    /// let options = binfmt::formats::tiledb::Options::new().at(10);
    /// ```
    #[must_use]
    pub fn at(mut self, milliseconds: u64) -> Self {
        self.at = milliseconds;
        self
    }

    /// The most bytes that one tile without its filters, one file of metadata, and one column of a result may have.
    ///
    /// ```
    /// let options = binfmt::formats::tiledb::Options::new().limit(1 << 20);
    /// ```
    #[must_use]
    pub fn limit(mut self, bytes: u64) -> Self {
        self.limit = bytes;
        self
    }

    /// How many threads filter tiles at the same time, when cells are read and when they are written; 0 stands for as many
    /// as the machine runs at once. Cells, files and errors are those of one thread; each takes memory for a few tiles.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::I32(0), Number::I32(99), Number::I32(10));
    /// let a = Attribute::new("a", Datatype::Int32).filtered([Filter::zstd(3)]);
    /// let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(a);
    /// let mut array = Options::new().threads(2).create(Memory::new(), schema)?;
    /// let a = Column::fixed(Datatype::Int32, CellValNum::ONE, Numbers::I32((0..100).collect())).unwrap();
    /// array.insert().column("a", a.clone()).write()?;
    /// assert_eq!(array.read()?.column("a"), Some(&a));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        let all = || available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.threads = NonZeroUsize::new(threads).unwrap_or_else(all);
        self
    }

    /// Asks for huge pages for large columns of fixed values, or does not: see
    /// [`Options::huge_pages`](crate::Options::huge_pages).
    ///
    /// ```
    /// let options = binfmt::formats::tiledb::Options::new().huge_pages(true);
    /// ```
    #[must_use]
    pub fn huge_pages(mut self, on: bool) -> Self {
        self.huge_pages = Some(on);
        self
    }

    /// The array as this fragment alone makes it, also one that another hides: the others are not looked at.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::I32(1), Number::I32(2), Number::I32(2));
    /// let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
    /// let mut array = Options::new().create(Memory::new(), schema)?;
    /// let a = |values| Column::fixed(Datatype::Int32, CellValNum::ONE, Numbers::I32(values)).unwrap();
    /// let first = array.insert().at(1).column("a", a(vec![5, 6])).write()?;
    /// array.insert().at(2).column("a", a(vec![7, 8])).write()?;
    /// let alone = Options::new().fragment(first.as_str()).open(array.storage())?;
    /// assert_eq!(alone.read()?.column("a"), Some(&a(vec![5, 6])));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn fragment(mut self, name: impl Into<String>) -> Self {
        self.only = Some(name.into());
        self
    }

    pub(super) fn most(&self) -> u64 {
        self.limit
    }

    pub(super) fn encryption_key(&self) -> Option<&Key> {
        self.key.as_ref()
    }

    /// Opens the array whose files these are: reads its schema and the metadata of its fragments.
    ///
    /// # Errors
    /// There is no array, or its schema or a fragment's metadata are damaged, of another version, encrypted with another key,
    /// or, where there is a key, not encrypted; or a later TileDB has changed the array, no matter what is left of it in version 3.
    /// The path of the error begins with the file.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Memory, Options};
    /// let e = Options::new().open(Memory::new()).unwrap_err();
    /// assert_eq!(e.to_string(), "__array_schema.tdb: no such file: this is not a TileDB array");
    /// ```
    pub fn open<S: Storage>(&self, storage: S) -> Result<Array<S>> {
        let (schema, fragments) = self.read(&storage)?;
        let Options { key, limit, threads, huge_pages, .. } = *self;
        Ok(Array { schema, key, limit, threads, huge_pages, fragments, storage })
    }

    fn read(&self, storage: &dyn Storage) -> Result<(ArraySchema, Vec<Fragment>)> {
        check_schema_file(storage, self.key.as_ref(), self.limit)?;
        let bytes = read_file(storage, SCHEMA_FILE, self.limit)?;
        let schema = ArraySchema::from_file_within(&bytes, self.key.as_ref(), self.limit)
            .map_err(|e| in_file(e, SCHEMA_FILE))?;
        let mut names = storage.list("").map_err(|e| io_error(e, "."))?;
        names.retain(|name| self.only.as_ref().is_none_or(|only| only == name));
        check_untouched(storage, &names)?;
        let mut written = Vec::new();
        for name in names.iter().filter_map(|name| FragmentName::parse(name)) {
            let path = format!("{name}/{METADATA_FILE}");
            // it is written last: without it there is no fragment yet, and it hides none that it will replace
            if storage.size(&path).map_err(|e| io_error(e, &path))?.is_some() {
                written.push(name);
            }
        }
        let mut fragments = Vec::new();
        for name in visible(written, self.at) {
            let path = format!("{name}/{METADATA_FILE}");
            let bytes = read_file(storage, &path, self.limit)?;
            let metadata = FragmentMetadata::from_bytes(&bytes, &schema, self.key.as_ref(), self.limit)
                .map_err(|e| in_file(e, &path))?;
            fragments.push(Fragment { name, metadata });
        }
        Ok((schema, fragments))
    }
}

/// Says why there is no schema: in arrays of TileDB 2.4 and later it is in a folder, and what the newest one there says of
/// its version is the error.
fn check_schema_file(storage: &dyn Storage, key: Option<&Key>, limit: u64) -> Result<()> {
    if storage.size(SCHEMA_FILE).map_err(|e| io_error(e, SCHEMA_FILE))?.is_some() {
        return Ok(());
    }
    let names = storage.list(SCHEMA_FOLDER).map_err(|e| io_error(e, SCHEMA_FOLDER))?;
    // there are folders, of enumerations, too
    let files = names.iter().filter(|name| FragmentName::parse(name).is_some()).max();
    let Some(path) = files.map(|name| format!("{SCHEMA_FOLDER}/{name}")) else {
        return Err(no_array(storage));
    };
    let bytes = read_file(storage, &path, limit)?;
    ArraySchema::from_file(&bytes, key).map(|_| ()).map_err(|e| in_file(e, &path))?;
    Err(in_file(Error::other("found a `__schema` folder: this is not a version 3 array"), &path))
}

/// What is in folders of TileDB that are no arrays, and what they are.
const OTHERS: [(&str, &str); 4] = [
    ("__kv_schema.tdb", "this is a key-value store, not an array"),
    ("__tiledb_group.tdb", GROUP),
    ("__group", GROUP),
    (METADATA_FILE, "this is a fragment of an array, which is the folder above"),
];
const GROUP: &str = "this is a group, not an array";

/// Whether a folder in which these are is one of TileDB, be it an array or not.
#[cfg(feature = "table")]
pub(super) fn is_ours(names: &[String]) -> bool {
    let others = OTHERS.iter().map(|(mark, _)| *mark);
    [SCHEMA_FILE, SCHEMA_FOLDER].into_iter().chain(others).any(|mark| names.iter().any(|name| name == mark))
}

/// What a folder is that has no schema.
fn no_array(storage: &dyn Storage) -> Error {
    let is_there = |path: &str| {
        storage.size(path).is_ok_and(|size| size.is_some())
            || storage.list(path).is_ok_and(|names| !names.is_empty())
    };
    match OTHERS.iter().find(|(mark, _)| is_there(mark)) {
        Some((mark, GROUP)) => in_file(group(storage), mark),
        Some((mark, text)) => in_file(Error::other(*text), mark),
        None => {
            in_file(ErrorKind::MissingFile { consequence: "this is not a TileDB array" }.into(), SCHEMA_FILE)
        }
    }
}

/// Tells some of the arrays that are in a group.
fn group(storage: &dyn Storage) -> Error {
    const SHOWN: usize = 10;
    let is_array = |folder: &String| {
        storage.size(&format!("{folder}/{SCHEMA_FILE}")).is_ok_and(|size| size.is_some())
            || storage.list(&format!("{folder}/{SCHEMA_FOLDER}")).is_ok_and(|names| !names.is_empty())
    };
    let names = storage.list("").unwrap_or_default();
    let mut arrays: Vec<String> = names.into_iter().filter(is_array).collect();
    arrays.sort();
    arrays.truncate(SHOWN);
    match arrays.is_empty() {
        true => Error::other(GROUP),
        false => Error::other(format!("{GROUP}: the arrays in it are {}", arrays.join(", "))),
    }
}

/// The file of the schema.
pub(super) const SCHEMA_FILE: &str = "__array_schema.tdb";
/// TileDB 1.6 opens no array without this file.
pub(super) const LOCK_FILE: &str = "__lock.tdb";
/// The file of a fragment's metadata.
pub(super) const METADATA_FILE: &str = "__fragment_metadata.tdb";

/// An open array: what it is, and which fragments it has. Cells are read when they are asked for.
///
/// ```
/// use binfmt::formats::tiledb::{Array, Folder};
/// let e = Array::open("no/such/array").unwrap_err();
/// assert_eq!(e.to_string(), "__array_schema.tdb: no such file: this is not a TileDB array");
/// ```
#[derive(Debug)]
pub struct Array<S: ?Sized = Folder> {
    pub(super) schema: ArraySchema,
    pub(super) key: Option<Key>,
    pub(super) limit: u64,
    pub(super) threads: NonZeroUsize,
    pub(super) huge_pages: Option<bool>,
    pub(super) fragments: Vec<Fragment>,
    pub(super) storage: S,
}

/// One write of cells.
///
/// ```
/// # fn show(fragment: &binfmt::formats::tiledb::Fragment) {
/// println!("{}: {:?}", fragment.name(), fragment.metadata().footer.non_empty_domain);
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Fragment {
    pub(super) name: FragmentName,
    pub(super) metadata: FragmentMetadata,
}

impl Fragment {
    /// Its name.
    ///
    /// ```
    /// # fn show(fragment: &binfmt::formats::tiledb::Fragment) {
    /// let (first, last) = fragment.name().timestamps();
    /// # }
    /// ```
    pub fn name(&self) -> &FragmentName {
        &self.name
    }

    /// Where its tiles are.
    ///
    /// ```
    /// # fn show(fragment: &binfmt::formats::tiledb::Fragment) {
    /// let boxes = fragment.metadata().rtree.leaves();
    /// # }
    /// ```
    pub fn metadata(&self) -> &FragmentMetadata {
        &self.metadata
    }
}

impl Fragment {
    /// Where the tiles of an attribute's values begin, or of their offsets, and the size of the file. The coordinates
    /// come after the attributes.
    pub(super) fn values_file(&self, a: usize) -> (&[u64], u64) {
        file(&self.metadata.tile_offsets, &self.metadata.footer.file_sizes, a)
    }

    /// The same of the variable values of an attribute.
    pub(super) fn var_file(&self, a: usize) -> (&[u64], u64) {
        file(&self.metadata.tile_var_offsets, &self.metadata.footer.file_var_sizes, a)
    }
}

/// The lists were read by the schema: they are as long as it says.
fn file<'f>(lists: &'f [TileOffsets], sizes: &[u64], a: usize) -> (&'f [u64], u64) {
    let found = lists.get(a).zip(sizes.get(a));
    debug_assert!(found.is_some(), "metadata of another schema");
    found.map_or((&[], 0), |(list, size)| (&list.values, *size))
}

impl Array {
    /// Opens the array in a folder, as it is now.
    ///
    /// # Errors
    /// As [`Options::open`].
    ///
    /// ```
    /// assert!(binfmt::formats::tiledb::Array::open("no/such/array").is_err());
    /// ```
    pub fn open(folder: impl Into<PathBuf>) -> Result<Array> {
        Options::new().open(Folder::new(folder))
    }
}

/// An array whose files may be anywhere: what it does is compiled once, and not for each storage.
pub(super) type AnyArray<'s> = Array<dyn Storage + 's>;

impl<S: Storage> Array<S> {
    pub(super) fn any(&self) -> &AnyArray<'_> {
        self
    }

    pub(super) fn any_mut(&mut self) -> &mut AnyArray<'_> {
        self
    }
}

impl<S> Array<S> {
    /// What the array is.
    ///
    /// ```
    /// # fn show(array: &binfmt::formats::tiledb::Array) {
    /// for attribute in &array.schema().attributes {
    ///     println!("{}: {}", attribute.name, attribute.datatype);
    /// }
    /// # }
    /// ```
    pub fn schema(&self) -> &ArraySchema {
        &self.schema
    }

    /// Where its files are.
    ///
    /// ```
    /// # fn show(array: &binfmt::formats::tiledb::Array) {
    /// println!("{}", array.storage().path().display());
    /// # }
    /// ```
    pub fn storage(&self) -> &S {
        &self.storage
    }

    /// The fragments that count, the oldest first.
    ///
    /// ```
    /// # fn show(array: &binfmt::formats::tiledb::Array) {
    /// println!("{} fragments", array.fragments().len());
    /// # }
    /// ```
    pub fn fragments(&self) -> &[Fragment] {
        &self.fragments
    }
}
