//! The files of one data set: `base.0.9.data`, `base.10.19.data`, .. with their index and checksum files.

use super::chunks::{Choice, ChunkReader, Chunks};
use super::files::of_file;
use crate::error::{ErrorKind, Result};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// One data file of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataPath {
    /// Where it is.
    pub path: PathBuf,
    /// The first index, as its name says.
    pub start: u64,
    /// The last index, as its name says.
    pub end: u64,
}

impl DataPath {
    /// The file of this path, if its name is that of a data file with indices.
    ///
    /// ```
    /// use binfmt::formats::beat::DataPath;
    /// let file = DataPath::of("scores.0.99.data").unwrap();
    /// assert_eq!((file.start, file.end), (0, 99));
    /// assert_eq!(DataPath::of("scores.data"), None);
    /// ```
    pub fn of(path: impl AsRef<Path>) -> Option<DataPath> {
        let path = path.as_ref();
        let (front, end) = path.file_name()?.to_str()?.strip_suffix(".data")?.rsplit_once('.')?;
        let (_, start) = front.rsplit_once('.')?;
        Some(DataPath { path: path.to_owned(), start: start.parse().ok()?, end: end.parse().ok()? })
    }
}

/// The data files of one base, in the order of their indices.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use binfmt::formats::beat::{DataSet, Writer};
/// let folder = std::env::temp_dir().join("binfmt-doc-dataset");
/// std::fs::create_dir_all(&folder)?;
/// let base = folder.join("numbers");
/// for (start, end) in [(0, 1), (2, 3)] {
///     let mut writer = Writer::create(&base, "u/int/1", start, end)?;
///     writer.write(start, start, &(start as i32))?;
///     writer.write(end, end, &(end as i32))?;
///     writer.finish()?;
/// }
///
/// let set = DataSet::open(&base)?;
/// assert_eq!(set.files().len(), 2);
/// assert_eq!(set.verify()?.gaps, []);
/// let mut found = Vec::new();
/// for chunk in set.within(1..=2) {
///     found.push(chunk?.decode::<i32>()?.value);
/// }
/// assert_eq!(found, [1, 2]);
/// assert_eq!(set.format()?, "u/int/1");
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataSet {
    folder: PathBuf,
    /// What the names of all files begin with, before the indices.
    name: String,
    files: Vec<DataPath>,
}

/// The indices in a name `base.<start>.<end>`, and what is after them.
fn indices<'n>(name: &'n str, base: &str) -> Option<(u64, u64, &'n str)> {
    let (start, rest) = name.strip_prefix(base)?.strip_prefix('.')?.split_once('.')?;
    let (end, ending) = rest.split_once('.')?;
    let number = |text: &str| text.bytes().all(|c| c.is_ascii_digit()).then(|| text.parse().ok())?;
    Some((number(start)?, number(end)?, ending))
}

/// The files of a folder that belong to a base: path, indices and ending of each.
fn belonging(folder: &Path, base: &str) -> Result<Vec<(DataPath, String)>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|e| of_file(folder)(e.into()))? {
        let path = entry.map_err(|e| of_file(folder)(e.into()))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if let Some((start, end, ending)) = indices(name, base) {
            let ending = ending.to_owned();
            found.push((DataPath { path, start, end }, ending));
        }
    }
    Ok(found)
}

