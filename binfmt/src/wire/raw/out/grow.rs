//! A vector that grows.

use super::{Ends, RawOut, Room};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::raw::bulk::try_room;
use alloc::vec::Vec;

/// A growing vector, written after what it already holds. Its length stays what it was until all is written.
#[derive(Debug)]
pub struct Grow<'v> {
    v: &'v mut Vec<u8>,
    start: usize,
    /// The position of the first byte: in a part of something larger it is not 0.
    base: u64,
    /// The position up to which it may be written.
    limit: u64,
    /// The address that the position 0 has, or would have: positions are asked for often.
    zero: usize,
}

impl<'v> Grow<'v> {
    /// After what is in `v`; the first byte is at the position `base`.
    #[inline(always)]
    pub(crate) fn after(v: &'v mut Vec<u8>, base: u64) -> Self {
        let start = v.len();
        let mut room = Grow { v, start, base, limit: u64::MAX, zero: 0 };
        room.zero = room.zero();
        room
    }

    /// Where the first byte is, in the vector's memory.
    #[inline(always)]
    fn first(&mut self) -> *mut u8 {
        // SAFETY: the start is the length that the vector has, which is at most its capacity
        unsafe { self.v.as_mut_ptr().add(self.start) }
    }

    #[inline(always)]
    fn zero(&mut self) -> usize {
        (self.first() as usize).wrapping_sub(self.base as usize)
    }

    #[inline(always)]
    fn len(&self, to: *mut u8) -> usize {
        (to as usize).wrapping_sub(self.zero).wrapping_sub(self.base as usize)
    }

    /// Where the room begins that follows so many bytes, and where it ends.
    #[inline(always)]
    fn ends(&mut self, len: usize) -> Ends {
        let (spare, most) =
            (self.v.capacity().wrapping_sub(self.start), self.limit.saturating_sub(self.base));
        let end = if spare as u64 > most { most as usize } else { spare };
        let first = self.first();
        // SAFETY: `len <= end`, which is at most the capacity: no more than the limit was ever written
        unsafe { (first.add(len), first.add(end)) }
    }

    /// A cursor, with room for `reserve` bytes.
    #[inline(always)]
    pub(crate) fn begin(&mut self, reserve: usize) -> Result<RawOut<'_, Self>> {
        let (mut to, mut end) = self.ends(0);
        if reserve > (end as usize).wrapping_sub(to as usize) {
            (to, end) = self.more(to, reserve)?;
        }
        Ok(RawOut { to, end, sure: 0, room: self })
    }
}

// SAFETY: the room that is given is spare capacity of the vector, which no one else has; before the vector grows, it has the length
// up to which bytes are set, so that they move with it
unsafe impl Room for Grow<'_> {
    const MEMORY: bool = true;

    #[cold]
    #[inline(never)]
    fn more(&mut self, to: *mut u8, n: usize) -> Result<Ends> {
        let (start, len, at) = (self.start, self.len(to), self.written(to));
        let remaining = self.limit.saturating_sub(at);
        if n as u64 > remaining {
            return Err(Error::new(ErrorKind::OutputLimit { needed: n, remaining }, at));
        }
        // SAFETY: the bytes up to `to` are set, and lie in the vector's memory; the old length is less. Between the two, nothing unwinds
        unsafe {
            self.v.set_len(start.unchecked_add(len));
            let done = try_room(self.v, n);
            self.v.set_len(start);
            done.map_err(|e| e.at(at))?;
        }
        // in memory that may be another
        self.zero = self.zero();
        Ok(self.ends(len))
    }

    #[inline(always)]
    fn written(&self, to: *mut u8) -> u64 {
        (to as usize).wrapping_sub(self.zero) as u64
    }

    fn limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    #[inline(always)]
    fn recent(&mut self, to: *mut u8) -> &mut [u8] {
        let len = self.len(to);
        // SAFETY: the bytes from the first up to `to` were written, and no one else has them
        unsafe { core::slice::from_raw_parts_mut(self.first(), len) }
    }
}

impl RawOut<'_, Grow<'_>> {
    /// Ends it: the vector has the bytes that were written.
    #[inline(always)]
    pub(crate) fn commit(self) {
        let len = self.room.len(self.to);
        // SAFETY: the bytes from the first up to `to` were written, in the vector's own memory
        unsafe { self.room.v.set_len(self.room.start.unchecked_add(len)) }
    }
}
