//! Decoding: blocks of rows where nothing is in doubt; a row that is in doubt, alone, by the value decoder.
//!
//! The value decoder has the last word on every row that a block does not take as it is: it knows all types and all
//! leniency, and its errors are those of the derived codec. So a block looks at the bytes that the source has at hand, and a
//! row that goes on after them is looked at again when the source has more; but one that is very long, damaged, or the last
//! that is there, the value decoder reads from the source itself.
#![allow(clippy::arithmetic_side_effects, reason = "rows and bytes that are in memory or were read")]

use super::super::batch::Columns;
use super::super::column::Column;
use super::super::form::{Refused, into_values, memory, push_owned};
use super::Plan;
use super::fill::{Block, Places, fill_rows};
use super::scatter::Scratch;
use super::straight;
use super::walk::{Starts, Unfinished};
use crate::columns::data::{ColumnData, foreseen};
use crate::columns::rows::{FAR_BLOCK_BYTES, FAR_BYTES};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::value::{self, Value};
use crate::wire::amount::num_in;
use crate::wire::limits::memory_of;
use crate::wire::options::Policy;
use crate::wire::{Cursor, Endian, Erased, Hooks, Label, Slice, Source};
use alloc::string::ToString;
use alloc::vec::{Drain, Vec};

/// A block is no longer than this: it should stay in the first cache while the columns are taken from it.
const BLOCK_BYTES: usize = 32 << 10;

/// Rows of a block at most.
const BLOCK_ROWS: usize = 1 << 10;

/// Beginnings of runs in a block.
const BLOCK_STARTS: usize = 1 << 12;

/// A source is asked for that many bytes at once, as far as the wanted rows need them: for more the buffer of a stream would
/// outgrow the first cache.
pub(super) const CHUNK: usize = 32 << 10;

/// A row that is not whole in that many bytes is read from the source as a value.
pub(super) const LONG_ROW: usize = 1 << 20;

/// Rows on their way into columns.
#[derive(Debug)]
pub(crate) struct RowReader {
    pub(super) plan: Plan,
    pub(super) little: bool,
    starts: Starts,
    /// Rows of the next block: few where many were in doubt.
    block: usize,
    /// Rows for which there is room.
    planned: usize,
    /// Bytes of memory for which the source was charged.
    charged: usize,
    /// Where the rows of the columns begin in the source, and where the next row does.
    pub(super) begin: u64,
    pub(super) end: u64,
    /// The number of the next row, as errors have it.
    pub(super) next: usize,
    /// How many rows there are, and their columns in the order of the plan's.
    rows: usize,
    columns: Vec<Column>,
}

impl RowReader {
    /// No rows, little-endian ones where the layout does not say.
    pub(crate) fn new(plan: &Plan, endian: Endian) -> Self {
        Self::with_room(plan, endian, 0, &mut Scratch::default())
    }

    /// The same for that many rows of a source with memory that was kept, which [`finish`](Self::finish) gives back.
    pub(crate) fn with(
        plan: &Plan,
        endian: Endian,
        (src, rows): (&Erased<'_, '_>, usize),
        scratch: &mut Scratch,
    ) -> Self {
        // no more than there are bytes for
        let least = plan.parts.program.code().root().sizes.min;
        let there = src.left().map_or(0, |left| num_in(left, least));
        Self::with_room(plan, endian, rows.min(there), scratch)
    }

    /// With room for that many rows, or those of a block, where making it at once is less work.
    fn with_room(plan: &Plan, endian: Endian, rows: usize, scratch: &mut Scratch) -> Self {
        let block = plan.block_rows(0);
        let mut columns = core::mem::take(&mut scratch.columns);
        columns.extend(plan.empty_columns(rows.min(block)));
        RowReader {
            plan: plan.clone(),
            little: endian == Endian::Little,
            starts: core::mem::take(&mut scratch.starts),
            block,
            planned: 0,
            charged: 0,
            begin: 0,
            end: 0,
            next: 0,
            rows: 0,
            columns,
        }
    }

    /// The same, as if that many rows were before the first.
    pub(super) fn at_row(self, row: usize) -> Self {
        RowReader { next: row, ..self }
    }

    /// The same, at that place of the input.
    #[cfg(feature = "std")]
    pub(super) fn at(self, offset: u64, row: usize) -> Self {
        RowReader { begin: offset, end: offset, next: row, ..self }
    }

    #[cfg(any(feature = "std", feature = "sdds"))]
    pub(crate) fn num_rows(&self) -> usize {
        self.rows
    }