impl DataSet {
    /// Finds the files of a base, which may be given with or without the ending `.data`.
    ///
    /// ```
    /// let e = binfmt::formats::beat::DataSet::open("/no/such/folder/base").unwrap_err();
    /// assert!(e.to_string().starts_with("/no/such/folder"));
    /// ```
    ///
    /// # Errors
    /// No such file is there, the folder cannot be read, or two files contain the same indices.
    pub fn open(base: impl AsRef<Path>) -> Result<DataSet> {
        let base = base.as_ref();
        let folder = match base.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let name = base.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let name = name.strip_suffix(".data").unwrap_or(&name);
        let found = belonging(folder, name)?.into_iter().filter(|(_, ending)| ending == "data");
        let mut files: Vec<DataPath> = found.map(|(file, _)| file).collect();
        files.sort_by_key(|file| (file.start, file.end));
        if files.is_empty() {
            let kind = ErrorKind::Missing { of: "file", name: format!("{name}.<start>.<end>.data") };
            return Err(of_file(folder)(kind.into()));
        }
        for pair in files.windows(2) {
            if let [a, b] = pair
                && (b.start <= a.end || b.start > b.end)
            {
                let reason = format!("those of the file before end at {}", a.end);
                let found = format!("{} to {}", b.start, b.end);
                return Err(of_file(&b.path)(ErrorKind::invalid("range of indices", found, reason).into()));
            }
        }
        Ok(DataSet { folder: folder.to_owned(), name: name.to_owned(), files })
    }

    /// The files, by their first index.
    ///
    /// See [`DataSet`] for an example.
    pub fn files(&self) -> &[DataPath] {
        &self.files
    }

    /// The indices that lie between the files and are in none of them.
    ///
    /// See [`DataSet`] for an example.
    pub fn gaps(&self) -> Vec<RangeInclusive<u64>> {
        let ranges = self.files.iter().map(|file| (file.start, file.end));
        missing_indices(ranges, None)
    }

    /// The name of the format of all objects, as the second line of each file has it: `user/name/version`, or `analysis:`
    /// and the name of an algorithm.
    ///
    /// See [`DataSet`] for an example.
    ///
    /// # Errors
    /// A file cannot be read, or names another format than the first one does. The path begins with the file.
    pub fn format(&self) -> Result<String> {
        let mut formats = self.files.iter().map(|file| file.format().map(|format| (file, format)));
        // there is no set without a file
        let Some((first, format)) = formats.next().transpose()? else { return Ok(String::new()) };
        for found in formats {
            let (file, other): (&DataPath, String) = found?;
            if other != format {
                let expected = format!("{format} as in {}", first.path.display());
                return Err(of_file(&file.path)(ErrorKind::mismatch("format", expected, other).into()));
            }
        }
        Ok(format)
    }

    /// What is beside data files that are not there: indices and checksums whose file is lost, such as the first or
    /// the last one of the set, in whose place there is no gap.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use binfmt::formats::beat::{DataSet, Writer};
    /// let folder = std::env::temp_dir().join("binfmt-doc-lost");
    /// std::fs::create_dir_all(&folder)?;
    /// let base = folder.join("numbers");
    /// for index in 0..2 {
    ///     let mut writer = Writer::create(&base, "u/int/1", index, index)?;
    ///     writer.write(index, index, &7i32)?;
    ///     writer.finish()?;
    /// }
    /// std::fs::remove_file(folder.join("numbers.1.1.data"))?;
    /// let set = DataSet::open(&base)?;
    /// assert!(set.gaps().is_empty());
    /// assert_eq!(set.lost()?[0], folder.join("numbers.1.1.data"));
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The answer is the paths of the lost data files, in the order of their indices.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn lost(&self) -> Result<Vec<PathBuf>> {
        let mut lost: Vec<DataPath> = Vec::new();
        for (mut file, ending) in belonging(&self.folder, &self.name)? {
            let is_beside = matches!(&*ending, "index" | "index.checksum" | "data.checksum");
            let is = self.files.binary_search_by_key(&(file.start, file.end), |data| (data.start, data.end));
            if is_beside && is.is_err() {
                file.path.set_file_name(format!("{}.{}.{}.data", self.name, file.start, file.end));
                lost.push(file);
            }
        }
        lost.sort_by_key(|file| (file.start, file.end));
        lost.dedup();
        Ok(lost.into_iter().map(|file| file.path).collect())
    }

