//! Load files, written exactly as SciDB writes them.

use super::cells::Cells;
use super::layout::Layout;
use crate::error::{Error, Result};
use crate::format::Tally;
use crate::output::{Output, Target};
use crate::place::Start;
use binfmt::value::Value;
use std::io::Write;

/// Bytes that are collected before they are handed on.
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
        let tally = Tally { count: 0, unit: ("cell", "cells"), bytes: 0 };
        Ok(Writer { layout, out: out.create()?, block: Vec::new(), tally })
    }

    pub(super) fn write(&mut self, cell: &Value) -> Result<()> {
        let options = binfmt::Options::new().ctx(&self.layout.description);
        let before = self.block.len();
        if let Err(e) = binfmt::append_with(cell, &mut self.block, &options) {
            let start = Start { byte: 0, record: self.tally.count };
            let e = e.within(binfmt::Step::Index(0));
            return Err(Error::data(format_args!("cells{}: {}", start.path(&e), e.kind())));
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
    let mut writer = Writer::new(layout, out)?;
    while let Some(batch) = cells.next_batch()? {
        batch.cells().iter().try_for_each(|cell| writer.write(cell))?;
    }
    writer.finish()
}
