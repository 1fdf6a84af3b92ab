//! The source over `io::Read`: forward only, and never ahead of what it may hold.

#![allow(clippy::arithmetic_side_effects, reason = "places in a buffer, which is in memory")]

use super::amount::{after, inside, plus, times, times64};
use super::budget::{Budget, Lent};
use super::cursor::{Cursor, Found};
use super::endian::Order;
use super::ending;
use super::limits::Window;
use super::options::{Limits, Policy};
use super::raw::Jump;
use super::raw::{Facts, InputBytes, Visits, bulk};
use super::source::{Source, not_blank, sealed::Sealed};
use crate::error::{Error, ErrorKind, Result};
use alloc::vec::Vec;
use std::io::Read;

mod fill;
mod seek;
mod steady;

use seek::{Away, SavedStream, Seekable};
pub(crate) use steady::Steady;

/// Bytes asked of the reader at once, and the step in which memory grows.
const BLOCK: usize = 32 << 10;

/// Bytes asked of it first, and twice as many each time up to a block: the memory for them is zeroed, and a small file has no more.
const FIRST: usize = 4 << 10;

/// Values of that many bytes together are read into their places, as many at once.
const DIRECT: usize = 128 << 10;

/// Fewer bytes are read and forgotten.
const LEAST_LEAP: u64 = 4 * BLOCK as u64;

/// Steps over that many bytes of a reader, or as many as it has.
pub(crate) type Leap<R> = fn(&mut R, u64) -> std::io::Result<Option<u64>>;

/// A reader as a source. Holds one block, or one item where that is longer; grows by what has arrived, at most doubling.
/// A reader that has failed is not read again: whatever needs more of its bytes fails with the same error.
///
/// ```
/// use binfmt::{Decode, Le, wire::Stream};
/// let mut src = Stream::new(&[1u8, 0, 2, 0][..]);
/// assert_eq!(u16::decode::<Le, _>(&mut src, ())?, 1);
/// assert_eq!(u16::decode::<Le, _>(&mut src, ())?, 2);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Debug)]
pub struct Stream<R> {
    reader: Steady<R>,
    /// As long as it ever was, so that memory is zeroed only once; what was read is `from..to`.
    buf: Vec<u8>,
    from: usize,
    to: usize,
    pos: u64,
    /// Where the input or the region ends; `u64::MAX` when nothing says.
    end: u64,
    /// Where the input is likely to end; 0 when that is unknown.
    likely_end: u64,
    /// Bytes from this offset on stay in `buf`; `u64::MAX` when those that were read may go.
    held: u64,
    /// Never reads ahead of what is asked for.
    exact: bool,
    /// Steps over bytes of the reader without reading them, where it can; says how many there were, or `None`.
    leap: Option<Leap<R>>,
    /// How to go to another place, where the reader can.
    seekable: Option<Seekable<R>>,
    /// The jumps from which nothing has come back.
    away: Vec<Away>,
    /// Where what was read by jumps in this region ends.
    reach: u64,
    visits: Visits,
    budget: Budget,
}

#[cfg(feature = "table")]
impl Stream<std::io::Empty> {
    /// A part of memory, and nothing after it.
    pub(crate) fn of_memory(
        memory: Vec<u8>,
        bytes: core::ops::Range<usize>,
        limits: Limits,
        policy: Policy,
    ) -> Self {
        let mut all = Stream::with(std::io::empty(), limits, policy, false);
        (all.from, all.to) = (bytes.start, bytes.end);
        all.buf = memory;
        all
    }
}

