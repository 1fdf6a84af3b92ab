//! Parts that are written to their places in a vector at once.
//!
//! A part goes there if nothing is there yet, and has the room up to the next thing that is. A short part inside one of the last parts
//! is written over it and compared with the bytes that were put aside, as names in a table of names are. Everything else waits as in
//! every other output: other parts over parts, one that runs into another, and one far after the rest. Where the bytes in sequence
//! meet a part, and where a region ends, the parts give way and wait, too.

use super::{List, Placed, Span, Waiting};
use crate::error::Result;
use crate::wire::amount::{after, inside};
use crate::wire::raw::landing::{FLOATING, Landing};
use crate::wire::raw::visits::Range;
use alloc::vec::Vec;
use core::num::NonZeroU64;

/// How far after all that is written a part may be put, in bytes, if there is no room yet.
const FAR: u64 = 1 << 20;

/// The most bytes of a part that is written over others, in bytes: as many are put aside.
pub(crate) const OVER: usize = 64;

/// Among as many of the last parts one is looked for that has the bytes of another one.
const MANY: usize = 64;

/// Where a part is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// To the output, up to a place in it.
    Output(usize),
    /// The same, if that many bytes more are made room for.
    Beyond(u64),
    /// Over another part, which is written whole, up to the end of that.
    Over(u64),
    /// To the vector in which it waits.
    Own,
}

/// What is put aside while a part is written.
#[derive(Debug)]
pub(crate) struct Before {
    sealed: Option<NonZeroU64>,
    /// Where what is free for the part ends.
    end: usize,
    /// How often parts have come to other places so far, and whether this one has.
    moves: u64,
    moved: bool,
}

/// What of the output is free for the next part, where that comes after the last one: from a place to an end.
#[derive(Debug)]
pub(super) struct Free {
    /// `u64::MAX` where nothing is known to be.
    at: u64,
    end: usize,
    /// What is free, too, before a part that was not put to the first place that was.
    gap: (u64, u64),
    /// What is written and not among what is covered yet: what the last part was written out of, and parts from a number on, if there
    /// are any.
    around: Around,
    known: usize,
    is_new: bool,
    /// What is known to be covered.
    solid: (u64, u64),
    /// A part that is written whole.
    whole: (u64, u64),
    moves: u64,
}

impl Default for Free {
    fn default() -> Self {
        let none = (0, 0);
        Free {
            at: u64::MAX,
            end: 0,
            gap: none,
            around: none,
            known: 0,
            is_new: false,
            solid: none,
            whole: none,
            moves: 0,
        }
    }
}

/// What of an output a part is written out of.
pub(crate) type Around = (u64, u64);

impl Placed {
    /// Whether some parts are in the output.
    #[inline]
    pub(crate) fn has_in_place(&self) -> bool {
        self.list.as_ref().is_some_and(|list| list.free.is_new || !list.covered.is_empty())
    }

    /// Begins a part in what is known to be free, after the last one in the output or before it, and says where that ends. What it is
    /// written out of may have gone on since then.
    #[inline(always)]
    pub(crate) fn place_next(&mut self, around: Around, at: u64) -> Option<(Before, usize)> {
        let list = self.list.as_mut()?;
        let free = &mut list.free;
        let (from, mut to) = (free.at, free.end as u64);
        // nothing is at `u64::MAX`, which is after every end
        if from <= at && at < to {
            if from < at {
                free.gap = (from, at);
            }
        } else if free.gap.0 <= at && at < free.gap.1 {
            to = free.gap.1;
            free.gap.1 = at;
        } else {
            return None;
        }
        if around.0 != list.free.around.0 {
            list.covered.add(list.free.around).ok()?;
        }
        // nothing comes to what is free between the last part and its end but the next part
        list.free.around = around;
        list.open = list.open.wrapping_add(1);
        list.free.at = u64::MAX;
        let (end, moves) = (to as usize, list.free.moves);
        Some((Before { sealed: self.sealed.take(), end, moves, moved: false }, end))
    }

