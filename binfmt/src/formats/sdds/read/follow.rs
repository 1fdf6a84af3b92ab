//! Following a file to which another program adds rows and pages.

use super::pages;
use super::reader::Options;
use crate::codec::Decode;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::formats::sdds::layout::definition::Header;
use crate::formats::sdds::layout::page::{Head, Page, RowCount};
use crate::formats::sdds::layout::table::{self, Chosen, RowPlan, Table, is_end};
use crate::formats::sdds::layout::types::Mode;
use crate::formats::sdds::pack::Compression;
use crate::formats::sdds::text::ascii;
use crate::wire::stream::Steady;
use crate::wire::{Be, Cursor, Endian, Le, Order, Source, Stream};
use alloc::vec::Vec;
use std::io::{Read, Seek, SeekFrom, Take};

/// The most bytes of a number of rows.
const COUNT_BYTES: u64 = 12;

/// Reads what is new in a file that grows: of loggers, whose last page has a row count that is too large until they close
/// the file, and of programs that add whole pages.
///
/// Only whole rows are handed out, each once; in ascii, of whole lines. Of the page that is growing only what is new is read, and
/// its number of rows, which may have changed; but a column-major one, and an ascii one with `lines_per_row=0`, is read from its
/// start. Of an ascii file without row counts the last page is never known to be whole: the blank line after it is
/// written before the next one.
///
/// A compressed file cannot be followed: what was added to it is not to be had before the compressor has ended its block,
/// and then only by decompressing the file from scratch. Open it again instead, and [skip](crate::formats::sdds::Reader::skip_page) the pages that are
/// known.
///
/// ```
/// use binfmt::formats::sdds::{Elements, Follower, Options};
/// use std::io::Cursor;
/// let mut file = b"SDDS1\n!# little-endian fixed-rowcount\n&column name=x, type=short &end\n&data mode=binary &end\n\x09\0\0\0\x01\0\x02".to_vec();
/// let mut follower = Follower::new(Cursor::new(file.clone()), Options::new())?;
/// let news = follower.poll()?.unwrap();
/// assert_eq!((news.page, news.first_row, news.is_whole), (0, 0, false));
/// assert_eq!(news.content.columns(), [Elements::from(vec![1i16])]);
/// assert!(follower.poll()?.is_none());
/// // the other half of the row, and one more
/// file.extend(*b"\0\x03\0");
/// follower.get_mut().get_mut().clone_from(&file);
/// let news = follower.poll()?.unwrap();
/// assert_eq!((news.first_row, news.content.columns()), (1, &[Elements::from(vec![2i16, 3])][..]));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Debug)]
pub struct Follower<F> {
    file: F,
    header: Header,
    open: OpenPage,
    /// Where the text is before the page.
    before: ascii::TextPlace,
    /// How binary rows are read.
    plan: RowPlan,
    /// The rows of the pages before, if they are bare.
    bare_rows: u64,
}

/// The page that is being written.
#[derive(Clone, Debug)]
struct OpenPage {
    index: usize,
    offset: u64,
    /// Rows that were handed out.
    rows: u64,
    /// Where the text stands: before the page, or of the next row once the page has begun.
    text: ascii::TextPlace,
    begun: Option<Begun>,
}

/// A page of which everything before the rows is known.
#[derive(Clone, Debug)]
struct Begun {
    head: Head,
    /// Where the first row begins, and the next.
    table_at: u64,
    row_at: u64,
}

/// What a [`Follower`] has found.
///
/// ```
/// use binfmt::formats::sdds::{Follower, Options};
/// let file = b"SDDS1\n!# little-endian\n&column name=x, type=short &end\n&data mode=binary &end\n\x01\0\0\0\x07\0";
/// let news = Follower::new(std::io::Cursor::new(file), Options::new())?.poll()?.unwrap();
/// assert!(news.is_whole);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct News {
    /// The page, from 0.
    pub page: usize,
    /// The row of that page that comes first in `content`.
    pub first_row: u64,
    /// Whether the page has all the rows that it says, so that the next news are of another page.
    pub is_whole: bool,
    /// Parameters and arrays of the page, and its new rows.
    pub content: Page,
}

