//! A page in blocks of rows, for pages that are larger than memory.

use super::open_page::{OpenPage, OpenRows, PageFront, PageStart};
use super::reader::{Reader, StreamReader};
use crate::columns::RowReader;
#[cfg(feature = "table")]
use crate::columns::{Finder, FoundRows};
use crate::error::{Error, Result, Step};
use crate::formats::sdds::error::{Failed, PageError};
use crate::formats::sdds::layout::definition::Header;
use crate::formats::sdds::layout::page::{Head, Page};
use crate::formats::sdds::layout::table::{Table, elements, is_end};
use crate::formats::sdds::layout::types::Mode;
use crate::formats::sdds::pack::Unpacked;
use crate::formats::sdds::text::ascii;
use crate::wire::amount::{after, plus};
use crate::wire::options::{Limits, Policy};
use crate::wire::{Be, Cursor, Endian, Le, Source, Stream};
use alloc::boxed::Box;
use core::ops::Range;
use std::io::{Read, Seek};
use std::sync::Arc;

/// Whether the rows of pages are one after the other.
fn come_in_blocks(header: &Header) -> bool {
    let of_mode = match header.mode {
        Mode::Binary => !header.column_major,
        // where a row may begin in the line of the one before, lines are no rows
        Mode::Ascii => header.lines_per_row != 0 && !(header.no_row_counts && header.fixed_row_count),
    };
    of_mode && !header.columns.is_empty()
}

