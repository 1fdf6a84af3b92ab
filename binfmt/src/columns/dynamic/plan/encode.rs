//! Encoding: blocks of rows, one column after the other; where a block stops, one row by itself.
//!
//! A block stops where its lengths cannot be measured beforehand (lists of texts, bodies that may be absent) or a value is in doubt.
//! As when decoding, what is still in doubt goes to the value codec, which says what is wrong with it, and where.
#![allow(clippy::arithmetic_side_effects, reason = "rows of columns in memory, and bytes that were written")]

use super::super::batch::Columns;
use super::super::cell::try_record;
use super::super::column::{Column, ColumnRef};
use super::super::form::same_form;
use super::Plan;
use super::numbers::{append, is_numbers};
use super::place::Body;
use super::put::put_row;
use super::scatter::{Scratch, scatter_rows};
use crate::columns::rows::{BLOCK_ROWS, block_rows};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::schema::Name;
use crate::value::{Value, put_run};
use crate::wire::limits::memory_of;
#[cfg(feature = "std")]
use crate::wire::out::writer_sink;
use crate::wire::out::{locating_vec, locating_vec_from};
use crate::wire::raw::bulk::try_room_exact;
use crate::wire::raw::out::Grow;
use crate::wire::sink::must_end;
use crate::wire::{Be, Endian, Le, Options, Out, Policy, Sink, vec_sink};
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::cell::Cell;
use core::ops::Range;

/// Rows on their way to the wire.
pub(crate) struct ColumnWriter<'p> {
    plan: &'p Plan,
    columns: Vec<ColumnRef<'p>>,
    little: bool,
    policy: Policy,
    /// The next row, and the one after the last.
    row: usize,
    rows: usize,
    /// Rows of the next block: few where many were in doubt.
    block: usize,
    /// The body of rows that consist of numbers alone.
    numbers: Option<&'p Body>,
    /// The error if anything follows the last row.
    last: Option<Error>,
}

impl<'p> ColumnWriter<'p> {
    /// For all rows of columns, which must be those of the plan.
    pub(super) fn new<C>(plan: &'p Plan, columns: &'p Columns, options: &Options<C>) -> Result<Self> {
        check(plan, &columns.columns)?;
        let refs = columns.columns.iter().map(|(_, column)| column.borrowed()).collect();
        Ok(Self::of(plan, refs, 0..columns.rows, (options.endian, options.policy)))
    }

    /// For some rows of columns that are those of the plan.
    pub(crate) fn of(
        plan: &'p Plan,
        columns: Vec<ColumnRef<'p>>,
        rows: Range<usize>,
        (endian, policy): (Endian, Policy),
    ) -> Self {
        ColumnWriter {
            plan,
            columns,
            little: endian == Endian::Little,
            policy,
            row: rows.start,
            rows: rows.end,
            block: BLOCK_ROWS,
            numbers: plan.parts.body.as_ref().filter(|body| is_numbers(body)),
            last: None,
        }
    }

    /// Appends all rows, for which there is room; `false` if they are not of numbers alone, and then `out` is of no use.
    fn append(&self, out: &mut Vec<u8>) -> bool {
        let Some(body) = self.numbers else { return false };
        let size = body.size.unwrap_or(1);
        let mut row = self.row;
        while row < self.rows {
            let end = self.rows.min(row + block_rows(row - self.row, size));
            if !append(body, &self.columns, row..end, self.little, out) {
                return false;
            }
            row = end;
        }
        true
    }

    /// Writes all rows, block by block.
    pub(crate) fn write<W: Sink>(mut self, out: &mut W, scratch: &mut Scratch) -> Result<()> {
        let mut one = Vec::new();
        while self.row < self.rows {
            let rows = (self.rows - self.row).min(self.block);
            let range = self.row..self.row + rows;
            let (done, size) = match (self.numbers, &self.plan.parts.body) {
                (Some(body), _) => {
                    scratch.block.clear();
                    let done = append(body, &self.columns, range, self.little, &mut scratch.block);
                    if done { (rows, scratch.block.len()) } else { (0, 0) }
                }
                (None, Some(body)) => scatter_rows(body, &self.columns, range, self.little, scratch),
                (None, None) => (0, 0),
            };
            out.bytes(scratch.block.get(..size).unwrap_or(&scratch.block), 0)?;
            self.row += done;
            if done == rows {
                self.block = (self.block * 2).min(BLOCK_ROWS);
            } else {
                // one row by itself, and as long as that helps, not many in vain
                self.block = 1;
                one.clear();
                self.one(&mut one, out.pos(), out.most())?;
                out.bytes(&one, 0)?;
            }
        }
        scratch.settle();
        scratch.keep(self.columns);
        self.last.map_or(Ok(()), |e| must_end(out, || e))
    }

    /// The next row by itself, after that many bytes of an output that may have so many.
    fn one(&mut self, out: &mut Vec<u8>, base: u64, most: u64) -> Result<()> {
        if let Some(e) = self.last.take() {
            return Err(e);
        }
        let whole = match &self.plan.parts.body {
            Some(body) => put_row(body, self.columns.iter().copied(), self.row, self.little, out),
            None => false,
        };
        if !whole {
            out.clear();
            self.by_value(out, base, most.saturating_sub(base))?;
        }
        self.row += 1;
        Ok(())
    }

