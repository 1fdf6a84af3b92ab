//! Columns of large pages, block by block: pages of columns are read where the values of a block are, others once for each column.

use crate::error::{Error, Result};
use binfmt::formats::sdds::{ColumnBlocks, Elements, Header, Page};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
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
    blocks: ColumnBlocks,
}

impl Ranges {
    /// `None` if the values of a block are not found by their numbers.
    pub(super) fn of(path: &Path, header: &Header) -> Result<Option<Self>> {
        let blocks = ColumnBlocks::of(header).map_err(Error::data)?.filter(|_| !header.fixed_row_count);
        let Some(blocks) = blocks else { return Ok(None) };
        Ok(Some(Ranges { file: File::open(path).map_err(Error::input)?, blocks }))
    }

    /// Rows of these columns, of a page that has so many and whose values begin at the byte.
    pub(super) fn read(&mut self, page: (u64, u64), rows: Range<u64>, columns: &[usize]) -> Result<Page> {
        let Ranges { file, blocks } = self;
        let found = blocks.read(page, rows, columns, |ranges| {
            ranges.iter_mut().try_for_each(|(at, out)| {
                file.seek(SeekFrom::Start(*at))?;
                file.read_exact(out)
            })
        });
        found.map_err(Error::data)
    }
}

/// The only column of a block.
pub(super) fn only(block: &Page) -> Option<&Elements> {
    block.columns().first()
}
