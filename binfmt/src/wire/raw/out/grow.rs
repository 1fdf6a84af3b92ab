//! A sink that appends to a vector.

use super::{Kept, Out, Room};
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
    fn more(&mut self, to: *mut u8, n: usize) -> Result<(*mut u8, *mut u8)> {
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
    let (result, _) = vec_sink_at(v, reserve, (0, Placed::default()), |out| {
        let result = write(out)?;
        out.settle()?;
        Ok(result)
    })?;
    Ok(result)
}

/// Runs `write` with a sink for a part of something larger, whose first byte is at the position `at`; `placed` are the parts of all
/// of it that wait so far, and come back with those of this part.
pub(crate) fn part_sink<R>(
    v: &mut Vec<u8>,
    at: u64,
    placed: Placed,
    write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<R>,
) -> Result<(R, Placed)> {
    vec_sink_at(v, 0, (at, placed), write)
}

#[inline(always)]
fn vec_sink_at<R>(
    v: &mut Vec<u8>,
    reserve: usize,
    (base, placed): (u64, Placed),
    write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<R>,
) -> Result<(R, Placed)> {
    if v.try_reserve(reserve).is_err() {
        let remaining = v.spare_capacity_mut().len();
        return Err(ErrorKind::OutputFull { needed: reserve, remaining }.into());
    }
    let start = v.len();
    let mut room = Grow { v, start, base, placed: Kept::new(placed) };
    // SAFETY: `start <= capacity`; both ends lie in the vector's memory
    let (to, end) = unsafe {
        let p = room.v.as_mut_ptr();
        (p.add(start), p.add(room.v.capacity()))
    };
    let mut out = Out { to, end, sure: 0, room: &mut room, optional_nul: false };
    let result = write(&mut out);
    let to = out.to;
    let len = match result {
        Ok(_) => (to as usize).wrapping_sub(room.v.as_ptr() as usize),
        Err(_) => start,
    };
    // SAFETY: every byte before `to` was written, and `start` bytes were there before
    unsafe { room.v.set_len(len) };
    let placed = Kept::into_inner(room.placed);
    result.map(|result| (result, placed))
}
