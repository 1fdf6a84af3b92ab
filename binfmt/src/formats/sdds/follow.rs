//! Following a file to which another program adds rows and pages.

use super::ascii;
use super::header::Header;
use super::pack::Compression;
use super::page::Page;
use super::read::{Open, Reader};
use super::table::is_end;
use super::types::Mode;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::Stream;
use alloc::vec::Vec;
use std::io::{Read, Seek, SeekFrom};

/// Reads what is new in a file that grows: of loggers, whose last page has a row count that is too large until they close
/// the file, and of programs that add whole pages.
///
/// Only whole rows are handed out, each once; in ascii, of whole lines. The page that is growing is read again from its start
/// each time. Of an ascii file without row counts the last page is never known to be whole: the blank line behind it is
/// written in front of the next one.
///
/// A compressed file cannot be followed: what was added to it is not to be had before the compressor has ended its block,
/// and then only by decompressing the file anew. Open it again instead, and [skip](Reader::skip_page) the pages that are
/// known.
///
/// ```
/// use binfmt::formats::sdds::{Elements, Follower, Open};
/// use std::io::Cursor;
/// let mut file = b"SDDS1\n!# little-endian fixed-rowcount\n&column name=x, type=short &end\n&data mode=binary &end\n\x09\0\0\0\x01\0\x02".to_vec();
/// let mut follower = Follower::new(Cursor::new(file.clone()), Open::new())?;
/// let news = follower.poll()?.unwrap();
/// assert_eq!((news.page, news.first_row, news.is_whole), (0, 0, false));
/// assert_eq!(news.content.columns(), [Elements::Short(vec![1])]);
/// assert!(follower.poll()?.is_none());
/// // the other half of the row, and one more
/// file.extend(*b"\0\x03\0");
/// follower.get_mut().get_mut().clone_from(&file);
/// let news = follower.poll()?.unwrap();
/// assert_eq!((news.first_row, news.content.columns()), (1, &[Elements::Short(vec![2, 3])][..]));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Debug)]
pub struct Follower<F> {
    file: F,
    header: Header,
    open: OpenPage,
    /// Up to where there was nothing new.
    seen: u64,
}

/// The page that is being written.
#[derive(Clone, Copy, Debug)]
struct OpenPage {
    index: usize,
    offset: u64,
    /// Rows that were handed out.
    rows: u64,
    /// Where the text stands in front of it.
    text: ascii::Place,
}

