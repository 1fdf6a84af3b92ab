//! The cursor behind every sink: a vector that grows, a fixed slice, or a block in front of a writer.

use super::bulk;
use super::facts::Facts;
use super::placed::{self, Placed};
use super::short;
use crate::error::{Error, ErrorKind, Result};
#[cfg(feature = "std")]
use crate::wire::amount::after;
use crate::wire::amount::plus;
use crate::wire::endian::Order;
use crate::wire::options::Policy;
use alloc::vec::Vec;

/// A place to write to, with room checked once for a run of bytes.
///
/// The three sinks differ only in what happens when the room is out.
#[derive(Debug)]
pub struct Out<'g, G: Room> {
    to: *mut u8,
    end: *mut u8,
    /// Bytes of room already checked for. Never above `end - to`.
    sure: usize,
    room: &'g mut G,
    /// Whether text may fill a field of a fixed size.
    pub(crate) optional_nul: bool,
}

/// What to do when the room is out.
///
/// # Safety
/// `more` returns a range that is writable for at least `n` bytes and stays so until the next call; bytes written
/// before `to` are kept.
pub unsafe trait Room {
    /// Longer runs of bytes than this are handed on as they are, instead of being copied into room made for them.
    const DIRECT: usize = usize::MAX;

    /// Whether nobody sees what stands after the bytes that were written, so that more may be written there than counts.
    const OWN: bool = true;

    /// Hands on a long run of bytes, after what was written up to `to`; returns room as `more` does.
    fn direct(&mut self, to: *mut u8, bytes: &[u8]) -> Result<(*mut u8, *mut u8)> {
        self.more(to, bytes.len())
    }

    /// Room for `n` bytes, when what was written ends at `to`.
    fn more(&mut self, to: *mut u8, n: usize) -> Result<(*mut u8, *mut u8)>;
    /// How many bytes were written, when what was written ends at `to`.
    fn written(&self, to: *mut u8) -> u64;

    /// Whether all of them are in memory.
    const MEMORY: bool = false;

    /// They themselves, when what was written ends at `to`.
    fn bytes(&mut self, _to: *mut u8) -> Option<&mut [u8]> {
        None
    }

    /// The parts that wait to be written elsewhere.
    fn placed(&mut self) -> &mut Placed;

    /// The bytes that were written last and are still in memory, when what was written ends at `to`.
    fn recent(&mut self, to: *mut u8) -> &mut [u8] {
        self.bytes(to).unwrap_or(&mut [])
    }
}

/// The parts that wait, kept by a sink that needs no cleaning up itself: where a frame holds something to drop, every call in it is
/// one that may unwind, and the compiler no longer moves the rare ones (`more`) out of the way. A panic in the user's code leaks them.
type Kept = core::mem::ManuallyDrop<Placed>;

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
    fn more(&mut self, to: *mut u8, n: usize) -> Result<(*mut u8, *mut u8)> {
        let used = self.written(to);
        let remaining = self.len.wrapping_sub(used as usize);
        Err(Error::new(ErrorKind::OutputFull { needed: n, remaining }, used))
    }

    fn written(&self, to: *mut u8) -> u64 {
        (to as usize).wrapping_sub(self.start as usize) as u64
    }

    const MEMORY: bool = true;

    fn bytes(&mut self, to: *mut u8) -> Option<&mut [u8]> {
        let n = self.written(to) as usize;
        // SAFETY: the bytes from the start up to `to` were written, and are borrowed for as long as this
        Some(unsafe { core::slice::from_raw_parts_mut(self.start, n) })
    }

    #[inline(always)]
    fn placed(&mut self) -> &mut Placed {
        &mut self.placed
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

/// The same for memory that need not be set.
///
/// # Safety
/// `start` is writable for `len` bytes, and nobody else looks at them before this returns.
#[inline(always)]
pub(super) unsafe fn sink_at(
    start: *mut u8,
    len: usize,
    write: impl FnOnce(&mut Out<'_, Fixed<'_>>) -> Result<()>,
) -> Result<usize> {
    let placed = Kept::new(Placed::default());
    let mut room = Fixed { start, len, placed, of: core::marker::PhantomData };
    // SAFETY: one past the end, by the contract of this function
    let end = unsafe { start.add(len) };
    let mut out = Out { to: start, end, sure: 0, room: &mut room, optional_nul: false };
    let done = write(&mut out).and_then(|()| out.settle());
    let to = out.to;
    let written = room.written(to) as usize;
    drop(Kept::into_inner(room.placed));
    done.map(|()| written)
}

/// Bytes that are gathered before they are handed to a writer.
#[cfg(feature = "std")]
const BLOCK: usize = 64 << 10;

/// A block of memory in front of an `io::Write`.
#[cfg(feature = "std")]
#[derive(Debug)]
pub(crate) struct Block<'b, W: std::io::Write> {
    w: W,
    block: &'b mut Vec<u8>,
    sent: u64,
    placed: Kept,
}

