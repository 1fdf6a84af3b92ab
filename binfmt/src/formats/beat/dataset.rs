//! The files of one data set: `base.0.9.data`, `base.10.19.data`, .. with their index and checksum files.

use super::checksum::Checksum;
use super::file::{ChunkLine, MAX_LINE, encoding, format_name, payload};
use super::index::read_index;
use crate::codec::Decode;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::{Options, Slice};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
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

/// The data files of one base, in the order of their indices.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use binfmt::formats::beat::{DataSet, DataWriter};
/// let folder = std::env::temp_dir().join("binfmt-doc-dataset");
/// std::fs::create_dir_all(&folder)?;
/// let base = folder.join("numbers");
/// for (start, end) in [(0, 1), (2, 3)] {
///     let mut writer = DataWriter::create(&base, "u/int/1", start, end)?;
///     writer.write(start, start, &(start as i32))?;
///     writer.write(end, end, &(end as i32))?;
///     writer.finish()?;
/// }
///
/// let set = DataSet::open(&base)?;
/// assert_eq!(set.files().len(), 2);
/// assert_eq!(set.verify()?, []);
/// let mut found = Vec::new();
/// for chunk in set.chunks(1..=2) {
///     found.push(chunk?.decode::<i32>()?.value);
/// }
/// assert_eq!(found, [1, 2]);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataSet {
    files: Vec<DataPath>,
}

fn io(e: std::io::Error, at: u64) -> Error {
    Error::new(ErrorKind::Io(e), at)
}

/// The error of a file.
fn of_file(path: &Path) -> impl FnOnce(Error) -> Error + use<> {
    let name = path.display().to_string();
    move |e| e.within(Step::Name(name))
}

/// The indices in a name `base.<start>.<end>.data`.
fn indices(name: &str, base: &str) -> Option<(u64, u64)> {
    let (start, end) = name.strip_prefix(base)?.strip_prefix('.')?.strip_suffix(".data")?.split_once('.')?;
    let number = |text: &str| text.bytes().all(|c| c.is_ascii_digit()).then(|| text.parse().ok())?;
    Some((number(start)?, number(end)?))
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
    /// There is no such file, the folder cannot be read, or two files hold the same indices.
    pub fn open(base: impl AsRef<Path>) -> Result<DataSet> {
        let base = base.as_ref();
        let folder = match base.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let name = base.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let name = name.strip_suffix(".data").unwrap_or(&name);
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(|e| of_file(folder)(io(e, 0)))? {
            let path = entry.map_err(|e| of_file(folder)(io(e, 0)))?.path();
            let found = path.file_name().and_then(|found| indices(found.to_str()?, name));
            if let Some((start, end)) = found {
                files.push(DataPath { path, start, end });
            }
        }
        files.sort_by_key(|file| (file.start, file.end));
        if files.is_empty() {
            let text = format!("no file {name}.<start>.<end>.data");
            return Err(of_file(folder)(Error::message(text, 0)));
        }
        for pair in files.windows(2) {
            if let [a, b] = pair
                && (b.start <= a.end || b.start > b.end)
            {
                let text =
                    format!("its indices begin at {}, those of the file before end at {}", b.start, a.end);
                return Err(of_file(&b.path)(Error::message(text, 0)));
            }
        }
        Ok(DataSet { files })
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
        between(ranges, None)
    }

    /// The chunks that hold any of these indices, in order; others are stepped over without being read.
    ///
    /// See [`DataSet`] for an example. After an error the iterator ends.
    pub fn chunks(&self, indices: RangeInclusive<u64>) -> Chunks {
        let touches = |file: &&DataPath| file.start <= *indices.end() && file.end >= *indices.start();
        let mut files: Vec<PathBuf> =
            self.files.iter().filter(touches).map(|file| file.path.clone()).collect();
        files.reverse();
        Chunks { files, open: None, indices }
    }

    /// Reads all files and checks what stands beside them: checksums, index files, and that the chunks of each file have
    /// rising indices within those of its name. The answer is the gaps, between files and within.
    ///
    /// See [`DataSet`] for an example.
    ///
    /// # Errors
    /// A checksum file is missing or does not agree, an index file does not agree, or a chunk is out of its order or
    /// range. The path begins with the file.
    pub fn verify(&self) -> Result<Vec<RangeInclusive<u64>>> {
        let mut gaps = Vec::new();
        let mut before = None;
        for file in &self.files {
            if let Some(end) = before {
                gaps.extend(between([(end, end), (file.start, file.end)], None));
            }
            before = Some(file.end);
            gaps.extend(file.verify()?);
        }
        Ok(gaps)
    }
}

