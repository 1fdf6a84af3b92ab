//! Rows as columns, in batches of bounded size.

use super::{RowFile, Words};
use crate::error::{Error, Result};
use crate::format::{Job, Tally};
use crate::input::Reader;
use crate::place::Start;
use crate::span::Span;
use crate::table::{Column, Head, Rows, Shown, Tables, show_time};
use binfmt::columns::{Columns, ColumnsReader, Plan};
use std::cell::Cell as Shared;
use std::rc::Rc;

/// Bytes of the file that one batch holds, where rows are not larger.
const BATCH: u64 = 256 << 10;
/// The longest batch of small rows.
const MOST: u64 = 16 << 10;

/// The wanted rows of a file.
pub(crate) struct Batches<'a> {
    reader: ColumnsReader<Reader<'a>>,
    words: Words,
    start: Start,
    /// Rows to step over before the first wanted one.
    skip: u64,
    /// Wanted rows that have not been read.
    left: u64,
    /// Rows that have been read, wanted or not.
    count: u64,
    bytes: Rc<Shared<u64>>,
}

impl<'a> Batches<'a> {
    /// Goes to the first wanted row. Rows that all have one size need not be read for that.
    pub(crate) fn open(plan: &'a Plan, file: RowFile<'_>, job: &'a mut Job<'_>, rows: Span) -> Result<Self> {
        let (start, skip) = match file.row_size() {
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
        let reader = plan.reader(input, &limits.within(file.options)).batch_bytes(BATCH);
        Ok(Batches { reader, words: file.words, start, skip, left: rows.count(), count: 0, bytes })
    }

    /// The next rows; those before a damaged one come first, then the error.
    pub(crate) fn next_batch(&mut self) -> Result<Option<Batch>> {
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

    /// Shows them as one table, up to the end or the damage.
    pub(crate) fn show(mut self, columns: Vec<Column>, out: &mut dyn Tables) -> Result<()> {
        let head = Head { columns, ..Head::default() };
        out.begin(&head)?;
        loop {
            match self.next_batch() {
                Ok(Some(Batch(batch))) => out.rows(&Announced { batch: &batch, columns: &head.columns })?,
                Ok(None) => return out.end(),
                Err(e) => return out.end().and(Err(e)),
            }
        }
    }

    fn read(&mut self, most: u64) -> Result<Option<Columns>> {
        let rows = usize::try_from(most.min(MOST)).unwrap_or(usize::MAX);
        let columns = self.reader.next_batch(rows).map_err(|e| self.words.damaged(self.start, &e))?;
        self.count += columns.as_ref().map_or(0, Columns::num_rows) as u64;
        Ok(columns)
    }

    /// Reads all that is left. Tells what was read, and what ended the reading before the end.
    pub(crate) fn until_damage(mut self) -> (Tally, Option<Error>) {
        let damage = loop {
            match self.next_batch() {
                Ok(Some(_)) => {}
                Ok(None) => break None,
                Err(e) => break Some(e),
            }
        };
        (Tally { count: self.count, unit: self.words.unit, bytes: self.bytes.get() }, damage)
    }
}

/// Some rows, column by column.
pub(crate) struct Batch(pub(crate) Columns);

/// The same below what was announced.
struct Announced<'a> {
    batch: &'a Columns,
    columns: &'a [Column],
}

impl Rows for Announced<'_> {
    fn num_rows(&self) -> usize {
        self.batch.num_rows()
    }

    fn show<'a>(&'a self, row: usize, column: usize, room: &'a mut Vec<u8>) -> Shown<'a> {
        let time = self.columns.get(column).and_then(|column| column.time);
        self.batch.cell(row, column).map_or(Shown::Missing(None), |value| show_time(value, time, room))
    }
}
