//! The pages of a file, whole or block by block.

mod again;
mod short;

use super::blocks::{BLOCK, LARGE, Ranges, row_bytes, rows_at_once};
use super::chosen::{self, Chosen};
use super::damage::{Before, Damage};
use super::open::{damaged, names, unopened};
use super::options::Options;
use crate::error::Result;
use crate::format::Job;
use crate::input::{self, Again};
use crate::limits::Size;
use crate::pick::Pick;
use crate::span::{self, Span};
use binfmt::formats::sdds::{
    self, Beneath, Compression, Header, Mode, Page, PageError, PageStart, StreamReader, Unclosed, Unpacked,
    Verified,
};
use std::collections::HashSet;

/// The pages of a file, of which some are wanted.
pub(super) struct Pages<'a> {
    reader: StreamReader<Unpacked<input::Reader<'a>>>,
    pub(super) compression: Compression,
    wanted: Option<span::Pages>,
    /// The number of the page that was begun.
    number: u64,
    /// The rows of the last page that was read.
    last_rows: u64,
    /// The header with the columns that are wanted, and their places among all.
    shown: Header,
    picks: Vec<usize>,
    /// Which rows of each page are wanted.
    rows: Span,
    /// A large file that is there to be read once more.
    again: Option<Again>,
    ranges: Option<Ranges>,
    /// Of the page that was begun: its rows, and the row that comes next.
    begun: (u64, u64),
}

impl<'a> Pages<'a> {
    /// The same where pages for which that is true of the header are read once more: a stream is put aside then, and what a compressed file
    /// becomes.
    pub(super) fn open_again(
        options: &Options,
        job: &'a mut Job<'_>,
        pick: &Pick,
        is_wanted: impl FnOnce(&Header) -> bool,
    ) -> Result<Self> {
        job.input.kept()?;
        let mut pages = Pages::open(options, job, pick)?;
        if !is_wanted(pages.file_header())
            && let Some(again) = pages.again.take()
        {
            again.pass();
        }
        Ok(pages)
    }

    /// Opens the file, and chooses columns and rows.
    pub(super) fn open(options: &Options, job: &'a mut Job<'_>, pick: &Pick) -> Result<Self> {
        let include = options.include.value().map(Beneath::new);
        let mut open = sdds::Options::new();
        if let Some(include) = &include {
            open = open.include(include);
        }
        if let Some(endian) = options.assume.value() {
            open = open.assume(*endian);
        }
        open = open.any_names(options.any_names.is_given());
        if let Some(Size(bytes)) = job.limits.max_memory {
            open = open.max_memory(usize::try_from(bytes).unwrap_or(usize::MAX));
        }
        let compression = job.input.compression()?;
        // how much a stream becomes is seen when it is there
        let again = job.input.again().filter(|_| job.input.len().is_none_or(|len| len >= LARGE));
        let opened = open.max_unpacked(job.limits.max_unpacked.0).seekable(job.input.reader(0)?);
        let mut reader = opened.map_err(|e| unopened(compression, &e, include.is_some()))?;
        if pick.columns.is_some() {
            let header = reader.file_header().clone();
            let all = names(&header);
            let chosen = chosen::of(pick, &header)?.into_iter().filter_map(|chosen| match chosen {
                Chosen::Column(i) => all.get(i).copied(),
                _ => None,
            });
            let mut columns: Vec<&str> = chosen.collect();
            // how many rows there are is seen of a column
            if columns.is_empty() {
                columns.extend(all.first());
            }
            reader = reader.columns(&columns).map_err(|e| damaged(compression, &e))?;
        }
        let reader = reader.rows(pick.rows.from..pick.rows.to.unwrap_or(u64::MAX));
        let shown = reader.header().clone();
        let file = reader.file_header();
        let names: HashSet<&str> = shown.columns.iter().map(|column| column.name.as_str()).collect();
        let picks =
            file.columns.iter().enumerate().filter(|(_, column)| names.contains(column.name.as_str()));
        let picks = picks.map(|(i, _)| i).collect();
        Ok(Pages {
            reader,
            compression,
            wanted: pick.pages.clone(),
            number: 0,
            last_rows: 0,
            shown,
            picks,
            rows: pick.rows,
            again,
            ranges: None,
            begun: (0, 0),
        })
    }

    /// The same, of which pages are [begun](Self::begin).
    pub(super) fn in_blocks(mut self) -> Result<Self> {
        if let Some(again) = &self.again {
            self.ranges = Ranges::of(again, self.reader.file_header())?;
        }
        if self.ranges.is_some() {
            let reader = self.reader.columns(&[]).map_err(|e| damaged(self.compression, &e))?;
            self.reader = reader.rows(0..u64::MAX);
        }
        Ok(self)
    }

    /// Begins the next wanted page, whose rows then come in blocks.
    pub(super) fn begin(&mut self) -> Result<Option<PageStart>, Damage> {
        if !self.pass()? {
            return Ok(None);
        }
        let start = self.reader.begin_page().map_err(|e| self.failed(e))?;
        let Some(mut start) = start else { return Ok(None) };
        self.last_rows = 0;
        let end = self.rows.to.map_or(start.rows, |to| to.min(start.rows));
        self.begun = (start.rows, self.rows.from.min(end));
        if self.reader.stated_rows().is_none() && start.is_counted() {
            start.rows = end - self.begun.1;
        }
        Ok(Some(start))
    }

    /// Whether a page that was begun is read block by block: it is large, and how many rows it has is sure, or they were counted.
    pub(super) fn is_large(&self, start: &PageStart, is_counted: bool) -> bool {
        let header = self.reader.file_header();
        let bytes = match self.ranges {
            // the page was stepped over
            Some(_) => self.reader.offset() - self.reader.rows_offset(),
            None => start.rows.saturating_mul(row_bytes(header)),
        };
        bytes >= LARGE && start.is_counted() && (is_counted || !header.fixed_row_count)
    }

