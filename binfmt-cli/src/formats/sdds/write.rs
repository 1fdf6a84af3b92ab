//! Files, written as the official library writes them.

use super::open::{Damage, Pages, UNIT, endian};
use crate::error::{Error, Result};
use crate::format::{Job, Pick, Tally};
use crate::output::{Counted, Output, Target};
use crate::settings::{Setting, Settings};
use binfmt::ErrorKind;
use binfmt::formats::sdds::{Compression, DataType, Header, Mode, Packed, Page, Writer};
use std::io;

pub(super) const MODE: Setting = Setting {
    name: "mode",
    value: Some("MODE"),
    help: "ascii or binary: how convert writes the pages",
    env: None,
};

pub(super) const BYTE_ORDER: Setting = Setting {
    name: "byte-order",
    value: Some("ORDER"),
    help: "little or big: the byte order of the binary file that convert\nwrites",
    env: None,
};

pub(super) const ORDER: Setting = Setting {
    name: "order",
    value: Some("ORDER"),
    help: "row or column: whether convert writes binary pages row by row or\ncolumn by column",
    env: None,
};

pub(super) const COMPRESSION: Setting = Setting {
    name: "compression",
    value: Some("KIND"),
    help: "none, gz or xz: how convert compresses, if the ending of OUT\n(.gz, .xz) does not say it",
    env: None,
};

pub(super) const RECOVER: Setting = Setting {
    name: "recover",
    value: None,
    help: "of a file that is damaged or cut off, convert writes the pages\nand whole rows in front of the damage",
    env: None,
};

/// Refuses options about an SDDS file that is written where none is.
pub(super) fn nothing_is_written(settings: &Settings) -> Result<()> {
    let given =
        [MODE, BYTE_ORDER, ORDER, COMPRESSION, RECOVER].into_iter().find(|s| settings.get(s.name).is_some());
    given.map_or(Ok(()), |setting| {
        Err(Error::usage(format_args!("--{} is for convert, where it writes an SDDS file", setting.name)))
    })
}

/// A file that grows page by page. Without [`Pen::finish`] there is none.
pub(super) struct Pen {
    writer: Writer<Packed<Counted<Output>>>,
    count: u64,
}

impl Pen {
    /// Begins a file with this header, changed as the options say.
    pub(super) fn new(mut header: Header, settings: &Settings, out: &Target) -> Result<Self> {
        apply(&mut header, settings)?;
        // the file that is written is complete, and its numbers of rows are true
        header.fixed_row_count = false;
        let compression = compression(settings, out)?;
        let packed = Packed::new(Counted::new(out.create()?), compression).map_err(|e| unwritten(&e))?;
        let writer = Writer::new(packed, header).map_err(|e| unwritten(&e))?;
        Ok(Pen { writer, count: 0 })
    }

    /// The header of the file that is written.
    pub(super) fn header(&self) -> &Header {
        self.writer.header()
    }

