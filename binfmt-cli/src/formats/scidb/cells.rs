//! Cells of a file, in batches of bounded size.

use super::layout::Layout;
use crate::error::Result;
use crate::format::{Job, Tally};
use crate::input::Reader;
use crate::place::Start;
use crate::span::Span;
use crate::table::{Rows, Shown, show};
use binfmt::columns::{Columns, ColumnsReader};
use std::cell::Cell as Shared;
use std::rc::Rc;

/// Bytes of the file that one batch holds, where cells are not larger.
const BATCH: u64 = 256 << 10;
/// The longest batch of small cells.
const MOST: u64 = 16 << 10;

/// What is counted.
pub(super) const UNIT: (&str, &str) = ("cell", "cells");

/// The wanted cells of a file.
pub(super) struct Cells<'a> {
    reader: ColumnsReader<'a, Reader<'a>>,
    layout: &'a Layout,
    start: Start,
    /// Cells to step over before the first wanted one.
    skip: u64,
    /// Wanted cells that have not been read.
    left: u64,
    /// Cells that have been read, wanted or not.
    count: u64,
    bytes: Rc<Shared<u64>>,
}

impl<'a> Cells<'a> {
    /// Goes to the first wanted cell. Cells that all have one size need not be read for that.
    pub(super) fn open(layout: &'a Layout, job: &'a mut Job<'_>, rows: Span) -> Result<Self> {
        let (start, skip) = match layout.cell_size() {
            Some(each) => {
                let byte = rows.from.saturating_mul(each);
                let byte = job.input.len().map_or(byte, |all| byte.min(all));
                (Start { byte, record: rows.from }, 0)
            }
            None => (Start::default(), rows.from),
        };
        let limits = job.limits;
        let input = job.input.reader(start.byte)?;
        let bytes = input.counter();
        let reader = layout.plan.reader(input, &limits.within(layout.loader.options())).batch_bytes(BATCH);
        Ok(Cells { reader, layout, start, skip, left: rows.count(), count: 0, bytes })
    }

    /// The next cells; those before a damaged one come first, then the error.
    pub(super) fn next_batch(&mut self) -> Result<Option<Batch>> {
        while self.skip > 0 {
            match self.read(self.skip)? {
                Some(columns) => self.skip -= columns.num_rows() as u64,
                None => return Ok(None),
            }
        }
        if self.left == 0 {
            return Ok(None);
        }
        let columns = self.read(self.left)?;
        if let Some(columns) = &columns {
            self.left -= columns.num_rows() as u64;
        }
        Ok(columns.map(Batch))
    }

    fn read(&mut self, most: u64) -> Result<Option<Columns>> {
        let rows = usize::try_from(most.min(MOST)).unwrap_or(usize::MAX);
        let columns = self.reader.next_batch(rows).map_err(|e| self.layout.damaged(self.start, &e))?;
        self.count += columns.as_ref().map_or(0, Columns::num_rows) as u64;
        Ok(columns)
    }

    /// What has been read.
    pub(super) fn tally(&self) -> Tally {
        Tally { count: self.count, unit: UNIT, bytes: self.bytes.get() }
    }
}

/// Some cells, column by column.
pub(super) struct Batch(pub(super) Columns);

impl Rows for Batch {
    fn num_rows(&self) -> usize {
        self.0.num_rows()
    }

    fn show<'a>(&'a self, row: usize, column: usize, room: &'a mut Vec<u8>) -> Shown<'a> {
        self.0.cell(row, column).map_or(Shown::Missing(None), |value| show(value, room))
    }
}
