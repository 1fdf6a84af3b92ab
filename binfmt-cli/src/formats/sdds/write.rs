//! Files, written as the official library writes them.

use super::damage::{Before, Damage};
use super::open::UNIT;
use super::options::{Options, PageOrder};
use super::pages::Pages;
use crate::error::{Error, Result};
use crate::format::{Job, Tally};
use crate::output::{Counted, Output, Target};
use crate::pick::Pick;
use binfmt::ErrorKind;
use binfmt::formats::sdds::{self, Compression, DataType, Elements, Header, Mode, Packed, Page, PageStart};

/// A file that grows page by page. Without [`Writer::finish`] there is none.
pub(super) struct Writer {
    inner: sdds::Writer<Packed<Counted<Output>>>,
    count: u64,
}

impl Writer {
    /// Begins a file with this header, changed as the options say.
    pub(super) fn new(mut header: Header, options: &Options, out: &Target) -> Result<Self> {
        apply(&mut header, options)?;
        // the file that is written is complete, and its numbers of rows are true
        header.fixed_row_count = false;
        let compression = compression(options, out)?;
        let packed = Packed::new(Counted::new(out.create()?), compression).map_err(|e| unwritten(&e))?;
        let inner = sdds::Writer::new(packed, header).map_err(|e| unwritten(&e))?;
        Ok(Writer { inner, count: 0 })
    }

    /// The header of the file that is written.
    pub(super) fn header(&self) -> &Header {
        self.inner.header()
    }

    pub(super) fn put(&mut self, page: &Page) -> Result<()> {
        let number = self.count;
        self.inner.write_page(page).map_err(|e| of_page(number, &e))?;
        self.count += 1;
        Ok(())
    }

    /// Writes a page of which a block is in memory.
    fn put_blocks(&mut self, pages: &mut Pages<'_>, start: &PageStart) -> Result<(), Damage> {
        self.begin(&start.content, start.rows)?;
        if self.header().is_column_major() {
            for i in 0..self.header().columns.len() {
                pages.column(i, |values| self.values(values))?;
            }
        } else {
            let mut rows = 0;
            while let Some(block) = pages.block().map_err(|damage| damage.after(rows))? {
                self.rows(&block)?;
                rows += block.rows();
            }
        }
        self.end();
        Ok(())
    }

    /// Begins a page of so many rows, which follow, or its columns one after the other; [`Writer::end`] ends it.
    pub(super) fn begin(&mut self, page: &Page, rows: u64) -> Result<()> {
        self.inner.begin_page(page, rows).map_err(|e| of_page(self.count, &e))
    }

    pub(super) fn rows(&mut self, block: &Page) -> Result<()> {
        self.inner.write_rows(block).map_err(|e| of_page(self.count, &e))
    }

    pub(super) fn values(&mut self, values: &Elements) -> Result<()> {
        self.inner.write_values(values).map_err(|e| of_page(self.count, &e))
    }

    pub(super) fn end(&mut self) {
        self.count += 1;
    }

    pub(super) fn finish(self) -> Result<Tally> {
        if self.count != 1 && is_bare(self.inner.header()) {
            let n = self.count;
            return Err(Error::data(format_args!(
                "an ascii file in which no page has a value of its own has one page, and not {n}"
            ))
            .tip("a binary file contains as many as there are"));
        }
        let packed = self.inner.finish().map_err(|e| unwritten(&e))?;
        let sink = packed.finish().map_err(|e| unwritten(&e))?;
        sink.inner.finish()?;
        Ok(Tally { count: self.count, unit: UNIT, bytes: sink.bytes })
    }
}

/// What is wrong with a page that cannot be written.
fn of_page(number: u64, e: &binfmt::Error) -> Error {
    match unwritten(e) {
        Error::Data(mut message) if !matches!(e.kind(), ErrorKind::Io(_)) => {
            message.text = format!("pages[{number}]: {}", message.text);
            Error::Data(message)
        }
        other => other,
    }
}

/// Whether the pages of an ascii file have nothing to write, so that there always seems to be one.
fn is_bare(header: &Header) -> bool {
    header.mode == Mode::Ascii
        && header.stored_parameters().next().is_none()
        && header.arrays.is_empty()
        && header.columns.is_empty()
}

/// Changes the header as the options say.
fn apply(header: &mut Header, options: &Options) -> Result<()> {
    let old = header.mode;
    header.mode = options.mode.value().copied().unwrap_or(old);
    if header.mode != old {
        // what only says how lines are arranged, or how bytes are
        header.no_row_counts = false;
        header.lines_per_row = 1;
        header.endian = None;
    }
    if let (Mode::Ascii, Some(name)) = (header.mode, options.byte_order.name().or(options.order.name())) {
        return Err(Error::usage(format_args!("--{name} means nothing in an ascii file"))
            .tip("--mode binary makes it a binary one"));
    }
    if let Some(endian) = options.byte_order.value() {
        header.endian = Some(*endian);
    }
    if let Some(order) = options.order.value() {
        header.column_major = *order == PageOrder::Column;
    }
    Ok(())
}

/// What the option or the ending of the file asks for.
pub(super) fn compression(options: &Options, out: &Target) -> Result<Compression> {
    if let Some(compression) = options.compression.value() {
        return Ok(*compression);
    }
    let Target::Path(path) = out else { return Ok(Compression::None) };
    let name = path.to_string_lossy().to_lowercase();
    let compression = Compression::by_name(&name);
    let inner = name.rsplit_once('.').map_or("", |(inner, _)| inner);
    if compression != Compression::None && (inner.ends_with(".json") || inner.ends_with(".csv")) {
        return Err(Error::usage("JSON and CSV are not compressed"));
    }
    if compression == Compression::Zstd {
        return Err(Error::usage(".zst is only read").tip("name the file .gz or .xz"));
    }
    Ok(compression)
}

