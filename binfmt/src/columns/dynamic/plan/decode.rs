//! Decoding: blocks of rows where nothing is in doubt; a row that is in doubt, alone, by the value decoder.
//!
//! The value decoder has the last word on every row that a block does not take as it is: it knows all types and all
//! leniency, and its errors are those of the derived codec.

use super::super::batch::Columns;
use super::super::column::Column;
use super::super::form::{Refused, memory, push, values_of};
use super::Plan;
use super::fill::{Block, Places, fill_rows};
use super::walk::Starts;
use crate::columns::data::{ColumnData, foreseen};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::schema::Name;
use crate::value::{self, Value};
use crate::wire::options::{Limits, Policy};
use crate::wire::{Be, Cursor, Endian, Le, Options, Slice};
use alloc::string::ToString;

/// A block is no longer than this: it should stay in the first cache while the columns are taken from it.
const BLOCK_BYTES: usize = 32 << 10;

/// Rows of a block at most.
const BLOCK_ROWS: usize = 1 << 10;

/// Beginnings of runs in a block.
const BLOCK_STARTS: usize = 1 << 12;

/// Rows on their way into columns.
#[derive(Debug)]
pub(super) struct Rows<'p> {
    plan: &'p Plan,
    little: bool,
    limits: Limits,
    policy: Policy,
    starts: Starts,
    /// Rows of the next block: few where many were in doubt.
    block: usize,
    /// Rows for which there is room.
    planned: usize,
    pub(super) columns: Columns,
}

/// How far some bytes went.
pub(super) struct Progress {
    /// Bytes of whole rows.
    pub(super) used: usize,
    /// What the row behind them is not, unless there is none.
    pub(super) stop: Option<Error>,
}

impl<'p> Rows<'p> {
    pub(super) fn new<C>(plan: &'p Plan, options: &Options<C>) -> Self {
        Rows {
            plan,
            little: options.endian == Endian::Little,
            limits: options.limits,
            policy: options.policy,
            starts: Starts::default(),
            block: plan.block_rows(),
            planned: 0,
            columns: plan.empty(),
        }
    }

    /// Adds the rows of `bytes`, until there are `most`.
    pub(super) fn add(&mut self, bytes: &[u8], most: usize) -> Progress {
        let mut used = 0usize;
        while used < bytes.len() && self.columns.rows < most {
            self.plan_memory(bytes.len().saturating_sub(used), used, most);
            match self.block(bytes, used, most) {
                Some(end) if end > used => used = end,
                _ => match self.one(bytes, used) {
                    Ok(end) => used = end,
                    Err(e) => return Progress { used, stop: Some(e) },
                },
            }
            if let Err(e) = self.check_memory(used) {
                return Progress { used, stop: Some(e) };
            }
        }
        Progress { used, stop: None }
    }

    /// A block of rows that are beyond doubt; where they end.
    fn block(&mut self, bytes: &[u8], from: usize, most: usize) -> Option<usize> {
        let body = self.plan.body.as_ref()?;
        let rows = self.block.min(most.saturating_sub(self.columns.rows));
        let (block, end) = match body.size {
            Some(size) => {
                let left = bytes.get(from..)?;
                let rows = rows.min(left.len().checked_div(size)?);
                let bytes = left.get(..rows.checked_mul(size)?)?;
                let places = Places::Strided(size);
                let end = from.checked_add(bytes.len())?;
                (Block { bytes, rows, places, little: self.little, policy: self.policy }, end)
            }
            None => {
                let (rows, end) = body.walk_block(bytes, from, rows, self.little, &mut self.starts);
                let places = Places::Starts(&self.starts);
                (Block { bytes, rows, places, little: self.little, policy: self.policy }, end)
            }
        };
        let rows = block.rows;
        if !self.columns.columns.iter_mut().all(|(_, column)| column.room(rows)) {
            // a row by itself needs less
            return None;
        }
        let good = fill_rows(body, &mut self.columns.columns, &self.plan.picks, &block);
        self.columns.rows = self.columns.rows.saturating_add(good);
        if good == rows {
            self.block = self.block.saturating_mul(2).min(self.plan.block_rows());
            return Some(end);
        }
        let all = self.columns.rows;
        self.columns.columns.iter_mut().for_each(|(_, column)| column.truncate(all));
        // one row more by itself, and as long as that helps, not many in vain
        self.block = 1;
        match body.size {
            Some(size) => from.checked_add(good.checked_mul(size)?),
            None => self.starts.runs.first()?.get(good).copied(),
        }
    }

    /// One row by the value decoder; where it ends.
    pub(super) fn one(&mut self, bytes: &[u8], from: usize) -> Result<usize> {
        let mut src = Slice::with(bytes, self.limits, self.policy);
        Cursor::skip(&mut src, from as u64)?;
        let code = self.plan.program.code();
        let value = if self.little {
            value::run::<Le, _>(&mut src, code)
        } else {
            value::run::<Be, _>(&mut src, code)
        };
        let end = bytes.len().saturating_sub(src.rest().len());
        let row = self.columns.rows;
        let value = match value {
            Ok(value) if end > from => value,
            Ok(_) => return Err(Error::new(ErrorKind::Endless, from as u64).within(Step::Index(row))),
            Err(e) => return Err(e.within(Step::Index(row))),
        };
        self.push(&value, from)?;
        Ok(end)
    }