#[cfg(feature = "std")]
impl<W: std::io::Write> Block<'_, W> {
    /// More room without sending anything: a part that waits may change what is in the block, or be compared with it.
    fn grow(&mut self, to: *mut u8, n: usize) -> Result<(*mut u8, *mut u8)> {
        let len = (to as usize).wrapping_sub(self.block.as_ptr() as usize);
        // SAFETY: every byte before `to` was written, and `to` lies in the block's memory
        unsafe { self.block.set_len(len) };
        if self.block.try_reserve(n).is_err() {
            let remaining = self.block.capacity().wrapping_sub(len);
            let at = after(self.sent, len as u64);
            return Err(Error::new(ErrorKind::OutputFull { needed: n, remaining }, at));
        }
        let p = self.block.as_mut_ptr();
        // SAFETY: both lie in the block's memory, or one past its end
        Ok(unsafe { (p.add(len), p.add(self.block.capacity())) })
    }

    fn send(&mut self, to: *mut u8) -> Result<()> {
        let n = (to as usize).wrapping_sub(self.block.as_ptr() as usize);
        // SAFETY: every byte before `to` was written, and `to` lies in the block's memory
        unsafe { self.block.set_len(n) };
        let done = self.w.write_all(self.block);
        self.block.clear();
        match done {
            Ok(()) => {
                self.sent = after(self.sent, n as u64);
                Ok(())
            }
            Err(e) => Err(Error::new(ErrorKind::Io(e), self.sent)),
        }
    }
}

