//! A sink that fills a slice.

use super::{Ends, Kept, Out, Room, located, run, settled};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::raw::facts::Known;
use crate::wire::raw::placed::Placed;

/// A fixed slice: no more room is an error.
#[derive(Debug)]
pub(crate) struct Fixed<'b> {
    start: *mut u8,
    len: usize,
    placed: Kept,
    of: core::marker::PhantomData<&'b mut [u8]>,
}

// SAFETY: never gives out any room
unsafe impl Room for Fixed<'_> {
    const OWN: bool = false;

    #[cold]
    #[inline(never)]
    fn more(&mut self, to: *mut u8, n: usize) -> Result<Ends> {
        let used = self.written(to);
        let remaining = self.len.wrapping_sub(used as usize);
        Err(Error::new(ErrorKind::OutputFull { needed: n, remaining }, used))
    }

    fn written(&self, to: *mut u8) -> u64 {
        (to as usize).wrapping_sub(self.start as usize) as u64
    }

    #[cold]
    #[inline(never)]
    fn settle(&mut self, room: Ends, region: Option<u64>) -> (Ends, Result<()>) {
        settled(self, room, region)
    }

    const MEMORY: bool = true;

    fn bytes(&mut self, to: *mut u8) -> Option<&mut [u8]> {
        let n = self.written(to) as usize;
        // SAFETY: the bytes from the start up to `to` were written, and are borrowed for as long as this
        Some(unsafe { core::slice::from_raw_parts_mut(self.start, n) })
    }

    #[inline(always)]
    fn from(&mut self, to: *mut u8, at: u64) -> &mut [u8] {
        let len = (to as usize).wrapping_sub(self.start as usize);
        let place = usize::try_from(at).unwrap_or(len).min(len);
        // SAFETY: the bytes from the start up to `to` were written, and are borrowed for as long as this
        unsafe { core::slice::from_raw_parts_mut(self.start.add(place), len.wrapping_sub(place)) }
    }

    #[inline(always)]
    fn placed(&mut self) -> &mut Placed {
        &mut self.placed
    }
}

impl Fixed<'_> {
    /// Nothing waits any more.
    #[cold]
    #[inline(never)]
    fn give_up(&mut self) {
        core::mem::take(&mut *self.placed).free();
    }
}

/// Runs `write` with a sink that fills `b` from its start; returns how many bytes were written.
#[inline(always)]
pub(crate) fn slice_sink(
    b: &mut [u8],
    write: impl FnOnce(&mut Out<'_, Fixed<'_>>) -> Result<()>,
) -> Result<usize> {
    // SAFETY: these are the bytes of the slice, which is borrowed for writing
    unsafe { sink_at(b.as_mut_ptr(), b.len(), write) }
}

/// The same for what can be written again: errors of parts and of what must be the last have the paths of their fields.
/// Types without either need no code for that.
#[inline(always)]
pub(crate) fn locating_slice<T: Known>(
    b: &mut [u8],
    write: impl Fn(&mut Out<'_, Fixed<'_>>) -> Result<()>,
) -> Result<usize> {
    if const { T::KNOWN.is_in_place() } {
        return slice_sink(b, write);
    }
    located(|locator| {
        // SAFETY: these are the bytes of the slice, which is borrowed for writing
        unsafe { sink_of(b.as_mut_ptr(), b.len(), |out| run(locator, out, &write)) }
    })
}

/// Fills in a number where something stands in its place: it has no parts elsewhere.
#[inline(always)]
pub(crate) fn patch(b: &mut [u8], write: impl FnOnce(&mut Out<'_, Fixed<'_>>) -> Result<()>) -> Result<()> {
    let (start, len, placed) = (b.as_mut_ptr(), b.len(), Kept::new(Placed::default()));
    let mut room = Fixed { start, len, placed, of: core::marker::PhantomData };
    // SAFETY: one past the end of the slice, which is borrowed for writing
    let end = unsafe { start.add(len) };
    write(&mut Out { to: start, end, sure: 0, room: &mut room, optional_nul: false })
}

/// The same for memory that need not be set.
///
/// # Safety
/// `start` is writable for `len` bytes, and nothing else looks at them before this returns.
#[inline(always)]
pub(in crate::wire::raw) unsafe fn sink_at(
    start: *mut u8,
    len: usize,
    write: impl FnOnce(&mut Out<'_, Fixed<'_>>) -> Result<()>,
) -> Result<usize> {
    // SAFETY: by the contract of this function
    unsafe { sink_of(start, len, |out| write(out).and_then(|()| out.settle())) }
}

/// The same, where `write` settles.
///
/// # Safety
/// As of `sink_at`.
#[inline(always)]
unsafe fn sink_of(
    start: *mut u8,
    len: usize,
    write: impl FnOnce(&mut Out<'_, Fixed<'_>>) -> Result<()>,
) -> Result<usize> {
    let placed = Kept::new(Placed::default());
    let mut room = Fixed { start, len, placed, of: core::marker::PhantomData };
    // SAFETY: one past the end, by the contract of this function
    let end = unsafe { start.add(len) };
    let mut out = Out { to: start, end, sure: 0, room: &mut room, optional_nul: false };
    let done = write(&mut out);
    let to = out.to;
    match done {
        // nothing waits after `settle`
        Ok(()) => Ok(room.written(to) as usize),
        Err(e) => {
            room.give_up();
            Err(e)
        }
    }
}
