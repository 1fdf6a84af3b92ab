//! One page after the other, from a source that stands behind the header.

use super::ascii;
use super::header::Header;
use super::page::{Head, Page};
use super::table::{Chosen, RowPlan, Table, is_end};
use super::types::Mode;
use crate::codec::Decode;
use crate::error::{Error, Result, Step};
use crate::wire::{Be, Endian, Kind, Label, Le, Order, Source};
use alloc::boxed::Box;
use core::fmt;

/// More rows than this, in a file that does not declare its byte order, mean that the order is the other one: the rule
/// of the official library.
const SUSPICIOUS: u64 = 10_000_000;

/// Where a reader stands.
#[derive(Debug, Default)]
pub(super) struct Place {
    pub(super) pages: usize,
    pub(super) text: ascii::Place,
    /// Whether nothing more can be read.
    ended: bool,
    /// How many rows the last page says it has, where it has fewer and may.
    pub(super) stated: Option<u64>,
    /// How binary pages are read, once there was one: of the columns that are chosen.
    plan: Option<RowPlan>,
}

/// A page that cannot be read, with what there is of it.
pub(super) struct Failed {
    pub(super) error: Error,
    pub(super) page: Option<Page>,
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Failed { error, page: None }
    }
}

/// A page that cannot be read. When only its last rows are missing or damaged, it has the whole rows before them.
///
/// ```
/// use binfmt::formats::sdds::Open;
/// let file = b"SDDS1\n!# little-endian\n&column name=x, type=short &end\n&data mode=binary &end\n\x03\0\0\0\x01\0\x02\0\x03";
/// let mut reader = Open::new().slice(file)?;
/// let e = reader.next_page().unwrap_err();
/// assert_eq!(
///     e.error().to_string(),
///     "pages[0].table[2].x at byte 0x56: 2 bytes needed, 1 remain"
/// );
/// assert_eq!(e.recover().unwrap().rows(), 2);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub struct PageError(Box<Failed>);

impl PageError {
    /// What went wrong, and where.
    ///
    /// ```
    /// let file = b"SDDS1\n&column name=x, type=short &end\n&data mode=ascii &end\n1\nx\n";
    /// let e = binfmt::formats::sdds::Open::new().slice(file)?.next_page().unwrap_err();
    /// assert_eq!(
    ///     e.error().to_string(),
    ///     "pages[0].table[0] at byte 0x3e: line 2 of the data: column `x`: `x` is not a short"
    /// );
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn error(&self) -> &Error {
        &self.0.error
    }

    /// The page with its whole rows, of a row-major or ascii page that is damaged in its rows.
    ///
    /// ```
    /// let file = b"SDDS1\n&column name=x, type=short &end\n&data mode=ascii &end\n2\n7\n";
    /// let e = binfmt::formats::sdds::Open::new().slice(file)?.next_page().unwrap_err();
    /// assert_eq!(e.recover().unwrap().rows(), 1);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn recover(self) -> Option<Page> {
        self.0.page
    }

    /// The error without the page.
    ///
    /// ```
    /// let file = b"SDDS1\n&column name=x, type=short &end\n&data mode=ascii &end\n2\n7\n";
    /// let e = binfmt::formats::sdds::Open::new().slice(file)?.next_page().unwrap_err();
    /// assert_eq!(e.into_error().to_string(), "pages[0].table at byte 0x40: the file ends before row 1 of 2");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn into_error(self) -> Error {
        self.0.error
    }
}

impl From<PageError> for Error {
    fn from(e: PageError) -> Error {
        e.into_error()
    }
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0.error, f)
    }
}

impl fmt::Debug for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.0.page.as_ref().map(Page::rows);
        f.debug_struct("PageError").field("error", &self.0.error).field("whole_rows", &rows).finish()
    }
}

impl core::error::Error for PageError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.0.error)
    }
}

/// Reads the next page; `None` behind the last one, and behind an error.
pub(super) fn next<'de, S: Source<'de>>(
    src: &mut S,
    header: &Header,
    place: &mut Place,
    chosen: &Chosen,
) -> Result<Option<Page>, PageError> {
    if place.ended {
        return Ok(None);
    }
    let index = place.pages;
    let read = match header.mode {
        Mode::Ascii => ascii::read_page(src, header, &mut place.text, chosen),
        Mode::Binary => match header.byte_order() {
            Endian::Little => binary::<Le, S>(src, header, place, chosen),
            Endian::Big => binary::<Be, S>(src, header, place, chosen),
        },
    };
    match read {
        Ok(Some(page)) => {
            place.pages = index.saturating_add(1);
            if header.mode == Mode::Ascii {
                place.stated = place.text.stated;
            }
            place.ended |= place.stated.is_some();
            Ok(Some(page))
        }
        Ok(None) => {
            place.ended = true;
            Ok(None)
        }
        Err(Failed { error, page }) => {
            place.ended = true;
            let error = error.within(Step::Index(index)).within(Step::Field("pages"));
            Err(PageError(Box::new(Failed { error, page })))
        }
    }
}

fn binary<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    header: &Header,
    place: &mut Place,
    chosen: &Chosen,
) -> Result<Option<Page>, Failed> {
    let Some(head) = begin::<O, S>(src, header, place.pages)? else { return Ok(None) };
    let rows = head.rows.get();
    let mut page = Page { head, table: Table::empty(header, chosen) };
    src.open(Label::Field("table"), "");
    let plan = match &mut place.plan {
        Some(plan) => plan,
        none => none.insert(RowPlan::new(header)?.select(header, chosen)?),
    };
    let read = plan.read::<O, S>(src, rows, chosen, &mut page.table);
    let unfinished = read.is_err();
    if (unfinished || chosen.is_part())
        && let Some(rows) = super::RowCount::of(page.table.rows)
    {
        page.head.rows = rows;
    }
    match read {
        Ok(()) => {
            src.close();
            src.close();
        }
        // the program that writes the file has not yet put the true number of rows there
        Err(e) if header.fixed_row_count && !header.column_major && is_end(&e) => {
            place.stated = Some(rows);
        }
        Err(error) => {
            let error = error.within(Step::Field("table"));
            let page = (!header.column_major).then_some(page);
            return Err(Failed { error, page });
        }
    }
    Ok(Some(page))
}

/// What stands in front of the rows of a binary page; `None` where no page begins.
pub(super) fn begin<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    header: &Header,
    index: usize,
) -> Result<Option<Head>> {
    if ends_here(src)? {
        return Ok(None);
    }
    let at = src.pos();
    src.open(Label::Index(index), "page");
    let head = Head::decode::<O, S>(src, header)?;
    if header.endian.is_none() && head.rows.get() > SUSPICIOUS {
        let text = "the header does not declare a byte order, and the number of rows is too large for that of this machine";
        return Err(Error::message(text, at).within(Step::Field("rows")));
    }
    Ok(Some(head))
}

/// Whether there is no further page: up to three bytes that are left over are none.
fn ends_here<'de, S: Source<'de>>(src: &mut S) -> Result<bool> {
    if src.at_end()? {
        return Ok(true);
    }
    match src.left() {
        Some(n @ ..4) => {
            src.open(Label::Piece("stray"), "");
            src.mark(Kind::Padding, true);
            src.skip(n as u64)?;
            src.close();
            Ok(true)
        }
        Some(_) => Ok(false),
        None => match src.ensure(4) {
            Ok(()) => Ok(false),
            Err(e) if is_end(&e) => Ok(true),
            Err(e) => Err(e),
        },
    }
}
