//! Where the rows are: one pass that looks at lengths and at nothing else.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "runs of a row, and room that was made for those of some rows"
)]

use super::narrow::Width;
use super::place::{Body, Prefix, Tail};
use crate::numbers::Element;
use crate::wire::raw::bulk::try_room;
use crate::wire::{Be, Endian, Le};
use alloc::vec::Vec;
use core::slice::{ChunksExact, ChunksExactMut};

/// The beginnings of the runs of some rows, row after row. Nothing follows the last run, so the next row begins where a row ends.
#[derive(Debug, Default)]
pub(crate) struct Starts {
    /// Runs of a row.
    width: usize,
    /// Those of the rows that were noted, and of others that were noted before.
    places: Vec<usize>,
}

impl Starts {
    /// Room for that many rows of a layout; `false` if there is no memory.
    pub(super) fn ready(&mut self, body: &Body, rows: usize) -> bool {
        self.width = body.runs.len();
        let Some(all) = self.width.checked_mul(rows) else { return false };
        let there = self.places.len();
        if all > there {
            if try_room(&mut self.places, all - there).is_err() {
                return false;
            }
            self.places.resize(all, 0);
        }
        true
    }

    /// The places of the first `rows` rows, for which there is room.
    #[inline(always)]
    pub(super) fn rows(&self, rows: usize) -> ChunksExact<'_, usize> {
        self.places[..self.width * rows].chunks_exact(self.width.max(1))
    }

    /// The same, to be noted.
    #[inline(always)]
    pub(super) fn rows_mut(&mut self, rows: usize) -> ChunksExactMut<'_, usize> {
        self.places[..self.width * rows].chunks_exact_mut(self.width.max(1))
    }

    /// Where a run of a row begins.
    #[inline(always)]
    pub(super) fn start(&self, run: usize, row: usize) -> usize {
        self.places[row * self.width + run]
    }
}

/// Why a row is not followed further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfinished {
    /// It goes on after the bytes that are there.
    Short,
    /// It may not be a row of the layout, or be one that blocks do not know.
    Doubtful,
}

use Unfinished::{Doubtful, Short};

#[inline(always)]
fn read<T: Element>(bytes: &[u8], little: bool) -> T {
    if little { T::read::<Le>(bytes) } else { T::read::<Be>(bytes) }
}

#[inline(always)]
fn write<T: Element>(n: T, room: &mut [u8], little: bool) {
    if little { n.write::<Le>(room) } else { n.write::<Be>(room) }
}

impl Prefix {
    /// The count in the last bytes before `end`.
    #[inline(always)]
    pub(super) fn read(&self, bytes: &[u8], end: usize, little: bool) -> Option<usize> {
        let little = self.order.map_or(little, |order| order == Endian::Little);
        let bytes = bytes.get(end.checked_sub(self.bytes.into())?..end)?;
        let n = match (self.bytes, self.signed) {
            (4, false) => read::<u32>(bytes, little).into(),
            (1, false) => read::<u8>(bytes, little).into(),
            (2, false) => read::<u16>(bytes, little).into(),
            (8, false) => read(bytes, little),
            (1, true) => u64::try_from(read::<i8>(bytes, little)).ok()?,
            (2, true) => u64::try_from(read::<i16>(bytes, little)).ok()?,
            (4, true) => u64::try_from(read::<i32>(bytes, little)).ok()?,
            (8, true) => u64::try_from(read::<i64>(bytes, little)).ok()?,
            (_, signed) => u64::try_from(Width { bytes: self.bytes, signed }.read(bytes, little)).ok()?,
        };
        let n = if self.inclusive { n.checked_sub(u64::from(self.bytes))? } else { n };
        usize::try_from(n).ok().filter(|_| n <= self.max)
    }

    /// Writes a count into the last bytes of `front`; `None` when it cannot be written.
    #[inline(always)]
    pub(super) fn write(&self, n: usize, front: &mut [u8], little: bool) -> Option<()> {
        let width = usize::from(self.bytes);
        let n = u64::try_from(n).ok().filter(|n| *n <= self.max)?;
        let n = if self.inclusive { n.checked_add(width as u64)? } else { n };
        let bits = (width as u32).checked_mul(8)?.checked_sub(u32::from(self.signed))?;
        if bits < 64 && n.checked_shr(bits)? > 0 {
            return None;
        }
        let at = front.len().checked_sub(width)?;
        let room = front.get_mut(at..)?;
        let little = self.order.map_or(little, |order| order == Endian::Little);
        // each of a constant width, as a copy of any number of bytes would be a call
        match width {
            1 => write(n as u8, room, little),
            2 => write(n as u16, room, little),
            4 => write(n as u32, room, little),
            8 => write(n, room, little),
            _ => {
                let width = Width { bytes: self.bytes, signed: self.signed };
                return width.write(i64::try_from(n).ok()?, room, little).then_some(());
            }
        }
        Some(())
    }
}

