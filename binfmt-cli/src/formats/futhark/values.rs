//! The values of a stream, a piece of one in memory at a time.

use crate::error::{Error, Result};
use crate::format::Job;
use crate::input::Reader;
use crate::items::Items;
use crate::json::JsonWriter;
use crate::pick::Pick;
use crate::place::Start;
use crate::span::{Pages, Span};
use binfmt::Options;
use binfmt::formats::futhark::{
    Outline, Piece, PiecesFromReader, outlines_from_reader_with, outlines_from_seekable_with,
    pieces_from_reader_with,
};
use std::io::Write;

/// What is counted.
pub(super) const UNIT: (&str, &str) = ("value", "values");

/// The wanted values of a file, in pieces.
pub(super) struct Pieces<'a> {
    pieces: PiecesFromReader<Reader<'a>>,
    wanted: Option<Pages>,
    /// Values that have been begun, wanted or not.
    count: u64,
}

impl<'a> Pieces<'a> {
    pub(super) fn open(job: &'a mut Job<'_>, wanted: Option<Pages>) -> Result<Self> {
        let options = job.limits.within(Options::new());
        // what text is its end tells: it is read twice, where that costs no copy of it
        let again = job.input.again().filter(|_| job.input.len().is_some());
        let mut pieces = pieces_from_reader_with(job.input.reader(0)?, &options);
        if let Some(again) = again {
            pieces = pieces.with_outlines(again.open().map_err(Error::input)?);
        }
        Ok(Pieces { pieces, wanted, count: 0 })
    }

    /// The next piece of a wanted value.
    pub(super) fn next(&mut self) -> Result<Option<Piece>> {
        loop {
            // what is after the last wanted value is not looked at
            if self.wanted.as_ref().and_then(|pages| pages.cover().to).is_some_and(|to| self.count >= to)
                && !self.is_inside()
            {
                return Ok(None);
            }
            let Some(piece) = self.pieces.next() else { return Ok(None) };
            let piece = piece.map_err(|e| Start::default().located(&e))?;
            self.count += u64::from(piece.outline.is_some());
            let is_wanted = |value: u64| self.wanted.as_ref().is_none_or(|pages| pages.has(value));
            if self.count.checked_sub(1).is_some_and(is_wanted) {
                return Ok(Some(piece));
            }
        }
    }

    /// Whether the next piece is one of a value that was begun.
    fn is_inside(&self) -> bool {
        self.pieces.is_inside()
    }

    /// Writes the value that begins with this piece in its JSON form. Of one that is damaged there is what was read.
    pub(super) fn json(&mut self, first: Piece, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
        out.object()?;
        if let Some(Outline { element_type, dims, .. }) = &first.outline {
            out.member("type", element_type.name())?;
            out.member("shape", dims)?;
        }
        out.member_values("values")?;
        let mut some = Some(first);
        while let Some(Piece { elements, is_last, .. }) = some {
            out.items(&elements)?;
            some = if is_last { None } else { self.next()? };
        }
        out.end()?;
        out.end()
    }
}

/// What the values of a file are. The elements of binary ones are not read, as far as the file can be sought.
pub(super) fn headers<'a>(job: &'a mut Job<'_>) -> Result<Items<'a, Outline>> {
    let options = job.limits.within(Options::new());
    let reader = job.input.reader(0)?;
    let bytes = reader.counter();
    let outlines = outlines_from_seekable_with(reader, &options);
    Ok(Items::new(UNIT, bytes, outlines.map(|found| found.map_err(|e| Start::default().located(&e)))))
}

/// The same, of which all is read and checked.
pub(super) fn outlines<'a>(job: &'a mut Job<'_>) -> Result<Items<'a, Outline>> {
    let options = job.limits.within(Options::new());
    let reader = job.input.reader(0)?;
    let bytes = reader.counter();
    let outlines = outlines_from_reader_with(reader, &options);
    Ok(Items::new(UNIT, bytes, outlines.map(|found| found.map_err(|e| Start::default().located(&e)))))
}

/// Refuses a choice of rows or columns where values are shown as wholes.
pub(super) fn whole(pick: &Pick) -> Result<()> {
    let word = match pick {
        Pick { columns: Some(_), .. } => "--columns",
        Pick { rows, .. } if *rows != Span::ALL => "--rows",
        _ => return Ok(()),
    };
    Err(Error::usage(format_args!("{word} chooses from a table: values are shown as wholes here"))
        .tip("say --csv, --tsv or --table; --pages chooses among values"))
}
