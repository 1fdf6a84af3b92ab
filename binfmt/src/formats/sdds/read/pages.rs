//! One page after the other, from a source that is after the header.

use crate::codec::Decode;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::formats::sdds::error::{Failed, PageError};
use crate::formats::sdds::layout::definition::Header;
use crate::formats::sdds::layout::page::{Head, Page, RowCount};
use crate::formats::sdds::layout::table::{Chosen, RowPlan, is_end, step_over};
use crate::formats::sdds::layout::types::Mode;
use crate::formats::sdds::text::ascii;
use crate::wire::amount::after;
use crate::wire::{Be, Cursor, Endian, Erased, Hooks, Kind, Label, Le, Order, Source};
use alloc::boxed::Box;

/// More rows than this, in a file that does not declare its byte order, mean that the order is the other one: the rule
/// of the official library.
const SUSPICIOUS: u64 = 10_000_000;

/// Where a reader stands.
#[derive(Debug, Default)]
pub(crate) struct ReadPlace {
    pub(crate) pages: usize,
    pub(crate) text: ascii::TextPlace,
    /// Words of an ascii file that are not the values that are read of them, where they are counted.
    pub(super) partly: Option<ascii::Partly>,
    /// Whether nothing more can be read.
    pub(super) ended: bool,
    /// How many rows the last page says it has, where it has fewer and may.
    pub(crate) stated: Option<u64>,
    /// Where the rows of the last binary page begin.
    pub(super) table: u64,
    /// The rows of all pages so far, if they are bare.
    pub(crate) bare_rows: u64,
    /// How binary pages are read, once there was one: all columns, and those that are chosen.
    pub(crate) whole: Option<RowPlan>,
    pub(super) plan: Option<RowPlan>,
}

/// Rows without columns, beyond one for each byte: nothing in the file bounds their number.
const MOST_BARE: u64 = 1 << 16;

/// The bare rows of a file, those without columns, with the ones of a page that begins at `at`.
pub(super) fn bare_rows(header: &Header, before: u64, rows: u64, at: u64) -> Result<u64> {
    if !header.columns.is_empty() {
        return Ok(0);
    }
    let (count, max) = (after(before, rows), after(at, MOST_BARE));
    match count > max {
        true => Err(Error::new(ErrorKind::TooManyEmpty { count, max }, at).within(Step::Field("rows"))),
        false => Ok(count),
    }
}

impl ReadPlace {
    /// Before the page of this number, after so many rows.
    #[cfg(feature = "table")]
    pub(crate) fn at(pages: usize, rows: u64, text: ascii::TextPlace, header: &Header) -> Self {
        let bare_rows = if header.columns.is_empty() { rows } else { 0 };
        ReadPlace { pages, text, bare_rows, ..ReadPlace::default() }
    }

    /// What is before the rows of the next binary page; `None` if there is none.
    pub(super) fn begin<O: Order>(
        &mut self,
        src: &mut Erased<'_, '_>,
        header: &Header,
    ) -> Result<Option<Head>> {
        let at = src.pos();
        let head = begin::<O>(src, header, self.pages)?;
        if let Some(head) = &head {
            self.bare_rows = bare_rows(header, self.bare_rows, head.rows.get(), at)?;
        }
        self.table = src.pos();
        Ok(head)
    }

    /// How binary pages are read.
    pub(super) fn plan(&mut self, header: &Header, chosen: &Chosen) -> Result<&mut RowPlan> {
        if self.plan.is_none() {
            let whole = match self.whole.take() {
                Some(whole) => whole,
                None => RowPlan::new(header)?,
            };
            self.plan = Some(self.whole.insert(whole).clone().select(header, chosen)?);
        }
        self.plan.as_mut().ok_or_else(|| Error::other("a page without rows"))
    }
}

/// Reads the next page; `None` after the last one, and after an error, which begins with the number of the page.
pub(crate) fn next(
    src: &mut Erased<'_, '_>,
    header: &Header,
    place: &mut ReadPlace,
    chosen: &Chosen,
) -> Result<Option<Page>, PageError> {
    if place.ended {
        return Ok(None);
    }
    let index = place.pages;
    let read = match header.mode {
        Mode::Ascii => ascii::read_page(src, header, (&mut place.text, place.partly.as_mut()), chosen),
        Mode::Binary => match header.byte_order() {
            Endian::Little => binary::<Le>(src, header, place, chosen),
            Endian::Big => binary::<Be>(src, header, place, chosen),
        },
    };
    match read {
        Ok(Some(page)) => {
            place.pages = index + 1;
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
            let error = error.within(Step::Index(index));
            Err(PageError(Box::new(Failed { error, page })))
        }
    }
}

fn binary<O: Order>(
    src: &mut Erased<'_, '_>,
    header: &Header,
    place: &mut ReadPlace,
    chosen: &Chosen,
) -> Result<Option<Page>, Failed> {
    let Some(head) = place.begin::<O>(src, header)? else { return Ok(None) };
    let rows = head.rows.get();
    src.open(Label::Field("table"), "");
    let (table, read) = match step_over(src, header, rows, chosen) {
        Some(passed) => passed,
        None => place.plan(header, chosen)?.read::<O>(src, rows, chosen),
    };
    let mut page = Page { head, table };
    let unfinished = read.is_err();
    if (unfinished || chosen.is_part())
        && let Some(rows) = RowCount::of(page.table.rows)
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

/// What is before the rows of a binary page; `None` if no page begins.
pub(super) fn begin<O: Order>(
    src: &mut Erased<'_, '_>,
    header: &Header,
    index: usize,
) -> Result<Option<Head>> {
    if ends_here(src)? {
        return Ok(None);
    }
    let at = src.pos();
    src.open(Label::Index(index), "page");
    let head = Head::decode::<O, _>(src, header)?;
    if header.endian.is_none() && head.rows.get() > SUSPICIOUS {
        let text = "the header does not declare a byte order, and the number of rows is too large for that of this machine";
        return Err(Error::message(text, at).within(Step::Field("rows")));
    }
    Ok(Some(head))
}

/// Whether there is no further page: up to three bytes that are left over are not one.
fn ends_here(src: &mut Erased<'_, '_>) -> Result<bool> {
    if src.at_end()? {
        return Ok(true);
    }
    match src.left() {
        Some(n @ ..4) => {
            stray(src, n)?;
            Ok(true)
        }
        Some(_) => Ok(false),
        // such a source reads what it is asked for
        None if src.is_heard() => match src.look(4)?.len() {
            n @ ..4 => {
                stray(src, n)?;
                Ok(true)
            }
            _ => Ok(false),
        },
        None => match src.ensure(4) {
            Ok(()) => Ok(false),
            Err(e) if is_end(&e) => Ok(true),
            Err(e) => Err(e),
        },
    }
}

/// Bytes that are left over.
fn stray(src: &mut Erased<'_, '_>, n: usize) -> Result<()> {
    src.open(Label::Piece("stray"), "");
    src.mark(Kind::Padding, true);
    src.skip(n as u64)?;
    src.close();
    Ok(())
}
