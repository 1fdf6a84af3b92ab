//! What a stream has at hand and where it is, whatever it reads from: compiled once for all readers.

#![allow(clippy::arithmetic_side_effects, reason = "places in a buffer, which is in memory")]

use super::input::Input;
use super::seek::Away;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::{after, inside, plus, times, times64};
use crate::wire::budget::{Budget, Lent};
use crate::wire::cursor::Found;
use crate::wire::endian::Order;
use crate::wire::ending;
use crate::wire::limits::Window;
use crate::wire::options::{Limits, Policy};
use crate::wire::raw::{Facts, InputBytes, Visits, bulk};
use crate::wire::source::{not_blank, too_much};
use alloc::vec::Vec;

/// Bytes asked of the reader at once, and the step in which memory grows.
pub(super) const BLOCK: usize = 32 << 10;

/// Bytes asked of it first, and twice as many each time up to a block: the memory for them is zeroed, and a small file has no more.
pub(super) const FIRST: usize = 4 << 10;

/// Values of that many bytes together are read into their places, as many at once.
const DIRECT: usize = 128 << 10;

/// Fewer bytes are read and forgotten.
pub(super) const LEAST_LEAP: u64 = 4 * BLOCK as u64;

/// One block of the input, or one item where that is longer, and what may still be read.
///
/// What needs more bytes than there are gets the reader as an argument, so that nothing here has its type.
#[derive(Debug)]
pub struct Flow {
    /// As long as it ever was, so that memory is zeroed only once; what was read is `from..to`.
    pub(in crate::wire) buf: Vec<u8>,
    pub(in crate::wire) from: usize,
    pub(in crate::wire) to: usize,
    pub(in crate::wire) pos: u64,
    /// Where the input or the region ends; `u64::MAX` when nothing says.
    pub(in crate::wire) end: u64,
    /// Where the input is likely to end; 0 when that is unknown.
    pub(in crate::wire) likely_end: u64,
    /// Bytes from this offset on stay in `buf`; `u64::MAX` when those that were read may go.
    pub(in crate::wire) held: u64,
    /// Never reads ahead of what is asked for.
    pub(in crate::wire) exact: bool,
    /// Where the input begins in the reader and how long it is, where jumps can be made.
    pub(super) whole: Option<Whole>,
    /// The jumps from which nothing has come back.
    pub(super) away: Vec<Away>,
    /// Where what was read by jumps in this region ends.
    pub(in crate::wire) reach: u64,
    pub(in crate::wire) visits: Visits,
    pub(in crate::wire) budget: Budget,
}

/// An input of a reader that seeks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole {
    pub(in crate::wire) base: u64,
    pub(in crate::wire) size: u64,
}

impl Flow {
    pub(in crate::wire) fn new(limits: Limits, policy: Policy, exact: bool) -> Self {
        Flow {
            buf: Vec::new(),
            from: 0,
            to: 0,
            pos: 0,
            end: u64::MAX,
            likely_end: 0,
            held: u64::MAX,
            exact,
            whole: None,
            away: Vec::new(),
            reach: 0,
            visits: Visits::NONE,
            budget: Budget::new(limits, policy),
        }
    }

    #[inline(always)]
    pub(in crate::wire) fn have(&self) -> usize {
        debug_assert!(self.from <= self.to);
        self.to.wrapping_sub(self.from)
    }

    /// Bytes before the end of the input or region, as far as that is known.
    #[inline(always)]
    pub(in crate::wire) fn room(&self) -> u64 {
        debug_assert!(self.pos <= self.end);
        self.end.wrapping_sub(self.pos)
    }

    #[inline(always)]
    pub(in crate::wire) fn room_in_memory(&self) -> usize {
        usize::try_from(self.room()).unwrap_or(usize::MAX)
    }

    /// Goes over `n` bytes of the buffer.
    #[inline(always)]
    pub(in crate::wire) fn advance(&mut self, n: usize) {
        debug_assert!(n <= self.have());
        self.from = self.from.wrapping_add(n);
        self.pos = self.pos.wrapping_add(n as u64);
    }

    /// What was read and not used.
    #[inline(always)]
    pub(in crate::wire) fn unread(&self) -> &[u8] {
        inside(&self.buf, self.from..self.to)
    }

    pub(in crate::wire) fn within_region(&self, n: u64) -> bool {
        n <= self.room()
    }

    #[inline(always)]
    pub(in crate::wire) fn within(&self, n: usize) -> Result<()> {
        let room = self.room();
        if n as u64 > room {
            return Err(Error::short(n, room as usize, self.pos, true));
        }
        Ok(())
    }

    #[inline]
    pub(in crate::wire) fn expected(&self) -> Option<usize> {
        let size = Some(self.likely_end.min(self.end)).filter(|end| *end > 0)?;
        usize::try_from(size.saturating_sub(self.pos)).ok()
    }

