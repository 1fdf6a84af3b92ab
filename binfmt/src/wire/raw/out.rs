//! The cursor behind every sink: a vector that grows, a fixed slice, or a block before a writer.
//!
//! It moves bytes to room that it has compared or made, and knows nothing of what the bytes mean. Three rules keep it sound
//! whatever the code around it does, which may panic, swallow errors, or call again:
//!
//! * The room is the cursor's alone while that lives: each [`Room`] borrows it exclusively.
//! * A room that moves (`more`, `direct`, `keep_all`) returns the new ends, which are stored before anything else runs. Where it
//!   fails or unwinds, the old ends still hold.
//! * A vector has its new length at the very end (`commit`), when all up to there is set. Until then it is as long as before.

use super::bulk;
use super::facts::{Facts, PutTogether, together};
use super::words::copy_short;
use crate::error::Result;
use crate::wire::amount::plus;
use crate::wire::endian::Order;

#[cfg(feature = "std")]
mod block;
mod fixed;
#[cfg(feature = "alloc")]
mod grow;

#[cfg(feature = "std")]
pub(crate) use block::Block;
pub(crate) use fixed::Fixed;
#[cfg(feature = "alloc")]
pub(crate) use grow::Grow;

/// A place to write to, with room checked once for a run of bytes.
///
/// The three rooms differ only in what happens when the room is out.
#[derive(Debug)]
pub(crate) struct RawOut<'g, G: Room> {
    to: *mut u8,
    end: *mut u8,
    /// Bytes of room already checked for. Never above `end - to`.
    sure: usize,
    room: &'g mut G,
}

/// Where the room begins, and where it ends.
type Ends = (*mut u8, *mut u8);

/// What to do when the room is out.
///
/// # Safety
/// `more` and `direct` return a range that is writable, for at least `n` bytes of `more`, and stays so until the next call or
/// until the room is dropped. Bytes written before `to` are kept or handed on. Where they fail or unwind, the range
/// that they returned before stays what it was. `recent` gives bytes that were written before `to`, of which the last
/// is the last that was written.
pub unsafe trait Room {
    /// Longer runs of bytes than this are handed on as they are, instead of being copied into room made for them.
    const DIRECT: usize = usize::MAX;

    /// Whether no caller sees what stands after the bytes that were written, so that more may be written there than counts.
    const OWN: bool = true;

    /// Whether all that was written is in memory.
    const MEMORY: bool = false;

    /// Hands on a long run of bytes, after what was written up to `to`; returns room as `more` does.
    fn direct(&mut self, to: *mut u8, bytes: &[u8]) -> Result<Ends> {
        self.more(to, bytes.len())
    }

    /// Room for `n` bytes, when what was written ends at `to`.
    fn more(&mut self, to: *mut u8, n: usize) -> Result<Ends>;

    /// The position after what was written, when that ends at `to`.
    fn written(&self, to: *mut u8) -> u64;

    /// The bytes that were written last and are still in memory, when what was written ends at `to`.
    fn recent(&mut self, to: *mut u8) -> &mut [u8];

    /// From here on what is written stays in memory.
    fn keep_all(&mut self) {}

    /// From here on no room is given beyond a position, which is not before what is written.
    fn limit(&mut self, _limit: u64) {}
}