/// Where `n` bytes from `at` on end, if that many are there.
#[inline(always)]
fn within(bytes: &[u8], at: usize, n: usize) -> Result<usize, Unfinished> {
    match at.checked_add(n) {
        Some(end) if end <= bytes.len() => Ok(end),
        _ => Err(Short),
    }
}

/// Where items end whose count stands before `at`.
#[inline(always)]
fn items_end(
    prefix: &Prefix,
    size: usize,
    bytes: &[u8],
    at: usize,
    little: bool,
) -> Result<usize, Unfinished> {
    let n = prefix.read(bytes, at, little).ok_or(Doubtful)?;
    // the next row waits for this number: where items are bytes it should not wait for a product, too
    let n = if size == 1 { n } else { n.checked_mul(size).ok_or(Doubtful)? };
    within(bytes, at, n)
}

impl Body {
    /// Looks for the end of the row at `pos` and notes where its runs begin. Where there is none, some runs may have been
    /// noted.
    #[inline(always)]
    pub(super) fn walk(
        &self,
        bytes: &[u8],
        mut pos: usize,
        little: bool,
        mut note: impl FnMut(usize, usize),
    ) -> Result<usize, Unfinished> {
        let within = |at, n| within(bytes, at, n);
        let mut at = 0usize;
        while let Some(run) = self.runs.get(at) {
            note(at, pos);
            let end = within(pos, run.len)?;
            at += 1;
            pos = match &run.tail {
                Tail::Nothing => end,
                Tail::Items(prefix, size) => items_end(prefix, *size, bytes, end, little)?,
                Tail::Skipped(prefix) => within(end, prefix.read(bytes, end, little).ok_or(Doubtful)?)?,
                Tail::Rows(prefix, body) => {
                    let n = prefix.read(bytes, end, little).ok_or(Doubtful)?;
                    (0..n).try_fold(end, |pos, _| body.row_end(bytes, pos, little))?
                }
                Tail::Terminated => {
                    let n = bytes.get(end..).and_then(|rest| rest.iter().position(|b| *b == 0));
                    within(end, n.ok_or(Short)? + 1)?
                }
                Tail::Maybe { present, missing, resume } => {
                    let code = *end.checked_sub(1).and_then(|at| bytes.get(at)).ok_or(Doubtful)?;
                    if code != *present && code >= missing.0 && code <= missing.1 {
                        (at..*resume).for_each(|skipped| note(skipped, end));
                        at = *resume;
                    }
                    end
                }
            };
        }
        Ok(pos)
    }

    /// The end of the row at `pos`.
    fn row_end(&self, bytes: &[u8], pos: usize, little: bool) -> Result<usize, Unfinished> {
        self.walk(bytes, pos, little, |_, _| {})
    }

    /// As many whole rows as there are, at most `most`; returns how many, where they end, and why there are no more.
    pub(super) fn walk_block(
        &self,
        bytes: &[u8],
        mut pos: usize,
        most: usize,
        little: bool,
        starts: &mut Starts,
    ) -> (usize, usize, Option<Unfinished>) {
        // a row has a byte at least
        let most = most.min(bytes.len() - pos);
        if !starts.ready(self, most) {
            return (0, pos, Some(Doubtful));
        }
        if let Some(chain) = &self.chain {
            return chain.walk(bytes, pos, most, little, starts);
        }
        for (row, places) in starts.rows_mut(most).enumerate() {
            let note = |run: usize, at: usize| {
                if let Some(place) = places.get_mut(run) {
                    *place = at;
                }
            };
            match self.walk(bytes, pos, little, note) {
                Ok(end) if end > pos => pos = end,
                // a row of no bytes would have no end
                other => return (row, pos, Some(other.err().unwrap_or(Doubtful))),
            }
        }
        (most, pos, (most == 0).then_some(Short))
    }

    /// How many rows of at most `most` are whole, and where they end; no row begins after `enough` bytes.
    pub(super) fn step_over(
        &self,
        bytes: &[u8],
        most: usize,
        enough: usize,
        little: bool,
    ) -> (usize, usize, Option<Unfinished>) {
        if let Some(chain) = &self.chain {
            return chain.step_over(bytes, most, enough, little);
        }
        let mut pos = 0usize;
        for row in 0..most {
            if pos >= enough {
                return (row, pos, None);
            }
            match self.row_end(bytes, pos, little) {
                Ok(end) if end > pos => pos = end,
                other => return (row, pos, Some(other.err().unwrap_or(Doubtful))),
            }
        }
        (most, pos, None)
    }
}
