//! Following a file to which another program adds rows and pages.

use super::header::Header;
use super::page::Page;
use super::read::{Open, Reader};
use super::table::is_end;
use super::types::Mode;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::Stream;
use std::io::{Read, Seek, SeekFrom};

/// Reads what is new in a binary file that grows: of loggers, whose last page has a row count that is too large until
/// they close the file, and of programs that add whole pages.
///
/// Only whole rows are handed out, each once. The page that is growing is read again from its start each time.
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
}

/// The page that is being written.
#[derive(Clone, Copy, Debug)]
struct OpenPage {
    index: usize,
    offset: u64,
    /// Rows that were handed out.
    rows: u64,
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
    /// use binfmt::formats::sdds::{Follower, Open};
    /// let file = std::io::Cursor::new(b"SDDS1\n&data mode=ascii &end\n");
    /// let e = Follower::new(file, Open::new()).unwrap_err();
    /// assert_eq!(e.to_string(), "at byte 0x1c: only binary files can be followed");
    /// ```
    ///
    /// # Errors
    /// The file does not begin with a header, or is an ascii file, in which nothing tells a whole number from a part.
    pub fn new(mut file: F, open: Open<'_>) -> Result<Self> {
        file.rewind().map_err(|e| Error::new(ErrorKind::Io(e), 0))?;
        let reader = open.reader(&mut file)?;
        let offset = reader.offset();
        if reader.file_header().mode == Mode::Ascii {
            return Err(Error::message("only binary files can be followed", offset));
        }
        let header = reader.file_header().clone();
        Ok(Follower { file, header, open: OpenPage { index: 0, offset, rows: 0 } })
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
        let OpenPage { index, offset, rows } = self.open;
        let failed = |e| Error::new(ErrorKind::Io(e), offset);
        if self.file.seek(SeekFrom::End(0)).map_err(failed)? < offset {
            return Err(Error::message("the file has become shorter", offset));
        }
        self.file.seek(SeekFrom::Start(offset)).map_err(failed)?;
        let mut reader = Reader::behind(Stream::new(&mut self.file), &self.header).rows(rows..u64::MAX);
        let (page, is_whole) = match reader.next_page() {
            Ok(None) => return Ok(None),
            Ok(Some(page)) => (page, !reader.is_cut()),
            Err(e) if is_end(e.error()) => match e.recover() {
                Some(page) => (page, false),
                None => return Ok(None),
            },
            Err(e) => return Err(e.into_error()),
        };
        if !is_whole && page.rows() == 0 {
            return Ok(None);
        }
        let size = reader.offset();
        self.open = match is_whole {
            true => OpenPage { index: index.saturating_add(1), offset: offset.saturating_add(size), rows: 0 },
            false => OpenPage { rows: rows.saturating_add(page.rows()), ..self.open },
        };
        Ok(Some(News { page: index, first_row: rows, is_whole, content: page }))
    }
}
