//! The pages of a file, one after the other, from a source that the caller has: what a reader is but for its source, and compiled once for
//! all of them.

use super::open_page::{OpenPage, OpenRows, PageFront, PageStart};
use super::pages::{self, ReadPlace};
use crate::columns::RowReader;
#[cfg(feature = "table")]
use crate::columns::{Finder, FoundRows};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::formats::sdds::error::{Failed, PageError};
use crate::formats::sdds::layout::definition::Header;
use crate::formats::sdds::layout::page::{Head, Page};
use crate::formats::sdds::layout::table::{Chosen, Table, elements, is_end};
use crate::formats::sdds::layout::types::Mode;
use crate::formats::sdds::text::ascii;
use crate::wire::amount::{after, plus};
use crate::wire::options::Limits;
use crate::wire::{Be, Cursor, Endian, Erased, Le, Source};
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use core::ops::Range;
use std::sync::{Arc, OnceLock};

/// The header, and where among the pages a reader stands.
pub(crate) struct Pages {
    pub(super) file: Arc<Header>,
    /// The header with the chosen columns only, once it was asked for.
    shown: OnceLock<Header>,
    pub(super) place: ReadPlace,
    pub(super) chosen: Chosen,
    pub(super) limits: Limits,
    /// The page whose rows come in blocks.
    pub(super) open: Option<OpenPage>,
    /// What reads rows of the pages, while no page is open.
    idle: Option<Box<RowReader>>,
    /// Where the page begins that was begun last.
    pub(super) front: PageFront,
}

/// Whether the rows of pages are one after the other.
fn come_in_blocks(header: &Header) -> bool {
    let of_mode = match header.mode {
        Mode::Binary => !header.column_major,
        // where a row may begin in the line of the one before, lines are no rows
        Mode::Ascii => header.lines_per_row != 0 && !(header.no_row_counts && header.fixed_row_count),
    };
    of_mode && !header.columns.is_empty()
}

impl Pages {
    /// Those of a file with this header, from the first one on.
    pub(super) fn new(file: Arc<Header>, limits: Limits) -> Self {
        Pages {
            file,
            shown: OnceLock::new(),
            place: ReadPlace::default(),
            chosen: Chosen::ALL,
            limits,
            open: None,
            idle: None,
            front: PageFront::default(),
        }
    }

    /// That of the file.
    pub(crate) fn file_header(&self) -> &Header {
        &self.file
    }

    /// That of the file, with the chosen columns only.
    pub(crate) fn header(&self) -> &Header {
        match &self.chosen.columns {
            None => &self.file,
            Some(_) => self.shown.get_or_init(|| {
                let chosen = self.file.columns.iter().enumerate().filter(|(i, _)| self.chosen.keeps(*i));
                let columns = chosen.map(|(_, column)| column.clone()).collect();
                Header { columns, ..Header::clone(&self.file) }
            }),
        }
    }

    /// These columns, in the order of the file.
    pub(crate) fn choose(&mut self, names: &[&str]) -> Result<()> {
        let all = &self.file.columns;
        let known: BTreeSet<&str> = all.iter().map(|c| c.name.as_str()).collect();
        if let Some(name) = names.iter().find(|name| !known.contains(**name)) {
            return Err(ErrorKind::unknown("column", *name, all.iter().map(|c| c.name.as_str())).into());
        }
        let wanted: BTreeSet<&str> = names.iter().copied().collect();
        let chosen = Some(all.iter().map(|c| wanted.contains(c.name.as_str())).collect());
        if chosen != self.chosen.columns {
            // that of others, by which pages were read before
            (self.place.plan, self.chosen.columns, self.shown) = (None, chosen, OnceLock::new());
            self.idle = None;
        }
        Ok(())
    }

    /// Decodes these rows of the pages that come next only.
    pub(crate) fn choose_rows(&mut self, rows: Range<u64>) {
        self.chosen.rows = rows;
    }

    /// How many pages were read or stepped over.
    pub(crate) fn num_read(&self) -> usize {
        self.place.pages
    }

    /// How many rows the last page says it has, where it has fewer.
    pub(crate) fn stated_rows(&self) -> Option<u64> {
        self.place.stated
    }

    /// Counts the words from here on that are not the values that are read of them.
    pub(crate) fn watch(&mut self) {
        self.place.partly = Some(Default::default());
    }

    /// Those that were counted.
    pub(crate) fn partly(&mut self) -> &mut Option<ascii::Partly> {
        &mut self.place.partly
    }

    /// The next page begins at this offset.
    pub(super) fn front_at(&self, offset: u64) -> PageFront {
        let ReadPlace { pages: page, text, bare_rows, .. } = self.place;
        PageFront { offset, page, text, bare_rows }
    }

    /// The next page.
    pub(super) fn next(&mut self, src: &mut Erased<'_, '_>) -> Result<Option<Page>, PageError> {
        self.rest_of_page(src)?;
        src.budget_mut().0.renew(self.limits);
        pages::next(src, &self.file, &mut self.place, &self.chosen).map_err(PageError::of_file)
    }

    /// Steps over a page; false after the last one.
    pub(super) fn skip(&mut self, src: &mut Erased<'_, '_>) -> Result<bool, PageError> {
        self.rest_of_page(src)?;
        src.budget_mut().0.renew(self.limits);
        let page = pages::next(src, &self.file, &mut self.place, &self.chosen.without_rows());
        Ok(page.map_err(PageError::of_file)?.is_some())
    }

