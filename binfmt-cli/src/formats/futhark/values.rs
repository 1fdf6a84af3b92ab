//! The values of a stream, a piece of one in memory at a time.

use crate::error::{Error, Result};
use crate::format::{Job, Tally};
use crate::input::Reader;
use crate::json::JsonWriter;
use crate::pick::Pick;
use crate::place::Start;
use crate::span::Span;
use binfmt::Options;
use binfmt::formats::futhark::{
    Outline, OutlinesFromReader, Piece, PiecesFromReader, outlines_from_reader_with, pieces_from_reader_with,
};
use serde::ser::{Serialize, SerializeSeq, SerializeStruct, Serializer};
use std::cell::{Cell, RefCell};
use std::io::Write;
use std::rc::Rc;

/// What is counted.
pub(super) const UNIT: (&str, &str) = ("value", "values");

/// The wanted values of a file, in pieces.
pub(super) struct Pieces<'a> {
    pieces: PiecesFromReader<Reader<'a>>,
    wanted: Span,
    /// Values that have been begun, wanted or not.
    count: u64,
}

impl<'a> Pieces<'a> {
    pub(super) fn open(job: &'a mut Job<'_>, wanted: Span) -> Result<Self> {
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
            if self.wanted.to.is_some_and(|to| self.count >= to) && !self.is_inside() {
                return Ok(None);
            }
            let Some(piece) = self.pieces.next() else { return Ok(None) };
            let piece = piece.map_err(|e| Start::default().located(&e))?;
            self.count += u64::from(piece.outline.is_some());
            if self.count > self.wanted.from {
                return Ok(Some(piece));
            }
        }
    }

    /// Whether the next piece is one of a value that was begun.
    fn is_inside(&self) -> bool {
        self.pieces.is_inside()
    }

    /// Writes the value that begins with this piece in its JSON form.
    pub(super) fn json(&mut self, first: Piece, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
        let value = InPieces { pieces: RefCell::new(self), first, failure: RefCell::default() };
        let written = out.item(&value);
        // what ended the value is what is told
        match value.failure.into_inner() {
            Some(e) => Err(e),
            None => written,
        }
    }
}

/// A value of which one piece is in memory, as JSON has it.
struct InPieces<'a, 'b> {
    pieces: RefCell<&'a mut Pieces<'b>>,
    first: Piece,
    failure: RefCell<Option<Error>>,
}

impl Serialize for InPieces<'_, '_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut object = s.serialize_struct("Value", 3)?;
        if let Some(Outline { element_type, dims, .. }) = &self.first.outline {
            object.serialize_field("type", element_type.name())?;
            object.serialize_field("shape", dims)?;
        }
        object.serialize_field("values", &Elements(self))?;
        object.end()
    }
}

struct Elements<'a, 'b, 'c>(&'a InPieces<'b, 'c>);

impl Serialize for Elements<'_, '_, '_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let InPieces { pieces, first, failure } = self.0;
        let mut list = s.serialize_seq(None)?;
        let mut some = std::borrow::Cow::Borrowed(first);
        loop {
            some.elements.iter().try_for_each(|n| list.serialize_element(&n))?;
            if some.is_last {
                return list.end();
            }
            match pieces.borrow_mut().next() {
                Ok(Some(piece)) => some = std::borrow::Cow::Owned(piece),
                Ok(None) => return list.end(),
                // what was read is there, and the document says what is wrong
                Err(e) => {
                    *failure.borrow_mut() = Some(e);
                    return list.end();
                }
            }
        }
    }
}

/// What the values of a file are, their binary elements stepped over.
pub(super) struct Outlines<'a> {
    outlines: OutlinesFromReader<Reader<'a>>,
    count: u64,
    bytes: Rc<Cell<u64>>,
}

impl<'a> Outlines<'a> {
    pub(super) fn open(job: &'a mut Job<'_>) -> Result<Self> {
        let options = job.limits.within(Options::new());
        let reader = job.input.reader(0)?;
        let bytes = reader.counter();
        Ok(Outlines { outlines: outlines_from_reader_with(reader, &options), count: 0, bytes })
    }

    pub(super) fn next(&mut self) -> Result<Option<Outline>> {
        let Some(found) = self.outlines.next() else { return Ok(None) };
        let found = found.map_err(|e| Start::default().located(&e))?;
        self.count += 1;
        Ok(Some(found))
    }

    pub(super) fn tally(&self) -> Tally {
        Tally { count: self.count, unit: UNIT, bytes: self.bytes.get() }
    }
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
