//! Rows, written one after the other.

use super::{Bound, RowFile};
use crate::error::{Error, Result};
use crate::format::{Selection, Tally};
use crate::output::{Output, Target};
use binfmt::columns::Plan;
use binfmt::value::Value;
use binfmt::{ErrorKind, Step};
use std::io::Write;

/// Bytes that are collected before they are passed on.
const BLOCK: usize = 64 << 10;

/// A file that grows row by row. Without [`Writer::finish`] there is none.
pub(crate) struct Writer<'a> {
    file: RowFile<'a>,
    out: Output,
    block: Vec<u8>,
    tally: Tally,
    bound: Bound,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(file: RowFile<'a>, bound: Bound, out: &Target) -> Result<Self> {
        Ok(Writer { file, out: out.create()?, block: Vec::new(), tally: file.words.nothing(), bound })
    }

    pub(crate) fn write(&mut self, row: &Value) -> Result<()> {
        let options = self.file.options.ctx(self.file.program).max_output(self.bound.next());
        let before = self.block.len();
        if let Err(e) = binfmt::append_with(row, &mut self.block, &options) {
            if let ErrorKind::OutputLimit { .. } = e.kind() {
                return Err(self.bound.exceeded());
            }
            return Err(self.file.words.unwritten(&e.within(Step::Index(0)), self.tally.count));
        }
        let bytes = (self.block.len() - before) as u64;
        self.bound.pass(bytes)?;
        self.tally.count += 1;
        self.tally.bytes += bytes;
        if self.block.len() >= BLOCK { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> Result<()> {
        self.out.write_all(&self.block).map_err(Error::output)?;
        self.block.clear();
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<Tally> {
        self.send()?;
        self.out.finish()?;
        Ok(self.tally)
    }
}

/// Writes the same rows again.
pub(crate) fn rewrite(plan: &Plan, file: RowFile<'_>, rows: &Selection, out: &Target) -> Result<Tally> {
    let mut copy = out.create()?;
    let mut tally = file.words.nothing();
    for batch in rows.batches()? {
        let columns = batch.map_err(|e| rows.failure(&e))?;
        let written = plan.encode_to(&columns, &mut copy, &file.options);
        tally.bytes += written.map_err(|e| file.words.unwritten(&e, tally.count))?;
        tally.count += columns.num_rows() as u64;
    }
    copy.finish()?;
    Ok(tally)
}