    /// The columns with their names.
    pub(super) fn into_columns(self) -> Columns {
        named(&self.plan, self.rows, self.columns)
    }

    /// The columns, and the memory beside them to whoever keeps it.
    pub(crate) fn finish(self, scratch: &mut Scratch) -> Drain<'_, Column> {
        (scratch.starts, scratch.columns) = (self.starts, self.columns);
        scratch.columns.drain(..)
    }

    /// Where the next row begins.
    #[cfg(feature = "std")]
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    fn hand(&self) -> Hand {
        let parts = &self.plan.parts;
        Hand { blocks: parts.body.is_some(), least: parts.program.code().root().sizes.min }
    }

    /// Adds rows until there are that many.
    pub(crate) fn read(&mut self, src: &mut Erased<'_, '_>, rows: usize) -> Result<()> {
        while self.rows < rows {
            self.step(src, rows)?;
        }
        Ok(())
    }

    /// Adds some rows after others, and before others, which are stepped over.
    pub(crate) fn read_part(
        &mut self,
        src: &mut Erased<'_, '_>,
        (before, rows, after): (usize, usize, usize),
    ) -> Result<()> {
        if before > 0 {
            self.skip(src, before)?;
        }
        self.read(src, rows)?;
        if after > 0 {
            self.skip(src, after)?;
        }
        Ok(())
    }

    /// Adds rows up to the end of the source.
    pub(super) fn read_all(&mut self, src: &mut Erased<'_, '_>) -> Result<()> {
        while !src.at_end()? {
            self.step(src, usize::MAX)?;
        }
        Ok(())
    }

    /// Adds a block of rows, or one by itself, so that there are at most `most`.
    pub(super) fn step(&mut self, src: &mut Erased<'_, '_>, most: usize) -> Result<()> {
        if self.rows == 0 {
            (self.begin, self.end) = (src.pos(), src.pos());
        }
        if self.straight(src, most)? {
            return Ok(());
        }
        let policy = src.policy();
        self.plan_memory(src, most)?;
        let found = at_hand(src, self.hand(), most - self.rows, |bytes| self.block(bytes, policy, most))?;
        match found {
            Some(size) => src.skip(size as u64)?,
            None => self.one(src)?,
        }
        self.end = src.pos();
        self.charge(src)
    }

    /// Adds the rows that are known to be there, if they are the one column and many: whether it did. Others come in blocks, or by themselves,
    /// and a caller's limit is kept so.
    fn straight(&mut self, src: &mut Erased<'_, '_>, most: usize) -> Result<bool> {
        let Some(size) = self.plan.straight().filter(|_| !src.is_heard() && !is_bounded(src)) else {
            return Ok(false);
        };
        let there = src.expected().and_then(|there| there.checked_div(size)).unwrap_or(0);
        let (before, rows) = (self.rows, there.min(most - self.rows));
        let Some(column) = self.columns.first_mut().filter(|_| memory_of(rows, size) >= straight::LEAST)
        else {
            return Ok(false);
        };
        let done = self.plan.read_straight(src, (&mut *column, rows), self.little);
        if let Err(e) = done {
            column.truncate(before);
            // memory is not a matter of one row
            return Err(if e.kind().is_of_memory() { e } else { e.within(Step::Index(self.next)) });
        }
        self.rows += rows;
        self.next += rows;
        self.end = src.pos();
        Ok(true)
    }

    /// Steps over rows.
    pub(crate) fn skip(&mut self, src: &mut Erased<'_, '_>, rows: usize) -> Result<()> {
        if let Some(size) = self.plan.parts.size.filter(|_| !src.is_heard()) {
            skip_rows(src, rows, size).map_err(|e| e.moved(0, self.next))?;
            self.next += rows;
            return Ok(());
        }
        let mut most = rows;
        while most > 0 {
            most -= self.skip_some(src, most)?;
        }
        Ok(())
    }

    /// Steps over the rows that are at hand, or over one: how many.
    fn skip_some(&mut self, src: &mut Erased<'_, '_>, most: usize) -> Result<usize> {
        let (mut done, little) = (1, self.little);
        let found = at_hand(src, self.hand(), most, |bytes| match &self.plan.parts.body {
            Some(body) => match body.step_over(bytes, most, usize::MAX, little) {
                (0, _, why) => Err(why.unwrap_or(Unfinished::Doubtful)),
                (rows, size, _) => {
                    done = rows;
                    Ok(size)
                }
            },
            None => Err(Unfinished::Doubtful),
        })?;
        match found {
            Some(size) => {
                src.skip(size as u64)?;
                self.next += done;
            }
            None => drop(self.value(src)?),
        }
        Ok(done)
    }

    /// Steps over that many rows, or as many as there are: how many.
    #[cfg(feature = "std")]
    pub(super) fn skip_up_to(&mut self, src: &mut Erased<'_, '_>, rows: u64) -> Result<u64> {
        let mut left = rows;
        while left > 0 && !src.at_end()? {
            let most = usize::try_from(left).unwrap_or(usize::MAX);
            let done = match self.plan.parts.size {
                Some(size) => {
                    let there = src.chunk()?.checked_div(size);
                    let rows = there.ok_or_else(|| self.endless(src.pos()))?.clamp(1, most);
                    self.skip(src, rows)?;
                    rows
                }
                None => self.skip_some(src, most)?,
            };
            left -= done as u64;
        }
        self.end = src.pos();
        Ok(rows - left)
    }

    /// A block of rows that are beyond doubt, at the beginning of these bytes; how many of them they take.
    fn block(&mut self, bytes: &[u8], policy: Policy, most: usize) -> Result<usize, Unfinished> {
        let body = self.plan.parts.body.as_ref().ok_or(Unfinished::Doubtful)?;
        let rows = self.block.min(most - self.rows);
        if let (Some(texts), [column @ Column::Text(_)]) =
            (self.plan.text_rows(self.little), self.columns.as_mut_slice())
            && column.room(rows)
            && let Column::Text(v) = column
        {
            let (rows, size, why) = texts.read(bytes, rows, v);
            self.rows += rows;
            self.next += rows;
            return if rows > 0 { Ok(size) } else { Err(why.unwrap_or(Unfinished::Doubtful)) };
        }
        let (rows, size, why) = match body.size {
            Some(size) => match rows.min(bytes.len().checked_div(size).ok_or(Unfinished::Doubtful)?) {
                0 => (0, 0, Some(Unfinished::Short)),
                // that many are there
                rows => (rows, rows * size, None),
            },
            None => body.walk_block(bytes, 0, rows, self.little, &mut self.starts),
        };
        if rows == 0 {
            return Err(why.unwrap_or(Unfinished::Doubtful));
        }
        // numbers in rows of one size ask for room when they are added
        let strided = body.size.is_some();
        let ready =
            |column: &mut Column| (strided && matches!(column, Column::Numbers(_))) || column.room(rows);
        if !self.columns.iter_mut().all(ready) {
            // a row by itself needs less
            return Err(Unfinished::Doubtful);
        }
        let places = body.size.map_or(Places::Starts(&self.starts), Places::Strided);
        let bytes = &bytes[..size];
        let block = Block { bytes, rows, places, little: self.little, policy };
        let good = fill_rows(body, &mut self.columns, &self.plan.parts.picks, &block);
        self.rows += good;
        self.next += good;
        if good == rows {
            self.block = (self.block * 2).min(self.plan.block_rows(self.rows));
            return Ok(size);
        }
        let all = self.rows;
        self.columns.iter_mut().for_each(|column| column.truncate(all));
        // one row more by itself, and as long as that helps, not many in vain
        self.block = 1;
        let size = match body.size {
            Some(size) => size * good,
            None => self.starts.start(0, good),
        };
        if size > 0 { Ok(size) } else { Err(Unfinished::Doubtful) }
    }

    /// Of rows without bytes there is no last one.
    #[cold]
    fn endless(&self, at: u64) -> Error {
        Error::new(ErrorKind::Endless, at).within(Step::Index(self.next))
    }

    /// A row by the value decoder.
    pub(super) fn value(&mut self, src: &mut Erased<'_, '_>) -> Result<Value> {
        let (at, row) = (src.pos(), self.next);
        // what the value takes is given back when it is in the columns
        let budget = *src.budget();
        src.open(Label::Index(row), "row");
        let code = self.plan.parts.program.code();
        let value = value::run(src.erase(), self.little, code).map_err(|e| e.within(Step::Index(row)))?;
        if src.pos() == at {
            return Err(self.endless(at));
        }
        src.close();
        *src.budget_mut().0 = budget;
        self.next = row + 1;
        Ok(value)
    }

    /// A row by itself.
    fn one(&mut self, src: &mut Erased<'_, '_>) -> Result<()> {
        let (at, row) = (src.pos(), self.next);
        let value = match self.plan.parts.looks_past {
            true => self.value_with_more(src)?,
            false => match self.value_at_hand(src)? {
                Some(value) => value,
                None => self.value(src)?,
            },
        };
        let mut values = into_values(value);
        let add = |column: &mut Column, pick| match values.get_mut(pick) {
            Some(value) => push_owned(column, core::mem::replace(value, Value::Unit)),
            None => Err(Refused::Type),
        };
        self.push(at, add).map_err(|e| e.within(Step::Index(row)))
    }

    /// A row for which bytes after it may matter: those at hand are not enough, and how many are is not known. Only the error is one of a
    /// slice, as far as there are no more bytes than a slice may get here.
    fn value_with_more(&mut self, src: &mut Erased<'_, '_>) -> Result<Value> {
        if src.is_heard() || src.left().is_some() || src.in_region() {
            return self.value(src);
        }
        let (at, held, budget, row) = (src.pos(), src.hold(), *src.budget(), self.next);
        let saved = src.save();
        let read = self.value(src);
        if let Err(e) = &read
            && e.is_of_bytes()
        {
            src.restore(saved)?;
            let bytes = src.look(LONG_ROW)?;
            if bytes.len() < LONG_ROW {
                let mut slice = Slice::new(bytes);
                *slice.budget_mut().0 = budget;
                self.next = row;
                self.value(&mut slice.erase()).map_err(|e| e.moved(at, 0))?;
            }
        }
        src.release(held);
        read
    }

    /// A row in the bytes that a stream has at hand, because the errors of a slice say how much is left; `None` of one that is
    /// too long for that.
    fn value_at_hand(&mut self, src: &mut Erased<'_, '_>) -> Result<Option<Value>> {
        if src.is_heard() || src.left().is_some() || src.in_region() {
            return Ok(None);
        }
        let (at, budget) = (src.pos(), *src.budget());
        let mut have = src.chunk()?;
        // of a row that takes all that there is everything is wanted
        let mut all = if self.plan.parts.greedy { src.look(have + 1)?.len() } else { have };
        while all > have {
            have = all;
            all = src.look((have * 2).max(CHUNK))?.len();
        }
        let mut bytes = src.peek(have)?;
        let row = self.next;
        loop {
            let mut slice = Slice::new(bytes);
            *slice.budget_mut().0 = budget;
            let done = self.value(&mut slice.erase());
            let size = slice.pos();
            // what may end with the input could go on after what is at hand
            let goes_on = match &done {
                Ok(_) => self.plan.parts.ends_with_input && size == have as u64,
                Err(e) => self.plan.parts.ends_with_input || e.is_incomplete(),
            };
            if goes_on && have >= LONG_ROW && !self.plan.parts.greedy {
                self.next = row;
                return Ok(None);
            }
            let more = if goes_on { src.look((have * 2).max(CHUNK))? } else { &[] };
            if more.len() > have {
                (have, bytes, self.next) = (more.len(), more, row);
                continue;
            }
            let value = done.map_err(|e| e.moved(at, 0))?;
            src.skip(size)?;
            return Ok(Some(value));
        }
    }

    /// Adds the picked fields of a row, each by a call with the field's number.
    pub(super) fn push(
        &mut self,
        at: u64,
        mut add: impl FnMut(&mut Column, usize) -> Result<(), Refused>,
    ) -> Result<()> {
        let before = self.rows;
        for (i, (column, pick)) in self.columns.iter_mut().zip(&self.plan.parts.picks).enumerate() {
            let done = add(column, *pick);
            if let Err(refused) = done {
                let name = self.plan.parts.columns.get(i).map_or("", |(name, _)| name.as_str());
                self.columns.iter_mut().for_each(|column| column.truncate(before));
                return Err(refused.at(at).within(Step::Name(name.to_string())));
            }
        }
        self.rows = before + 1;
        Ok(())
    }

    /// Makes room for all rows to come, as far as they can be foreseen: growing by steps takes the memory twice.
    fn plan_memory(&mut self, src: &mut Erased<'_, '_>, most: usize) -> Result<()> {
        let rows = self.rows;
        // a caller's limit is kept by growing slowly, and a block makes room for itself
        if rows < self.planned || most <= self.block || is_bounded(src) || src.is_heard() {
            return Ok(());
        }
        let left = match src.expected() {
            Some(left) => left,
            None => src.chunk()?,
        };
        let size = self.plan.parts.body.as_ref().and_then(|body| body.size);
        let done = usize::try_from(self.end - self.begin).unwrap_or(usize::MAX);
        let more = match size {
            Some(0) => 0,
            Some(size) => left / size,
            None if rows == 0 || done == 0 => return Ok(()),
            None => foreseen(rows, done, left),
        };
        let more = more.min(most - rows);
        let done = if size.is_some() && !self.plan.parts.grows { 0 } else { rows };
        let huge_pages = src.policy().huge_pages;
        self.columns.iter_mut().for_each(|column| column.foresee(done, more, huge_pages));
        self.planned = rows + more.max(1);
        Ok(())
    }

    /// The memory of the columns counts as the source's.
    fn charge(&mut self, src: &mut Erased<'_, '_>) -> Result<()> {
        if !is_bounded(src) {
            return Ok(());
        }
        let all: usize = self.columns.iter().map(memory).sum();
        let more = all.saturating_sub(core::mem::replace(&mut self.charged, all));
        src.charge(more)
    }

    /// Hands out the rows and begins again.
    #[cfg(feature = "std")]
    pub(crate) fn take(&mut self) -> Columns {
        (self.planned, self.charged) = (0, 0);
        // the next ones are most likely as many
        let room = if self.plan.parts.size.is_some() { self.rows } else { 0 };
        let columns = core::mem::replace(&mut self.columns, self.plan.empty_columns(room).collect());
        named(&self.plan, core::mem::take(&mut self.rows), columns)
    }
}

