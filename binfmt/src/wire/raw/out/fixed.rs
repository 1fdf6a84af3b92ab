//! A slice that is filled.

use super::{Ends, RawOut, Room};
use crate::error::{Error, ErrorKind, Result};
use core::marker::PhantomData;
#[cfg(feature = "columns")]
use core::mem::MaybeUninit;

/// A fixed slice, whose bytes need not be set: no more room is an error.
#[derive(Debug)]
pub(crate) struct Fixed<'b> {
    start: *mut u8,
    len: usize,
    of: PhantomData<&'b mut [u8]>,
}

impl<'b> Fixed<'b> {
    /// Bytes that are set.
    #[inline(always)]
    pub(crate) fn new(b: &'b mut [u8]) -> Self {
        Fixed { start: b.as_mut_ptr(), len: b.len(), of: PhantomData }
    }

    /// Bytes that need not be.
    #[cfg(feature = "columns")]
    #[inline(always)]
    pub(crate) fn unset(b: &'b mut [MaybeUninit<u8>]) -> Self {
        Fixed { start: b.as_mut_ptr().cast(), len: b.len(), of: PhantomData }
    }

    /// A cursor.
    #[inline(always)]
    pub(crate) fn begin(&mut self) -> RawOut<'_, Self> {
        // SAFETY: one past the end of the slice
        let end = unsafe { self.start.add(self.len) };
        RawOut { to: self.start, end, sure: 0, room: self }
    }
}

// SAFETY: it never gives out any room but its own, which is borrowed for writing as long as this is
unsafe impl Room for Fixed<'_> {
    const OWN: bool = false;
    const MEMORY: bool = true;

    #[cold]
    #[inline(never)]
    fn more(&mut self, to: *mut u8, n: usize) -> Result<Ends> {
        let used = self.written(to);
        let remaining = self.len.wrapping_sub(used as usize);
        Err(Error::new(ErrorKind::OutputFull { needed: n, remaining }, used))
    }

    #[inline(always)]
    fn written(&self, to: *mut u8) -> u64 {
        (to as usize).wrapping_sub(self.start as usize) as u64
    }

    fn limit(&mut self, limit: u64) {
        if limit < self.len as u64 {
            self.len = limit as usize;
        }
    }

    #[inline(always)]
    fn recent(&mut self, to: *mut u8) -> &mut [u8] {
        let len = self.written(to) as usize;
        // SAFETY: the bytes from the start up to `to` were written, and are borrowed for as long as this
        unsafe { core::slice::from_raw_parts_mut(self.start, len) }
    }
}

#[cfg(feature = "columns")]
impl<'b> RawOut<'_, Fixed<'b>> {
    /// Ends it: what was written.
    #[inline(always)]
    pub(crate) fn filled(self) -> &'b mut [u8] {
        let len = self.room.written(self.to) as usize;
        let start = self.room.start;
        // no one gets them twice
        self.room.len = 0;
        // SAFETY: the bytes from the start up to `to` were written, and are borrowed for as long as that lasts; the room has none now
        unsafe { core::slice::from_raw_parts_mut(start, len) }
    }
}