/// What a [`Follower`] has found.
///
/// ```
/// use binfmt::formats::sdds::{Follower, Open};
/// let file = b"SDDS1\n!# little-endian\n&column name=x, type=short &end\n&data mode=binary &end\n\x01\0\0\0\x07\0";
/// let news = Follower::new(std::io::Cursor::new(file), Open::new())?.poll()?.unwrap();
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
    /// use binfmt::formats::sdds::{Elements, Follower, Open};
    /// use std::io::Cursor;
    /// let mut file = b"SDDS1\n&column name=x, type=short &end\n&data mode=ascii &end\n3\n1\n2".to_vec();
    /// let mut follower = Follower::new(Cursor::new(file.clone()), Open::new())?;
    /// // the second number may have more digits to come
    /// assert_eq!(follower.poll()?.unwrap().content.columns(), [Elements::Short(vec![1])]);
    /// file.extend(*b"5\n");
    /// follower.get_mut().get_mut().clone_from(&file);
    /// assert_eq!(follower.poll()?.unwrap().content.columns(), [Elements::Short(vec![25])]);
    /// let e = Follower::new(Cursor::new(b"\x1f\x8b"), Open::new()).unwrap_err();
    /// assert!(e.to_string().contains("a compressed file cannot be followed"));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The file does not begin with a header, or it is compressed.
    pub fn new(mut file: F, open: Open<'_>) -> Result<Self> {
        let failed = |e| Error::new(ErrorKind::Io(e), 0);
        let mut start = Vec::new();
        file.rewind().map_err(failed)?;
        file.by_ref().take(16).read_to_end(&mut start).map_err(failed)?;
        if Compression::of(&start) != Compression::None {
            let text = "a compressed file cannot be followed: what is added to it cannot be read before a block of it ends; \
                open it again and skip the pages that are known";
            return Err(Error::message(text, 0));
        }
        file.rewind().map_err(failed)?;
        let reader = open.reader(&mut file)?;
        let offset = reader.offset();
        let header = reader.file_header().clone();
        let text = ascii::Place::default();
        Ok(Follower { file, header, open: OpenPage { index: 0, offset, rows: 0, text }, seen: 0 })
    }

    /// The header.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Follower, Open};
    /// let file = std::io::Cursor::new(b"SDDS1\n&data mode=binary &end\n");
    /// assert!(Follower::new(file, Open::new())?.header().columns.is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The file.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Follower, Open};
    /// let file = std::io::Cursor::new(b"SDDS1\n&data mode=binary &end\n");
    /// assert_eq!(Follower::new(file, Open::new())?.get_mut().get_ref().len(), 29);
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
    /// use binfmt::formats::sdds::{Follower, Open};
    /// let file = std::io::Cursor::new(b"SDDS1\n&data mode=binary &end\n\0\0\0\0");
    /// let mut follower = Follower::new(file, Open::new())?;
    /// assert!(follower.poll()?.is_some());
    /// assert!(follower.poll()?.is_none());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The file fails, or what was added is damaged. The next call begins at the same place.
    pub fn poll(&mut self) -> Result<Option<News>> {
        let OpenPage { index, offset, rows, text } = self.open;
        let failed = |e| Error::new(ErrorKind::Io(e), offset);
        let size = self.file.seek(SeekFrom::End(0)).map_err(failed)?;
        if size < offset {
            return Err(Error::message("the file has become shorter", offset));
        }
        let is_text = self.header.mode == Mode::Ascii;
        let end = if is_text { last_line_end(&mut self.file, offset, size).map_err(failed)? } else { size };
        if is_text && (end == self.seen || (end == offset && (index > 0 || has_text(&self.header)))) {
            return Ok(None);
        }
        self.file.seek(SeekFrom::Start(offset)).map_err(failed)?;
        let added = self.file.by_ref().take(end.saturating_sub(offset));
        let added = Stream::new(added).starting_at(offset);
        let mut reader = Reader::behind(added, &self.header).rows(rows..u64::MAX).at_page(index, text);
        let read = reader.next_page();
        let cut = reader.is_cut() || reader.text_place().cut;
        let (page, is_whole) = match read {
            Ok(None) => {
                self.seen = end;
                return Ok(None);
            }
            Ok(Some(page)) => (page, !cut),
            Err(e) if is_end(e.error()) || (is_text && cut) => match e.recover() {
                Some(page) => (page, false),
                None => {
                    self.seen = end;
                    return Ok(None);
                }
            },
            Err(e) => return Err(e.into_error()),
        };
        if !is_whole && page.rows() == 0 {
            self.seen = end;
            return Ok(None);
        }
        let (next, text) = (reader.offset(), reader.text_place());
        self.open = match is_whole {
            true => OpenPage { index: index.saturating_add(1), offset: next, rows: 0, text },
            false => OpenPage { rows: rows.saturating_add(page.rows()), ..self.open },
        };
        Ok(Some(News { page: index, first_row: rows, is_whole, content: page }))
    }
}

/// Whether there is something of a page to be read: else there is one page, without a text.
fn has_text(header: &Header) -> bool {
    header.stored_parameters().next().is_some() || !header.arrays.is_empty() || !header.columns.is_empty()
}

/// Where the last whole line ends; `from` if there is none behind it.
fn last_line_end<F: Read + Seek>(file: &mut F, from: u64, size: u64) -> std::io::Result<u64> {
    const BLOCK: u64 = 4096;
    let mut block = Vec::new();
    let mut end = size;
    while end > from {
        let start = end.saturating_sub(BLOCK).max(from);
        file.seek(SeekFrom::Start(start))?;
        block.clear();
        file.by_ref().take(end.saturating_sub(start)).read_to_end(&mut block)?;
        if let Some(at) = block.iter().rposition(|b| *b == b'\n') {
            return Ok(start.saturating_add(at as u64).saturating_add(1));
        }
        end = start;
    }
    Ok(from)
}