/// Columns with the names that a plan has for them.
fn named(plan: &Plan, rows: usize, columns: Vec<Column>) -> Columns {
    let names = plan.parts.columns.iter().map(|(name, _)| name.clone());
    Columns { rows, columns: names.zip(columns).collect() }
}

/// Whether the caller has said how much memory may be taken.
pub(super) fn is_bounded(src: &Erased<'_, '_>) -> bool {
    src.budget().memory() <= isize::MAX as usize
}

/// What a plan says of bytes at hand.
#[derive(Clone, Copy)]
struct Hand {
    /// Whether rows are read in blocks.
    blocks: bool,
    /// The fewest bytes of a row.
    least: usize,
}

/// Lets a function look at the bytes that come next, and again at more of them as long as it finds no end to the first row.
/// `None` if it is for the value decoder.
fn at_hand<R>(
    src: &mut Erased<'_, '_>,
    hand: Hand,
    rows: usize,
    mut look: impl FnMut(&[u8]) -> Result<R, Unfinished>,
) -> Result<Option<R>> {
    if src.is_heard() || !hand.blocks {
        return Ok(None);
    }
    let mut have = src.chunk()?;
    let mut bytes = src.peek(have)?;
    loop {
        match look(bytes) {
            Ok(found) => return Ok(Some(found)),
            Err(Unfinished::Short) if have < LONG_ROW => {}
            Err(_) => return Ok(None),
        }
        let least = memory_of(rows, hand.least);
        let most = CHUNK.min(src.budget().memory());
        let more = if have < CHUNK { have + 1 } else { have * 2 };
        bytes = src.look(least.min(most).max(more))?;
        if bytes.len() <= have {
            return Ok(None);
        }
        have = bytes.len();
    }
}

