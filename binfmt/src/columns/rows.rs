//! Rows in and out of columns: blocks of records where each has the same size, else one row after the other.
//!
//! Row by row, every value would cost a bound check and a push of its own, in a different vector each time. So where every part
//! of a row has a fixed size, a block of rows is read once for each column, with a constant stride: that compiles to loads and
//! stores, and the block stays in the first cache meanwhile. Such a loop has no way out. An invalid value is only noted, and then
//! the rows of the block are read one by one, so that the error is that of the first damaged row.
#![allow(clippy::arithmetic_side_effects, reason = "rows and sizes of what is in memory, or of a block")]

use super::form::{RecordBlock, STEP, no_memory};
use super::record::{ColumnSet, Gather, Prepare, Read, ReadMajor, Scatter, Write, WriteMajor};
use crate::codec::{Decode, Encode, Layout};
use crate::containers::items::{endless, not_exact};
use crate::error::{Error, Result, Step};
use crate::wire::limits::memory_of;
use crate::wire::options::{Limits, Options, Policy};
use crate::wire::raw::records::RecordsMut;
use crate::wire::{Le, Order, Sink, Slice, Source, vec_sink};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;

/// Records that are taken apart, or put together, at a time: what several passes read again should still be cached.
pub(crate) const BLOCK_ROWS: usize = 512;

/// A block is no longer than this: several passes read it again, and it should stay in the first cache.
const BLOCK_BYTES: usize = 24 << 10;

/// More rows than this come from memory, and their columns go there. Then a block is shorter: the columns take turns often enough
/// for the machine to fetch and store what is next of each of them in the meantime.
pub(crate) const FAR_BYTES: usize = 2 << 20;
pub(crate) const FAR_BLOCK_BYTES: usize = 6 << 10;

/// Rows of `k` bytes in a block of that many bytes; fours of them, as numbers are moved.
const fn rows_in(bytes: usize, k: usize) -> usize {
    match bytes.checked_div(k) {
        Some(0) => 1,
        Some(n) if n < 4 => n,
        Some(n) if n < BLOCK_ROWS => n - n % 4,
        _ => BLOCK_ROWS,
    }
}

/// Rows of `k` bytes in a block, after that many rows.
#[inline(always)]
pub(crate) fn block_rows(done: usize, k: usize) -> usize {
    if memory_of(done, k) > FAR_BYTES { rows_in(FAR_BLOCK_BYTES, k) } else { rows_in(BLOCK_BYTES, k) }
}

/// The size of every row, where blocks are taken.
const fn stride<C: ColumnSet>() -> usize {
    match <C::Row as Layout>::FACTS.sizes().exact() {
        Some(n) if C::BLOCKS && !C::WHOLE => n,
        _ => 0,
    }
}

/// Reads one row.
#[inline(always)]
pub(super) fn read_row<'de, O: Order, S: Source<'de>, C: ColumnSet>(
    src: &mut S,
    columns: &mut C,
) -> Result<()> {
    if C::WHOLE {
        let row = <C::Row as Decode<'de>>::decode::<O, S>(src, ())?;
        return match columns.push_row(row) {
            true => Ok(()),
            false => Err(no_memory(C::BYTES, src.pos())),
        };
    }
    columns.walk_mut::<O, _>(&mut Read::<S, C::Row> { src, of: PhantomData })
}

/// Writes row `i`.
#[inline(always)]
pub(super) fn write_row<O: Order, W: Sink, C: ColumnSet>(columns: &C, i: usize, out: &mut W) -> Result<()> {
    if C::WHOLE {
        return match columns.get_row(i) {
            Some(row) => row.encode::<O, W>(out, ()),
            None => Err(super::form::no_row(i, out.pos())),
        };
    }
    columns.walk::<O, _>(&mut Write::<W, C::Row> { out, i, of: PhantomData })
}

/// Columns of one length and with the codes of this layout, or what is wrong with them.
pub(super) fn ready<C: ColumnSet>(columns: &mut C) -> Result<usize> {
    let rows = even(columns)?;
    let mut each = Prepare { fits: true };
    if !C::WHOLE {
        columns.walk_mut::<Le, _>(&mut each)?;
    }
    match each.fits {
        true => Ok(rows),
        false => Err(Error::other("the columns hold a missing code that means a value here")),
    }
}