    #[inline]
    pub(in crate::wire) fn in_region(&self) -> bool {
        self.end != u64::MAX
    }

    #[inline]
    pub(in crate::wire) fn at_end(&mut self, input: &mut dyn Input) -> Result<bool> {
        if self.pos >= self.end {
            return Ok(true);
        }
        if self.have() > 0 {
            return Ok(false);
        }
        match self.gather(input, 1)? {
            false if self.end == u64::MAX => Ok(true),
            false => Err(Error::short(1, self.have(), self.pos, false)),
            true => Ok(false),
        }
    }

    #[inline]
    pub(in crate::wire) fn chunk(&mut self, input: &mut dyn Input) -> Result<usize> {
        if self.at_end(input)? {
            return Ok(0);
        }
        let room = self.room_in_memory();
        Ok(self.have().max(1).min(room))
    }

    pub(in crate::wire) fn find(&mut self, input: &mut dyn Input, byte: u8) -> Result<usize> {
        let mut n = 0usize;
        loop {
            let seen = inside(self.unread(), n..);
            if let Some(i) = ending::byte(seen, byte) {
                let n = n + i;
                self.within(n + 1)?;
                return Ok(n);
            }
            n = self.have();
            self.within(n + 1)?;
            self.fill(input, n + 1)?;
        }
    }

    pub(in crate::wire) fn search(&mut self, input: &mut dyn Input, wanted: &[u8]) -> Result<Found> {
        let mut from = 0usize;
        loop {
            let (room, have) = (self.room_in_memory(), self.have());
            let seen = self.unread().get(from..have.min(room)).unwrap_or(&[]);
            if let Some(i) = ending::position(seen, wanted) {
                return Ok(Found::At(plus(from, i)));
            }
            if have >= room {
                return Ok(Found::Nowhere(room));
            }
            // the last bytes may be the first of those that are wanted
            from = have.saturating_sub(wanted.len().saturating_sub(1));
            if !self.gather(input, plus(have, 1))? {
                return match self.end {
                    u64::MAX => Ok(Found::Nowhere(self.have())),
                    _ => Err(Error::short(plus(have, 1), self.have(), self.pos, false)),
                };
            }
        }
    }

    #[inline(always)]
    pub(in crate::wire) fn look(&mut self, input: &mut dyn Input, n: usize) -> Result<&[u8]> {
        let room = self.room_in_memory();
        let n = n.min(room);
        if n > self.have() {
            // what came before the end stays in the buffer
            self.gather(input, n)?;
        }
        let unread = self.unread();
        Ok(unread.get(..room).unwrap_or(unread))
    }

    #[inline(always)]
    pub(in crate::wire) fn peek(&mut self, input: &mut dyn Input, most: usize) -> Result<&[u8]> {
        let most = most.min(self.room_in_memory());
        let unread = self.look(input, most)?;
        Ok(unread.get(..most).unwrap_or(unread))
    }

    /// Sees that the next n bytes are in the buffer.
    #[inline(always)]
    pub(in crate::wire) fn ready(&mut self, input: &mut dyn Input, n: usize) -> Result<()> {
        self.within(n)?;
        if n > self.have() { self.fill(input, n) } else { Ok(()) }
    }

    #[inline(always)]
    pub(in crate::wire) fn ensure(&mut self, input: &mut dyn Input, n: usize) -> Result<()> {
        if n > self.have() { self.ready(input, n) } else { Ok(()) }
    }

    #[inline(always)]
    pub(in crate::wire) fn array<const N: usize>(&mut self, input: &mut dyn Input) -> Result<[u8; N]> {
        self.ready(input, N)?;
        let Some(a) = self.unread().first_chunk::<N>().copied() else {
            return Err(Error::short(N, 0, self.pos, false));
        };
        self.advance(N);
        Ok(a)
    }