impl<G: Room> RawOut<'_, G> {
    /// Room for `n` bytes, checked; what was sure before is forgotten.
    #[inline(always)]
    fn make(&mut self, n: usize) -> Result<()> {
        if n > (self.end as usize).wrapping_sub(self.to as usize) {
            // by value in and out, so that the cursor itself never has an address
            let (to, end) = self.room.more(self.to, n)?;
            self.to = to;
            self.end = end;
        }
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn ensure_room(&mut self, n: usize) -> Result<()> {
        if n > self.sure {
            self.make(n)?;
            self.sure = n;
        }
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn put_array<const N: usize>(&mut self, a: [u8; N]) -> Result<()> {
        self.ensure_room(N)?;
        // `ensure_room` has just seen to it that there are that many
        self.sure = self.sure.wrapping_sub(N);
        // SAFETY: `N <= sure <= end - to`: the counter is private, `ensure_room` and `put_bytes` alone raise it, after
        // `make` has compared or made the room
        unsafe {
            self.to.cast::<[u8; N]>().write(a);
            self.to = self.to.add(N);
        }
        Ok(())
    }

    /// Values that lie one after the other, as part of a run, which goes on after them.
    #[inline(always)]
    pub(crate) fn put_together<O: Order, T: PutTogether>(&mut self, values: T) -> Result<()> {
        let n = together::<O, T::Values>();
        self.ensure_room(n)?;
        self.sure = self.sure.wrapping_sub(n);
        // SAFETY: `n <= sure <= end - to`, by `ensure_room`, and `together` says yes
        unsafe {
            values.put::<O>(self.to);
            self.to = self.to.add(n);
        }
        Ok(())
    }

    /// `b`, with room made for `then` bytes more: one check for both.
    #[inline(always)]
    pub(crate) fn put_bytes(&mut self, b: &[u8], then: usize) -> Result<()> {
        if b.len() > G::DIRECT {
            self.sure = 0;
            let (to, end) = self.room.direct(self.to, b)?;
            self.to = to;
            self.end = end;
            return self.ensure_room(then);
        }
        self.make(plus(b.len(), then))?;
        // SAFETY: `make` left room for `b.len() + then` bytes; `b` cannot overlap room that nothing else holds
        unsafe {
            copy_short(b.as_ptr(), self.to, b.len());
            self.to = self.to.add(b.len());
        }
        self.sure = then;
        Ok(())
    }

    /// The first `n` bytes of `b`, with room made for `then` bytes more: short ones are two moves of whole words, whatever
    /// their length, where there is so much to read and to write.
    #[inline(always)]
    pub(crate) fn put_front(&mut self, b: &[u8], n: usize, then: usize) -> Result<()> {
        const WIDE: usize = 32;
        let room = (self.end as usize).wrapping_sub(self.to as usize);
        if !G::OWN || n > WIDE || b.len() < WIDE || room < plus(WIDE, then) {
            return self.put_bytes(b.get(..n).unwrap_or(b), then);
        }
        // SAFETY: `b` has that many bytes, and there is room for them and for `then` more; what stands after the first `n` is
        // written over
        unsafe {
            self.to.cast::<[u8; WIDE]>().write(b.as_ptr().cast::<[u8; WIDE]>().read());
            self.to = self.to.add(n);
        }
        self.sure = then;
        Ok(())
    }

    /// The same byte `n` times: as part of a run where there is one, which goes on after it.
    #[inline(always)]
    pub(crate) fn put_fill(&mut self, byte: u8, n: u64) -> Result<()> {
        if n > self.sure as u64 {
            return self.put_more(byte, n);
        }
        let n = n as usize;
        self.sure = self.sure.wrapping_sub(n);
        // SAFETY: `n <= sure <= end - to`, compared above
        unsafe {
            self.to.write_bytes(byte, n);
            self.to = self.to.add(n);
        }
        Ok(())
    }

    #[inline]
    fn put_more(&mut self, byte: u8, n: u64) -> Result<()> {
        const STEP: usize = 4096;
        let mut left = n;
        if G::MEMORY {
            // all of it, or none: memory that is not there is not filled up to its end first
            self.make(usize::try_from(n).unwrap_or(usize::MAX))?;
        }
        while left > 0 {
            let k = left.min(STEP as u64) as usize;
            self.make(k)?;
            self.sure = 0;
            // SAFETY: `make` left room for k bytes
            unsafe {
                self.to.write_bytes(byte, k);
                self.to = self.to.add(k);
            }
            left = left.wrapping_sub(k as u64);
        }
        Ok(())
    }

    /// # Panics
    /// When `T` is not bulk in this order: a mistake in this crate, folded away where there is none.
    #[inline(always)]
    pub(crate) fn put_items<O: Order, T>(&mut self, facts: Facts<T>, items: &[T]) -> Result<()> {
        let k = facts.sizes().min;
        assert!(facts.is_bulk::<O>() && k <= size_of::<T>());
        // at most the size of the slice in memory
        let all = items.len().wrapping_mul(k);
        if all > G::DIRECT && facts.is_plain::<O>() && k == size_of::<T>() {
            // SAFETY: `is_plain` says that the k bytes of each, which are all of it, are its wire bytes: all of them set
            let bytes = unsafe { bulk::memory_of(items) };
            return self.put_bytes(bytes, 0);
        }
        if all > G::DIRECT && items.len() > 1 {
            // no more at once than the room is meant for
            for some in items.chunks(G::DIRECT.checked_div(k).unwrap_or(1).max(1)) {
                self.put_items::<O, T>(facts, some)?;
            }
            return Ok(());
        }
        if size_of::<T>() == 1 {
            // bytes: mostly short names and options; after them no run goes on, so the counter is a constant again
            self.make(all)?;
            self.sure = 0;
            // SAFETY: `make` left room for `all` bytes, and a T is one byte, valid in memory as it is on the wire
            unsafe {
                copy_short(items.as_ptr().cast::<u8>(), self.to, all);
                self.to = self.to.add(all);
            }
            return Ok(());
        }
        if all > self.sure {
            self.make(all)?;
            self.sure = all;
        }
        self.sure = self.sure.wrapping_sub(all);
        // SAFETY: `all <= sure <= end - to` before the subtraction
        unsafe {
            bulk::write::<O, T>(facts, items, self.to);
            self.to = self.to.add(all);
        }
        Ok(())
    }

    /// The bytes that were written last and are still in memory.
    #[inline(always)]
    pub(crate) fn recent(&mut self) -> &mut [u8] {
        self.room.recent(self.to)
    }

    /// The position of the next byte.
    #[inline(always)]
    pub(crate) fn at(&self) -> u64 {
        self.room.written(self.to)
    }

    /// Ends the room at a position, or here if that is before.
    #[inline(always)]
    pub(crate) fn limit(&mut self, limit: u64) {
        if limit == u64::MAX {
            return;
        }
        let (at, room) = (self.at(), (self.end as usize).wrapping_sub(self.to as usize));
        let limit = limit.max(at);
        self.room.limit(limit);
        self.sure = 0;
        let left = limit.wrapping_sub(at);
        if left < room as u64 {
            // SAFETY: that is before the end
            self.end = unsafe { self.to.add(left as usize) };
        }
    }

    /// From here on what is written stays in memory.
    #[inline(always)]
    pub(crate) fn keep_all(&mut self) {
        self.room.keep_all();
    }

    /// Runs what is not part of the code around it on a cursor of its own: this one would have an address, and could not be in
    /// registers anywhere. It goes on where that one was, also in a panic.
    #[inline(always)]
    pub(crate) fn apart<R>(&mut self, run: impl FnOnce(&mut RawOut<'_, G>) -> R) -> R {
        let RawOut { to, end, sure, room } = self;
        *sure = 0;
        let mut own = RawOut { to: *to, end: *end, sure: 0, room: &mut **room };
        let apart = Apart { to, end, own: &mut own };
        run(apart.own)
    }
}

/// A cursor, and the places where its ends come back to.
struct Apart<'a, 'g, G: Room> {
    to: &'a mut *mut u8,
    end: &'a mut *mut u8,
    own: &'a mut RawOut<'g, G>,
}

impl<G: Room> Drop for Apart<'_, '_, G> {
    #[inline(always)]
    fn drop(&mut self) {
        (*self.to, *self.end) = (self.own.to, self.own.end);
    }
}
