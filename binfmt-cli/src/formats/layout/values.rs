//! Records as values, one after the other.

use super::records::Layout;
use crate::error::{Error, Result};
use crate::format::{Job, Tally};
use crate::input::Reader;
use crate::json::JsonWriter;
use crate::output::Target;
use crate::pick::Pick;
use crate::place::Start;
use crate::rows::{Words, Writer};
use crate::span::Span;
use binfmt::RecordsFromReader;
use binfmt::value::{Program, Value};
use serde::ser::{Serialize, Serializer};
use std::cell::Cell as Shared;
use std::io::Write;
use std::rc::Rc;

/// The wanted records of a file.
pub(super) struct Values<'a> {
    source: Source<'a>,
    words: Words,
    rows: Span,
    /// Records that have been read, wanted or not.
    count: u64,
    bytes: Rc<Shared<u64>>,
}

/// Where they come from.
enum Source<'a> {
    Stream(Box<RecordsFromReader<Reader<'a>, Value, &'a Program>>),
    /// The only one: its parts lie anywhere in the file.
    Whole(Option<binfmt::Result<Value>>),
}

impl<'a> Values<'a> {
    pub(super) fn open(layout: &'a Layout, job: &'a mut Job<'_>, rows: Span) -> Result<Self> {
        let file = layout.rows();
        let options = job.limits.within(file.options).ctx(file.program);
        let (source, bytes) = if file.is_one_value() {
            let all = job.input.whole(job.limits)?;
            let value = binfmt::from_slice_with(&all, &options);
            (Source::Whole(Some(value)), Rc::new(Shared::new(all.len() as u64)))
        } else {
            let input = job.input.reader(0)?;
            let bytes = input.counter();
            (Source::Stream(Box::new(binfmt::records_from_reader_with(input, &options))), bytes)
        };
        Ok(Values { source, words: file.words, rows, count: 0, bytes })
    }

    /// The next wanted record.
    pub(super) fn next(&mut self) -> Result<Option<Value>> {
        let end = self.rows.from.saturating_add(self.rows.count());
        while self.count < end {
            let next = match &mut self.source {
                Source::Stream(reader) => reader.next(),
                Source::Whole(value) => value.take(),
            };
            let Some(value) = next else { break };
            let value = value.map_err(|e| self.words.damaged(Start::default(), &e))?;
            self.count += 1;
            if self.count > self.rows.from {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// What has been read.
    pub(super) fn tally(&self) -> Tally {
        Tally { count: self.count, unit: self.words.unit, bytes: self.bytes.get() }
    }
}

/// Reads all records.
pub(super) fn count(mut values: Values<'_>) -> (Tally, Option<Error>) {
    loop {
        match values.next() {
            Ok(Some(_)) => {}
            Ok(None) => return (values.tally(), None),
            Err(e) => return (values.tally(), Some(e)),
        }
    }
}

/// Writes the same records again.
pub(super) fn rewrite(layout: &Layout, mut values: Values<'_>, out: &Target) -> Result<Tally> {
    let mut copy = Writer::new(layout.copies(), out)?;
    while let Some(value) = values.next()? {
        copy.write(&value)?;
    }
    copy.finish()
}

/// Writes the document, record by record.
pub(super) fn json(
    layout: &Layout,
    mut values: Values<'_>,
    pick: &Pick,
    out: &mut JsonWriter<&mut dyn Write>,
) -> Result<()> {
    out.object()?;
    out.member("format", "layout")?;
    if pick.columns.is_none() {
        out.member("layout", layout.description())?;
        out.member("byte_order", layout.order_word())?;
    }
    out.member_list("records")?;
    while let Some(value) = values.next()? {
        match pick.columns.is_none() {
            true => out.item(&value)?,
            false => out.item(&Picked::of(&value, pick)?)?,
        }
        out.flush()?;
    }
    out.end()?;
    out.end()
}

/// Some fields of a record.
struct Picked<'a>(Vec<(&'a str, &'a Value)>);

impl<'a> Picked<'a> {
    fn of(record: &'a Value, pick: &Pick) -> Result<Self> {
        let fields: Vec<(&str, &Value)> = match record {
            Value::Record(fields) => fields.iter().map(|(name, value)| (name.as_str(), value)).collect(),
            _ => Vec::new(),
        };
        let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
        Ok(Picked(pick.columns_of(&names)?.into_iter().filter_map(|i| fields.get(i).copied()).collect()))
    }
}

impl Serialize for Picked<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}