    /// Begins a part that lies in another one that is written whole: where that ends. It is written over it, to be compared; so there
    /// must be as much room as is put aside of an output that has room for that many bytes.
    #[inline(always)]
    pub(crate) fn place_again(
        &mut self,
        (at, landing): (u64, Landing),
        room: usize,
    ) -> Option<(Before, u64)> {
        let list = self.list.as_mut()?;
        let whole = list.free.whole;
        let is_inside = at.wrapping_sub(whole.0) < whole.1.wrapping_sub(whole.0);
        // what a region counts in its length waits for the end of that
        if !is_inside || landing != Landing::File || (room as u64) < after(at, OVER as u64) {
            return None;
        }
        list.open = list.open.wrapping_add(1);
        let before = Before { sealed: self.sealed.take(), end: 0, moves: list.free.moves, moved: false };
        Some((before, whole.1))
    }

    /// How many bytes a part that is written whole has from a position on, if that is known. What a region counts in its length waits for
    /// the end of that.
    #[inline(always)]
    pub(crate) fn rest_of_whole(&mut self, (at, landing): (u64, Landing)) -> Option<usize> {
        /// Among as many of the last parts it is looked for.
        const LAST: usize = 4;
        let list = self.list.as_mut()?;
        let is_quiet = landing == Landing::File && list.is_quiet();
        let is_inside = is_quiet && at < list.free.at && list.has_whole((at, after(at, 1)), LAST);
        is_inside.then(|| list.free.whole.1.wrapping_sub(at) as usize)
    }

    /// A part is not written, since its bytes are there already.
    #[inline(always)]
    pub(crate) fn skip(&mut self) -> bool {
        let Some(list) = self.list.as_mut() else { return false };
        list.begun = list.begun.wrapping_add(1);
        true
    }

    /// The part that was begun so has come to its end: whether it need not wait, if it says again what is there.
    #[inline(always)]
    pub(crate) fn is_again(&mut self) -> bool {
        let Some(list) = self.list.as_mut().filter(|list| list.is_quiet()) else { return false };
        list.open = list.open.wrapping_sub(1);
        list.begun = list.begun.wrapping_add(1);
        true
    }

    /// Begins a part at a position of an output that has room for that many bytes.
    pub(crate) fn place(
        &mut self,
        room: usize,
        around: Around,
        (at, landing): (u64, Landing),
    ) -> (Place, Before) {
        let sealed = self.sealed.take();
        let list = self.begin();
        let moves = list.free.moves;
        let place = match !list.waits && at < FLOATING {
            true => match list.place(room, around, at) {
                Place::Own
                    if landing == Landing::File
                        && list.is_quiet()
                        && room as u64 >= after(at, OVER as u64)
                        && list.has_whole((at, after(at, 1)), MANY) =>
                {
                    Place::Over(list.free.whole.1)
                }
                place => place,
            },
            false => Place::Own,
        };
        let end = if let Place::Output(end) = place { end } else { 0 };
        let moved = list.free.moves != moves;
        (place, Before { sealed, end, moves: list.free.moves, moved })
    }

    /// Begins a part that waits.
    pub(crate) fn place_own(&mut self) -> Before {
        self.begin();
        Before { sealed: self.sealed.take(), end: 0, moves: 0, moved: true }
    }

    /// Goes on after a part.
    #[inline(always)]
    pub(crate) fn back(&mut self, before: Before) {
        self.sealed = before.sealed;
    }

    /// Whether parts have come to places that were not known to be free, in the meantime.
    #[inline(always)]
    pub(crate) fn has_moved(&self, before: &Before) -> bool {
        before.moved || self.list.as_ref().is_none_or(|list| list.free.moves != before.moves)
    }

    /// A vector for the part that was begun last, if it is not in the output.
    pub(crate) fn lend(&mut self) -> Vec<u8> {
        match &mut self.list {
            Some(list) => list.bytes.lend(list.open.wrapping_sub(1) as usize),
            None => Vec::new(),
        }
    }

    /// The part that was begun last is written: `len` bytes in the output.
    #[inline(always)]
    pub(crate) fn add_in_place(&mut self, place: (u64, Landing), len: usize, before: &Before) -> Result<()> {
        let Some(list) = &mut self.list else { return Ok(()) };
        let at = place.0;
        list.add(place, Span::in_place(len))?;
        list.free.is_new = true;
        let end = at.wrapping_add(len as u64);
        // what was free may be taken, and the vector larger
        let goes_on = list.free.moves == before.moves && end <= before.end as u64;
        (list.free.at, list.free.end) = (if goes_on { end } else { u64::MAX }, before.end);
        Ok(())
    }