impl<R: Read> Stream<R> {
    /// A source that reads ahead in blocks, with the default limits.
    ///
    /// ```
    /// use binfmt::{Decode, Be, wire::Stream};
    /// assert_eq!(u32::decode::<Be, _>(&mut Stream::new(&[0u8, 0, 0, 5][..]), ())?, 5);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn new(reader: R) -> Self {
        Stream::with(reader, Limits::DEFAULT, Policy::STRICT, false)
    }

    pub(crate) fn with(reader: R, limits: Limits, policy: Policy, exact: bool) -> Self {
        Stream {
            reader: Steady::new(reader),
            buf: Vec::new(),
            from: 0,
            to: 0,
            pos: 0,
            end: u64::MAX,
            likely_end: 0,
            held: u64::MAX,
            exact,
            leap: None,
            seekable: None,
            away: Vec::new(),
            reach: 0,
            visits: Visits::NONE,
            budget: Budget::new(limits, policy),
        }
    }

    /// The same source, whose first byte is at this offset of the whole input.
    #[must_use]
    #[cfg(any(feature = "dump", feature = "dynamic"))]
    pub(crate) fn starting_at(mut self, offset: u64) -> Self {
        self.pos = offset;
        self
    }

    /// The same source, whose input has probably that many bytes in all: that of a file whose size is known. Memory for so
    /// many may be made before they are read.
    #[must_use]
    #[cfg(any(feature = "sdds", feature = "table"))]
    pub(crate) fn likely_to_end_at(mut self, size: u64) -> Self {
        self.likely_end = size;
        self
    }

    /// The same source, whose reader can step over bytes without reading them.
    #[must_use]
    #[cfg(any(feature = "sdds", all(any(feature = "beat", feature = "futhark"), feature = "table")))]
    pub(crate) fn leaping(mut self, leap: Leap<R>) -> Self {
        self.leap = Some(leap);
        self
    }

    /// The reader, to be taken to another place.
    #[cfg(feature = "sdds")]
    pub(crate) fn inner(&mut self) -> &mut R {
        self.reader.get_mut()
    }

    /// What was read is forgotten: the reader was taken to this offset.
    #[cfg(feature = "sdds")]
    pub(crate) fn moved_to(&mut self, offset: u64) {
        self.reader.moved();
        (self.from, self.to, self.pos) = (0, 0, offset);
    }

    /// The next `n` bytes, of those that are at hand, as a source of their own with the budget of a new one. Bytes after them that were
    /// read are copied, to memory that was used before if there is any; the others are not.
    #[cfg(feature = "table")]
    pub(crate) fn split_off(
        &mut self,
        n: usize,
        limits: Limits,
        mut room: Vec<u8>,
    ) -> Result<Stream<std::io::Empty>> {
        let rest = inside(&self.buf, plus(self.from, n)..self.to);
        let (len, there) = (rest.len(), room.len());
        if len > there {
            bulk::try_room(&mut room, len - there).map_err(|e| e.at(self.pos))?;
            room.resize(len, 0);
        }
        room.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        let bytes = self.from..self.to.wrapping_sub(len);
        (self.from, self.to) = (0, len);
        let buf = core::mem::replace(&mut self.buf, room);
        let part = Stream::of_memory(buf, bytes, limits, self.budget.policy).starting_at(self.pos);
        self.pos = after(self.pos, part.have() as u64);
        Ok(part)
    }

    /// Its memory, to be used again.
    #[cfg(feature = "table")]
    pub(crate) fn into_memory(self) -> Vec<u8> {
        self.buf
    }

    /// Appends all bytes that follow, wherever a region ends; whether the input ended within `most`. Without memory for them it fails.
    #[cfg(feature = "dump")]
    pub(crate) fn drain(mut self, most: u64, out: &mut Vec<u8>) -> std::io::Result<bool> {
        out.try_reserve(self.have())?;
        out.extend_from_slice(self.unread());
        let read = self.reader.by_ref().take(most).read_to_end(out)?;
        Ok((read as u64) < most)
    }

    #[inline(always)]
    fn have(&self) -> usize {
        debug_assert!(self.from <= self.to);
        self.to.wrapping_sub(self.from)
    }

    /// Bytes before the end of the input or region, as far as that is known.
    #[inline(always)]
    fn room(&self) -> u64 {
        debug_assert!(self.pos <= self.end);
        self.end.wrapping_sub(self.pos)
    }

    #[inline(always)]
    fn room_in_memory(&self) -> usize {
        usize::try_from(self.room()).unwrap_or(usize::MAX)
    }

    /// Goes over `n` bytes of the buffer.
    #[inline(always)]
    fn advance(&mut self, n: usize) {
        debug_assert!(n <= self.have());
        self.from = self.from.wrapping_add(n);
        self.pos = self.pos.wrapping_add(n as u64);
    }

    /// What was read and not used.
    #[inline(always)]
    fn unread(&self) -> &[u8] {
        inside(&self.buf, self.from..self.to)
    }

    fn within_region(&self, n: u64) -> bool {
        n <= self.room()
    }

    #[inline(always)]
    fn within(&self, n: usize) -> Result<()> {
        let room = self.room();
        if n as u64 > room {
            return Err(Error::short(n, room as usize, self.pos, true));
        }
        Ok(())
    }
}

