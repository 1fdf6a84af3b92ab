//! Columns of large pages, block by block: pages of columns are read where the values of a block are, others once for each column.

use crate::error::{Error, Result};
use crate::input::{Again, FromAnywhere};
use binfmt::formats::sdds::{ColumnBlocks, Elements, Header, Page};
use std::io::{self, SeekFrom};
use std::ops::Range;

/// Pages with more bytes than this are read block by block.
pub(super) const LARGE: u64 = 4 << 20;
/// Bytes and rows that are held at a time, where a row is not larger.
pub(super) const BLOCK: u64 = 1 << 20;
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

/// A file whose pages have one column after the other.
pub(super) struct Ranges {
    file: Box<dyn FromAnywhere>,
    blocks: ColumnBlocks,
}

impl Ranges {
    /// `None` if pages have one row after the other, or not all of their rows.
    pub(super) fn of(again: &Again, header: &Header) -> Result<Option<Self>> {
        let blocks = ColumnBlocks::of(header).map_err(Error::data)?.filter(|_| !header.fixed_row_count);
        let Some(blocks) = blocks else { return Ok(None) };
        Ok(Some(Ranges { file: again.open().map_err(Error::input)?, blocks }))
    }

    /// The first of these rows, as many as are held at a time where not all are wanted, of these columns; of a page that has so many rows and
    /// whose values begin at the byte.
    pub(super) fn read(
        &mut self,
        page: (u64, u64),
        (rows, all): (Range<u64>, bool),
        columns: &[usize],
    ) -> Result<Page> {
        let Ranges { file, blocks } = self;
        let mut fetch = |ranges: &mut [(u64, &mut [u8])]| -> io::Result<()> {
            ranges.iter_mut().try_for_each(|(at, out)| {
                file.seek(SeekFrom::Start(*at))?;
                file.read_exact(out)
            })
        };
        let count = match all {
            true => rows.end - rows.start,
            false => blocks.fitting(page, rows.clone(), columns, &mut fetch).map_err(Error::data)?,
        };
        blocks.read(page, rows.start..rows.start + count, columns, fetch).map_err(Error::data)
    }
}

/// The only column of a block.
pub(super) fn only(block: &Page) -> Option<&Elements> {
    block.columns().first()
}