    pub(super) fn write(&mut self, page: &Page) -> Result<()> {
        let number = self.count;
        self.writer.write_page(page).map_err(|e| match unwritten(&e) {
            Error::Data(mut message) if !matches!(e.kind(), ErrorKind::Io(_)) => {
                message.text = format!("pages[{number}]: {}", message.text);
                Error::Data(message)
            }
            other => other,
        })?;
        self.count += 1;
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Tally> {
        if self.count != 1 && is_bare(self.writer.header()) {
            let n = self.count;
            return Err(Error::data(format_args!(
                "an ascii file in which no page has a value of its own has one page, and not {n}"
            ))
            .tip("a binary file holds as many as there are"));
        }
        let packed = self.writer.finish().map_err(|e| unwritten(&e))?;
        let sink = packed.finish().map_err(|e| unwritten(&e))?;
        sink.inner.finish()?;
        Ok(Tally { count: self.count, unit: UNIT, bytes: sink.bytes })
    }
}

/// Whether the pages of an ascii file have nothing to write, so that there seems to be one whatever there is.
fn is_bare(header: &Header) -> bool {
    header.mode == Mode::Ascii
        && header.stored_parameters().next().is_none()
        && header.arrays.is_empty()
        && header.columns.is_empty()
}

/// Changes the header as the options say.
fn apply(header: &mut Header, settings: &Settings) -> Result<()> {
    let old = header.mode;
    match settings.get(MODE.name) {
        None => {}
        Some("ascii") => header.mode = Mode::Ascii,
        Some("binary") => header.mode = Mode::Binary,
        Some(other) => return Err(wrong(&MODE, other, "ascii or binary")),
    }
    if header.mode != old {
        // what only says how lines are arranged, or how bytes are
        header.no_row_counts = false;
        header.lines_per_row = 1;
        header.endian = None;
    }
    if let Some(endian) = endian(settings, BYTE_ORDER.name)? {
        only_binary(header, &BYTE_ORDER)?;
        header.endian = Some(endian);
    }
    match settings.get(ORDER.name) {
        None => return Ok(()),
        Some("row") => header.column_major = false,
        Some("column") => header.column_major = true,
        Some(other) => return Err(wrong(&ORDER, other, "row or column")),
    }
    only_binary(header, &ORDER)
}

fn only_binary(header: &Header, setting: &Setting) -> Result<()> {
    match header.mode {
        Mode::Binary => Ok(()),
        Mode::Ascii => Err(Error::usage(format_args!("--{} means nothing in an ascii file", setting.name))
            .tip("--mode binary makes it a binary one")),
    }
}

fn wrong(setting: &Setting, value: &str, known: &str) -> Error {
    Error::usage(format_args!("--{} is `{value}`: it is {known}", setting.name))
}

/// What the option or the ending of the file asks for.
fn compression(settings: &Settings, out: &Target) -> Result<Compression> {
    match settings.get(COMPRESSION.name) {
        None => {}
        Some("none") => return Ok(Compression::None),
        Some("gz") => return Ok(Compression::Gzip),
        Some("xz") => return Ok(Compression::Xz),
        Some(other) => return Err(wrong(&COMPRESSION, other, "none, gz or xz")),
    }
    let Target::Path(path) = out else { return Ok(Compression::None) };
    let name = path.to_string_lossy().to_lowercase();
    let compression = Compression::by_name(&name);
    let inner = name.rsplit_once('.').map_or("", |(inner, _)| inner);
    if compression != Compression::None && (inner.ends_with(".json") || inner.ends_with(".csv")) {
        return Err(Error::usage("JSON and CSV are not compressed"));
    }
    Ok(compression)
}

/// What is wrong with a file that cannot be written.
pub(super) fn unwritten(e: &binfmt::Error) -> Error {
    match e.kind() {
        ErrorKind::Io(e) => {
            Error::output(e.raw_os_error().map_or_else(|| e.kind().into(), io::Error::from_raw_os_error))
        }
        kind => Error::data(format_args!("it cannot be written: {kind}")),
    }
}

/// Writes the same pages again.
pub(super) fn rewrite(job: &mut Job<'_>, out: &Target) -> Result<Tally> {
    let settings = job.settings;
    let mut pages = Pages::open(job, &Pick::ALL)?;
    let mut header = pages.header().clone();
    if header.mode == Mode::Binary {
        // a file that declares none becomes one that does
        header.endian = Some(header.byte_order());
    }
    if !header.dialect.is_empty() {
        crate::report::remark(&renamed(&header));
    }
    // as the official copier does: not every reader sees a page without rows that nobody counts
    header.no_row_counts = false;
    let mut pen = Pen::new(header, settings, out)?;
    loop {
        match pages.next() {
            Ok(Some(page)) => pen.write(&page)?,
            Ok(None) => {
                if let Some(text) = pages.unclosed() {
                    crate::report::remark(&format!("{text}; what is written states those that are there"));
                }
                return pen.finish();
            }
            Err(damage) => return recover(pen, damage, settings.get(RECOVER.name).is_some()),
        }
    }
}

/// What to say where types get other names.
fn renamed(header: &Header) -> String {
    let names = header.dialect.iter().map(|name| {
        let of = DataType::of_dialect(name).map_or("", DataType::name);
        format!("{name} as {of}")
    });
    let names: Vec<String> = names.collect();
    format!("types of CERN's dialect are written by their names in the format: {}", names.join(", "))
}

/// Ends the file with what there is of a damaged page, if that was asked for.
fn recover(mut pen: Pen, damage: Damage, wanted: bool) -> Result<Tally> {
    let Damage { error, page } = damage;
    let rows = page.as_ref().map_or(0, |page| page.rows());
    if pen.count == 0 && rows == 0 {
        return Err(error);
    }
    if !wanted {
        let whole = whole(pen.count, rows);
        return Err(error.tip(format_args!("--{} writes what is in front of it: {whole}", RECOVER.name)));
    }
    let number = pen.count;
    if let Some(page) = page {
        pen.write(&page)?;
    }
    let text = error.message().map(|m| m.text.clone()).unwrap_or_default();
    crate::report::remark(&format!("recovered {}: {text}", whole(number, rows)));
    pen.finish()
}

/// What there is in front of the damage.
fn whole(pages: u64, rows: u64) -> String {
    let plural = |n: u64| if n == 1 { "" } else { "s" };
    format!("{pages} whole page{} and {rows} row{} of the next one", plural(pages), plural(rows))
}
