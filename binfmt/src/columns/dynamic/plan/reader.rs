//! Columns from a reader, some rows at a time.

use super::super::batch::Columns;
use super::Plan;
use super::decode::RowReader;
use crate::error::{Error, Result};
#[cfg(feature = "sdds")]
use crate::wire::amount::times64;
use crate::wire::amount::{between, plus};
use crate::wire::options::Limits;
use crate::wire::{Cursor, Erased, Options, Source, Stream};
use core::fmt;
use std::io::Read;

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
pub struct ColumnsReader<R> {
    pub(super) src: Stream<R>,
    pub(super) batches: Batches,
}

/// Where in the rows of a stream it is, whatever it reads from.
pub(super) struct Batches {
    pub(super) rows: RowReader,
    pub(super) limits: Limits,
    /// A batch that has taken that many bytes of the input is large enough.
    pub(super) most: u64,
    /// How many rows must come.
    pub(super) left: Option<u64>,
    #[cfg(feature = "table")]
    pub(super) finder: super::found::Finder,
    /// What comes after the rows before it.
    pub(super) error: Option<Error>,
    pub(super) ended: bool,
}

impl<R> fmt::Debug for ColumnsReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ColumnsReader").field("offset", &self.batches.rows.end()).finish_non_exhaustive()
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
    pub fn reader<R: Read, C>(&self, reader: R, options: &Options<C>) -> ColumnsReader<R> {
        ColumnsReader {
            src: Stream::with(reader, options.limits, options.policy, false),
            batches: Batches::new(RowReader::new(self, options.endian), options.limits),
        }
    }
}

impl RowReader {
    /// At most so many rows: of one size as many as begin in these bytes after those that there are, and one at least.
    fn within(&self, rows: usize, bytes: u64) -> usize {
        let more = self.plan.row_size().and_then(|size| bytes.checked_div(size as u64));
        let more = more.map_or(usize::MAX, |more| usize::try_from(more).unwrap_or(usize::MAX));
        rows.min(plus(plus(self.num_rows(), more), 1))
    }

    /// Adds rows until there are that many, or they have taken about so many bytes.
    #[cfg(feature = "sdds")]
    pub(crate) fn read_within(&mut self, src: &mut Erased<'_, '_>, rows: usize, bytes: u64) -> Result<()> {
        if bytes == u64::MAX {
            return self.read(src, rows);
        }
        let begin = src.pos();
        loop {
            let (done, taken) = (self.num_rows(), between(begin, src.pos()));
            if done >= rows || (done > 0 && taken >= bytes) {
                return Ok(());
            }
            // room is made only for rows that will be read
            let more = times64(between(taken, bytes).checked_div(taken).unwrap_or(1), done as u64).max(1);
            self.step(src, rows.min(plus(done, usize::try_from(more).unwrap_or(usize::MAX))))?;
        }
    }
}

