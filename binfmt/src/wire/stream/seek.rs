//! A stream over a reader that seeks: jumps to other places; what its buffers may take.

use super::{BLOCK, LEAST_LEAP, Stream};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::{after, between};
use crate::wire::budget::Budget;
use crate::wire::cursor::{Cursor, forward_only};
use crate::wire::raw::Jump;
use crate::wire::raw::visits::Mark;
use alloc::vec::Vec;
use std::io::Read;

/// Goes to that many bytes from the beginning of a reader.
pub(crate) type Seek<R> = fn(&mut R, u64) -> std::io::Result<()>;

/// How the reader is sought, and where the input begins and ends in it.
#[derive(Debug)]
pub(super) struct Seekable<R> {
    seek: Seek<R>,
    base: u64,
    size: u64,
}

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

impl<R: Read> Stream<R> {
    /// The same source, whose reader goes to any place: its first byte is at `base` of the reader, and there are `size` of them.
    #[must_use]
    pub(crate) fn seeking(mut self, seek: Seek<R>, base: u64, size: u64) -> Self {
        self.likely_end = size;
        self.seekable = Some(Seekable { seek, base, size });
        self
    }

    /// Puts the reader where the source is.
    pub(crate) fn settle(&mut self) -> Result<()> {
        let pos = self.pos;
        (self.from, self.to) = (0, 0);
        self.seek_to(pos)
    }

    fn seek_to(&mut self, to: u64) -> Result<()> {
        let Some(Seekable { seek, base, .. }) = &self.seekable else {
            return Err(forward_only(self.pos));
        };
        let done = seek(self.reader.get_mut(), after(*base, to));
        done.map_err(|e| Error::new(ErrorKind::Io(e), self.pos))?;
        self.reader.moved();
        Ok(())
    }

    /// The bytes of the whole input, as far as they are known.
    pub(super) fn size(&self) -> u64 {
        self.seekable.as_ref().map_or(0, |seekable| seekable.size)
    }

    /// Steps over bytes without reading them; false where the reader cannot, and nothing was done.
    pub(super) fn leap(&mut self, n: u64) -> Result<bool> {
        let beyond = n.saturating_sub(self.have() as u64);
        let may = beyond >= LEAST_LEAP && self.held == u64::MAX && self.within_region(n);
        let Some(leap) = self.leap.filter(|_| may) else {
            return Ok(false);
        };
        let failed = |e| Error::new(ErrorKind::Io(e), self.pos);
        let Some(got) = self.reader.run(|reader| leap(reader, beyond)).map_err(failed)? else {
            return Ok(false);
        };
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
    pub(super) fn go_back(&mut self, to: u64) {
        let back = between(to, self.pos).min(self.from as u64);
        self.from = between(back, self.from as u64) as usize;
        self.pos = between(back, self.pos);
    }

    /// What this is here.
    pub(super) fn saved(&self) -> SavedStream {
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
    pub(super) fn back_to_saved(&mut self, saved: SavedStream) -> Result<()> {
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
            true => self.seek_to(after(self.pos, self.have() as u64)),
            false => Ok(()),
        }
    }

    /// The buffer beyond its first block counts as memory of this decode.
    pub(super) fn charge_growth(&mut self, size: usize) -> Result<()> {
        if size > 2 * BLOCK && size > self.budget.memory() {
            let kind = ErrorKind::MemoryLimit { requested: size, remaining: self.budget.memory() };
            return Err(Error::new(kind, self.pos));
        }
        Ok(())
    }

    /// Where the input or region ends.
    pub(super) fn end_of_input(&self) -> Result<u64> {
        match &self.seekable {
            Some(Seekable { size, .. }) => Ok(self.end.min(*size)),
            None => Err(forward_only(self.pos)),
        }
    }

    /// Puts the buffer aside and goes to another place.
    pub(super) fn jump_to(&mut self, to: u64, whole: bool) -> Result<Jump> {
        let Some(Seekable { size, .. }) = self.seekable else { return Err(forward_only(self.pos)) };
        let in_region = !whole && Cursor::in_region(self);
        let end = if in_region { self.end } else { size };
        if to > end {
            let kind = ErrorKind::NoPosition { position: i128::from(to), end, in_region };
            return Err(Error::new(kind, self.pos));
        }
        self.seek_to(to)?;
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
    pub(super) fn jump_back(&mut self, jump: Jump) -> Result<()> {
        let Some(away) = self.away.pop() else { return Ok(()) };
        let read = self.pos.max(self.reach);
        self.reach = if self.end == jump.end { jump.region.max(read) } else { jump.region };
        (self.buf, self.from, self.to, self.held) = (away.buf, away.from, away.to, away.held);
        (self.pos, self.end) = (jump.from, jump.end);
        self.seek_to(after(self.pos, self.have() as u64))
    }
}