impl<S> Reader<'_, S> {
    /// Counts the words from here on that are not the values that are read of them.
    pub(crate) fn watch(&mut self) {
        self.place.partly = Some(Default::default());
    }

    /// Those that were counted.
    pub(crate) fn partly(&mut self) -> &mut Option<ascii::Partly> {
        &mut self.place.partly
    }
}

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
        self.rest_of_page()?;
        self.front = self.page_front();
        if !come_in_blocks(&self.file) {
            let Some(Page { head, table }) = self.next_page()? else { return Ok(None) };
            let (rows, content) = (table.rows, self.empty_page(head));
            self.open =
                Some(OpenPage { stated: rows, row: 0, rows: OpenRows::Whole(Some(table)), error: None });
            return Ok(Some(PageStart { rows, content }));
        }
        if self.place.ended {
            return Ok(None);
        }
        self.src.budget_mut().0.renew(self.limits);
        let begun = match self.file.mode {
            Mode::Ascii => {
                self.place.text.stated = None;
                let place = (&mut self.place.text, self.place.partly.as_mut());
                ascii::begin_page(&mut self.src.erase(), &self.file, place)
                    .map(|begun| begun.map(|(head, stated)| (head, stated.unwrap_or(u64::MAX))))
            }
            Mode::Binary => {
                let (src, header, place) = (&mut self.src, &self.file, &mut self.place);
                let head = match header.byte_order() {
                    Endian::Little => place.begin::<Le>(&mut src.erase(), header),
                    Endian::Big => place.begin::<Be>(&mut src.erase(), header),
                };
                head.map(|head| {
                    head.map(|head| {
                        let stated = head.rows.get();
                        (head, stated)
                    })
                })
            }
        };
        let begun = begun.and_then(|begun| match begun {
            Some((head, stated)) => Ok(Some((head, stated, self.open_rows()?))),
            None => Ok(None),
        });
        let Some((head, stated, rows)) = begun.map_err(|e| self.ended_by(e, None))? else {
            self.place.ended = true;
            return Ok(None);
        };
        self.open = Some(OpenPage { stated, row: 0, rows, error: None });
        Ok(Some(PageStart { rows: stated, content: self.empty_page(head) }))
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
        self.front.offset
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
            Stream::with(bytes, Limits::DEFAULT, Policy::STRICT, false).starting_at(self.front.offset);
        let mut again = Reader::after_header(stream, Arc::clone(&self.file));
        again.limits = self.limits;
        again.place.pages = self.front.page;
        again.place.text = self.front.text;
        again.place.bare_rows = self.front.bare_rows;
        again
    }

    fn open_rows(&mut self) -> Result<OpenRows> {
        if self.file.mode == Mode::Ascii {
            return Ok(OpenRows::Text);
        }
        match self.idle.take() {
            Some(rows) => Ok(OpenRows::Binary(rows)),
            None => Ok(OpenRows::Binary(Box::new(self.row_reader()?))),
        }
    }

    fn row_reader(&mut self) -> Result<RowReader> {
        let rows = self.place.plan(&self.file, &self.chosen)?.rows(self.file.byte_order());
        rows.ok_or_else(|| Error::other("a page without rows"))
    }

    fn empty_page(&self, head: Head) -> Page {
        Page { head, table: Table::empty(&self.file, &self.chosen) }
    }

    /// An error in the rows of the page that is open, or before them, and the whole rows in front of it.
    fn ended_by(&mut self, e: Error, table: Option<Table>) -> PageError {
        self.place.ended = true;
        let e = e.within(Step::Index(self.place.pages)).within(Step::Field("pages"));
        PageError(Box::new(Failed { error: e, page: table.map(Page::of_rows) }))
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
        let Some(mut open) = self.open.take() else { return Ok(None) };
        if let Some(e) = open.error.take() {
            return Err(e);
        }
        self.src.budget_mut().0.renew(self.limits);
        let found = match &mut open.rows {
            OpenRows::Whole(table) => {
                return Ok(table.take().filter(|table| table.rows > 0).map(Page::of_rows));
            }
            OpenRows::Binary(_) | OpenRows::Text => self.block(&mut open, most.max(1) as u64, bytes),
        };
        let (table, is_over) = match found {
            Ok(table) => (table, open.row >= open.stated || self.is_over()),
            Err((table, e)) => {
                let may_end = self.file.fixed_row_count
                    && match open.rows {
                        OpenRows::Text => ascii::is_of_the_text(&e),
                        _ => is_end(&e),
                    };
                if may_end {
                    self.place.stated = Some(open.stated);
                    self.place.ended = true;
                } else {
                    open.error = Some(self.ended_by(e.within(Step::Field("table")), None));
                }
                (table, may_end)
            }
        };
        if is_over {
            self.place.pages = plus(self.place.pages, 1);
        } else if table.rows > 0 {
            self.open = Some(open);
        } else if let Some(e) = open.error {
            return Err(e);
        } else {
            // rows that nobody wants
            self.open = Some(open);
            return self.next_rows_within(most, bytes);
        }
        Ok(Some(Page::of_rows(table)).filter(|page| page.rows() > 0))
    }

    /// Whether a page that does not count its rows has ended.
    fn is_over(&self) -> bool {
        self.file.mode == Mode::Ascii && self.file.no_row_counts && ascii::is_over(&self.place.text)
    }

    /// The wanted rows among those that come next, of about so many bytes.
    fn block(&mut self, open: &mut OpenPage, most: u64, bytes: u64) -> Result<Table, (Table, Error)> {
        let OpenPage { stated, row, rows, .. } = open;
        // the wanted ones, or those that nobody wants
        let wanted = self.chosen.rows.contains(row);
        let n = self.chosen.alike(*row).min(*stated - *row).min(if wanted { most } else { u64::MAX });
        let part = *row..after(*row, n);
        let empty = |me: &Self| Table::empty(&me.file, &me.chosen);
        let mut table = empty(self);
        match rows {
            OpenRows::Binary(reader) => {
                let n = usize::try_from(n).unwrap_or(usize::MAX);
                if !wanted || table.columns.is_empty() {
                    *row = part.end;
                    reader.skip(&mut self.src.erase(), n).map_err(|e| (empty(self), e))?;
                    table.rows = if wanted { n as u64 } else { 0 };
                    return Ok(table);
                }
                let read = reader.read_within(&mut self.src.erase(), n, bytes);
                let columns = reader.take().into_columns().into_iter().map(|(_, column)| column);
                let all = elements(columns, self.file.byte_order());
                table.columns = all.map_err(|e| (empty(self), e))?;
                table.rows = table.columns.first().map_or(0, |column| column.len() as u64);
                *row = after(*row, table.rows);
                match read {
                    Ok(()) => Ok(table),
                    Err(e) => Err((table, e)),
                }
            }
            OpenRows::Text => self.text_block(part, *stated, row, table),
            OpenRows::Whole(_) => Ok(table),
        }
    }

    fn text_block(
        &mut self,
        part: Range<u64>,
        stated: u64,
        row: &mut u64,
        mut table: Table,
    ) -> Result<Table, (Table, Error)> {
        *row = part.end;
        let (src, text) = (&mut self.src, &mut self.place.text);
        let stated = (!self.file.no_row_counts).then_some(stated);
        let place = (&mut *text, self.place.partly.as_mut());
        let read =
            ascii::rows_at(&mut src.erase(), &self.file, place, &self.chosen, (part, stated), &mut table);
        text.stated = None;
        match read {
            Ok(_) => Ok(table),
            Err(e) => Err((table, e)),
        }
    }

    /// Steps over the rows that are left of the page that was begun.
    pub(super) fn rest_of_page(&mut self) -> Result<(), PageError> {
        if self.open.is_none() {
            return Ok(());
        }
        let rows = core::mem::replace(&mut self.chosen.rows, 0..0);
        let mut done = Ok(Some(()));
        while let Ok(Some(())) = done {
            done = self.next_rows(usize::MAX).map(|page| page.map(|_| ()));
        }
        self.chosen.rows = rows;
        done.map(|_| ())
    }
}