impl<R: Read> ColumnsReader<R> {
    /// Ends a batch also where it has taken about that many bytes of the input, so that long rows make short batches. A
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
        self.batches.most = most;
        self
    }

    /// Says where the reader is in the file: after that many bytes and rows, from which errors and
    /// [`offset`](Self::offset) count. To be said before the first batch.
    ///
    /// ```
    /// use binfmt::{Options, columns::Plan, schema::{Description, Field, Record, Type}};
    /// let x = Field::new("x", Type::Bool { lax: false });
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x])))).unwrap();
    /// let mut reader = plan.reader(&[7][..], &Options::new()).starting_at(1000, 1000);
    /// let e = reader.next_batch(1).unwrap_err();
    /// assert_eq!(e.to_string(), "[1000].x at byte 0x3e8: 0x07 is not a bool, expected 0 or 1");
    /// ```
    #[must_use]
    pub fn starting_at(self, offset: u64, row: u64) -> Self {
        ColumnsReader { src: self.src.starting_at(offset), batches: self.batches.starting_at(offset, row) }
    }

    /// Says where the input is likely to end, in bytes of the file: memory for what is before it may be made before it is read.
    #[cfg(feature = "table")]
    pub(crate) fn likely_to_end_at(self, offset: u64) -> Self {
        ColumnsReader { src: self.src.likely_to_end_at(offset), ..self }
    }

    /// Says that exactly that many rows come from here on: fewer are an error, and what comes after them is not read.
    ///
    /// ```
    /// use binfmt::{Options, columns::Plan, schema::{Description, Field, Record, Type}};
    /// let x = Field::new("x", Type::Int { bytes: 2, signed: false });
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x])))).unwrap();
    /// let mut reader = plan.reader(&[1, 0, 2, 0][..], &Options::new()).expecting(3);
    /// assert_eq!(reader.next_batch(9)?.unwrap().num_rows(), 2);
    /// assert_eq!(reader.next_batch(9).unwrap_err().to_string(), "[2].x at byte 0x4: 2 bytes needed, 0 remain");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn expecting(mut self, rows: u64) -> Self {
        self.batches.left = Some(rows);
        self
    }

    /// Steps over that many rows, or over all if there are fewer: how many. What they say is not looked at, where their layout allows.
    ///
    /// ```
    /// use binfmt::{Options, columns::{Column, Plan}, schema::{Description, Field, Record, Type}};
    /// let x = Field::new("x", Type::Int { bytes: 1, signed: false });
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x])))).unwrap();
    /// let mut reader = plan.reader(&[1, 2, 3][..], &Options::new());
    /// assert_eq!(reader.skip_rows(2)?, 2);
    /// assert_eq!(reader.next_batch(9)?.unwrap().get("x"), Some(&Column::from(vec![3u8])));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The reader fails, or a row is not complete, or damaged so that the next one cannot be found.
    pub fn skip_rows(&mut self, rows: u64) -> Result<u64> {
        self.batches.skip_rows(&mut self.src.erase(), rows)
    }

    /// The next rows, at most that many; `None` at the end. A damaged row is an error after the rows before it, and the
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
        self.batches.next(&mut self.src.erase(), max_rows)
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
        self.batches.rows.end()
    }
}

impl Batches {
    pub(super) fn new(rows: RowReader, limits: Limits) -> Self {
        Batches {
            rows,
            limits,
            most: u64::MAX,
            left: None,
            #[cfg(feature = "table")]
            finder: super::found::Finder::default(),
            error: None,
            ended: false,
        }
    }

    fn starting_at(self, offset: u64, row: u64) -> Self {
        // a row that memory cannot hold has a number after which others fit
        let row = usize::try_from(row).unwrap_or(usize::MAX).min(isize::MAX as usize);
        Batches { rows: self.rows.at(offset, row), ..self }
    }

    fn skip_rows(&mut self, src: &mut Erased<'_, '_>, rows: u64) -> Result<u64> {
        src.budget_mut().0.renew(self.limits);
        let done = self.rows.skip_up_to(src, rows);
        self.ended |= done.is_err();
        done
    }

    pub(super) fn next(&mut self, src: &mut Erased<'_, '_>, max_rows: usize) -> Result<Option<Columns>> {
        src.budget_mut().0.renew(self.limits);
        let left = self.left.map_or(usize::MAX, |left| usize::try_from(left).unwrap_or(usize::MAX));
        let max_rows = max_rows.min(left);
        let enough = self.rows.end().saturating_add(self.most);
        while !self.ended && self.rows.num_rows() < max_rows {
            if self.rows.num_rows() > 0 && self.rows.end() >= enough {
                break;
            }
            let at_end = if self.left.is_some() { Ok(false) } else { src.at_end() };
            // room is made only for rows that will be read
            let most = self.rows.within(max_rows, between(self.rows.end(), enough));
            match at_end {
                Ok(false) => self.error = self.rows.step(src, most).err(),
                Ok(true) => self.ended = true,
                Err(e) => self.error = Some(e),
            }
            self.ended |= self.error.is_some();
        }
        if self.rows.num_rows() > 0 {
            if let Some(left) = &mut self.left {
                *left = left.saturating_sub(self.rows.num_rows() as u64);
            }
            return Ok(Some(self.rows.take()));
        }
        self.error.take().map_or(Ok(None), Err)
    }
}