    /// The same for one that waits, in a vector from a place on.
    pub(crate) fn add_own(&mut self, place: (u64, Landing), own: Vec<u8>, from: usize) -> Result<()> {
        let Some(list) = &mut self.list else { return Ok(()) };
        let level = list.open.wrapping_sub(1) as usize;
        let span = Span::rest(level, from, &own);
        list.bytes.give_back(level, own);
        list.has_own = true;
        list.add(place, span)
    }

    /// Whether a part that was encoded says again what is in the output, in a part that is written whole: then it has not to wait. What
    /// a region counts in its length waits for the end of that.
    pub(crate) fn says_again<'b>(
        &mut self,
        (at, landing): (u64, Landing),
        own: &[u8],
        bytes: impl FnOnce(u64, usize) -> &'b [u8],
    ) -> bool {
        let Some(list) = &mut self.list else { return false };
        if landing != Landing::File || !list.is_quiet() {
            return false;
        }
        list.has_whole((at, after(at, own.len() as u64)), MANY) && bytes(at, own.len()) == own
    }

    /// The part that was begun last need not wait: it is forgotten, in a vector from a place on.
    pub(crate) fn take_back(&mut self, mut own: Vec<u8>, from: usize) {
        let Some(list) = &mut self.list else { return };
        list.open = list.open.wrapping_sub(1);
        list.begun = list.begun.wrapping_add(1);
        own.truncate(from);
        list.bytes.give_back(list.open as usize, own);
    }

    /// Where the next thing begins after what was written up to a position, if there is one. What is free up to there is for what
    /// goes on at the position.
    pub(crate) fn next(&mut self, at: u64) -> Option<u64> {
        let list = self.list.as_mut()?;
        // what there is no memory for ends where it begins
        if list.commit().is_err() {
            return Some(at);
        }
        let next = list.covered.free_after(at);
        // what is around may have begun there, and have no bytes yet
        (list.free.gap, list.free.moves) = ((0, 0), list.free.moves.wrapping_add(1));
        // and no longer for the part after the last one, which may have no bytes
        if list.free.at < next && at < list.free.end as u64 {
            list.free.at = u64::MAX;
        }
        Some(next).filter(|next| *next < u64::MAX)
    }

    /// What is written so far of what is in the output.
    pub(crate) fn cover(&mut self, range: (u64, u64)) -> Result<()> {
        let Some(list) = &mut self.list else { return Ok(()) };
        list.commit()?;
        list.covered.add(range)
    }

    /// What is written: ranges in order, of which no two touch.
    pub(crate) fn written(&self) -> &[Range] {
        self.list.as_ref().map_or(&[], |list| list.covered.ranges())
    }

    /// From here on all parts wait. Whether a part is being written, which may wait, too.
    pub(crate) fn wait(&mut self) -> bool {
        self.list.as_mut().is_some_and(|list| {
            list.wait();
            list.open > 0
        })
    }

    /// Parts that are in the output wait from here on: `bytes` are those of a range of it.
    pub(crate) fn give_way<'b>(&mut self, bytes: impl Fn(u64, usize) -> &'b [u8]) -> Result<()> {
        let Some(list) = &mut self.list else { return Ok(()) };
        list.commit()?;
        list.wait();
        for part in list.parts.iter_mut().filter(|part| part.span.is_in_place()) {
            let moved = list.bytes.moved(bytes(part.at, part.span.len()));
            part.span = moved.map_err(|e| e.at(part.at))?;
        }
        if list.open == 0 {
            list.covered.clear();
            list.free = Free { known: list.parts.len(), ..Free::default() };
        }
        Ok(())
    }

    /// Ends an output of which `0..at` was written one after the other: where its parts end, when all are in it, or say again what
    /// is, or come after all that are. `None` if they must give way first.
    pub(crate) fn finish<'b>(&mut self, at: u64, bytes: impl Fn(u64, usize) -> &'b [u8]) -> Option<u64> {
        let list = self.list.as_mut()?;
        if list.waits || !list.numbers.is_empty() || self.sealed.is_some() {
            return None;
        }
        list.commit().ok()?;
        list.covered.add((0, at)).ok()?;
        let reach = list.reach.max(at);
        let mut rest = false;
        let own = if list.has_own { &list.parts[..] } else { &[] };
        for part in own.iter().filter(|part| !part.span.is_in_place()) {
            match part.at >= reach {
                true if part.at >= FLOATING => return None,
                true => rest = true,
                false if list.repeats(part, &bytes) => {}
                false => return None,
            }
        }
        // those that are left are written after all that is in the output
        match rest {
            true => list.parts.retain(|part| !part.span.is_in_place() && part.at >= reach),
            false => list.parts.clear(),
        }
        Some(reach)
    }

    /// Whether something waits.
    pub(crate) fn has_parts(&self) -> bool {
        self.list.as_ref().is_some_and(|list| !list.parts.is_empty())
    }
}

