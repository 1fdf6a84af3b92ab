//! Whether the files of a set belong together: checksums, index files, rising indices.

use crate::error::{Error, ErrorKind, Result};
use crate::formats::beat::checksum::Checksum;
use crate::formats::beat::layout::line::ChunkLine;
use crate::formats::beat::layout::read_index;
use crate::formats::beat::read::chunks::ChunkReader;
use crate::formats::beat::read::files::{of_file, with_suffix};
use crate::formats::beat::read::{DataPath, DataSet, missing_indices};
use crate::wire::amount::after;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// What is said of a data file that is not there.
const LOST: &str = "only its index or checksum is there";

/// How much of a set, or of one file of it, was read and found sound.
///
/// ```
/// let verified = binfmt::formats::beat::Verified::default();
/// assert_eq!((verified.chunks, verified.bytes, verified.gaps), (0, 0, vec![]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// Chunks.
    pub chunks: u64,
    /// Bytes of the objects.
    pub bytes: u64,
    /// Indices that no chunk has, between files and within.
    pub gaps: Vec<RangeInclusive<u64>>,
}

impl DataSet {
    /// Reads all files and checks what is beside them: that no data file is lost, that all contain objects of one
    /// format, checksums, index files, and that the chunks of each file have rising indices within those of its name.
    ///
    /// See [`DataSet`] for an example.
    ///
    /// # Errors
    /// An index or a checksum is there without its data file, two files name different formats, a checksum file is
    /// missing or does not agree, an index file does not agree, or a chunk is out of its order or range. The path begins
    /// with the file.
    pub fn verify(&self) -> Result<Verified> {
        if let Some(lost) = self.lost()?.first() {
            return Err(of_file(lost)(ErrorKind::MissingFile { consequence: LOST }.into()));
        }
        self.format()?;
        let mut verified = Verified::default();
        let mut before = None;
        for file in self.files() {
            if let Some(end) = before {
                verified.gaps.extend(missing_indices([(end, end), (file.start, file.end)], None));
            }
            before = Some(file.end);
            let of_file = file.verify()?;
            verified.chunks = after(verified.chunks, of_file.chunks);
            verified.bytes = after(verified.bytes, of_file.bytes);
            verified.gaps.extend(of_file.gaps);
        }
        Ok(verified)
    }
}

impl DataPath {
    /// Checks one file, see [`DataSet::verify`].
    ///
    /// ```
    /// use binfmt::formats::beat::DataPath;
    /// let file = DataPath { path: "no.0.3.data".into(), start: 0, end: 3 };
    /// assert!(file.verify().is_err());
    /// ```
    ///
    /// # Errors
    /// As [`DataSet::verify`].
    pub fn verify(&self) -> Result<Verified> {
        check_sum(&self.path)?;
        let index_path = self.index_path();
        check_sum(&index_path)?;
        let index = std::fs::read_to_string(&index_path).map_err(|e| of_file(&index_path)(e.into()))?;
        let listed = read_index(&index).map_err(of_file(&index_path))?;
        let mut chunks = Vec::new();
        let mut bytes = 0;
        let mut reader = ChunkReader::open(&self.path)?;
        while let Some((line, at)) = reader.line().map_err(of_file(&self.path))? {
            let wrong = |found: String, reason| {
                let kind = ErrorKind::invalid("range of indices", found, reason);
                Err(of_file(&self.path)(Error::new(kind, at)))
            };
            let ChunkLine { start, end, size } = line;
            if chunks.last().is_some_and(|(_, last)| start <= *last) {
                return wrong(format!("{start} to {end}"), "the chunk before goes further");
            }
            if start < self.start || end > self.end {
                return wrong(format!("{start} to {end}"), "the name of the file does not have it");
            }
            chunks.push((start, end));
            bytes = after(bytes, size);
            reader.pass(size).map_err(of_file(&self.path))?;
        }
        if listed != chunks {
            let kind = ErrorKind::invalid("index", "", "its chunks are not those of the data");
            return Err(of_file(&index_path)(kind.into()));
        }
        let count = chunks.len() as u64;
        let gaps = missing_indices(chunks, Some((self.start, self.end)));
        Ok(Verified { chunks: count, bytes, gaps })
    }
}

/// Compares a file with its checksum file.
fn check_sum(path: &Path) -> Result<()> {
    let beside = with_suffix(path, ".checksum");
    let expected = std::fs::read_to_string(&beside).map_err(|e| of_file(&beside)(e.into()))?;
    let mut file = File::open(path).map_err(|e| of_file(path)(e.into()))?;
    let mut sum = Checksum::new();
    let mut block = alloc::vec![0; 256 << 10];
    loop {
        match file.read(&mut block).map_err(|e| of_file(path)(e.into()))? {
            0 => break,
            n => sum.update(&block[..n]),
        }
    }
    let found = sum.finish();
    if found == expected.trim() {
        return Ok(());
    }
    let expected = expected.trim().to_owned();
    Err(of_file(path)(ErrorKind::mismatch("checksum", expected, found).into()))
}