    #[inline(always)]
    pub(in crate::wire) fn take(&mut self, input: &mut dyn Input, n: usize) -> Result<InputBytes<'_>> {
        self.ready(input, n)?;
        let from = self.from;
        self.advance(n);
        Ok(InputBytes::new(inside(&self.buf, from..self.to), n))
    }

    /// The next bytes of a longer item: where the input ends, the error is of the item and not of the step.
    #[inline(always)]
    pub(in crate::wire) fn step(
        &mut self,
        input: &mut dyn Input,
        step: usize,
        item: u64,
    ) -> Result<InputBytes<'_>> {
        match self.take(input, step) {
            Ok(bytes) => Ok(bytes),
            Err(e) => Err(e.of_item(item)),
        }
    }

    pub(in crate::wire) fn skip(&mut self, input: &mut dyn Input, mut n: u64) -> Result<()> {
        if n > LEAST_LEAP && self.leap(input, n)? {
            return Ok(());
        }
        while n > 0 {
            let step = n.min(self.have().max(BLOCK) as u64);
            self.step(input, step as usize, n)?;
            n = n.wrapping_sub(step);
        }
        Ok(())
    }

    pub(in crate::wire) fn blank(&mut self, input: &mut dyn Input, mut n: usize) -> Result<()> {
        while n > 0 {
            let (at, strict) = (self.pos, self.budget.policy.blank_missing);
            let item = n as u64;
            let step = part_of(&mut n, self.have().max(BLOCK));
            let body = self.step(input, step, item)?;
            if strict && let Some(e) = not_blank(body.bytes(), at) {
                return Err(e);
            }
        }
        Ok(())
    }

    pub(in crate::wire) fn append(
        &mut self,
        input: &mut dyn Input,
        mut n: usize,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        while n > 0 {
            let (item, at) = (n as u64, self.pos);
            let step = part_of(&mut n, self.have().max(BLOCK));
            bulk::try_room(out, step).map_err(|e| e.at(at))?;
            out.extend_from_slice(self.step(input, step, item)?.bytes());
        }
        Ok(())
    }

    /// Asks for memory before it is allocated.
    #[inline]
    pub(in crate::wire) fn charge(&mut self, bytes: usize) -> Result<()> {
        match self.budget.spend(bytes) {
            true => Ok(()),
            false => Err(too_much(bytes, self.budget.memory(), self.pos)),
        }
    }

    pub(in crate::wire) fn bulk<O: Order, T>(
        &mut self,
        input: &mut dyn Input,
        facts: Facts<T>,
        mut n: usize,
        out: &mut Vec<T>,
    ) -> Result<()> {
        let k = facts.sizes().min.max(1);
        let all = times64(n as u64, k as u64);
        let foreseen = self.expected().is_some_and(|room| all <= room as u64);
        let plain = facts.is_plain::<O>() && k == size_of::<T>() && self.held == u64::MAX;
        if plain && all >= DIRECT as u64 && self.within_region(all) {
            let step = if foreseen { n } else { DIRECT.checked_div(k).unwrap_or(1) };
            return self.bulk_direct::<O, T>(input, facts, n, step, out);
        }
        let huge_pages = self.budget.policy.huge_pages;
        if foreseen {
            bulk::foresee_room(out, n, huge_pages);
        }
        while n > 0 {
            let item = times64(n as u64, k as u64);
            let step = part_of(&mut n, self.have().max(BLOCK).checked_div(k).unwrap_or(1).max(1));
            self.charge(times(step, size_of::<T>()))?;
            let at = self.pos;
            let bytes = self.step(input, times(step, k), item)?.bytes();
            bulk::extend::<O, T>(facts, bytes, huge_pages, out).map_err(|e| e.at(at))?;
        }
        Ok(())
    }

    #[inline(always)]
    pub(in crate::wire) fn plain<O: Order, T>(
        &mut self,
        input: &mut dyn Input,
        facts: Facts<T>,
    ) -> Result<Option<T>> {
        if !facts.is_plain::<O>() {
            return Ok(None);
        }
        Ok(bulk::one::<O, T>(facts, self.take(input, facts.sizes().min)?.bytes()))
    }

    #[inline]
    pub(in crate::wire) fn hold(&mut self) -> u64 {
        let before = self.held;
        self.held = self.pos.min(before);
        before
    }

    #[inline]
    pub(in crate::wire) fn held(&self, from: u64) -> Option<&[u8]> {
        let n = usize::try_from(self.pos.checked_sub(from.max(self.held))?).ok()?;
        self.buf.get(self.from.checked_sub(n)?..self.from).filter(|_| from >= self.held)
    }

    #[inline]
    pub(in crate::wire) fn visits(&mut self) -> Option<Lent<'_, Visits>> {
        self.whole.map(|_| Lent(&mut self.visits))
    }

    pub(in crate::wire) fn narrow(&mut self, n: u64) -> Result<Window> {
        let room = self.room();
        if n > room {
            return Err(Error::short(
                usize::try_from(n).unwrap_or(usize::MAX),
                room as usize,
                self.pos,
                true,
            ));
        }
        let window = Window { outer: self.end, region: self.reach };
        self.end = after(self.pos, n);
        self.reach = 0;
        Ok(window)
    }

    pub(in crate::wire) fn widen(&mut self, input: &mut dyn Input, window: Window) -> Result<()> {
        let room = self.room();
        if room > 0 {
            let count = self.end.saturating_sub(self.reach.max(self.pos));
            if count > 0 {
                return Err(Error::new(ErrorKind::UnconsumedRegion { count }, self.pos));
            }
            self.skip(input, room)?;
        }
        self.end = window.outer;
        self.reach = window.region;
        Ok(())
    }
}

/// Takes at most `most` off what is left, and says how much that is.
#[inline(always)]
pub(in crate::wire) fn part_of(left: &mut usize, most: usize) -> usize {
    let part = most.min(*left);
    *left = left.wrapping_sub(part);
    part
}