impl<F: Read + Seek> Follower<F> {
    /// Reads the header; [`poll`](Self::poll) reads the rest.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Elements, Follower, Options};
    /// use std::io::Cursor;
    /// let mut file = b"SDDS1\n&column name=x, type=short &end\n&data mode=ascii &end\n3\n1\n2".to_vec();
    /// let mut follower = Follower::new(Cursor::new(file.clone()), Options::new())?;
    /// // the second number may have more digits to come
    /// assert_eq!(follower.poll()?.unwrap().content.columns(), [Elements::from(vec![1i16])]);
    /// file.extend(*b"5\n");
    /// follower.get_mut().get_mut().clone_from(&file);
    /// assert_eq!(follower.poll()?.unwrap().content.columns(), [Elements::from(vec![25i16])]);
    /// let e = Follower::new(Cursor::new(b"\x1f\x8b"), Options::new()).unwrap_err();
    /// assert!(e.to_string().contains("a compressed file cannot be followed"));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The file does not begin with a header, or it is compressed.
    pub fn new(mut file: F, open: Options<'_>) -> Result<Self> {
        let mut start = Vec::new();
        file.rewind()?;
        Steady::new(&mut file).take(16).read_to_end(&mut start)?;
        if Compression::of(&start) != Compression::None {
            let text = "a compressed file cannot be followed: what is added to it cannot be read before a block of it ends; \
                open it again and skip the pages that are known";
            return Err(Error::other(text));
        }
        file.rewind()?;
        let reader = open.reader(&mut file)?;
        let offset = reader.offset();
        let header = reader.file_header().clone();
        let text = ascii::TextPlace::default();
        Ok(Follower {
            file,
            open: OpenPage { index: 0, offset, rows: 0, text, begun: None },
            before: text,
            bare_rows: 0,
            plan: RowPlan::new(&header)?,
            header,
        })
    }