#[cfg(feature = "table")]
impl<R: Read> StreamReader<R> {
    /// What [`next_rows_within`](Self::next_rows_within) would decode, as far as it can be found by lengths alone; else `None`, as at the end
    /// of the page.
    pub(crate) fn next_found(
        &mut self,
        finder: &mut Finder,
        (most, bytes): (usize, u64),
    ) -> Result<Option<FoundRows>, PageError> {
        let Some(OpenPage { stated, row, rows: OpenRows::Binary(rows), error: None }) = &mut self.open else {
            return Ok(None);
        };
        let left = self.chosen.alike(*row).min(*stated - *row);
        let most = most.min(usize::try_from(left).unwrap_or(usize::MAX));
        if most == 0 || !self.chosen.rows.contains(row) || !self.chosen.keeps_any(self.file.columns.len()) {
            return Ok(None);
        }
        self.src.budget_mut().0.renew(self.limits);
        let found = finder.next((&mut self.src, self.limits), rows, (most, bytes));
        let is_over = match &found {
            Ok(Some(found)) => {
                *row = after(*row, found.num_rows());
                row == stated
            }
            _ => false,
        };
        if is_over {
            self.place.pages = plus(self.place.pages, 1);
            self.open = None;
        }
        found.map_err(|e| self.ended_by(e.within(Step::Field("table")), None))
    }

    /// Adds the bytes of all rows of the page that was begun to those of others, if there are no more rows and bytes and all are wanted: how
    /// many. The next page comes then.
    pub(crate) fn gather(
        &mut self,
        finder: &Finder,
        (rows, bytes): (usize, usize),
        into: &mut Vec<u8>,
    ) -> Result<Option<usize>> {
        let Some(OpenPage { stated, row: 0, rows: OpenRows::Binary(reader), error: None }) = &mut self.open
        else {
            return Ok(None);
        };
        let count = usize::try_from(*stated).unwrap_or(usize::MAX);
        let Range { start, end } = self.chosen.rows;
        let is_whole = start == 0 && end >= *stated && self.chosen.keeps_any(self.file.columns.len());
        if count > rows || !is_whole || !finder.gather(&mut self.src, reader, (count, bytes), into)? {
            return Ok(None);
        }
        self.place.pages = plus(self.place.pages, 1);
        if let Some(OpenPage { rows: OpenRows::Binary(rows), .. }) = self.open.take() {
            // which has read nothing
            self.idle = Some(rows);
        }
        Ok(Some(count))
    }

    /// Rows of several pages that were gathered.
    pub(crate) fn gathered(&mut self, finder: &Finder, bytes: Vec<u8>, count: usize) -> Result<FoundRows> {
        Ok(finder.gathered(bytes, count, self.row_reader()?, self.limits))
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
        (self.place.pages, self.place.text) = (page.page, page.text);
        (self.place.ended, self.place.stated, self.place.bare_rows) = (false, None, page.bare_rows);
        (self.open, self.front) = (None, *page);
        Ok(true)
    }
}