/// The length of all columns.
///
/// # Errors
/// It is not one; the message names those that differ.
pub(super) fn even<C: ColumnSet>(columns: &C) -> Result<usize> {
    let mut first: Option<(&'static str, usize)> = None;
    let mut odd = String::new();
    columns.lengths(&mut |name, rows| match first {
        None => first = Some((name, rows)),
        Some((one, n)) if n != rows && odd.is_empty() => {
            odd = format!("columns of different length: `{one}` has {n} rows, `{name}` has {rows}");
        }
        Some((_, n)) if n != rows => odd.push_str(&format!(", `{name}` has {rows}")),
        Some(_) => {}
    });
    if odd.is_empty() { Ok(first.map_or(0, |(_, rows)| rows)) } else { Err(Error::other(odd)) }
}

/// Reads `limit` rows, or all to the end of the input, after those that `columns` holds. Rows before a damaged one stay.
pub(super) fn read_rows<'de, O: Order, S: Source<'de>, C: ColumnSet>(
    src: &mut S,
    columns: &mut C,
    limit: Option<usize>,
) -> Result<()> {
    let start = ready(columns)?;
    let stride = const { stride::<C>() };
    let most = limit.unwrap_or(usize::MAX);
    let mut done = 0usize;
    let mut foresight = Foresight { look: 64, row: 0, pos: src.pos() };
    if stride > 0 {
        // the size of a row bounds how many the input can have
        let rows = src.left().map_or(0, |left| left / stride).min(most);
        src.charge(memory_of(rows, C::BYTES))?;
        columns.expect(start, 0, rows);
    }
    // rows of a block that was not taken as one, and the row up to which there is room for single ones
    let (mut single, mut roomy) = (0usize, 0usize);
    while done < most {
        if stride > 0 && single == 0 {
            match block::<O, S, C>(src, columns, start + done, block_rows(done, stride).min(most - done))? {
                Block::InputBytes(0) => {}
                Block::InputBytes(rows) => {
                    done += rows;
                    continue;
                }
                Block::Single(rows) => single = rows,
            }
        }
        single = single.saturating_sub(1);
        if limit.is_none() && src.at_end()? {
            break;
        }
        let at = src.pos();
        if done >= roomy {
            let more = (most - done).min(STEP);
            if !columns.room(more) {
                return Err(damaged(columns, start, done, no_memory(C::BYTES, at)));
            }
            roomy = done + more;
        }
        one::<O, S, C>(src, columns, start, done)?;
        if const { <C::Row as Layout>::FACTS.sizes().min == 0 } && limit.is_none() && src.pos() == at {
            columns.truncate(start + done);
            return Err(endless(at).within(Step::Index(done)));
        }
        done += 1;
        if done == foresight.look {
            // by value: a source whose address escapes lives in memory instead of in registers
            foresight.grow(columns, (start, done, most), src.pos(), src.left());
        }
    }
    Ok(())
}

/// One row; when it is damaged, the columns are what they were before it.
#[inline(always)]
fn one<'de, O: Order, S: Source<'de>, C: ColumnSet>(
    src: &mut S,
    columns: &mut C,
    start: usize,
    done: usize,
) -> Result<()> {
    let stride = const { stride::<C>() };
    let at = src.pos();
    if stride == 0 {
        src.charge(C::BYTES)?;
    }
    let mut result = read_row::<O, S, C>(src, columns);
    if stride > 0 && result.is_ok() && src.pos() - at != stride as u64 {
        result = Err(not_exact(src.pos()));
    }
    match result {
        Ok(()) => Ok(()),
        Err(e) => Err(damaged(columns, start, done, e)),
    }
}

#[cold]
#[inline(never)]
fn damaged<C: ColumnSet>(columns: &mut C, start: usize, done: usize, e: Error) -> Error {
    columns.truncate(start + done);
    e.within(Step::Index(done))
}

/// Room for rows of any size, before the vectors would double: for twice as many again, and for what is left once
/// that is less.
struct Foresight {
    /// After how many rows to look again.
    look: usize,
    /// Where it looked last; the rows since then tell what the next are like.
    row: usize,
    pos: u64,
}

impl Foresight {
    #[cold]
    #[inline(never)]
    fn grow<C: ColumnSet>(
        &mut self,
        columns: &mut C,
        (start, done, most): (usize, usize, usize),
        pos: u64,
        left: Option<usize>,
    ) {
        let Some(left) = left else {
            self.look = usize::MAX;
            return;
        };
        // 16 at least
        let rows = done - self.row;
        let size = ((pos - self.pos) / rows as u64).max(1);
        let left = usize::try_from(left as u64 / size).unwrap_or(usize::MAX).min(most - done);
        let more = left.min(done * 2);
        columns.expect(start + self.row, rows, more);
        self.row = done;
        self.pos = pos;
        // a little before the room is used up
        self.look = done + (more - (more >> 3)).max(16);
    }
}

/// What became of a block.
enum Block {
    /// That many rows are in the columns; 0 where none lie in memory together.
    InputBytes(usize),
    /// That many rows are to be read one by one.
    Single(usize),
}

/// The rows of one block. Where something is wrong with one of them they are to be read one by one, because that tells
/// what and where.
#[inline(always)]
fn block<'de, O: Order, S: Source<'de>, C: ColumnSet>(
    src: &mut S,
    columns: &mut C,
    before: usize,
    most: usize,
) -> Result<Block> {
    let stride = const { stride::<C>() };
    let (policy, known) = (src.policy(), src.left().is_some());
    let rows = src.peek(most * stride)?.len() / stride;
    if !known {
        // the input did not say how many rows there are
        src.charge(memory_of(rows, C::BYTES))?;
    }
    let bytes = src.peek(rows * stride)?;
    if rows == 0 {
        return Ok(Block::InputBytes(0));
    }
    let bytes = &bytes[..rows * stride];
    if columns.room(rows) && gather::<O, C>(bytes, columns, policy) {
        src.skip((rows * stride) as u64)?;
        return Ok(Block::InputBytes(rows));
    }
    columns.truncate(before);
    Ok(Block::Single(rows))
}

#[inline(never)]
fn gather<O: Order, C: ColumnSet>(bytes: &[u8], columns: &mut C, policy: Policy) -> bool {
    let records = RecordBlock {
        bytes,
        stride: const { stride::<C>() },
        source: Slice::with(&[], Limits::DEFAULT, policy),
    };
    let mut each = Gather { records: &records, offset: 0, fits: true };
    columns.walk_mut::<O, _>(&mut each).is_ok() && each.fits
}

/// Writes all rows after what `out` holds. When it fails, `out` is what it was.
pub(super) fn append_rows<O: Order, C: ColumnSet>(
    columns: &C,
    out: &mut Vec<u8>,
    options: &Options,
) -> Result<()> {
    let rows = even(columns)?;
    let fits = memory_of(rows, const { stride::<C>() }) as u64 <= options.most;
    if const { stride::<C>() > 0 } && fits && append_blocks::<O, C>(columns, rows, out) {
        return Ok(());
    }
    let min = options.room(memory_of(rows, <C::Row as Layout>::FACTS.sizes().min));
    vec_sink(out, min, |out| write_some::<O, _, C>(columns, 0..rows, out.with(options)))
}

#[inline(always)]
fn write_some<O: Order, W: Sink, C: ColumnSet>(
    columns: &C,
    rows: core::ops::Range<usize>,
    out: &mut W,
) -> Result<()> {
    for i in rows {
        if let Err(e) = write_row::<O, W, C>(columns, i, out) {
            return Err(e.within(Step::Index(i)));
        }
    }
    Ok(())
}

/// Rows of one size, block by block; `false` if one cannot be written, and then `out` is what it was.
fn append_blocks<O: Order, C: ColumnSet>(columns: &C, rows: usize, out: &mut Vec<u8>) -> bool {
    let stride = const { stride::<C>() };
    let start = out.len();
    if out.try_reserve(memory_of(rows, stride)).is_err() {
        return false;
    }
    let mut at = 0usize;
    while at < rows {
        let end = rows.min(at + block_rows(at, stride));
        if !append_block::<O, C>(columns, at..end, out) {
            out.truncate(start);
            return false;
        }
        at = end;
    }
    true
}

#[inline(always)]
fn append_block<O: Order, C: ColumnSet>(
    columns: &C,
    rows: core::ops::Range<usize>,
    out: &mut Vec<u8>,
) -> bool {
    let stride = const { stride::<C>() };
    let Some(mut records) = RecordsMut::after(out, rows.len(), stride) else { return false };
    let mut each = Scatter { records: &mut records, rows, fits: true };
    columns.walk::<O, _>(&mut each).is_ok() && each.fits && records.finish()
}

/// Writes all rows to a sink.
#[cfg(feature = "std")]
pub(super) fn write_rows<O: Order, W: Sink, C: ColumnSet>(columns: &C, out: &mut W) -> Result<()> {
    let rows = even(columns)?;
    let stride = const { stride::<C>() };
    if stride == 0 {
        return write_some::<O, W, C>(columns, 0..rows, out);
    }
    let mut block = Vec::new();
    let mut at = 0usize;
    while at < rows {
        let end = rows.min(at + block_rows(at, stride));
        block.clear();
        match append_block::<O, C>(columns, at..end, &mut block) {
            true => out.bytes(&block, 0)?,
            false => write_some::<O, W, C>(columns, at..end, out)?,
        }
        at = end;
    }
    Ok(())
}

/// Reads `rows` values of each column, one column after the other. When it fails, the columns are what they were.
pub(super) fn read_major<'de, O: Order, S: Source<'de>, C: ColumnSet>(
    src: &mut S,
    columns: &mut C,
    rows: usize,
) -> Result<()> {
    let start = ready(columns)?;
    let done = columns.walk_mut::<O, _>(&mut ReadMajor::<S, C::Row> { src, rows, of: PhantomData });
    if done.is_err() {
        columns.truncate(start);
    }
    done
}

/// Writes one column after the other.
pub(super) fn write_major<O: Order, W: Sink, C: ColumnSet>(columns: &C, out: &mut W) -> Result<()> {
    even(columns)?;
    columns.walk::<O, _>(&mut WriteMajor::<W, C::Row> { out, of: PhantomData })
}