/// What is wrong with a file that cannot be written.
pub(super) fn unwritten(e: &binfmt::Error) -> Error {
    Error::unwritten(e, |kind| Error::data(format_args!("it cannot be written: {kind}")))
}

/// Writes the same pages again.
pub(super) fn rewrite(options: &Options, job: &mut Job<'_>, out: &Target) -> Result<Tally> {
    let counted = counted(options, job)?;
    let is_by_column = options.order.value() == Some(&PageOrder::Column);
    let mut pages = Pages::open_again(options, job, &Pick::ALL, |header| {
        is_by_column || header.is_column_major() || header.no_row_counts
    })?;
    let mut header = pages.header().clone();
    if header.mode == Mode::Binary {
        // a file that declares none becomes one that does
        header.endian = Some(header.byte_order());
    }
    if !header.dialect.is_empty() {
        crate::report::remark(&renamed(&header));
    }
    // as the official copier does: not every reader sees a page without rows that nothing counts
    header.no_row_counts = false;
    let mut writer = Writer::new(header, options, out)?;
    let counted = counted.filter(|_| !writer.header().is_column_major());
    let is_held = options.recover.is_given() && counted.is_none();
    if !is_held {
        pages = pages.in_blocks()?;
    }
    loop {
        let written = match is_held {
            // what there is of a damaged page is held
            true => pages.next().and_then(|page| match page {
                Some(page) => Ok(writer.put(&page).map(|()| true)?),
                None => Ok(false),
            }),
            false => next(&mut pages, &mut writer, counted),
        };
        match written {
            Ok(true) => {}
            Ok(false) => {
                if let Some(text) = pages.unclosed() {
                    crate::report::remark(&format!("{text}; what is written states those that are there"));
                }
                return writer.finish();
            }
            Err(damage) => return recover(writer, damage, options.recover.is_given()),
        }
    }
}

/// The last page whose rows are found, and how many whole ones it has, in a file where they may not be as many as it says: how many they are is written
/// before them. `None` if it is read only once.
fn counted(options: &Options, job: &mut Job<'_>) -> Result<Option<(u64, u64)>> {
    if job.input.stored().is_none() {
        return Ok(None);
    }
    let mut pages = Pages::open(options, job, &Pick::ALL)?;
    let header = pages.file_header();
    let is_doubtful = options.recover.is_given() || header.fixed_row_count;
    if !is_doubtful || header.is_column_major() {
        return Ok(None);
    }
    let mut last = None;
    while let Ok(Some(_)) = pages.begin() {
        let (mut rows, mut is_damaged) = (0, false);
        loop {
            match pages.block() {
                Ok(Some(block)) => rows += block.rows(),
                Ok(None) => break,
                Err(_) => {
                    is_damaged = true;
                    break;
                }
            }
        }
        last = Some((last.map_or(0, |(page, _)| page + 1), rows));
        if is_damaged {
            break;
        }
    }
    Ok(last)
}

/// Writes the next page; false after the last.
fn next(pages: &mut Pages<'_>, writer: &mut Writer, counted: Option<(u64, u64)>) -> Result<bool, Damage> {
    let Some(start) = pages.begin()? else { return Ok(false) };
    let mut start = pages.counted(start)?;
    if let Some((_, rows)) = counted.filter(|(page, _)| *page == writer.count) {
        start.rows = rows;
        writer.put_blocks(pages, &start)?;
        return Ok(true);
    }
    let by_column = writer.header().is_column_major();
    let can_be_cut = !by_column || pages.has_columns();
    if can_be_cut && (pages.is_large(&start, counted.is_some()) || (!by_column && pages.has_texts(&start))) {
        writer.put_blocks(pages, &start)?;
    } else if can_be_cut && pages.has_texts(&start) {
        match pages.short(&start)? {
            Some(rows) => writer.put(&start.with_rows(rows))?,
            None => writer.put_blocks(pages, &start)?,
        }
    } else {
        writer.put(&pages.rest(start)?)?;
    }
    Ok(true)
}

/// What to say where types get other names.
fn renamed(header: &Header) -> String {
    let names = header.dialect_names().into_iter().map(|name| {
        let of = DataType::of_dialect(name).map_or("", DataType::name);
        format!("{name} as {of}")
    });
    let names: Vec<String> = names.collect();
    format!("types of CERN's dialect are written by their names in the format: {}", names.join(", "))
}

/// Ends the file with what there is of a damaged page, if that was asked for.
fn recover(mut writer: Writer, damage: Damage, wanted: bool) -> Result<Tally> {
    let Damage { error, before } = damage;
    let Before { page, rows, is_of_memory } = *before;
    if is_of_memory || error.is_of_output() || (writer.count == 0 && rows == 0) {
        return Err(error);
    }
    if !wanted {
        let whole = whole(writer.count, rows);
        return Err(error.tip(format_args!("--recover writes what is before it: {whole}")));
    }
    let number = writer.count;
    if let Some(page) = page {
        writer.put(&page)?;
    }
    crate::report::remark(&format!("recovered {}: {}", whole(number, rows), error.text()));
    writer.finish()
}

/// What there is before the damage.
fn whole(pages: u64, rows: u64) -> String {
    let plural = |n: u64| if n == 1 { "" } else { "s" };
    format!("{pages} whole page{} and {rows} row{} of the next one", plural(pages), plural(rows))
}