impl List {
    /// What was written to the output since is covered.
    fn commit(&mut self) -> Result<()> {
        if self.free.is_new {
            self.commit_parts()?;
        }
        self.covered.add(self.free.around)?;
        self.free.around = (0, 0);
        Ok(())
    }

    /// Parts were taken out of the list: those that come next are new ones.
    pub(super) fn has_fewer(&mut self) {
        self.free.known = self.free.known.min(self.parts.len());
    }

    fn commit_parts(&mut self) -> Result<()> {
        // parts that come one after the other are one range
        let mut run = (0, 0);
        let new = inside(&self.parts, self.free.known..);
        for part in new.iter().filter(|part| part.span.is_in_place()) {
            if part.at != run.1 {
                self.covered.add(run)?;
                run.0 = part.at;
            }
            run.1 = part.end();
            self.reach = self.reach.max(run.1);
        }
        self.covered.add(run)?;
        (self.free.known, self.free.is_new) = (self.parts.len(), false);
        Ok(())
    }

    /// Whether nothing is to be filled in or looked at, and not all parts wait.
    #[inline(always)]
    fn is_quiet(&self) -> bool {
        !self.waits && self.numbers.is_empty() && self.watch.is_none()
    }

    fn wait(&mut self) {
        self.waits = true;
        (self.free.at, self.free.gap, self.free.whole) = (u64::MAX, (0, 0), (0, 0));
    }

    fn place(&mut self, room: usize, around: Around, at: u64) -> Place {
        if self.free.solid.0 <= at && at < self.free.solid.1 {
            return Place::Own;
        }
        if self.commit().is_err() || self.covered.add(around).is_err() {
            return Place::Own;
        }
        let next = match self.covered.free(at) {
            Ok(next) => next,
            Err(range) => {
                self.free.solid = range;
                return Place::Own;
            }
        };
        (self.free.at, self.free.gap) = (u64::MAX, (0, 0));
        self.free.moves = self.free.moves.wrapping_add(1);
        match next {
            u64::MAX if at <= room as u64 => Place::Output(room),
            u64::MAX => match at.saturating_sub(self.covered.end()) {
                more if more <= FAR => Place::Beyond(more),
                _ => Place::Own,
            },
            _ if self.covered.is_full() => Place::Own,
            next => Place::Output(next as usize),
        }
    }

    /// Whether a part that is in the output, among so many of the last ones, has all of a range.
    #[inline]
    fn has_whole(&mut self, (from, to): (u64, u64), last: usize) -> bool {
        let has = |(at, end): (u64, u64)| at <= from && to <= end;
        if !has(self.free.whole) {
            return self.find_whole(has, last);
        }
        true
    }

    #[inline(never)]
    fn find_whole(&mut self, has: impl Fn((u64, u64)) -> bool, last: usize) -> bool {
        let last = self.parts.iter().rev().take(last).filter(|part| part.span.is_in_place());
        let mut ranges = last.map(|part| (part.at, part.end()));
        let found = ranges.find(|range| has(*range));
        self.free.whole = found.unwrap_or(self.free.whole);
        found.is_some()
    }

    /// Whether a part has the bytes that are in the output.
    fn repeats<'b>(&self, part: &Waiting, bytes: &impl Fn(u64, usize) -> &'b [u8]) -> bool {
        let own = self.bytes.of(&part.span);
        own.is_empty() || self.covered.has((part.at, part.end())) && bytes(part.at, own.len()) == own
    }
}