/// Takes at most `most` off what is left, and says how much that is.
#[inline(always)]
fn part_of(left: &mut usize, most: usize) -> usize {
    let part = most.min(*left);
    *left = left.wrapping_sub(part);
    part
}

impl<R> Sealed for Stream<R> {}

impl<'de, R: Read> Cursor<'de> for Stream<R> {
    #[inline(always)]
    fn pos(&self) -> u64 {
        self.pos
    }

    #[inline(always)]
    fn left(&self) -> Option<usize> {
        None
    }

    fn expected(&self) -> Option<usize> {
        let size = Some(self.likely_end.min(self.end)).filter(|end| *end > 0)?;
        usize::try_from(size.saturating_sub(self.pos)).ok()
    }

    fn in_region(&self) -> bool {
        self.end != u64::MAX
    }

    fn at_end(&mut self) -> Result<bool> {
        if self.pos >= self.end {
            return Ok(true);
        }
        if self.have() > 0 {
            return Ok(false);
        }
        match self.gather(1)? {
            false if self.end == u64::MAX => Ok(true),
            false => Err(Error::short(1, self.have(), self.pos, false)),
            true => Ok(false),
        }
    }

    fn chunk(&mut self) -> Result<usize> {
        if Cursor::at_end(self)? {
            return Ok(0);
        }
        let room = self.room_in_memory();
        Ok(self.have().max(1).min(room))
    }