#[cfg(feature = "std")]
// SAFETY: the block has room for n bytes after `reserve`, and what was in it has been sent
unsafe impl<W: std::io::Write> Room for Block<'_, W> {
    const DIRECT: usize = BLOCK;

    #[cold]
    #[inline(never)]
    fn direct(&mut self, to: *mut u8, bytes: &[u8]) -> Result<(*mut u8, *mut u8)> {
        if !self.placed.is_empty() {
            self.grow(to, bytes.len())?;
            self.block.extend_from_slice(bytes);
            let end = self.block.as_mut_ptr_range().end;
            return self.grow(end, 0);
        }
        self.send(to)?;
        match self.w.write_all(bytes) {
            Ok(()) => self.sent = after(self.sent, bytes.len() as u64),
            Err(e) => return Err(Error::new(ErrorKind::Io(e), self.sent)),
        }
        let empty = self.block.as_mut_ptr();
        self.more(empty, 0)
    }

    #[cold]
    #[inline(never)]
    fn more(&mut self, to: *mut u8, n: usize) -> Result<(*mut u8, *mut u8)> {
        if !self.placed.is_empty() {
            return self.grow(to, n);
        }
        self.send(to)?;
        if self.block.try_reserve(n).is_err() {
            let remaining = self.block.capacity();
            return Err(Error::new(ErrorKind::OutputFull { needed: n, remaining }, self.sent));
        }
        let p = self.block.as_mut_ptr();
        // SAFETY: one past the end of the block's memory
        Ok((p, unsafe { p.add(self.block.capacity()) }))
    }

    fn written(&self, to: *mut u8) -> u64 {
        self.sent.wrapping_add((to as usize).wrapping_sub(self.block.as_ptr() as usize) as u64)
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
#[cfg(feature = "std")]
pub(crate) fn writer_sink<W: std::io::Write>(
    w: W,
    write: impl FnOnce(&mut Out<'_, Block<'_, W>>) -> Result<()>,
) -> Result<u64> {
    writer_sink_in(w, &mut Vec::new(), write)
}

/// The same with a block that the caller keeps; what is in it is of no use.
#[cfg(feature = "std")]
pub(crate) fn writer_sink_in<W: std::io::Write>(
    w: W,
    block: &mut Vec<u8>,
    write: impl FnOnce(&mut Out<'_, Block<'_, W>>) -> Result<()>,
) -> Result<u64> {
    block.clear();
    block.reserve(BLOCK);
    let mut room = Block { w, block, sent: 0, placed: Kept::new(Placed::default()) };
    let to = room.block.as_mut_ptr();
    // SAFETY: one past the end of the block's memory
    let end = unsafe { to.add(room.block.capacity()) };
    let mut out = Out { to, end, sure: 0, room: &mut room, optional_nul: false };
    let done = write(&mut out).and_then(|()| out.settle());
    let to = out.to;
    drop(core::mem::take(&mut *room.placed));
    done?;
    room.send(to)?;
    room.w.flush().map_err(|e| Error::new(ErrorKind::Io(e), room.sent))?;
    Ok(room.sent)
}

impl<G: Room> Out<'_, G> {
    /// The same, which lets pass what readers of these options do.
    #[inline(always)]
    pub(crate) fn allowing(&mut self, policy: Policy) -> &mut Self {
        self.optional_nul = policy.optional_nul;
        self
    }

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
        // `ensure_room` has just seen to it that there are so many
        self.sure = self.sure.wrapping_sub(N);
        // SAFETY: `N <= sure <= end - to`: the counter is private, `ensure_room` and `put_bytes` alone raise it, after
        // `make` has compared or made the room
        unsafe {
            self.to.cast::<[u8; N]>().write(a);
            self.to = self.to.add(N);
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
        // SAFETY: `make` left room for `b.len() + then` bytes; `b` cannot overlap room that nobody else holds
        unsafe {
            short::copy_short(b.as_ptr(), self.to, b.len());
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
        // SAFETY: `b` has so many bytes, and there is room for them and for `then` more; what stands after the first `n` is
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
                short::copy_short(items.as_ptr().cast::<u8>(), self.to, all);
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

    pub(crate) fn recent_bytes(&mut self) -> &mut [u8] {
        self.room.recent(self.to)
    }

    #[inline(always)]
    pub(crate) fn placed_parts(&mut self) -> &mut Placed {
        self.room.placed()
    }

    /// Writes the parts that lie elsewhere.
    #[inline(always)]
    fn settle(&mut self) -> Result<()> {
        self.settle_since(None)
    }

    /// Writes the parts that lie elsewhere, or those of the region that begins with the part of a number.
    #[inline(always)]
    pub(crate) fn settle_since(&mut self, region: Option<u64>) -> Result<()> {
        if !self.room.placed().is_empty() {
            // by value in and out, as in `make`
            let (to, end) = settled(self.room, (self.to, self.end), region)?;
            self.to = to;
            self.end = end;
            self.sure = 0;
        }
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn at(&self) -> u64 {
        self.room.written(self.to)
    }

    /// What was written so far.
    pub(crate) fn written_bytes(&mut self) -> Option<&mut [u8]> {
        self.room.bytes(self.to)
    }
}

/// Writes the parts that wait to where the room is; returns the room that is left.
#[cold]
#[inline(never)]
fn settled<G: Room>(
    room: &mut G,
    (to, end): (*mut u8, *mut u8),
    region: Option<u64>,
) -> Result<(*mut u8, *mut u8)> {
    let mut out = Out { to, end, sure: 0, room, optional_nul: false };
    placed::settle(&mut out, region)?;
    Ok((out.to, out.end))
}