    /// Whether its columns can be read one by one.
    pub(super) fn has_columns(&self) -> bool {
        self.again.is_some() && (self.ranges.is_some() || !self.reader.file_header().column_major)
    }

    /// The next rows of the page that was begun.
    pub(super) fn block(&mut self) -> Result<Option<Page>, Damage> {
        self.block_of(rows_at_once(self.reader.file_header()))
    }

    fn block_of(&mut self, most: u64) -> Result<Option<Page>, Damage> {
        let block = self.read(most)?;
        self.last_rows += block.as_ref().map_or(0, Page::rows);
        Ok(block)
    }

    fn read(&mut self, most: u64) -> Result<Option<Page>, Damage> {
        let Some(ranges) = &mut self.ranges else {
            let rows = usize::try_from(most).unwrap_or(usize::MAX);
            let bytes = if most == u64::MAX { u64::MAX } else { BLOCK };
            return self.reader.next_rows_within(rows, bytes).map_err(|e| self.failed(e));
        };
        let (rows, from) = self.begun;
        let n = self.rows.to.map_or(rows, |to| to.min(rows)).saturating_sub(from).min(most);
        if n == 0 {
            return Ok(None);
        }
        let page = (self.reader.rows_offset(), rows);
        let block =
            ranges.read(page, (from..from + n, most == u64::MAX), &self.picks).map_err(Damage::from)?;
        self.begun.1 += block.rows();
        Ok(Some(block))
    }

    /// All rows of the page that was begun.
    pub(super) fn rest(&mut self, start: PageStart) -> Result<Page, Damage> {
        let Some(rows) = self.block_of(u64::MAX)? else {
            let Some(ranges) = &mut self.ranges else { return Ok(start.content) };
            // the columns that are wanted, none of which was decoded
            let none = ranges.read((self.reader.rows_offset(), 0), (0..0, true), &self.picks);
            return Ok(start.with_rows(none.map_err(Damage::from)?));
        };
        let found = rows.rows();
        match self.block_of(u64::MAX) {
            Ok(_) => Ok(start.with_rows(rows)),
            Err(damage) => Err(damage.after(found)),
        }
    }

    fn failed(&self, e: PageError) -> Damage {
        let (error, is_of_memory) = (damaged(self.compression, e.error()), e.error().kind().is_of_memory());
        let page = e.recover();
        let rows = page.as_ref().map_or(0, Page::rows);
        Damage { error, before: Box::new(Before { page, rows, is_of_memory }) }
    }

    /// Columns are stepped over and not decoded, where that tells as much: text must be read to be checked, and the rows
    /// of a page whose number is not to be trusted must be counted.
    pub(super) fn stepping(mut self) -> Result<Self> {
        let header = self.reader.file_header();
        if header.mode == Mode::Binary && !header.fixed_row_count {
            self.reader = self.reader.columns(&[]).map_err(|e| damaged(self.compression, &e))?;
        }
        Ok(self)
    }

    /// Reads all pages.
    pub(super) fn verify(self) -> Result<Verified> {
        self.reader.verify().map_err(|e| damaged(self.compression, &e))
    }

    /// Steps over the next page: how many rows it has, and how many elements its longest array.
    pub(super) fn step(&mut self) -> Result<Option<[u64; 2]>, Damage> {
        let Some(start) = self.begin()? else { return Ok(None) };
        let elements = start.content.arrays().iter().map(|array| array.elements().len()).max().unwrap_or(0);
        while self.block()?.is_some() {}
        Ok(Some([self.last_rows, elements as u64]))
    }

    /// The header of the file, with the chosen columns only, in the order of the file.
    pub(super) fn header(&self) -> &Header {
        &self.shown
    }

    /// The header of the file.
    pub(super) fn file_header(&self) -> &Header {
        self.reader.file_header()
    }

    /// The byte of the (decompressed) file after what was read.
    pub(super) fn offset(&self) -> u64 {
        self.reader.offset()
    }

    /// How many rows the last page says it has, where it has fewer, in a file that may.
    pub(super) fn stated_rows(&self) -> Option<u64> {
        self.reader.stated_rows()
    }

    /// What to say of a file whose last page has fewer rows than it says.
    pub(super) fn unclosed(&self) -> Option<String> {
        let (stated, page) = (self.reader.stated_rows()?, self.num_read() - 1);
        Some(Unclosed { page, stated, rows: self.last_rows }.to_string())
    }

    /// The number of the page that was begun.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// How many pages were read or stepped over.
    pub(super) fn num_read(&self) -> u64 {
        self.reader.num_read() as u64
    }

    /// The next wanted page.
    pub(super) fn next(&mut self) -> Result<Option<Page>, Damage> {
        if !self.pass()? {
            return Ok(None);
        }
        let page = self.reader.next_page().map_err(|e| self.failed(e))?;
        self.last_rows = page.as_ref().map_or(self.last_rows, Page::rows);
        Ok(page)
    }

    /// Steps over pages that are not wanted; whether a wanted one may come.
    fn pass(&mut self) -> Result<bool, Damage> {
        let end = self.wanted.as_ref().and_then(|pages| pages.cover().to);
        loop {
            self.number = self.num_read();
            if end.is_some_and(|end| self.number >= end) {
                return Ok(false);
            }
            if self.wanted.as_ref().is_none_or(|pages| pages.has(self.number)) {
                return Ok(true);
            }
            if !self.reader.skip_page().map_err(|e| self.failed(e))? {
                return Ok(false);
            }
        }
    }
}
