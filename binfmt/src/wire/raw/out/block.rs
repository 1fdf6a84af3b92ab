//! The block of memory in front of an `io::Write`.

use super::{Ends, RawOut, Room};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::after;
use crate::wire::raw::bulk::try_room;
use alloc::vec::Vec;

/// Bytes that are gathered before they are handed to a writer.
const BLOCK: usize = 64 << 10;

/// A block of memory in front of an `io::Write`.
pub(crate) struct Block<'b> {
    w: &'b mut dyn std::io::Write,
    /// Memory alone: its length means nothing.
    block: &'b mut Vec<u8>,
    sent: u64,
    /// The position up to which it may be written.
    limit: u64,
    /// Whether the writer has all of it already: it is written again.
    again: bool,
    /// Whether all stays in memory: what comes later may change it, or be compared with it.
    keeps: bool,
    /// Whether the writer has failed or panicked, so that no one knows what it has.
    failed: bool,
}

impl<'b> Block<'b> {
    /// In front of `w`, which has all of it already where it is written `again`; what is in the block is of no use.
    pub(crate) fn before(w: &'b mut dyn std::io::Write, block: &'b mut Vec<u8>, again: bool) -> Self {
        Block { w, block, sent: 0, limit: u64::MAX, again, keeps: false, failed: false }
    }

    /// A cursor.
    pub(crate) fn begin(&mut self) -> Result<RawOut<'_, Self>> {
        self.block.clear();
        let (to, end) = self.room(0, BLOCK)?;
        Ok(RawOut { to, end, sure: 0, room: self })
    }

    #[inline(always)]
    fn len(&self, to: *mut u8) -> usize {
        (to as usize).wrapping_sub(self.block.as_ptr() as usize)
    }

    /// The most bytes that the block may have.
    fn most(&self) -> u64 {
        self.limit.saturating_sub(self.sent)
    }

    /// Whether `n` bytes may come after the first `len`.
    fn check(&self, len: usize, n: usize) -> Result<()> {
        let remaining = self.most().saturating_sub(len as u64);
        match n as u64 > remaining {
            true => {
                let kind = ErrorKind::OutputLimit { needed: n, remaining };
                Err(Error::new(kind, after(self.sent, len as u64)))
            }
            false => Ok(()),
        }
    }

    /// Room for `n` bytes after the first `len`, which are set.
    fn room(&mut self, len: usize, n: usize) -> Result<Ends> {
        self.check(len, n)?;
        // SAFETY: so many bytes are set, in the block's memory
        unsafe { self.block.set_len(len) };
        try_room(self.block, n).map_err(|e| e.at(after(self.sent, len as u64)))?;
        let (end, most) = (self.block.capacity(), self.most());
        let end = if end as u64 > most { most as usize } else { end };
        let p = self.block.as_mut_ptr();
        // SAFETY: both lie in the block's memory, or one past its end
        Ok(unsafe { (p.add(len), p.add(end)) })
    }

    /// Hands on what is in the block.
    fn send(&mut self, to: *mut u8) -> Result<()> {
        let len = self.len(to);
        // SAFETY: every byte before `to` was written, and `to` lies in the block's memory
        unsafe { self.block.set_len(len) };
        self.once(|of| if of.again { Ok(()) } else { of.w.write_all(of.block) })?;
        self.sent = after(self.sent, len as u64);
        Ok(())
    }

    /// Calls the writer, unless it has failed before: a part of the bytes may have come to it, so no more may follow.
    fn once(&mut self, write: impl FnOnce(&mut Self) -> std::io::Result<()>) -> Result<()> {
        if self.failed {
            return Err(Error::message("the writer has failed before", self.sent));
        }
        self.failed = true;
        write(self).map_err(|e| Error::new(ErrorKind::Io(e), self.sent))?;
        self.failed = false;
        Ok(())
    }
}

// SAFETY: the room that is given is the block's memory after what is in it, which no one else has; before the block grows, it has the
// length up to which bytes are set, so that they move with it
unsafe impl Room for Block<'_> {
    const DIRECT: usize = BLOCK;

    #[cold]
    #[inline(never)]
    fn direct(&mut self, to: *mut u8, bytes: &[u8]) -> Result<Ends> {
        if self.keeps {
            let len = self.len(to);
            self.room(len, bytes.len())?;
            self.block.extend_from_slice(bytes);
            return self.room(self.block.len(), 0);
        }
        self.check(self.len(to), bytes.len())?;
        self.send(to)?;
        // what was in the block is not in it any more: if this fails, no more is written
        self.once(|of| if of.again { Ok(()) } else { of.w.write_all(bytes) })?;
        self.sent = after(self.sent, bytes.len() as u64);
        self.room(0, 0)
    }

    #[cold]
    #[inline(never)]
    fn more(&mut self, to: *mut u8, n: usize) -> Result<Ends> {
        if self.keeps {
            return self.room(self.len(to), n);
        }
        self.check(self.len(to), n)?;
        if n <= self.block.capacity() {
            self.send(to)?;
            return self.room(0, n);
        }
        // what is in the block stays there where there is no memory
        let mut larger = Vec::new();
        try_room(&mut larger, n).map_err(|e| e.at(self.written(to)))?;
        self.send(to)?;
        *self.block = larger;
        self.room(0, n)
    }

    #[inline(always)]
    fn written(&self, to: *mut u8) -> u64 {
        self.sent.wrapping_add(self.len(to) as u64)
    }

    fn limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    fn recent(&mut self, to: *mut u8) -> &mut [u8] {
        let len = self.len(to);
        // SAFETY: every byte of the block before `to` was written, and no one else has them
        unsafe { core::slice::from_raw_parts_mut(self.block.as_mut_ptr(), len) }
    }

    fn keep_all(&mut self) {
        self.keeps = true;
    }
}

impl RawOut<'_, Block<'_>> {
    /// Ends it: the writer has all bytes and is flushed. How many they are.
    pub(crate) fn commit(self) -> Result<u64> {
        self.room.send(self.to)?;
        if !self.room.again {
            self.room.once(|of| of.w.flush())?;
        }
        Ok(self.room.sent)
    }
}