    /// Begins the next page, whose rows then come in blocks.
    pub(crate) fn begin(&mut self, src: &mut Erased<'_, '_>) -> Result<Option<PageStart>, PageError> {
        self.rest_of_page(src)?;
        self.front = self.front_at(src.pos());
        if !come_in_blocks(&self.file) {
            let Some(Page { head, table }) = self.next(src)? else { return Ok(None) };
            let (rows, content) = (table.rows, self.empty_page(head));
            self.open =
                Some(OpenPage { stated: rows, row: 0, rows: OpenRows::Whole(Some(table)), error: None });
            return Ok(Some(PageStart { rows, content }));
        }
        if self.place.ended {
            return Ok(None);
        }
        src.budget_mut().0.renew(self.limits);
        let begun = match self.file.mode {
            Mode::Ascii => {
                self.place.text.stated = None;
                let place = (&mut self.place.text, self.place.partly.as_mut());
                ascii::begin_page(src, &self.file, place)
                    .map(|begun| begun.map(|(head, stated)| (head, stated.unwrap_or(u64::MAX))))
            }
            Mode::Binary => {
                let (header, place) = (&self.file, &mut self.place);
                let head = match header.byte_order() {
                    Endian::Little => place.begin::<Le>(src, header),
                    Endian::Big => place.begin::<Be>(src, header),
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

    /// The next rows of the page that was begun, at most so many, and of about so many bytes.
    pub(crate) fn rows_within(
        &mut self,
        src: &mut Erased<'_, '_>,
        most: usize,
        bytes: u64,
    ) -> Result<Option<Page>, PageError> {
        let Some(mut open) = self.open.take() else { return Ok(None) };
        if let Some(e) = open.error.take() {
            return Err(e);
        }
        src.budget_mut().0.renew(self.limits);
        let found = match &mut open.rows {
            OpenRows::Whole(table) => {
                return Ok(table.take().filter(|table| table.rows > 0).map(Page::of_rows));
            }
            OpenRows::Binary(_) | OpenRows::Text => self.block(src, &mut open, most.max(1) as u64, bytes),
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
            return self.rows_within(src, most, bytes);
        }
        Ok(Some(Page::of_rows(table)).filter(|page| page.rows() > 0))
    }

    /// Whether a page that does not count its rows has ended.
    fn is_over(&self) -> bool {
        self.file.mode == Mode::Ascii && self.file.no_row_counts && ascii::is_over(&self.place.text)
    }

    /// The wanted rows among those that come next, of about so many bytes.
    fn block(
        &mut self,
        src: &mut Erased<'_, '_>,
        open: &mut OpenPage,
        most: u64,
        bytes: u64,
    ) -> Result<Table, (Table, Error)> {
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
                    reader.skip(src, n).map_err(|e| (empty(self), e))?;
                    table.rows = if wanted { n as u64 } else { 0 };
                    return Ok(table);
                }
                let read = reader.read_within(src, n, bytes);
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
            OpenRows::Text => self.text_block(src, part, *stated, row, table),
            OpenRows::Whole(_) => Ok(table),
        }
    }

    fn text_block(
        &mut self,
        src: &mut Erased<'_, '_>,
        part: Range<u64>,
        stated: u64,
        row: &mut u64,
        mut table: Table,
    ) -> Result<Table, (Table, Error)> {
        *row = part.end;
        let text = &mut self.place.text;
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
    fn rest_of_page(&mut self, src: &mut Erased<'_, '_>) -> Result<(), PageError> {
        if self.open.is_none() {
            return Ok(());
        }
        let rows = core::mem::replace(&mut self.chosen.rows, 0..0);
        let mut done = Ok(Some(()));
        while let Ok(Some(())) = done {
            done = self.rows_within(src, usize::MAX, u64::MAX).map(|page| page.map(|_| ()));
        }
        self.chosen.rows = rows;
        done.map(|_| ())
    }

    /// What [`rows_within`](Self::rows_within) would decode, as far as it can be found by lengths alone.
    #[cfg(feature = "table")]
    pub(super) fn next_found(
        &mut self,
        src: &mut Erased<'_, '_>,
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
        src.budget_mut().0.renew(self.limits);
        let found = finder.next((src, self.limits), rows, (most, bytes));
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

    /// Rows of several pages that were gathered.
    #[cfg(feature = "table")]
    #[inline(never)]
    pub(super) fn gathered(&mut self, finder: &Finder, bytes: Vec<u8>, count: usize) -> Result<FoundRows> {
        Ok(finder.gathered(bytes, count, self.row_reader()?, self.limits))
    }

    /// Adds the bytes of all rows of the page that was begun to those of others, if there are no more rows and bytes.
    #[cfg(feature = "table")]
    pub(super) fn gather(
        &mut self,
        src: &mut Erased<'_, '_>,
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
        if count > rows || !is_whole || !finder.gather(src, reader, (count, bytes), into)? {
            return Ok(None);
        }
        self.place.pages = plus(self.place.pages, 1);
        if let Some(OpenPage { rows: OpenRows::Binary(rows), .. }) = self.open.take() {
            // which has read nothing
            self.idle = Some(rows);
        }
        Ok(Some(count))
    }
}
