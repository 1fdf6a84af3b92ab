//! A sink that appends to a vector.

use super::{Ends, Kept, Out, Room, settled};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::raw::placed::Placed;
use alloc::vec::Vec;

/// A growing vector, written after what it already holds.
#[derive(Debug)]
pub struct Grow<'v> {
    v: &'v mut Vec<u8>,
    /// Where the bytes of this sink begin.
    start: usize,
    /// The position of the first of them: in a part of something larger it is not 0.
    base: u64,
    placed: Kept,
}

// SAFETY: `reserve` makes room for n bytes after `len`, which is set to what was written (all of it initialised)
unsafe impl Room for Grow<'_> {
    #[cold]
    #[inline(never)]
    fn more(&mut self, to: *mut u8, n: usize) -> Result<Ends> {
        // SAFETY: `to` lies in the vector's own memory, after bytes that were written
        unsafe {
            let len = (to as usize).wrapping_sub(self.v.as_ptr() as usize);
            self.v.set_len(len);
            if self.v.try_reserve(n).is_err() {
                let err = ErrorKind::OutputFull { needed: n, remaining: self.v.capacity().wrapping_sub(len) };
                return Err(Error::new(err, self.written(to)));
            }
            let p = self.v.as_mut_ptr();
            Ok((p.add(len), p.add(self.v.capacity())))
        }
    }

    fn written(&self, to: *mut u8) -> u64 {
        let n = (to as usize).wrapping_sub(self.v.as_ptr() as usize).wrapping_sub(self.start);
        self.base.wrapping_add(n as u64)
    }

    #[cold]
    #[inline(never)]
    fn settle(&mut self, room: Ends, region: Option<u64>) -> (Ends, Result<()>) {
        settled(self, room, region)
    }

    const MEMORY: bool = true;

    fn bytes(&mut self, to: *mut u8) -> Option<&mut [u8]> {
        let n = (to as usize).wrapping_sub(self.v.as_ptr() as usize).wrapping_sub(self.start);
        // SAFETY: `start <= capacity`, and the bytes from there up to `to` were written
        Some(unsafe { core::slice::from_raw_parts_mut(self.v.as_mut_ptr().add(self.start), n) })
    }

    #[inline(always)]
    fn from(&mut self, to: *mut u8, at: u64) -> &mut [u8] {
        // SAFETY: `start <= capacity`
        let first = unsafe { self.v.as_mut_ptr().add(self.start) };
        let len = (to as usize).wrapping_sub(first as usize);
        let place = usize::try_from(at.wrapping_sub(self.base)).unwrap_or(len).min(len);
        // SAFETY: the bytes from the first up to `to` were written
        unsafe { core::slice::from_raw_parts_mut(first.add(place), len.wrapping_sub(place)) }
    }

    #[inline(always)]
    fn placed(&mut self) -> &mut Placed {
        &mut self.placed
    }
}

impl<'v> Grow<'v> {
    /// After what is in `v`, of which the first byte is at the position `base`.
    #[inline(always)]
    fn after(v: &'v mut Vec<u8>, base: u64, placed: Placed) -> Self {
        Grow { start: v.len(), v, base, placed: Kept::new(placed) }
    }

    /// Runs `write` with room for `reserve` bytes. When it fails, the vector is what it was, and nothing waits.
    #[inline(always)]
    fn fill<R>(
        &mut self,
        reserve: usize,
        write: impl FnOnce(&mut Out<'_, Grow<'v>>) -> Result<R>,
    ) -> Result<R> {
        // SAFETY: `start <= capacity`; both ends lie in the vector's memory
        let (mut to, mut end) = unsafe {
            let p = self.v.as_mut_ptr();
            (p.add(self.start), p.add(self.v.capacity()))
        };
        if reserve > (end as usize).wrapping_sub(to as usize) {
            (to, end) = self.more(to, reserve)?;
        }
        let mut out = Out { to, end, sure: 0, room: &mut *self, optional_nul: false };
        let result = write(&mut out);
        let to = out.to;
        match result {
            // SAFETY: `to` lies in the vector's own memory, after bytes that were written
            Ok(_) => unsafe { self.v.set_len((to as usize).wrapping_sub(self.v.as_ptr() as usize)) },
            Err(_) => self.give_up(),
        }
        result
    }

    #[cold]
    #[inline(never)]
    fn give_up(&mut self) {
        self.v.truncate(self.start);
        core::mem::take(&mut *self.placed).free();
    }
}

/// Runs `write` with a sink that appends to `v`. When it fails, `v` is what it was.
///
/// ```
/// use binfmt::{Encode, Le, wire::vec_sink};
/// let mut v = vec![9];
/// vec_sink(&mut v, 2, |out| 7u16.encode::<Le, _>(out, ()))?;
/// assert_eq!(v, [9, 7, 0]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[inline(always)]
pub fn vec_sink<R>(
    v: &mut Vec<u8>,
    reserve: usize,
    write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<R>,
) -> Result<R> {
    // nothing waits after `settle`
    Grow::after(v, 0, Placed::default()).fill(reserve, |out| {
        let mut result = write(out);
        if result.is_ok()
            && let Err(e) = out.settle()
        {
            result = Err(e);
        }
        result
    })
}

/// Runs `write` with a sink for a part of something larger, whose first byte is at the position `at`; `placed` are the parts of all
/// of it that wait so far, and come back with those of this part.
pub(crate) fn part_sink<R>(
    v: &mut Vec<u8>,
    at: u64,
    placed: Placed,
    write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<R>,
) -> Result<(R, Placed)> {
    let mut room = Grow::after(v, at, placed);
    let result = room.fill(0, write)?;
    Ok((result, Kept::into_inner(room.placed)))
}
