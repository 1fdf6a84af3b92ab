//! Rows that the dump explains one by one.

use crate::error::{Error, Result};
use crate::format::{Aim, Job, Window};
use crate::span::Span;
use crate::tabular;
use binfmt::columns::Plan;
use binfmt::dump::trace_reader_with;
use binfmt::schema::Description;
use binfmt::table::{Table, keys};
use binfmt::value::{Program, Value};
use std::io::Write;

/// Rows of one size after a header.
pub(super) struct Explained {
    layout: Description,
    start: u64,
}

impl Explained {
    /// If the table says how its rows are laid out, and the last of them ends with the file.
    pub(super) fn of(table: &dyn Table, bytes: u64) -> Option<Self> {
        let layout = table.schema().get(keys::SCHEMA)?.parse::<Description>().ok()?;
        let each = Plan::new(&layout).ok().and_then(|plan| plan.row_size()).unwrap_or(0) as u64;
        let rows = table.num_rows().exact()?.checked_mul(each)?;
        Some(Explained { start: bytes.checked_sub(rows)?, layout })
    }

    pub(super) fn dump(
        &self,
        job: &mut Job<'_>,
        window: &Window,
        title: &str,
        out: &mut dyn Write,
    ) -> Result<()> {
        let program = Program::new(&self.layout).map_err(Error::data)?;
        if !matches!(window.aim, Aim::Find(_)) && window.bytes.from < self.start {
            let to = window.bytes.to.unwrap_or(u64::MAX).min(self.start);
            let bytes = Span { to: Some(to), ..window.bytes };
            Window { bytes, ..window.clone() }.plain(&mut job.input, title, out)?;
        }
        let options = job.limits.within(binfmt::Options::new().optional_nul(true)).ctx(&program);
        let reader = job.input.reader(self.start)?;
        for trace in trace_reader_with::<Value, _, _>(reader, &options).starting_at(self.start, 0) {
            if !window.write(&trace, out)? {
                break;
            }
            if let Some(e) = trace.error() {
                return Err(tabular::failure(e));
            }
        }
        Ok(())
    }
}
