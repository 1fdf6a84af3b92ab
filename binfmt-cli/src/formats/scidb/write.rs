//! Load files, written exactly as SciDB writes them.

use super::cells::{Batch, Cells, UNIT};
use super::layout::Layout;
use crate::error::{Error, Result};
use crate::format::Tally;
use crate::output::{Output, Target};
use crate::place::Start;
use binfmt::Step;
use binfmt::value::Value;
use std::io::Write;

/// Bytes that are collected before they are passed on.
const BLOCK: usize = 64 << 10;

/// A load file that grows cell by cell. Without [`Writer::finish`] there is none.
pub(super) struct Writer<'a> {
    layout: &'a Layout,
    out: Output,
    block: Vec<u8>,
    tally: Tally,
}

impl<'a> Writer<'a> {
    pub(super) fn new(layout: &'a Layout, out: &Target) -> Result<Self> {
        let tally = Tally { count: 0, unit: UNIT, bytes: 0 };
        Ok(Writer { layout, out: out.create()?, block: Vec::new(), tally })
    }

    pub(super) fn write(&mut self, cell: &Value) -> Result<()> {
        let options = self.layout.loader.options().ctx(self.layout.plan.program());
        let before = self.block.len();
        if let Err(e) = binfmt::append_with(cell, &mut self.block, &options) {
            return Err(unwritten(e.within(Step::Index(0)), self.tally.count));
        }
        self.tally.count += 1;
        self.tally.bytes += (self.block.len() - before) as u64;
        if self.block.len() >= BLOCK { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> Result<()> {
        self.out.write_all(&self.block).map_err(Error::output)?;
        self.block.clear();
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Tally> {
        self.send()?;
        self.out.finish()?;
        Ok(self.tally)
    }
}

/// Writes the same cells again.
pub(super) fn rewrite(layout: &Layout, mut cells: Cells<'_>, out: &Target) -> Result<Tally> {
    let mut file = out.create()?;
    let mut tally = Tally { count: 0, unit: UNIT, bytes: 0 };
    while let Some(Batch(columns)) = cells.next_batch()? {
        let written = layout.plan.encode_to(&columns, &mut file, &layout.loader.options());
        tally.bytes += written.map_err(|e| unwritten(e, tally.count))?;
        tally.count += columns.num_rows() as u64;
    }
    file.finish()?;
    Ok(tally)
}

/// What is wrong with a cell that cannot be written; its number in the error counts from the cell `first`.
fn unwritten(e: binfmt::Error, first: u64) -> Error {
    let start = Start { byte: 0, record: first };
    Error::unwritten(&e, |kind| Error::data(format_args!("cells{}: {kind}", start.path(&e))))
}