/// Steps over rows of one size; an error is of the first that is not whole.
pub(crate) fn skip_rows(src: &mut Erased<'_, '_>, rows: usize, size: usize) -> Result<()> {
    let start = src.pos();
    let Some(all) = (rows as u64).checked_mul(size as u64) else {
        return Err(Error::short(usize::MAX, src.left().unwrap_or(0), start, src.in_region()));
    };
    src.skip(all).map_err(|e| {
        let (left, in_region, at) = match (e.kind(), e.offset()) {
            (ErrorKind::UnexpectedEnd { remaining, .. }, Some(at)) => (*remaining, false, at),
            (ErrorKind::RegionEnd { remaining, .. }, Some(at)) => (*remaining, true, at),
            _ => return e,
        };
        // rows without bytes are there
        let there = at - start + left as u64;
        let (row, part) = (there / size as u64, there % size as u64);
        let whole = start + there - part;
        // a part of a row is smaller than one, and a row before the last is one of `rows`
        Error::short(size, part as usize, whole, in_region).within(Step::Index(row as usize))
    })
}

impl Plan {
    /// Rows of a block, after so many rows.
    fn block_rows(&self, done: usize) -> usize {
        let Some(body) = &self.parts.body else { return 1 };
        let rows = match body.size {
            Some(size) if memory_of(done, size) > FAR_BYTES => FAR_BLOCK_BYTES.checked_div(size),
            Some(size) => BLOCK_BYTES.checked_div(size),
            None => BLOCK_STARTS.checked_div(body.runs.len()),
        };
        rows.unwrap_or(BLOCK_ROWS).clamp(1, BLOCK_ROWS)
    }
}