/// What lies between ranges that rise, and behind the last up to `end`.
fn between(
    ranges: impl IntoIterator<Item = (u64, u64)>,
    within: Option<(u64, u64)>,
) -> Vec<RangeInclusive<u64>> {
    let mut gaps = Vec::new();
    let mut next = within.map(|(start, _)| start);
    for (start, end) in ranges {
        if let Some(next) = next.filter(|next| start > *next) {
            gaps.push(next..=start.saturating_sub(1));
        }
        // nothing comes behind the last of all indices
        next = end.checked_add(1);
    }
    match (next, within) {
        (Some(next), Some((_, end))) if next <= end => gaps.push(next..=end),
        _ => {}
    }
    gaps
}

/// The path with another ending behind it.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Compares a file with its checksum file.
fn check_sum(path: &Path) -> Result<()> {
    let beside = with_suffix(path, ".checksum");
    let expected = std::fs::read_to_string(&beside).map_err(|e| of_file(&beside)(io(e, 0)))?;
    let mut file = File::open(path).map_err(|e| of_file(path)(io(e, 0)))?;
    let mut sum = Checksum::new();
    let mut block = alloc::vec![0; 256 << 10];
    loop {
        match file.read(&mut block).map_err(|e| of_file(path)(io(e, 0)))? {
            0 => break,
            n => sum.update(block.get(..n).unwrap_or(&[])),
        }
    }
    let found = sum.finish();
    if found == expected.trim() {
        return Ok(());
    }
    let text = format!("its checksum is {found}, beside it stands {}", expected.trim());
    Err(of_file(path)(Error::message(text, 0)))
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

    /// Checks one file, see [`DataSet::verify`]; the answer is the gaps within.
    ///
    /// ```
    /// use binfmt::formats::beat::DataPath;
    /// let file = DataPath { path: "no.0.3.data".into(), start: 0, end: 3 };
    /// assert!(file.verify().is_err());
    /// ```
    ///
    /// # Errors
    /// As [`DataSet::verify`].
    pub fn verify(&self) -> Result<Vec<RangeInclusive<u64>>> {
        check_sum(&self.path)?;
        let index_path = self.index_path();
        check_sum(&index_path)?;
        let index = std::fs::read_to_string(&index_path).map_err(|e| of_file(&index_path)(io(e, 0)))?;
        let listed = read_index(&index).map_err(of_file(&index_path))?;
        let mut chunks = Vec::new();
        let mut reader = ChunkReader::open(&self.path)?;
        while let Some((line, at)) = reader.line().map_err(of_file(&self.path))? {
            let wrong = |text: String| Err(of_file(&self.path)(Error::message(text, at)));
            let ChunkLine { start, end, size } = line;
            if chunks.last().is_some_and(|(_, last)| start <= *last) {
                return wrong(format!("a chunk that begins at {start} behind one that goes further"));
            }
            if start < self.start || end > self.end {
                return wrong(format!(
                    "a chunk of the indices {start} to {end}, which the name does not have"
                ));
            }
            chunks.push((start, end));
            reader.pass(size).map_err(of_file(&self.path))?;
        }
        if listed != chunks {
            let text = format!("the index has {} chunks that are not those of the data", listed.len());
            return Err(of_file(&index_path)(Error::message(text, 0)));
        }
        Ok(between(chunks, Some((self.start, self.end))))
    }
}

/// A chunk whose payload nobody has read: bytes of a type that its reader knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawChunk {
    /// The first index.
    pub start: u64,
    /// The last index.
    pub end: u64,
    /// Where the payload begins in its file.
    pub offset: u64,
    /// The payload, with the newline behind it where the size counts one.
    pub bytes: Vec<u8>,
}

impl RawChunk {
    /// The value of the payload.
    ///
    /// ```
    /// use binfmt::formats::beat::RawChunk;
    /// let chunk = RawChunk { start: 0, end: 4, offset: 20, bytes: b"\x07\0\n".to_vec() };
    /// assert_eq!(chunk.decode::<u16>()?.value, 7);
    /// let e = chunk.decode::<u32>().unwrap_err();
    /// assert_eq!(e.to_string(), "value at byte 0x14: 4 bytes needed, 3 remain of its region");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The payload is no value of this type; offsets are those of the file.
    pub fn decode<T: for<'de> Decode<'de>>(&self) -> Result<super::Chunk<T>> {
        self.decode_with(&Options::new())
    }

    /// [`decode`](Self::decode) with limits and context from outside: the declaration of an
    /// [`Object`](super::Object), for example.
    ///
    /// ```
    /// use binfmt::Options;
    /// use binfmt::formats::beat::{Declaration, Object, RawChunk};
    /// let chunk = RawChunk { start: 0, end: 0, offset: 0, bytes: b"\x07\n".to_vec() };
    /// let declaration = Declaration::parse(r#"{"n": "int8"}"#).unwrap();
    /// let object: Object = chunk.decode_with(&Options::new().ctx(&declaration))?.value;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`decode`](Self::decode), or a limit is reached.
    pub fn decode_with<'a, T: Decode<'a, C>, C: Copy>(
        &'a self,
        options: &Options<C>,
    ) -> Result<super::Chunk<T>> {
        let mut src = Slice::with(&self.bytes, options.limits, options.policy);
        let value = payload(&mut src, self.bytes.len() as u64, options.ctx);
        let value = value.map_err(|e| e.within(Step::Field("value")).shifted(self.offset))?;
        Ok(super::Chunk { start: self.start, end: self.end, value })
    }
}

