//! The values of a stream, one in memory at a time.

use crate::error::{Error, Result};
use crate::format::{Job, Tally};
use crate::input::Reader;
use crate::pick::Pick;
use crate::place::Start;
use crate::span::Span;
use binfmt::Options;
use binfmt::formats::futhark::{
    Form, Outline, OutlinesFromReader, Value, ValuesFromReader, outlines_from_reader, values_from_reader_with,
};
use std::cell::Cell;
use std::rc::Rc;

/// What is counted.
pub(super) const UNIT: (&str, &str) = ("value", "values");

/// The wanted values of a file.
pub(super) struct Values<'a> {
    values: ValuesFromReader<Reader<'a>>,
    wanted: Span,
    /// Values that have been read, wanted or not.
    count: u64,
}

impl<'a> Values<'a> {
    pub(super) fn open(job: &'a mut Job<'_>, wanted: Span) -> Result<Self> {
        let options = job.limits.within(Options::new());
        Ok(Values { values: values_from_reader_with(job.input.reader(0)?, &options), wanted, count: 0 })
    }

    /// The next value, and the form in which it is there.
    pub(super) fn next(&mut self) -> Result<Option<(Form, Value)>> {
        while self.wanted.to.is_none_or(|to| self.count < to) {
            let Some(value) = self.values.next() else { return Ok(None) };
            let value = value.map_err(|e| Start::default().located(&e))?;
            self.count += 1;
            if self.count > self.wanted.from {
                return Ok(Some((self.values.form().unwrap_or(Form::Binary), value)));
            }
        }
        Ok(None)
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
        let reader = job.input.reader(0)?;
        let bytes = reader.counter();
        Ok(Outlines { outlines: outlines_from_reader(reader), count: 0, bytes })
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
