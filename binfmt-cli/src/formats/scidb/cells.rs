//! Cells of a file, in batches of bounded size.

use super::layout::Layout;
use crate::args::range::Span;
use crate::error::{Error, Result};
use crate::format::{Job, Tally};
use crate::input::Reader;
use crate::place::Start;
use crate::table::{Rows, Shown};
use binfmt::RecordsFromReader;
use binfmt::schema::Description;
use binfmt::value::Value;
use std::cell::Cell as Shared;
use std::rc::Rc;

pub(super) struct Cells<'a> {
    records: RecordsFromReader<Reader<'a>, Value, &'a Description>,
    layout: &'a Layout,
    start: Start,
    count: u64,
    left: u64,
    skip: u64,
    bytes: Rc<Shared<u64>>,
    damage: Option<Error>,
}

pub(super) struct Batch<'a> {
    cells: Vec<Value>,
    chosen: &'a [usize],
}

impl<'a> Cells<'a> {
    pub(super) fn open(layout: &'a Layout, job: &'a mut Job<'_>, rows: Span) -> Result<Self> {
        let (start, skip) = match layout.cell_size() {
            Some(each) => {
                let byte = rows.from.saturating_mul(each);
                let byte = job.input.len().map_or(byte, |all| byte.min(all));
                (Start { byte, record: rows.from }, 0)
            }
            None => (Start::default(), rows.from),
        };
        let reader = job.input.reader(start.byte)?;
        let bytes = reader.counter();
        let options = layout.loader.options().ctx(&layout.description);
        let records = binfmt::records_from_reader_with(reader, &options);
        Ok(Cells { records, layout, start, count: 0, left: rows.count(), skip, bytes, damage: None })
    }

    /// The next cells; those before a damaged one come first, then the error.
    pub(super) fn next_batch(&mut self) -> Result<Option<Batch<'a>>> {
        if let Some(e) = self.damage.take() {
            return Err(e);
        }
        let mut cells = Vec::new();
        while self.skip > 0 {
            self.skip -= 1;
            match self.records.next() {
                Some(Ok(_)) => {}
                Some(Err(e)) => return Err(self.layout.damaged(self.start, &e)),
                None => return Ok(None),
            }
        }
        while (cells.len() as u64) < self.left.min(100) {
            match self.records.next() {
                Some(Ok(cell)) => cells.push(cell),
                Some(Err(e)) => {
                    self.damage = Some(self.layout.damaged(self.start, &e));
                    break;
                }
                None => break,
            }
        }
        self.count += cells.len() as u64;
        self.left -= cells.len() as u64;
        if cells.is_empty()
            && let Some(e) = self.damage.take()
        {
            return Err(e);
        }
        Ok((!cells.is_empty()).then_some(Batch { cells, chosen: &self.layout.chosen }))
    }

    pub(super) fn tally(&self) -> Tally {
        Tally { count: self.count, unit: ("cell", "cells"), bytes: self.bytes.get() }
    }
}

impl Batch<'_> {
    pub(super) fn cell(&self, row: usize, column: usize) -> &Value {
        const NOTHING: &Value = &Value::Absent;
        match (self.cells.get(row), self.chosen.get(column)) {
            (Some(Value::Record(fields)), Some(place)) => {
                fields.get(*place).map_or(NOTHING, |(_, value)| value)
            }
            _ => NOTHING,
        }
    }

    pub(super) fn cells(&self) -> &[Value] {
        &self.cells
    }

    pub(super) fn num_columns(&self) -> usize {
        self.chosen.len()
    }
}

impl Rows for Batch<'_> {
    fn num_rows(&self) -> usize {
        self.cells.len()
    }

    fn show(&self, row: usize, column: usize, out: &mut Vec<u8>) -> Shown {
        crate::table::show(self.cell(row, column), out)
    }
}
