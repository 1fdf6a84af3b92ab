//! Records as values, one after the other.

use super::records::Layout;
use crate::error::Result;
use crate::format::{Job, Tally};
use crate::items::Items;
use crate::output::Target;
use crate::place::Start;
use crate::rows::{Bound, Writer};
use binfmt::value::Value;
use std::cell::Cell;
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
    let mut copy = Writer::new(layout.copies(), Bound::NONE, out)?;
    for value in values {
        copy.write(&value?)?;
    }
    copy.finish()
}