    /// The chunks that lie wholly inside this range of indices, in order; others are stepped over without being read.
    ///
    /// This is what the platform's own readers give for a range: of the chunks 5 to 6 and 7 to 11, the range 3 to 10 has
    /// the first one only. Ranges that follow each other give no chunk twice, and none of those that lie across their
    /// ends.
    ///
    /// See [`DataSet`] for an example. After an error the iterator ends.
    pub fn within(&self, indices: RangeInclusive<u64>) -> Chunks {
        self.select(indices, Choice::Within)
    }

    /// The chunks that contain any of these indices, in order; others are stepped over without being read.
    ///
    /// Ranges that follow each other both give a chunk that lies across their ends: to read each chunk once, use
    /// [`within`](Self::within) with ranges that end where chunks end.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use binfmt::formats::beat::{DataSet, Writer};
    /// let folder = std::env::temp_dir().join("binfmt-doc-touching");
    /// std::fs::create_dir_all(&folder)?;
    /// let base = folder.join("numbers");
    /// let mut writer = Writer::create(&base, "u/int/1", 5, 11)?;
    /// writer.write(5, 6, &0i32)?;
    /// writer.write(7, 11, &1i32)?;
    /// writer.finish()?;
    /// let set = DataSet::open(&base)?;
    /// assert_eq!(set.touching(3..=10).count(), 2);
    /// assert_eq!(set.within(3..=10).count(), 1);
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// After an error the iterator ends.
    pub fn touching(&self, indices: RangeInclusive<u64>) -> Chunks {
        self.select(indices, Choice::Touching)
    }

    fn select(&self, indices: RangeInclusive<u64>, choice: Choice) -> Chunks {
        // a chunk lies in the indices of its file, so that a file without any of these has none of them
        let has = |file: &&DataPath| Choice::Touching.takes(&indices, file.start, file.end);
        let files = self.files.iter().filter(has).map(|file| file.path.clone()).collect();
        Chunks::new(files, indices, choice)
    }
}

/// The indices that none of the ranges has: those between them and, `within` other indices, those before and after them. Ranges may
/// come in any order.
///
/// ```
/// use binfmt::formats::beat::missing_indices;
/// assert_eq!(missing_indices([(2, 3), (8, 8)], None), [4..=7]);
/// assert_eq!(missing_indices([(2, 3), (8, 8)], Some((0, 9))), [0..=1, 4..=7, 9..=9]);
/// ```
pub fn missing_indices(
    ranges: impl IntoIterator<Item = (u64, u64)>,
    within: Option<(u64, u64)>,
) -> Vec<RangeInclusive<u64>> {
    let mut gaps = Vec::new();
    let mut next = within.map(|(start, _)| start);
    let mut ranges: Vec<(u64, u64)> = ranges.into_iter().collect();
    ranges.sort_unstable();
    for (start, end) in ranges {
        if let Some(next) = next.filter(|next| start > *next) {
            gaps.push(next..=start - 1);
        }
        // nothing comes after the last of all indices
        next = end.checked_add(1).map(|after| next.map_or(after, |next| next.max(after)));
    }
    match (next, within) {
        (Some(next), Some((_, end))) if next <= end => gaps.push(next..=end),
        _ => {}
    }
    gaps
}

impl DataPath {
    /// Its index file: the same name with another ending.
    ///
    /// ```
    /// use binfmt::formats::beat::DataPath;
    /// let file = DataPath { path: "a/b.0.3.data".into(), start: 0, end: 3 };
    /// assert_eq!(file.index_path().to_str(), Some("a/b.0.3.index"));
    /// ```
    pub fn index_path(&self) -> PathBuf {
        self.path.with_extension("index")
    }

    /// The name of the format of its objects: its second line.
    ///
    /// ```
    /// use binfmt::formats::beat::DataPath;
    /// let file = DataPath { path: "no.0.3.data".into(), start: 0, end: 3 };
    /// assert!(file.format().unwrap_err().to_string().starts_with("no.0.3.data"));
    /// ```
    ///
    /// # Errors
    /// The file cannot be read, or its first two lines are not those of a data file.
    pub fn format(&self) -> Result<String> {
        ChunkReader::open(&self.path).map(|reader| reader.format)
    }
}
