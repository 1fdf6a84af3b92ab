//! A stream over a reader that seeks: jumps to other places; what its buffers may take.

use super::flow::{BLOCK, Flow, LEAST_LEAP, Whole};
use super::input::Input;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::{after, between};
use crate::wire::budget::Budget;
use crate::wire::cursor::{Saved, forward_only};
use crate::wire::raw::Jump;
use crate::wire::raw::visits::Mark;
use alloc::vec::Vec;

/// What was in the buffer before a jump.
#[derive(Debug)]
pub(super) struct Away {
    buf: Vec<u8>,
    from: usize,
    to: usize,
    held: u64,
    pos: u64,
}

/// What a stream was at a place.
#[derive(Debug)]
pub struct SavedStream {
    pos: u64,
    end: u64,
    held: u64,
    reach: u64,
    /// The jumps from which nothing had come back.
    away: usize,
    visits: Mark,
    budget: Budget,
}

impl Flow {
    /// Puts the reader where the source is.
    pub(in crate::wire) fn settle(&mut self, input: &mut dyn Input) -> Result<()> {
        let pos = self.pos;
        (self.from, self.to) = (0, 0);
        self.seek_to(input, pos)
    }

    fn seek_to(&mut self, input: &mut dyn Input, to: u64) -> Result<()> {
        let Some(Whole { base, .. }) = self.whole else { return Err(forward_only(self.pos)) };
        input.seek(after(base, to)).map_err(|e| Error::new(ErrorKind::Io(e), self.pos))
    }

    /// The bytes of the whole input, as far as they are known.
    pub(in crate::wire) fn size(&self) -> u64 {
        self.whole.map_or(0, |whole| whole.size)
    }

    /// Steps over bytes without reading them; false where the reader cannot, and nothing was done.
    pub(in crate::wire) fn leap(&mut self, input: &mut dyn Input, n: u64) -> Result<bool> {
        let beyond = n.saturating_sub(self.have() as u64);
        let may = beyond >= LEAST_LEAP && self.held == u64::MAX && self.within_region(n);
        if !may {
            return Ok(false);
        }
        let failed = |e| Error::new(ErrorKind::Io(e), self.pos);
        let Some(got) = input.leap(beyond).map_err(failed)? else { return Ok(false) };
        let there = self.have() as u64 + got.min(beyond);
        (self.from, self.to) = (0, 0);
        if there < n {
            let count = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
            return Err(Error::short(count(n), count(there), self.pos, false));
        }
        self.pos = after(self.pos, n);
        Ok(true)
    }

    /// Goes back to an earlier byte, which is still in the buffer.
    pub(in crate::wire) fn go_back(&mut self, to: u64) {
        let back = between(to, self.pos).min(self.from as u64);
        self.from = between(back, self.from as u64) as usize;
        self.pos = between(back, self.pos);
    }

    /// What this is here.
    pub(in crate::wire) fn saved(&self) -> SavedStream {
        SavedStream {
            pos: self.pos,
            end: self.end,
            held: self.held,
            reach: self.reach,
            away: self.away.len(),
            visits: self.visits.mark(),
            budget: self.budget,
        }
    }

    /// Becomes what it was, but for the work that was done: what was read since then is in the buffer.
    pub(in crate::wire) fn back_to(&mut self, input: &mut dyn Input, saved: Saved<'_>) -> Result<()> {
        let Saved::Stream(saved) = saved else { return Err(forward_only(self.pos)) };
        self.visits.back_to(saved.visits);
        self.budget.go_on_from(saved.budget);
        (self.end, self.reach) = (saved.end, saved.reach);
        let first = self.away.drain(saved.away..).next();
        let is_elsewhere = first.is_some();
        if let Some(away) = first {
            (self.buf, self.from, self.to, self.pos) = (away.buf, away.from, away.to, away.pos);
        }
        self.held = saved.held;
        self.go_back(saved.pos);
        match is_elsewhere {
            true => self.seek_to(input, after(self.pos, self.have() as u64)),
            false => Ok(()),
        }
    }

    /// The buffer beyond its first block counts as memory of this decode.
    pub(in crate::wire) fn charge_growth(&mut self, size: usize) -> Result<()> {
        if size > 2 * BLOCK && size > self.budget.memory() {
            let kind = ErrorKind::MemoryLimit { requested: size, remaining: self.budget.memory() };
            return Err(Error::new(kind, self.pos));
        }
        Ok(())
    }

    /// Where the input or region ends.
    pub(in crate::wire) fn end_of_input(&self) -> Result<u64> {
        match self.whole {
            Some(Whole { size, .. }) => Ok(self.end.min(size)),
            None => Err(forward_only(self.pos)),
        }
    }

    /// Puts the buffer aside and goes to another place.
    pub(in crate::wire) fn jump_to(&mut self, input: &mut dyn Input, to: u64, whole: bool) -> Result<Jump> {
        let Some(Whole { size, .. }) = self.whole else { return Err(forward_only(self.pos)) };
        let in_region = !whole && self.in_region();
        let end = if in_region { self.end } else { size };
        if to > end {
            let kind = ErrorKind::NoPosition { position: i128::from(to), end, in_region };
            return Err(Error::new(kind, self.pos));
        }
        self.seek_to(input, to)?;
        let buf = core::mem::take(&mut self.buf);
        self.away.push(Away { buf, from: self.from, to: self.to, held: self.held, pos: self.pos });
        let jump = Jump { from: self.pos, end: self.end, region: self.reach };
        (self.from, self.to, self.held, self.pos) = (0, 0, u64::MAX, to);
        if whole {
            (self.end, self.reach) = (u64::MAX, 0);
        }
        Ok(jump)
    }

    /// Goes back, and to the buffer that was.
    pub(in crate::wire) fn jump_back(&mut self, input: &mut dyn Input, jump: Jump) -> Result<()> {
        let Some(away) = self.away.pop() else { return Ok(()) };
        let read = self.pos.max(self.reach);
        self.reach = if self.end == jump.end { jump.region.max(read) } else { jump.region };
        (self.buf, self.from, self.to, self.held) = (away.buf, away.from, away.to, away.held);
        (self.pos, self.end) = (jump.from, jump.end);
        self.seek_to(input, after(self.pos, self.have() as u64))
    }
}
