//! A page in blocks of rows, for pages that are larger than memory.

use super::open_page::{PageFront, PageStart};
use super::reader::{Reader, StreamReader};
#[cfg(feature = "table")]
use crate::columns::{Finder, FoundRows};
use crate::error::Result;
use crate::formats::sdds::error::PageError;
use crate::formats::sdds::layout::page::Page;
use crate::formats::sdds::pack::Unpacked;
use crate::wire::options::{Limits, Policy};
use crate::wire::{Source, Stream};
use std::io::{Read, Seek};
use std::sync::Arc;

impl<'de, S: Source<'de>> Reader<'de, S> {
    /// Begins the next page, whose rows then come in [blocks](Self::next_rows); `None` after the last one. What is left of the page before
    /// is stepped over.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Elements, Options};
    /// let file = b"SDDS1\n&column name=x, type=short &end\n&data mode=ascii &end\n3\n5\n6\n7\n";
    /// let mut reader = Options::new().slice(file)?;
    /// while let Some(start) = reader.begin_page()? {
    ///     assert_eq!(start.rows, 3);
    ///     assert_eq!(reader.next_rows(2)?.unwrap().columns(), [Elements::from(vec![5i16, 6])]);
    ///     assert_eq!(reader.next_rows(2)?.unwrap().columns(), [Elements::from(vec![7i16])]);
    ///     assert!(reader.next_rows(2)?.is_none());
    /// }
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// What is before the rows is damaged or cut off, or the rest of the page before it.
    pub fn begin_page(&mut self) -> Result<Option<PageStart>, PageError> {
        self.pages.begin(&mut self.src.erase())
    }

    /// Where the page begins that was [begun](Self::begin_page) last.
    ///
    /// ```
    /// let file = b"SDDS1\n&column name=x, type=short &end\n&data mode=ascii &end\n1\n7\n";
    /// let mut reader = binfmt::formats::sdds::Options::new().slice(file)?;
    /// let header = reader.offset();
    /// reader.begin_page()?;
    /// assert_eq!(reader.page_offset(), header);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn page_offset(&self) -> u64 {
        self.pages.front.offset
    }

    /// A reader of the page that was [begun](Self::begin_page) last, and of those after it, from bytes that begin
    /// [there](Self::page_offset): to read its columns one after the other. All columns and rows are wanted.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Elements, Options};
    /// let file = b"SDDS1\n&column name=x, type=short &end\n&column name=y, type=short &end\n&data mode=ascii &end\n1\n7 8\n";
    /// let mut reader = Options::new().slice(file)?;
    /// reader.begin_page()?;
    /// let mut again = reader.again(&file[reader.page_offset() as usize..]).columns(&["y"])?;
    /// assert_eq!(again.next_page()?.unwrap().columns(), [Elements::from(vec![8i16])]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn again<R: Read>(&self, bytes: R) -> StreamReader<R> {
        let stream =
            Stream::with(bytes, Limits::DEFAULT, Policy::STRICT, false).starting_at(self.pages.front.offset);
        let mut again = Reader::after_header(stream, Arc::clone(&self.pages.file));
        again.pages.limits = self.pages.limits;
        again.pages.place.pages = self.pages.front.page;
        again.pages.place.text = self.pages.front.text;
        again.pages.place.bare_rows = self.pages.front.bare_rows;
        again
    }

    /// The next rows of the page that was [begun](Self::begin_page), at most so many, as a page without parameters and arrays; `None` after
    /// the last. A page whose columns come one after the other, and one of an ascii file that does not count the lines of a row, is one block.
    ///
    /// # Errors
    /// A row is damaged or cut off. The whole rows before it have come as a block. In a file with `fixed_row_count` a cut of the rows is not an
    /// error, but the end of the last page.
    pub fn next_rows(&mut self, most: usize) -> Result<Option<Page>, PageError> {
        self.next_rows_within(most, u64::MAX)
    }

    /// The same, where a block of binary rows also ends when it has taken about so many bytes of the file: rows with long strings make short
    /// blocks. A block has at least one row.
    ///
    /// ```
    /// use binfmt::formats::sdds::Options;
    /// let head = b"SDDS1\n!# little-endian\n&column name=s, type=string &end\n&data mode=binary &end\n";
    /// let mut file = [&head[..], &3u32.to_le_bytes()].concat();
    /// for _ in 0..3 {
    ///     file.extend(100_000u32.to_le_bytes());
    ///     file.extend([b'x'; 100_000]);
    /// }
    /// let mut reader = Options::new().slice(&file)?;
    /// reader.begin_page()?;
    /// assert_eq!(reader.next_rows_within(100, 150_000)?.unwrap().rows(), 2);
    /// assert_eq!(reader.next_rows_within(100, 150_000)?.unwrap().rows(), 1);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`next_rows`](Self::next_rows).
    pub fn next_rows_within(&mut self, most: usize, bytes: u64) -> Result<Option<Page>, PageError> {
        self.pages.rows_within(&mut self.src.erase(), most, bytes)
    }
}

#[cfg(feature = "table")]
impl<R: Read> StreamReader<R> {
    /// What [`next_rows_within`](Self::next_rows_within) would decode, as far as it can be found by lengths alone; else `None`, as at the end
    /// of the page.
    pub(crate) fn next_found(
        &mut self,
        finder: &mut Finder,
        most: (usize, u64),
    ) -> Result<Option<FoundRows>, PageError> {
        self.pages.next_found(&mut self.src.erase(), finder, most)
    }

    /// Adds the bytes of all rows of the page that was begun to those of others, if there are no more rows and bytes and all are wanted: how
    /// many. The next page comes then.
    pub(crate) fn gather(
        &mut self,
        finder: &Finder,
        most: (usize, usize),
        into: &mut Vec<u8>,
    ) -> Result<Option<usize>> {
        self.pages.gather(&mut self.src.erase(), finder, most, into)
    }

    /// Rows of several pages that were gathered.
    pub(crate) fn gathered(&mut self, finder: &Finder, bytes: Vec<u8>, count: usize) -> Result<FoundRows> {
        self.pages.gathered(finder, bytes, count)
    }
}

impl<R: Read + Seek> StreamReader<Unpacked<R>> {
    /// Goes to a page whose [front](Self::page_front) this reader, or another of the same file, has told: it comes next. Whether that can
    /// be: a compressed file is not sought, and neither is a pipe. The file is to begin where the reader `R` does.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Options, Value};
    /// let file = b"SDDS1\n&parameter name=n, type=long &end\n&data mode=ascii &end\n1\n2\n3\n";
    /// let mut reader = Options::new().seekable(std::io::Cursor::new(file))?;
    /// reader.skip_page()?;
    /// let second = reader.page_front();
    /// while reader.skip_page()? {}
    /// assert!(reader.go_to(&second)?);
    /// assert_eq!(reader.next_page()?.unwrap().parameters(), [Value::from(2i32)]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn go_to(&mut self, page: &PageFront) -> Result<bool> {
        if !self.src.inner().go_to(page.offset)? {
            return Ok(false);
        }
        self.src.moved_to(page.offset);
        (self.pages.place.pages, self.pages.place.text) = (page.page, page.text);
        (self.pages.place.ended, self.pages.place.stated, self.pages.place.bare_rows) =
            (false, None, page.bare_rows);
        (self.pages.open, self.pages.front) = (None, *page);
        Ok(true)
    }
}