    fn find(&mut self, byte: u8) -> Result<usize> {
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
            self.fill(n + 1)?;
        }
    }

    fn search(&mut self, wanted: &[u8]) -> Result<Found> {
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
            if !self.gather(plus(have, 1))? {
                return match self.end {
                    u64::MAX => Ok(Found::Nowhere(self.have())),
                    _ => Err(Error::short(plus(have, 1), self.have(), self.pos, false)),
                };
            }
        }
    }

    fn look(&mut self, n: usize) -> Result<&[u8]> {
        let room = self.room_in_memory();
        let n = n.min(room);
        if n > self.have() {
            // what came before the end stays in the buffer
            self.gather(n)?;
        }
        let unread = self.unread();
        Ok(unread.get(..room).unwrap_or(unread))
    }

    #[inline]
    fn ensure(&mut self, n: usize) -> Result<()> {
        if n > self.have() {
            self.within(n)?;
            return self.fill(n);
        }
        Ok(())
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.within(N)?;
        if N > self.have() {
            self.fill(N)?;
        }
        let Some(a) = self.unread().first_chunk::<N>().copied() else {
            return Err(Error::short(N, 0, self.pos, false));
        };
        self.advance(N);
        Ok(a)
    }

    #[inline]
    fn take(&mut self, n: usize) -> Result<InputBytes<'_>> {
        self.within(n)?;
        if n > self.have() {
            self.fill(n)?;
        }
        let from = self.from;
        self.advance(n);
        Ok(InputBytes::new(inside(&self.buf, from..self.to), n))
    }

    // unreachable through the functions of this crate: they ask for `DecodeOwned`
    fn borrow(&mut self, _: usize) -> Result<InputBytes<'de>> {
        Err(Error::new(ErrorKind::CannotBorrow, self.pos))
    }

    fn skip(&mut self, mut n: u64) -> Result<()> {
        if n > LEAST_LEAP && self.leap(n)? {
            return Ok(());
        }
        while n > 0 {
            let step = n.min(self.have().max(BLOCK) as u64);
            self.step(step as usize, n)?;
            n = n.wrapping_sub(step);
        }
        Ok(())
    }

    fn append(&mut self, mut n: usize, out: &mut Vec<u8>) -> Result<()> {
        while n > 0 {
            let (item, at) = (n as u64, self.pos);
            let step = part_of(&mut n, self.have().max(BLOCK));
            bulk::try_room(out, step).map_err(|e| e.at(at))?;
            out.extend_from_slice(self.step(step, item)?.bytes());
        }
        Ok(())
    }

    fn bulk<O: Order, T>(&mut self, facts: Facts<T>, mut n: usize, out: &mut Vec<T>) -> Result<()> {
        let k = facts.sizes().min.max(1);
        let all = times64(n as u64, k as u64);
        let foreseen = Cursor::expected(self).is_some_and(|room| all <= room as u64);
        let plain = facts.is_plain::<O>() && k == size_of::<T>() && self.held == u64::MAX;
        if plain && all >= DIRECT as u64 && self.within_region(all) {
            let step = if foreseen { n } else { DIRECT.checked_div(k).unwrap_or(1) };
            return self.bulk_direct::<O, T>(facts, n, step, out);
        }
        let huge_pages = self.budget.policy.huge_pages;
        if foreseen {
            bulk::foresee_room(out, n, huge_pages);
        }
        while n > 0 {
            let item = times64(n as u64, k as u64);
            let step = part_of(&mut n, self.have().max(BLOCK).checked_div(k).unwrap_or(1).max(1));
            Source::charge(self, times(step, size_of::<T>()))?;
            let at = self.pos;
            let bytes = self.step(times(step, k), item)?.bytes();
            bulk::extend::<O, T>(facts, bytes, huge_pages, out).map_err(|e| e.at(at))?;
        }
        Ok(())
    }

    fn peek(&mut self, most: usize) -> Result<&[u8]> {
        let room = self.room_in_memory();
        let most = most.min(room);
        if most > self.have() {
            self.gather(most)?;
        }
        let unread = self.unread();
        Ok(unread.get(..most).unwrap_or(unread))
    }

    #[inline]
    fn plain<O: Order, T>(&mut self, facts: Facts<T>) -> Result<Option<T>> {
        if !facts.is_plain::<O>() {
            return Ok(None);
        }
        Ok(bulk::one::<O, T>(facts, Cursor::take(self, facts.sizes().min)?.bytes()))
    }

    fn hold(&mut self) -> u64 {
        let before = self.held;
        self.held = self.pos.min(before);
        before
    }

    fn release(&mut self, before: u64) {
        self.held = before;
    }

    fn held(&self, from: u64) -> Option<&[u8]> {
        let n = usize::try_from(self.pos.checked_sub(from.max(self.held))?).ok()?;
        self.buf.get(self.from.checked_sub(n)?..self.from).filter(|_| from >= self.held)
    }

    fn rewind(&mut self, to: u64) {
        self.go_back(to);
    }

    type Saved = SavedStream;

    fn save(&mut self) -> SavedStream {
        self.saved()
    }

    fn restore(&mut self, saved: SavedStream) -> Result<()> {
        self.back_to_saved(saved)
    }

    fn narrow(&mut self, n: u64) -> Result<Window> {
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

    fn widen(&mut self, window: Window) -> Result<()> {
        let room = self.room();
        if room > 0 {
            let count = self.end.saturating_sub(self.reach.max(self.pos));
            if count > 0 {
                return Err(Error::new(ErrorKind::UnconsumedRegion { count }, self.pos));
            }
            self.skip(room)?;
        }
        self.end = window.outer;
        self.reach = window.region;
        Ok(())
    }

    fn jump(&mut self, to: u64, whole: bool) -> Result<Jump> {
        self.jump_to(to, whole)
    }

    fn input_size(&self) -> u64 {
        self.size()
    }

    fn end(&self) -> Result<u64> {
        self.end_of_input()
    }

    fn visits(&mut self) -> Option<Lent<'_, Visits>> {
        self.seekable.as_ref().map(|_| Lent(&mut self.visits))
    }

    fn land(&mut self, jump: Jump) -> Result<()> {
        self.jump_back(jump)
    }
}

impl<R: Read> Source<'_> for Stream<R> {
    #[inline(always)]
    fn budget(&self) -> &Budget {
        &self.budget
    }

    #[inline(always)]
    fn budget_mut(&mut self) -> Lent<'_, Budget> {
        Lent(&mut self.budget)
    }

    fn blank(&mut self, mut n: usize) -> Result<()> {
        while n > 0 {
            let (at, strict) = (self.pos, self.budget.policy.blank_missing);
            let item = n as u64;
            let step = part_of(&mut n, self.have().max(BLOCK));
            let body = self.step(step, item)?;
            if strict && let Some(e) = not_blank(body.bytes(), at) {
                return Err(e);
            }
        }
        Ok(())
    }
}
