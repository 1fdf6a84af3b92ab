//! The sink in front of an `io::Write`: a block of memory.

use super::{Ends, Kept, Out, Room, run, settled};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::after;
use crate::wire::raw::placed::{Locator, Placed};
use alloc::vec::Vec;

/// Bytes that are gathered before they are handed to a writer.
const BLOCK: usize = 64 << 10;

/// A block of memory in front of an `io::Write`.
#[derive(Debug)]
pub(crate) struct Block<'b, W: std::io::Write> {
    w: W,
    block: &'b mut Vec<u8>,
    sent: u64,
    /// Whether the writer has all of it already: it is written again.
    again: bool,
    placed: Kept,
}

impl<W: std::io::Write> Block<'_, W> {
    /// More room without sending anything: a part that waits may change what is in the block, or be compared with it.
    fn grow(&mut self, to: *mut u8, n: usize) -> Result<Ends> {
        let len = (to as usize).wrapping_sub(self.block.as_ptr() as usize);
        // SAFETY: every byte before `to` was written, and `to` lies in the block's memory
        unsafe { self.block.set_len(len) };
        if self.block.try_reserve(n).is_err() {
            let at = after(self.sent, len as u64);
            return Err(Error::new(ErrorKind::OutOfMemory { requested: n }, at));
        }
        let p = self.block.as_mut_ptr();
        // SAFETY: both lie in the block's memory, or one past its end
        Ok(unsafe { (p.add(len), p.add(self.block.capacity())) })
    }

    fn send(&mut self, to: *mut u8) -> Result<()> {
        let n = (to as usize).wrapping_sub(self.block.as_ptr() as usize);
        // SAFETY: every byte before `to` was written, and `to` lies in the block's memory
        unsafe { self.block.set_len(n) };
        let block = core::mem::take(self.block);
        let done = self.hand_on(&block);
        *self.block = block;
        self.block.clear();
        done
    }

    fn hand_on(&mut self, bytes: &[u8]) -> Result<()> {
        if !self.again {
            self.w.write_all(bytes).map_err(|e| Error::new(ErrorKind::Io(e), self.sent))?;
        }
        self.sent = after(self.sent, bytes.len() as u64);
        Ok(())
    }
}

// SAFETY: the block has room for n bytes after `reserve`, and what was in it has been sent
unsafe impl<W: std::io::Write> Room for Block<'_, W> {
    const DIRECT: usize = BLOCK;

    #[cold]
    #[inline(never)]
    fn direct(&mut self, to: *mut u8, bytes: &[u8]) -> Result<Ends> {
        if !self.placed.is_empty() {
            self.grow(to, bytes.len())?;
            self.block.extend_from_slice(bytes);
            let end = self.block.as_mut_ptr_range().end;
            return self.grow(end, 0);
        }
        self.send(to)?;
        self.hand_on(bytes)?;
        let empty = self.block.as_mut_ptr();
        self.more(empty, 0)
    }

    #[cold]
    #[inline(never)]
    fn more(&mut self, to: *mut u8, n: usize) -> Result<Ends> {
        if !self.placed.is_empty() {
            return self.grow(to, n);
        }
        self.send(to)?;
        if self.block.try_reserve(n).is_err() {
            return Err(Error::new(ErrorKind::OutOfMemory { requested: n }, self.sent));
        }
        let p = self.block.as_mut_ptr();
        // SAFETY: one past the end of the block's memory
        Ok((p, unsafe { p.add(self.block.capacity()) }))
    }

    fn written(&self, to: *mut u8) -> u64 {
        self.sent.wrapping_add((to as usize).wrapping_sub(self.block.as_ptr() as usize) as u64)
    }

    #[cold]
    #[inline(never)]
    fn settle(&mut self, room: Ends, region: Option<u64>) -> (Ends, Result<()>) {
        settled(self, room, region)
    }

    fn recent(&mut self, to: *mut u8) -> &mut [u8] {
        let n = (to as usize).wrapping_sub(self.block.as_ptr() as usize);
        // SAFETY: every byte of the block before `to` was written
        unsafe { core::slice::from_raw_parts_mut(self.block.as_mut_ptr(), n) }
    }

    #[inline(always)]
    fn placed(&mut self) -> &mut Placed {
        &mut self.placed
    }
}

/// Runs `write` with a sink in front of `w`; returns how many bytes were written. `w` is flushed at the end.
#[cfg(any(feature = "columns", feature = "futhark"))]
pub(crate) fn writer_sink<W: std::io::Write>(
    w: W,
    write: impl FnOnce(&mut Out<'_, Block<'_, W>>) -> Result<()>,
) -> Result<u64> {
    writer_sink_in(w, &mut Vec::new(), write)
}

/// The same with a block that the caller keeps; what is in it is of no use.
#[cfg(any(feature = "columns", feature = "futhark", feature = "sdds"))]
pub(crate) fn writer_sink_in<W: std::io::Write>(
    w: W,
    block: &mut Vec<u8>,
    write: impl FnOnce(&mut Out<'_, Block<'_, W>>) -> Result<()>,
) -> Result<u64> {
    one_writer(w, (block, false), |out| write(out).and_then(|()| out.settle()))
}

/// The same for what can be written again: errors of parts and of what must be the last have the paths of their fields.
pub(crate) fn locating_writer<W: std::io::Write>(
    mut w: W,
    write: impl Fn(&mut Out<'_, Block<'_, &mut W>>) -> Result<()>,
) -> Result<u64> {
    let (mut block, mut locator) = (Vec::new(), Locator::default());
    loop {
        let is_again = locator.is_asking();
        let done = one_writer(&mut w, (&mut block, is_again), |out| run(Some(&mut locator), out, &write));
        if done.is_ok() && !is_again {
            return done;
        }
        if let Some(done) = locator.next(done) {
            return done;
        }
    }
}

fn one_writer<W: std::io::Write>(
    w: W,
    (block, again): (&mut Vec<u8>, bool),
    write: impl FnOnce(&mut Out<'_, Block<'_, W>>) -> Result<()>,
) -> Result<u64> {
    block.clear();
    block.reserve(BLOCK);
    let mut room = Block { w, block, sent: 0, again, placed: Kept::new(Placed::default()) };
    let to = room.block.as_mut_ptr();
    // SAFETY: one past the end of the block's memory
    let end = unsafe { to.add(room.block.capacity()) };
    let mut out = Out { to, end, sure: 0, room: &mut room, optional_nul: false };
    let done = write(&mut out);
    let to = out.to;
    drop(core::mem::take(&mut *room.placed));
    done?;
    room.send(to)?;
    if !again {
        room.w.flush().map_err(|e| Error::new(ErrorKind::Io(e), room.sent))?;
    }
    Ok(room.sent)
}
