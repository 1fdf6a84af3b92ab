//! Records as values, one after the other.

use super::records::Layout;
use crate::error::Result;
use crate::format::{Job, Tally};
use crate::items::Items;
use crate::json::JsonWriter;
use crate::output::Target;
use crate::pick::Pick;
use crate::place::Start;
use crate::rows::Writer;
use binfmt::value::Value;
use serde::ser::{Serialize, Serializer};
use std::cell::Cell;
use std::io::Write;
use std::rc::Rc;

/// The records of a file.
pub(super) fn values<'a>(layout: &'a Layout, job: &'a mut Job<'_>) -> Result<Items<'a, Value>> {
    let file = layout.rows();
    let options = job.limits.within(file.options).ctx(file.program);
    let told = move |e: binfmt::Error| file.words.damaged(Start::default(), &e);
    if file.is_one_value() {
        // its parts lie anywhere in the file
        let all = job.input.whole(job.limits)?;
        let bytes = Rc::new(Cell::new(all.len() as u64));
        let value = binfmt::from_slice_with(&all, &options).map_err(told);
        return Ok(Items::new(file.words.unit, bytes, std::iter::once(value)));
    }
    let input = job.input.reader(0)?;
    let bytes = input.counter();
    let records = binfmt::records_from_reader_with(input, &options).map(move |value| value.map_err(told));
    Ok(Items::new(file.words.unit, bytes, records))
}

/// Writes the same records again.
pub(super) fn rewrite(layout: &Layout, values: Items<'_, Value>, out: &Target) -> Result<Tally> {
    let mut copy = Writer::new(layout.copies(), out)?;
    for value in values {
        copy.write(&value?)?;
    }
    copy.finish()
}

/// Writes the document, record by record.
pub(super) fn json(
    layout: &Layout,
    values: Items<'_, Value>,
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
    for value in values {
        let value = value?;
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