/// A data file, line by line, with payloads that can be stepped over.
struct ChunkReader {
    file: BufReader<File>,
    at: u64,
    len: u64,
}

impl ChunkReader {
    /// Opens a file and reads the two lines in front.
    fn open(path: &Path) -> Result<ChunkReader> {
        let open = || -> Result<ChunkReader> {
            let mut file = File::open(path).map_err(|e| io(e, 0))?;
            let len = file.seek(SeekFrom::End(0)).map_err(|e| io(e, 0))?;
            file.rewind().map_err(|e| io(e, 0))?;
            let mut reader = ChunkReader { file: BufReader::new(file), at: 0, len };
            let (first, at) = reader.text()?;
            encoding(&first, at)?;
            let (second, at) = reader.text()?;
            format_name(&second, at)?;
            Ok(reader)
        };
        open().map_err(of_file(path))
    }

    /// A line without its newline, and its offset.
    fn text(&mut self) -> Result<(Vec<u8>, u64)> {
        let at = self.at;
        let mut line = Vec::new();
        let most = (MAX_LINE as u64).saturating_add(1);
        (&mut self.file).take(most).read_until(b'\n', &mut line).map_err(|e| io(e, at))?;
        self.at = at.saturating_add(line.len() as u64);
        match line.pop() {
            Some(b'\n') => Ok((line, at)),
            Some(_) if line.len() >= MAX_LINE => {
                Err(Error::message(format!("a line of more than {MAX_LINE} bytes"), at))
            }
            _ => Err(Error::message("the file ends inside of a line", self.at)),
        }
    }

    /// The line of the next chunk, and its offset; `None` at the end of the file.
    fn line(&mut self) -> Result<Option<(ChunkLine, u64)>> {
        if self.file.fill_buf().map_err(|e| io(e, self.at))?.is_empty() {
            return Ok(None);
        }
        let (text, at) = self.text()?;
        let line = ChunkLine::parse(&text, at)?;
        let remaining = self.len.saturating_sub(self.at);
        if line.size > remaining {
            let needed = usize::try_from(line.size).unwrap_or(usize::MAX);
            let remaining = usize::try_from(remaining).unwrap_or(usize::MAX);
            return Err(Error::short(needed, remaining, self.at, false));
        }
        Ok(Some((line, at)))
    }

    /// Steps over a payload, which is in the file.
    fn pass(&mut self, size: u64) -> Result<()> {
        let step = i64::try_from(size).unwrap_or(i64::MAX);
        self.file.seek_relative(step).map_err(|e| io(e, self.at))?;
        self.at = self.at.saturating_add(size);
        Ok(())
    }

    fn payload(&mut self, size: u64) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let read = (&mut self.file).take(size).read_to_end(&mut bytes).map_err(|e| io(e, self.at))?;
        if read as u64 != size {
            return Err(Error::short(usize::try_from(size).unwrap_or(usize::MAX), read, self.at, false));
        }
        self.at = self.at.saturating_add(size);
        Ok(bytes)
    }
}

/// The chunks of a range of indices: see [`DataSet::chunks`].
pub struct Chunks {
    /// Files to come, the next one last.
    files: Vec<PathBuf>,
    open: Option<(ChunkReader, PathBuf)>,
    indices: RangeInclusive<u64>,
}

impl core::fmt::Debug for Chunks {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let next = self.open.as_ref().map(|(_, path)| path.display().to_string());
        f.debug_struct("Chunks").field("indices", &self.indices).field("file", &next).finish_non_exhaustive()
    }
}

impl Chunks {
    fn step(&mut self) -> Result<Option<RawChunk>> {
        loop {
            let Some((reader, path)) = &mut self.open else {
                let Some(path) = self.files.pop() else { return Ok(None) };
                self.open = Some((ChunkReader::open(&path)?, path));
                continue;
            };
            let Some((line, _)) = reader.line().map_err(of_file(path))? else {
                self.open = None;
                continue;
            };
            let ChunkLine { start, end, size } = line;
            if end < *self.indices.start() || start > *self.indices.end() {
                reader.pass(size).map_err(of_file(path))?;
                continue;
            }
            let offset = reader.at;
            let bytes = reader.payload(size).map_err(of_file(path))?;
            return Ok(Some(RawChunk { start, end, offset, bytes }));
        }
    }
}

impl Iterator for Chunks {
    type Item = Result<RawChunk>;

    fn next(&mut self) -> Option<Result<RawChunk>> {
        let found = self.step();
        if found.is_err() {
            self.files.clear();
            self.open = None;
        }
        found.transpose()
    }
}

impl core::iter::FusedIterator for Chunks {}
