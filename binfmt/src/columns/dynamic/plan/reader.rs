//! Columns from a reader, some rows at a time.

use super::super::batch::Columns;
use super::Plan;
use super::decode::Rows;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::Options;
use alloc::vec::Vec;
use core::fmt;
use std::io::Read;

/// Bytes that are asked of the reader at once.
const CHUNK: usize = 256 << 10;

/// Batches of columns from a reader, in flat memory: some of the input, and the batch.
///
/// ```
/// use binfmt::{Options, columns::{Column, Plan}, schema::{Description, Field, Record, Type}};
/// let x = Field::new("x", Type::Int { bytes: 2, signed: false });
/// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x])))).unwrap();
/// let mut reader = plan.reader(&[1, 0, 2, 0, 3][..], &Options::new());
/// let batch = reader.next_batch(100)?.unwrap();
/// assert_eq!(batch.get("x"), Some(&Column::from(vec![1u16, 2])));
/// let e = reader.next_batch(100).unwrap_err();
/// assert_eq!(e.to_string(), "[2].x at byte 0x4: 2 bytes needed, 1 remain");
/// assert_eq!(reader.next_batch(100)?, None);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub struct ColumnsReader<'p, R> {
    reader: R,
    rows: Rows<'p>,
    plan: &'p Plan,
    memory: usize,
    /// A batch that has taken so many bytes of the input is large enough.
    most: u64,
    bytes: Vec<u8>,
    /// Bytes of `bytes` that belong to rows before.
    used: usize,
    /// The offset of `bytes` in the input.
    base: u64,
    /// Rows that were handed out.
    done: usize,
    ended: bool,
    /// What comes behind the rows before it.
    error: Option<Error>,
}

impl<R> fmt::Debug for ColumnsReader<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ColumnsReader")
            .field("offset", &self.base.saturating_add(self.used as u64))
            .field("rows", &self.done)
            .finish_non_exhaustive()
    }
}

impl Plan {
    /// The rows of a reader, in batches.
    ///
    /// ```
    /// use binfmt::{Options, columns::Plan, schema::{Description, Field, Record, Type}};
    /// let x = Field::new("x", Type::Int { bytes: 1, signed: false });
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x])))).unwrap();
    /// let mut reader = plan.reader(std::io::repeat(7).take(100), &Options::new());
    /// # use std::io::Read;
    /// assert_eq!(reader.next_batch(64)?.unwrap().num_rows(), 64);
    /// assert_eq!(reader.next_batch(64)?.unwrap().num_rows(), 36);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn reader<R: Read, C>(&self, reader: R, options: &Options<C>) -> ColumnsReader<'_, R> {
        ColumnsReader {
            reader,
            rows: Rows::new(self, options),
            plan: self,
            memory: options.limits.memory,
            most: u64::MAX,
            bytes: Vec::new(),
            used: 0,
            base: 0,
            done: 0,
            ended: false,
            error: None,
        }
    }
}