    /// Adds the picked fields of a row.
    pub(super) fn push(&mut self, row: &Value, at: usize) -> Result<()> {
        let before = self.columns.rows;
        let values = values_of(row).unwrap_or(&[]);
        let picked = self.plan.picks.iter().map(|pick| values.get(*pick));
        for ((name, column), value) in self.columns.columns.iter_mut().zip(picked) {
            let done = match value {
                Some(value) => push(column, value),
                None => Err(Refused::Type),
            };
            if let Err(refused) = done {
                let e = refused.at(at as u64);
                let e = e.within(Step::Name(name.to_string())).within(Step::Index(before));
                self.columns.truncate(before);
                return Err(e);
            }
        }
        self.columns.rows = before.saturating_add(1);
        Ok(())
    }

    /// Makes room for all rows to come, as far as they can be foreseen: growing by steps takes the memory twice.
    fn plan_memory(&mut self, left: usize, used: usize, most: usize) {
        let rows = self.columns.rows;
        // a caller's limit is kept by growing slowly
        if self.limits.memory != usize::MAX || rows < self.planned {
            return;
        }
        let size = self.plan.body.as_ref().and_then(|body| body.size);
        let more = match size {
            Some(size) => left.checked_div(size).unwrap_or(0),
            None if rows == 0 || used == 0 => return,
            None => foreseen(rows, used, left),
        };
        let more = more.min(most.saturating_sub(rows));
        let done = if size.is_some() && !self.plan.grows { 0 } else { rows };
        self.columns.columns.iter_mut().for_each(|(_, column)| column.expect(0, done, more));
        self.planned = rows.saturating_add(more).max(rows.saturating_add(1));
    }

    fn check_memory(&self, at: usize) -> Result<()> {
        if self.limits.memory == usize::MAX {
            return Ok(());
        }
        let add = |all: usize, (_, column): &(Name, Column)| all.saturating_add(memory(column));
        let requested = self.columns.columns.iter().fold(0usize, add);
        if requested <= self.limits.memory {
            return Ok(());
        }
        Err(Error::new(ErrorKind::MemoryLimit { requested, remaining: self.limits.memory }, at as u64))
    }

    /// Hands out the rows and begins again.
    #[cfg(feature = "std")]
    pub(super) fn take(&mut self) -> Columns {
        self.planned = 0;
        core::mem::replace(&mut self.columns, self.plan.empty())
    }
}

impl Plan {
    /// Rows of a block.
    fn block_rows(&self) -> usize {
        let Some(body) = &self.body else { return 1 };
        let rows = match body.size {
            Some(size) => BLOCK_BYTES.checked_div(size),
            None => BLOCK_STARTS.checked_div(body.runs.len()),
        };
        rows.unwrap_or(BLOCK_ROWS).clamp(1, BLOCK_ROWS)
    }

    /// All rows of a slice, little-endian where the layout does not say.
    ///
    /// ```
    /// use binfmt::{columns::{Column, Plan}, schema::{Description, Field, Record, Type}};
    /// let x = Field::new("x", Type::Int { bytes: 2, signed: false });
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x])))).unwrap();
    /// let columns = plan.decode(&[1, 0, 2, 0])?;
    /// assert_eq!(columns.get("x"), Some(&Column::from(vec![1u16, 2])));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A row is damaged or not complete.
    pub fn decode(&self, bytes: &[u8]) -> Result<Columns> {
        self.decode_with(bytes, &Options::new())
    }

    /// [`decode`](Self::decode) with byte order, limits and leniency from outside.
    ///
    /// ```
    /// use binfmt::{Endian, Options, columns::{Column, Plan}, schema::{Description, Field, Record, Type}};
    /// let x = Field::new("x", Type::Int { bytes: 2, signed: false });
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x])))).unwrap();
    /// let big = Options::new().endian(Endian::Big);
    /// assert_eq!(plan.decode_with(&[0, 1], &big)?.get("x"), Some(&Column::from(vec![1u16])));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`decode`](Self::decode), or a limit is reached.
    pub fn decode_with<C>(&self, bytes: &[u8], options: &Options<C>) -> Result<Columns> {
        let mut rows = Rows::new(self, options);
        match rows.add(bytes, usize::MAX).stop {
            None => Ok(rows.columns),
            Some(e) => Err(e),
        }
    }

    /// Columns of rows that are there as values.
    ///
    /// ```
    /// use binfmt::{columns::{Column, Plan}, schema::{Description, Field, Record, Type}, value::Value};
    /// let x = Field::new("x", Type::Int { bytes: 2, signed: false });
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x])))).unwrap();
    /// let row = Value::record([("x", 7u16)]);
    /// assert_eq!(plan.columns_of(&[row])?.get("x"), Some(&Column::from(vec![7u16])));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A value is none of the layout.
    pub fn columns_of(&self, values: &[Value]) -> Result<Columns> {
        let mut rows = Rows::new(self, &Options::new());
        for value in values {
            rows.push(value, 0)?;
        }
        Ok(rows.columns)
    }
}
