//! How a file is opened, and what its errors say.

use super::chosen::{self, Chosen};
use super::options::Options;
use crate::error::{Error, Result};
use crate::format::Job;
use crate::input;
use crate::limits::Size;
use crate::pick::Pick;
use crate::place::Start;
use binfmt::formats::sdds::{
    self, Beneath, Compression, Header, Mode, Page, PageError, StreamReader, Unpacked,
};
use binfmt::{Endian, ErrorKind};

/// What is counted.
pub(super) const UNIT: (&str, &str) = ("page", "pages");

/// As the header and the JSON form name it.
pub(super) fn endian_name(endian: Endian) -> &'static str {
    if endian == Endian::Big { "big" } else { "little" }
}

/// The pages of a file, of which some are wanted.
pub(super) struct Pages<'a> {
    reader: StreamReader<Unpacked<input::Reader<'a>>>,
    pub(super) compression: Compression,
    /// Wanted are the pages from here.
    from: u64,
    to: u64,
    /// The rows of the last page that was read.
    last_rows: u64,
}

impl<'a> Pages<'a> {
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
        let wanted = pick.pages.unwrap_or(crate::span::Span::ALL);
        Ok(Pages { reader, compression, from: wanted.from, to: wanted.to.unwrap_or(u64::MAX), last_rows: 0 })
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

    /// The header of the file, with the chosen columns only, in the order of the file.
    pub(super) fn header(&self) -> &Header {
        self.reader.header()
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
        let found = self.last_rows;
        Some(format!(
            "pages[{page}] states {stated} rows and has {found}: the file is still being written, or was never closed"
        ))
    }

    /// How many pages were read or stepped over.
    pub(super) fn num_read(&self) -> u64 {
        self.reader.num_read() as u64
    }

    /// The next wanted page.
    pub(super) fn next(&mut self) -> Result<Option<Page>, Damage> {
        let failed = |e: PageError| Damage {
            error: damaged(self.compression, e.error()),
            page: e.recover().map(Box::new),
        };
        while self.num_read() < self.from.min(self.to) {
            match self.reader.skip_page() {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(e) => return Err(failed(e)),
            }
        }
        if self.num_read() >= self.to {
            return Ok(None);
        }
        let page = self.reader.next_page().map_err(failed)?;
        self.last_rows = page.as_ref().map_or(self.last_rows, Page::rows);
        Ok(page)
    }
}

/// What ended the reading, and the whole rows of the page before it.
pub(super) struct Damage {
    pub(super) error: Error,
    pub(super) page: Option<Box<Page>>,
}

impl From<Damage> for Error {
    fn from(damage: Damage) -> Error {
        damage.error
    }
}

pub(super) fn names(header: &Header) -> Vec<&str> {
    header.columns.iter().map(|c| c.name.as_str()).collect()
}

/// An error of the file, with its place.
pub(super) fn damaged(compression: Compression, e: &binfmt::Error) -> Error {
    let error = Start::default().located(e);
    match e.kind() {
        ErrorKind::Io(_) => error,
        _ if compression != Compression::None && e.offset().is_some() => {
            error.tip("bytes are counted in the decompressed file")
        }
        kind if kind.to_string().contains("does not declare a byte order") => {
            error.tip("--assume-byte-order says it")
        }
        _ if e.is_incomplete() => error.tip("the file was cut short, or is still being written"),
        _ => error,
    }
}

/// An error of the header.
pub(super) fn unopened(compression: Compression, e: &binfmt::Error, has_include: bool) -> Error {
    let error = damaged(compression, e);
    match e.to_string().contains("no directory was named") && !has_include {
        true => error.tip("--include DIR names the folder of the included files"),
        false => error,
    }
}
