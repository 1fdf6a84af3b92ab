//! Rows of large binary pages, a range at a time: values of one size are found without what is before them.

use crate::error::{Error, Result};
use crate::format::Job;
use binfmt::Options;
use binfmt::formats::sdds::{Compression, Header, Mode, Page, RowCount};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// Smaller files are read page by page.
const LARGE: u64 = 4 << 20;
/// Bytes of the rows that are held at a time, where a row is not larger.
const BATCH: u64 = 1 << 20;

/// A large file whose rows all have one size.
pub(super) struct Ranges {
    file: File,
    /// The columns and nothing else.
    header: Header,
    /// The bytes of each column's values.
    sizes: Vec<u64>,
    stride: u64,
}

impl Ranges {
    /// `None` of a file that is small, compressed, no file, ascii, or has strings in its columns.
    pub(super) fn of(job: &Job<'_>, header: &Header, compression: Compression) -> Result<Option<Self>> {
        let is_large = job.input.len().is_some_and(|len| len >= LARGE);
        let plain =
            header.mode == Mode::Binary && !header.fixed_row_count && compression == Compression::None;
        let sizes: Option<Vec<u64>> =
            header.columns.iter().map(|c| c.data_type.size().map(|n| n as u64)).collect();
        let Some(sizes) = sizes.filter(|sizes| is_large && plain && !sizes.is_empty()) else {
            return Ok(None);
        };
        let file = File::open(job.input.path()).map_err(Error::input)?;
        let stride = sizes.iter().sum();
        let mut header = header.clone();
        header.parameters.clear();
        header.arrays.clear();
        Ok(Some(Ranges { file, header, sizes, stride }))
    }

    /// How many rows are read at a time.
    pub(super) fn rows_at_once(&self) -> u64 {
        (BATCH / self.stride.max(1)).max(1)
    }

    /// Rows `from..from + n` of a page with that many rows that ends at the byte `end`.
    pub(super) fn read(&mut self, end: u64, rows: u64, from: u64, n: u64) -> Result<Page> {
        // the page was stepped over: its rows are before its end
        let table = end - rows * self.stride;
        let options = Options::new().endian(self.header.byte_order());
        let count = RowCount::of(n).ok_or_else(|| Error::data("too many rows"))?;
        let mut bytes = binfmt::to_vec_with(&count, &options).map_err(Error::data)?;
        if self.header.column_major {
            let mut column = table;
            for size in self.sizes.clone() {
                self.append(column + from * size, n * size, &mut bytes)?;
                column += rows * size;
            }
        } else {
            self.append(table + from * self.stride, n * self.stride, &mut bytes)?;
        }
        binfmt::from_slice_with(&bytes, &options.ctx(&self.header)).map_err(Error::data)
    }

    fn append(&mut self, at: u64, n: u64, bytes: &mut Vec<u8>) -> Result<()> {
        self.file.seek(SeekFrom::Start(at)).map_err(Error::input)?;
        let read = (&mut self.file).take(n).read_to_end(bytes).map_err(Error::input)?;
        if read as u64 == n { Ok(()) } else { Err(Error::data("the file has become shorter")) }
    }
}
