//! The chunks of data files, one after the other, those that are not wanted stepped over.

use super::files::{io, of_file};
use crate::codec::Decode;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::formats::beat::layout::Chunk;
use crate::formats::beat::layout::line::ChunkLine;
use crate::formats::beat::layout::payload::payload;
use crate::formats::beat::text::lines::{MAX_LINE, encoding, format_name};
use crate::wire::{Options, Slice, Source};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Which chunks belong to a range of indices.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice {
    Within,
    Touching,
}

impl Choice {
    pub(crate) fn takes(self, indices: &RangeInclusive<u64>, start: u64, end: u64) -> bool {
        match self {
            Choice::Within => start >= *indices.start() && end <= *indices.end(),
            Choice::Touching => start <= *indices.end() && end >= *indices.start(),
        }
    }
}

/// A chunk whose payload is not decoded: bytes of a type that its reader knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawChunk {
    /// The first index.
    pub start: u64,
    /// The last index.
    pub end: u64,
    /// Where the payload begins in its file.
    pub offset: u64,
    /// All that the size of the chunk counts: the payload, and in every file of the platform the newline after it. See
    /// [`payload`](RawChunk::payload).
    pub bytes: Vec<u8>,
}

impl RawChunk {
    /// The bytes of the value, without the newline that the platform writes after each.
    ///
    /// Where other software does not count a newline in the size, the last byte stays, unless it happens to be one.
    ///
    /// ```
    /// use binfmt::formats::beat::RawChunk;
    /// let chunk = RawChunk { start: 0, end: 4, offset: 20, bytes: b"\x07\0\n".to_vec() };
    /// assert_eq!(chunk.payload(), b"\x07\0");
    /// ```
    pub fn payload(&self) -> &[u8] {
        self.bytes.strip_suffix(b"\n").unwrap_or(&self.bytes)
    }

    /// The value of the payload.
    ///
    /// ```
    /// use binfmt::formats::beat::RawChunk;
    /// let chunk = RawChunk { start: 0, end: 4, offset: 20, bytes: b"\x07\0\n".to_vec() };
    /// assert_eq!(chunk.decode::<u16>()?.value, 7);
    /// let e = chunk.decode::<u32>().unwrap_err();
    /// assert_eq!(e.to_string(), "value at byte 0x14: 4 bytes needed, 3 remain in the region");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The payload is not a value of this type; offsets are those of the file.
    pub fn decode<T: for<'de> Decode<'de>>(&self) -> Result<Chunk<T>> {
        self.decode_with(&Options::new())
    }

    /// [`decode`](Self::decode) with limits and context from outside: the declaration of an
    /// [`Object`](crate::formats::beat::Object), for example.
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
    pub fn decode_with<'a, T: Decode<'a, C>, C: Copy>(&'a self, options: &Options<C>) -> Result<Chunk<T>> {
        let mut src = Slice::with(&self.bytes, options.limits, options.policy);
        let value = payload(&mut src.erase(), self.bytes.len() as u64, options.ctx);
        let value = value.map_err(|e| e.within(Step::Field("value")).shifted(self.offset))?;
        Ok(Chunk { start: self.start, end: self.end, value })
    }
}

fn without_end(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\n").unwrap_or(line)
}

/// A data file, line by line, with payloads that can be stepped over.
pub(crate) struct ChunkReader {
    file: BufReader<File>,
    at: u64,
    len: u64,
    /// The second line.
    pub(crate) format: String,
}

impl ChunkReader {
    /// Opens a file and reads the two lines in front.
    pub(crate) fn open(path: &Path) -> Result<ChunkReader> {
        let open = || -> Result<ChunkReader> {
            let mut file = File::open(path)?;
            let len = file.seek(SeekFrom::End(0))?;
            file.rewind()?;
            let mut reader = ChunkReader { file: BufReader::new(file), at: 0, len, format: String::new() };
            let (first, at) = reader.text()?;
            encoding(without_end(&first), at)?;
            let (second, at) = reader.text()?;
            reader.format = format_name(without_end(&second), at)?;
            Ok(reader)
        };
        open().map_err(of_file(path))
    }

    /// A line, and its offset.
    fn text(&mut self) -> Result<(Vec<u8>, u64)> {
        let at = self.at;
        let mut line = Vec::new();
        let most = MAX_LINE as u64 + 1;
        (&mut self.file).take(most).read_until(b'\n', &mut line).map_err(|e| io(e, at))?;
        self.at += line.len() as u64;
        match line.last() {
            Some(b'\n') => Ok((line, at)),
            Some(_) if line.len() > MAX_LINE => {
                Err(Error::new(ErrorKind::size_limit("line", None, MAX_LINE as u64), at))
            }
            _ => Err(Error::message("the file ends inside a line", self.at)),
        }
    }

    /// The line of the next chunk, and its offset; `None` at the end of the file.
    pub(crate) fn line(&mut self) -> Result<Option<(ChunkLine, u64)>> {
        if self.file.fill_buf().map_err(|e| io(e, self.at))?.is_empty() {
            return Ok(None);
        }
        let (text, at) = self.text()?;
        let line: ChunkLine = crate::from_slice(&text).map_err(|e| e.shifted(at))?;
        // the file may have grown since it was opened
        let remaining = self.len.saturating_sub(self.at);
        if line.size > remaining {
            let needed = usize::try_from(line.size).unwrap_or(usize::MAX);
            let remaining = usize::try_from(remaining).unwrap_or(usize::MAX);
            return Err(Error::short(needed, remaining, self.at, false));
        }
        Ok(Some((line, at)))
    }

    /// Steps over a payload, which is in the file.
    pub(crate) fn pass(&mut self, size: u64) -> Result<()> {
        let step = i64::try_from(size).unwrap_or(i64::MAX);
        self.file.seek_relative(step).map_err(|e| io(e, self.at))?;
        self.at += size;
        Ok(())
    }

    fn payload(&mut self, size: u64) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        // the file has that many bytes, memory may not
        let room = usize::try_from(size).ok().and_then(|n| bytes.try_reserve_exact(n).ok());
        room.ok_or_else(|| io(std::io::ErrorKind::OutOfMemory.into(), self.at))?;
        let read = (&mut self.file).take(size).read_to_end(&mut bytes).map_err(|e| io(e, self.at))?;
        if read as u64 != size {
            return Err(Error::short(usize::try_from(size).unwrap_or(usize::MAX), read, self.at, false));
        }
        self.at += size;
        Ok(bytes)
    }
}

/// The chunks of a range of indices: see [`DataSet::within`](crate::formats::beat::DataSet::within) and
/// [`DataSet::touching`](crate::formats::beat::DataSet::touching).
pub struct Chunks {
    /// Files to come, the next one last.
    files: Vec<PathBuf>,
    open: Option<(ChunkReader, PathBuf)>,
    indices: RangeInclusive<u64>,
    choice: Choice,
}

impl Chunks {
    /// The chunks of these files, the first one first.
    pub(crate) fn new(mut files: Vec<PathBuf>, indices: RangeInclusive<u64>, choice: Choice) -> Chunks {
        files.reverse();
        Chunks { files, open: None, indices, choice }
    }
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
            if !self.choice.takes(&self.indices, start, end) {
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
