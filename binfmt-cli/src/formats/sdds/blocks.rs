//! Columns of large pages, block by block: pages of columns are read where the values of a block are, others once for each column.

use crate::error::{Error, Result};
use binfmt::Options;
use binfmt::formats::sdds::{Elements, Header, Mode, Page, RowCount};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// Pages with more bytes than this are read block by block.
pub(super) const LARGE: u64 = 4 << 20;
/// Bytes and rows that are held at a time, where a row is not larger.
const BLOCK: u64 = 1 << 20;
const ROWS: u64 = 8192;
/// As many bytes as texts are taken for.
const TEXT: u64 = 16;

/// The bytes of a row of these columns, as far as texts are no longer than others.
pub(super) fn row_bytes(header: &Header) -> u64 {
    header.columns.iter().map(|c| c.data_type.size().map_or(TEXT, |n| n as u64)).sum()
}

/// How many rows are read at a time.
pub(super) fn rows_at_once(header: &Header) -> u64 {
    (BLOCK / row_bytes(header).max(1)).clamp(1, ROWS)
}

/// A large file whose pages have one column after the other, of values that all have one size.
pub(super) struct Ranges {
    file: File,
    /// The columns and nothing else.
    header: Header,
}

impl Ranges {
    /// `None` if the values of a block are not found by their numbers.
    pub(super) fn of(path: &Path, header: &Header) -> Result<Option<Self>> {
        let plain = header.mode == Mode::Binary && header.column_major && !header.fixed_row_count;
        let is_fixed = header.columns.iter().all(|c| c.data_type.size().is_some());
        if !plain || !is_fixed || header.columns.is_empty() {
            return Ok(None);
        }
        let file = File::open(path).map_err(Error::input)?;
        let mut header = header.clone();
        header.parameters.clear();
        header.arrays.clear();
        Ok(Some(Ranges { file, header }))
    }

    /// Rows `from..from + n` of these columns, of a page with that many `rows` that ends at the byte `end`.
    pub(super) fn read(
        &mut self,
        end: u64,
        rows: u64,
        (from, n): (u64, u64),
        columns: &[usize],
    ) -> Result<Page> {
        let options = Options::new().endian(self.header.byte_order());
        let count = RowCount::of(n).ok_or_else(|| Error::data("too many rows"))?;
        let mut bytes = binfmt::to_vec_with(&count, &options).map_err(Error::data)?;
        let mut chosen = self.header.clone();
        chosen.columns.clear();
        // the page was stepped over: its columns are before its end
        let mut start = end - rows * row_bytes(&self.header);
        for (i, column) in self.header.columns.iter().enumerate() {
            let size = column.data_type.size().unwrap_or(0) as u64;
            if columns.contains(&i) {
                append(&mut self.file, start + from * size, n * size, &mut bytes)?;
                chosen.columns.push(column.clone());
            }
            start += rows * size;
        }
        binfmt::from_slice_with(&bytes, &options.ctx(&chosen)).map_err(Error::data)
    }
}

fn append(file: &mut File, at: u64, n: u64, bytes: &mut Vec<u8>) -> Result<()> {
    file.seek(SeekFrom::Start(at)).map_err(Error::input)?;
    let read = file.take(n).read_to_end(bytes).map_err(Error::input)?;
    if read as u64 == n { Ok(()) } else { Err(Error::data("the file has become shorter")) }
}

/// The only column of a block.
pub(super) fn only(block: &Page) -> Option<&Elements> {
    block.columns().first()
}
