//! A page whose rows are read in blocks: what is before them, and where it stands.

use crate::columns::RowReader;
use crate::formats::sdds::error::PageError;
use crate::formats::sdds::layout::page::{Head, Page};
use crate::formats::sdds::layout::table::Table;
use crate::formats::sdds::text::ascii;
use alloc::boxed::Box;

/// What is before the rows of a page.
///
/// ```
/// use binfmt::formats::sdds::Options;
/// let file = b"SDDS1\n&column name=x, type=short &end\n&data mode=ascii &end\n2\n7\n8\n";
/// let start = Options::new().slice(file)?.begin_page()?.unwrap();
/// assert_eq!((start.rows, start.content.rows()), (2, 0));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PageStart {
    /// How many rows the page says it has; of those only some may be wanted. `u64::MAX` where it [does not say it](Self::is_counted).
    pub rows: u64,
    /// Its parameters and arrays, and none of its rows.
    pub content: Page,
}

impl PageStart {
    /// Whether the number of rows is known: in an ascii file with `no_row_counts` it is when they were read.
    ///
    /// ```
    /// use binfmt::formats::sdds::Options;
    /// let file = b"SDDS1\n&column name=x, type=short &end\n&data mode=ascii, no_row_counts=1 &end\n7\n8\n";
    /// let mut reader = Options::new().slice(file)?;
    /// assert!(!reader.begin_page()?.unwrap().is_counted());
    /// assert_eq!(reader.next_rows(9)?.unwrap().rows(), 2);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn is_counted(&self) -> bool {
        self.rows != u64::MAX
    }

    /// The page with these rows.
    ///
    /// ```
    /// use binfmt::formats::sdds::Options;
    /// let file = b"SDDS1\n&column name=x, type=short &end\n&data mode=ascii &end\n2\n7\n8\n";
    /// let mut reader = Options::new().slice(file)?;
    /// let start = reader.begin_page()?.unwrap();
    /// let rows = reader.next_rows(10)?.unwrap();
    /// assert_eq!(start.with_rows(rows), Options::new().slice(file)?.next_page()?.unwrap());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn with_rows(self, rows: Page) -> Page {
        let Page { head, table } = rows;
        let rows = self.content.head.counted(table.rows).unwrap_or(head.rows);
        Page { head: Head { rows, ..self.content.head }, table }
    }
}

/// Where a page begins, for a reader that [goes there](super::Reader::go_to).
///
/// ```
/// let file = b"SDDS1\n&parameter name=n, type=long &end\n&data mode=ascii &end\n1\n2\n";
/// let mut reader = binfmt::formats::sdds::Options::new().slice(file)?;
/// reader.skip_page()?;
/// assert_eq!(reader.page_front().number(), 1);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct PageFront {
    pub(super) offset: u64,
    pub(super) page: usize,
    pub(super) text: ascii::TextPlace,
    /// The rows of the pages before it, if there are no columns.
    pub(super) bare_rows: u64,
}

impl PageFront {
    /// How many pages are before it.
    ///
    /// ```
    /// # let file = b"SDDS1\n&data mode=ascii &end\n";
    /// assert_eq!(binfmt::formats::sdds::Options::new().slice(file)?.page_front().number(), 0);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn number(&self) -> usize {
        self.page
    }
}

/// The page whose rows come in blocks.
#[derive(Debug)]
pub(super) struct OpenPage {
    pub(super) stated: u64,
    /// The row that comes next.
    pub(super) row: u64,
    pub(super) rows: OpenRows,
    /// What comes after the rows before it.
    pub(super) error: Option<PageError>,
}

#[derive(Debug)]
pub(super) enum OpenRows {
    Binary(Box<RowReader>),
    Text,
    /// All at once.
    Whole(Option<Table>),
}