    /// The header.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Follower, Options};
    /// let file = std::io::Cursor::new(b"SDDS1\n&data mode=binary &end\n");
    /// assert!(Follower::new(file, Options::new())?.header().columns.is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The file.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Follower, Options};
    /// let file = std::io::Cursor::new(b"SDDS1\n&data mode=binary &end\n");
    /// assert_eq!(Follower::new(file, Options::new())?.get_mut().get_ref().len(), 29);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn get_mut(&mut self) -> &mut F {
        &mut self.file
    }

    /// What has been added since the last call; `None` when no whole row or page has.
    ///
    /// A column-major page is handed out when it is whole. A page that is whole and has rows that were handed out before
    /// comes with the new ones only, of which there may be none.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Follower, Options};
    /// let file = std::io::Cursor::new(b"SDDS1\n&data mode=binary &end\n\0\0\0\0");
    /// let mut follower = Follower::new(file, Options::new())?;
    /// assert!(follower.poll()?.is_some());
    /// assert!(follower.poll()?.is_none());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The file fails, or what was added is damaged. The next call begins at the same place.
    pub fn poll(&mut self) -> Result<Option<News>> {
        let offset = self.open.offset;
        let size = self.file.seek(SeekFrom::End(0)).map_err(|e| Error::new(ErrorKind::Io(e), offset))?;
        if size < offset {
            return Err(Error::message("the file has become shorter", offset));
        }
        let news = match (self.header.mode, self.header.byte_order()) {
            (Mode::Ascii, _) => self.text(size),
            (Mode::Binary, Endian::Little) => self.binary::<Le>(size),
            (Mode::Binary, Endian::Big) => self.binary::<Be>(size),
        };
        let page = self.open.index;
        news.map_err(|e| e.within(Step::Index(page)).within(Step::Field("pages")))
    }

    /// The bytes from one place of the file to another.
    fn part(&mut self, from: u64, to: u64) -> Result<Stream<Take<&mut F>>> {
        self.file.seek(SeekFrom::Start(from)).map_err(|e| Error::new(ErrorKind::Io(e), from))?;
        // what was there may be gone
        let part = self.file.by_ref().take(to.saturating_sub(from));
        Ok(Stream::new(part).starting_at(from))
    }

    fn binary<O: Order>(&mut self, size: u64) -> Result<Option<News>> {
        let OpenPage { index, offset, rows, ref begun, .. } = self.open;
        let (mut head, table_at, row_at) = match begun.clone() {
            Some(Begun { mut head, table_at, row_at }) => {
                let longest = size.min(offset + COUNT_BYTES);
                head.rows = RowCount::decode::<O, _>(&mut self.part(offset, longest)?, ())?;
                (head, table_at, row_at)
            }
            None => {
                let header = self.header.clone();
                let mut src = self.part(offset, size)?;
                match pages::begin::<O>(&mut src.erase(), &header, index) {
                    Ok(Some(head)) => (head, src.pos(), src.pos()),
                    Ok(None) => return Ok(None),
                    Err(e) if is_end(&e) => return Ok(None),
                    Err(e) => return Err(e),
                }
            }
        };
        let bare_rows = pages::bare_rows(&self.header, self.bare_rows, head.rows.get(), offset)?;
        self.open.begun = Some(Begun { head: head.clone(), table_at, row_at });
        let left = head.rows.get().saturating_sub(rows);
        // what cannot be whole is not looked at, and of rows of one size only those that are
        let (row_size, fixed) = table::row_size(&self.header);
        let there = size.saturating_sub(row_at).checked_div(row_size).unwrap_or(u64::MAX);
        if self.header.column_major && there < left {
            return Ok(None);
        }
        let wanted = if fixed { left.min(there) } else { left };
        let header = self.header.clone();
        let mut plan = self.plan.clone();
        let mut src = self.part(row_at, size)?;
        let (table, read) = plan.read::<O>(&mut src.erase(), wanted, &Chosen::ALL);
        let is_whole = match read {
            Ok(()) => wanted == left,
            Err(e) if is_end(&e) => false,
            Err(e) => {
                let before = usize::try_from(rows).unwrap_or(usize::MAX);
                return Err(e.moved(0, before).within(Step::Field("table")));
            }
        };
        let next = row_at + if header.columns.is_empty() { 0 } else { table.encoded_size() };
        head.rows = RowCount::checked(table.rows).map_err(|kind| Error::new(kind, row_at))?;
        let text = self.open.text;
        if is_whole {
            self.bare_rows = bare_rows;
        }
        Ok(self.found(Page { head, table }, is_whole, (next, text)))
    }

    fn text(&mut self, size: u64) -> Result<Option<News>> {
        let OpenPage { index, offset, rows, text, ref begun } = self.open;
        let known = begun.clone().filter(|_| self.header.lines_per_row != 0);
        let from = known.as_ref().map_or(offset, |begun| begun.row_at);
        let end =
            last_line_end(&mut self.file, from, size).map_err(|e| Error::new(ErrorKind::Io(e), from))?;
        if known.is_none() && end == offset && (index > 0 || has_text(&self.header)) {
            return Ok(None);
        }
        let header = self.header.clone();
        let (mut place, mut head, stated, first) = match known {
            Some(Begun { head, table_at, .. }) => {
                let stated = match header.no_row_counts {
                    true => None,
                    false => {
                        ascii::count_again(&mut self.part(ascii::count_at(&text), table_at)?.erase(), text)?
                    }
                };
                (text, head, stated, rows)
            }
            None => {
                let mut place = if begun.is_some() { self.before } else { text };
                self.before = place;
                match ascii::begin_page(&mut self.part(offset, end)?.erase(), &header, (&mut place, None)) {
                    Ok(Some((head, stated))) => (place, head, stated, 0),
                    Ok(None) => return Ok(None),
                    Err(_) if place.cut => return Ok(None),
                    Err(e) => return Err(e),
                }
            }
        };
        let row_at = ascii::row_at(&place);
        let table_at = self.open.begun.as_ref().map_or(row_at, |begun| begun.table_at);
        self.open.begun = Some(Begun { head: head.clone(), table_at, row_at });
        self.open.text = place;
        let mut table = Table::empty(&header, &Chosen::ALL);
        let mut src = self.part(row_at, end)?;
        let is_whole = ascii::more_rows(&mut src.erase(), &header, &mut place, (first, stated), &mut table)?;
        let next = if is_whole { src.pos() } else { ascii::row_at(&place) };
        if first < rows {
            table.drop_front(rows - first);
        }
        head.rows = RowCount::checked(table.rows).map_err(|kind| Error::new(kind, row_at))?;
        Ok(self.found(Page { head, table }, is_whole, (next, place)))
    }

    /// Hands out what was found, and notes where to go on.
    fn found(
        &mut self,
        content: Page,
        is_whole: bool,
        (next, text): (u64, ascii::TextPlace),
    ) -> Option<News> {
        if !is_whole && content.rows() == 0 {
            return None;
        }
        let OpenPage { index, rows, .. } = self.open;
        if is_whole {
            self.open = OpenPage { index: index + 1, offset: next, rows: 0, text, begun: None };
        } else {
            self.open.rows = rows + content.rows();
            self.open.text = text;
            if let Some(begun) = &mut self.open.begun {
                begun.row_at = next;
            }
        }
        Some(News { page: index, first_row: rows, is_whole, content })
    }
}

/// Whether there is something of a page to be read: else there is one page, without a text.
fn has_text(header: &Header) -> bool {
    header.stored_parameters().next().is_some() || !header.arrays.is_empty() || !header.columns.is_empty()
}

/// Where the last whole line ends; `from` if none follows it.
fn last_line_end<F: Read + Seek>(file: &mut F, from: u64, size: u64) -> std::io::Result<u64> {
    const BLOCK: u64 = 4096;
    let mut block = Vec::new();
    let mut end = size;
    while end > from {
        let start = end.saturating_sub(BLOCK).max(from);
        file.seek(SeekFrom::Start(start))?;
        block.clear();
        Steady::new(&mut *file).take(end - start).read_to_end(&mut block)?;
        if let Some(at) = block.iter().rposition(|b| *b == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(from)
}