impl<R: Read> ColumnsReader<'_, R> {
    /// Ends a batch also where it has taken about so many bytes of the input, so that long rows make short batches. A
    /// batch has at least one row.
    ///
    /// ```
    /// use binfmt::{Options, columns::Plan, schema::{Description, Field, Record, Type}};
    /// # use std::io::Read;
    /// let x = Field::new("x", Type::Int { bytes: 1, signed: false });
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x])))).unwrap();
    /// let mut reader = plan.reader(std::io::repeat(7), &Options::new()).batch_bytes(1 << 20);
    /// assert!(reader.next_batch(usize::MAX)?.unwrap().num_rows() < 2 << 20);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn batch_bytes(mut self, most: u64) -> Self {
        self.most = most;
        self
    }

    /// The next rows, at most so many; `None` at the end. A damaged row is an error behind the rows before it, and the
    /// end.
    ///
    /// ```
    /// # use binfmt::{Options, columns::Plan, schema::{Description, Field, Record, Type}};
    /// # let x = Field::new("x", Type::Int { bytes: 1, signed: false });
    /// # let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x])))).unwrap();
    /// let mut reader = plan.reader(&[1, 2, 3][..], &Options::new());
    /// let mut rows = 0;
    /// while let Some(batch) = reader.next_batch(2)? {
    ///     rows += batch.num_rows();
    /// }
    /// assert_eq!(rows, 3);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The reader fails, a row is damaged or not complete, or a limit is reached.
    pub fn next_batch(&mut self, max_rows: usize) -> Result<Option<Columns>> {
        let mut want = CHUNK;
        let enough = self.offset().saturating_add(self.most);
        while self.error.is_none() {
            if !self.plan.is_greedy() || self.ended {
                want = self.add(max_rows).unwrap_or(CHUNK);
            }
            if self.rows.columns.num_rows() >= max_rows || self.ended || self.error.is_some() {
                break;
            }
            if self.rows.columns.num_rows() > 0 && self.offset() >= enough {
                break;
            }
            if let Err(e) = self.fill(want) {
                self.error = Some(e);
            }
        }
        self.hand_out()
    }

    /// Takes the rows that are there; returns how many bytes the next one needs where it is not whole.
    fn add(&mut self, max_rows: usize) -> Option<usize> {
        let left = self.bytes.get(self.used..).unwrap_or(&[]);
        let progress = self.rows.add(left, max_rows);
        let at = self.base.saturating_add(self.used as u64);
        self.used = self.used.saturating_add(progress.used);
        let e = progress.stop?;
        match e.needed().filter(|_| !self.ended) {
            Some(more) => Some(self.wanted(more)),
            None => {
                self.error = Some(e.moved(at, self.done));
                None
            }
        }
    }

    fn hand_out(&mut self) -> Result<Option<Columns>> {
        if self.rows.columns.num_rows() > 0 {
            let columns = self.rows.take();
            self.done = self.done.saturating_add(columns.num_rows());
            return Ok(Some(columns));
        }
        match self.error.take() {
            None => Ok(None),
            Some(e) => {
                self.ended = true;
                self.bytes = Vec::new();
                self.used = 0;
                Err(e)
            }
        }
    }

    /// How many bytes to ask for when a row lacks some: what a length promises is believed as far as it arrives, so the
    /// buffer at most doubles.
    fn wanted(&mut self, more: u64) -> usize {
        let have = self.bytes.len().saturating_sub(self.used);
        let all = have.saturating_add(usize::try_from(more).unwrap_or(usize::MAX));
        if all > self.memory {
            let kind = ErrorKind::MemoryLimit { requested: all, remaining: self.memory };
            self.error = Some(Error::new(kind, self.offset()));
        }
        all.saturating_sub(have).clamp(CHUNK, have.max(CHUNK))
    }

    /// Reads more.
    fn fill(&mut self, want: usize) -> Result<()> {
        self.bytes.drain(..self.used);
        self.base = self.base.saturating_add(self.used as u64);
        self.used = 0;
        let want = if self.plan.is_greedy() { usize::MAX } else { want };
        let mut part = self.reader.by_ref().take(want as u64);
        match part.read_to_end(&mut self.bytes) {
            Ok(n) => {
                self.ended = n < want;
                Ok(())
            }
            Err(e) => {
                let at = self.base.saturating_add(self.bytes.len() as u64);
                Err(Error::new(ErrorKind::Io(e), at))
            }
        }
    }

    /// The offset of the first row that has not been decoded.
    ///
    /// ```
    /// # use binfmt::{Options, columns::Plan, schema::{Description, Field, Record, Type}};
    /// # let x = Field::new("x", Type::Int { bytes: 4, signed: false });
    /// # let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x])))).unwrap();
    /// let mut reader = plan.reader(&[0; 8][..], &Options::new());
    /// reader.next_batch(1)?;
    /// assert_eq!(reader.offset(), 4);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn offset(&self) -> u64 {
        self.base.saturating_add(self.used as u64)
    }
}