    fn by_value(&mut self, out: &mut Vec<u8>, base: u64, most: u64) -> Result<()> {
        let names = self.plan.parts.columns.iter().map(|(name, _)| name);
        let row = try_record(names.zip(self.columns.iter().copied()), self.row)
            .map_err(|e| e.at(base).within(Step::Index(self.row)))?;
        let code = self.plan.parts.program.code();
        let last = Cell::new(None);
        let write = |out: &mut Out<'_, Grow<'_>>| {
            let out = out.at_most(most).letting_pass(self.policy.optional_nul);
            if self.little {
                put_run::<Le, _>(&row, code, out)?;
            } else {
                put_run::<Be, _>(&row, code, out)?;
            }
            let at = out.pos();
            last.set(out.parts().placed.map_or(Ok(None), |placed| placed.open_end(at))?);
            Ok(())
        };
        let own = |e: Error| e.within(Step::Index(self.row)).moved(base, 0);
        locating_vec::<Value>(out, 0, write).map_err(own)?;
        if let Some((locator, e)) = last.take() {
            let located = locating_vec_from(locator, &mut Vec::new(), write);
            self.last = Some(own(located.err().unwrap_or(e)));
        }
        Ok(())
    }
}

/// Whether columns are those of a plan.
fn check(plan: &Plan, columns: &[(Name, Column)]) -> Result<()> {
    if !plan.parts.picks.iter().copied().eq(0..plan.parts.fields) {
        return Err(ErrorKind::unsupported("a plan of some of the columns", "encoding").into());
    }
    if plan.parts.columns.len() != columns.len() {
        return Err(ErrorKind::count("columns", plan.parts.columns.len(), columns.len()).into());
    }
    for ((name, wanted), (found_name, found)) in plan.parts.columns.iter().zip(columns) {
        let e = if name != found_name {
            ErrorKind::mismatch("", format!("column `{name}`"), format!("column `{found_name}`")).into()
        } else if !same_form(wanted, found) {
            Error::other("the column has another type than the layout").within(Step::Name(name.to_string()))
        } else {
            continue;
        };
        return Err(e);
    }
    Ok(())
}

impl Plan {
    /// The rows of columns as bytes, little-endian where the layout does not say.
    ///
    /// ```
    /// use binfmt::{columns::{Column, Columns, Plan}, schema::{Description, Field, Record, Type}};
    /// let x = Field::new("x", Type::Int { bytes: 2, signed: false });
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x])))).unwrap();
    /// let columns = Columns::new(vec![("x".into(), Column::from(vec![1u16, 2]))])?;
    /// assert_eq!(plan.encode(&columns)?, [1, 0, 2, 0]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The columns are not those of the layout, or a value contradicts it.
    pub fn encode(&self, columns: &Columns) -> Result<Vec<u8>> {
        self.encode_with(columns, &Options::new())
    }

    /// [`encode`](Self::encode) with byte order from outside.
    ///
    /// ```
    /// # use binfmt::{columns::{Column, Columns, Plan}, schema::{Description, Field, Record, Type}};
    /// # let x = Field::new("x", Type::Int { bytes: 2, signed: false });
    /// # let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x])))).unwrap();
    /// use binfmt::{Endian, Options};
    /// let columns = Columns::new(vec![("x".into(), Column::from(vec![1u16]))])?;
    /// assert_eq!(plan.encode_with(&columns, &Options::new().endian(Endian::Big))?, [0, 1]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn encode_with<C>(&self, columns: &Columns, options: &Options<C>) -> Result<Vec<u8>> {
        let writer = ColumnWriter::new(self, columns, options)?;
        let all = self.parts.size.map_or(0, |size| memory_of(columns.rows, size));
        let mut out = Vec::new();
        if all as u64 <= options.most && try_room_exact(&mut out, all).is_ok() && writer.append(&mut out) {
            return Ok(out);
        }
        out.clear();
        let room = options.room(all);
        vec_sink(&mut out, room, |out| writer.write(out.at_most(options.most), &mut Scratch::default()))?;
        Ok(out)
    }

    /// The rows of columns, written in blocks; returns how many bytes they took.
    ///
    /// ```
    /// # use binfmt::{columns::{Column, Columns, Plan}, schema::{Description, Field, Record, Type}};
    /// # let x = Field::new("x", Type::Int { bytes: 2, signed: false });
    /// # let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [x])))).unwrap();
    /// use binfmt::Options;
    /// let columns = Columns::new(vec![("x".into(), Column::from(vec![1u16]))])?;
    /// let mut file = Vec::new();
    /// assert_eq!(plan.encode_to(&columns, &mut file, &Options::new())?, 2);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`encode`](Self::encode), or the writer fails. What was written before stays written.
    #[cfg(feature = "std")]
    pub fn encode_to<W: std::io::Write, C>(
        &self,
        columns: &Columns,
        out: W,
        options: &Options<C>,
    ) -> Result<u64> {
        let writer = ColumnWriter::new(self, columns, options)?;
        writer_sink(out, |out| writer.write(out.at_most(options.most), &mut Scratch::default()))
    }
}
