//! The cursor behind every sink: a vector that grows, a fixed slice, or a block before a writer.

use super::bulk;
use super::facts::{Facts, PutTogether, together};
#[cfg(feature = "alloc")]
use super::landing::Landing;
use super::placed::{self, Locator, Placed};
use super::words::copy_short;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::plus;
use crate::wire::endian::Order;
use crate::wire::options::Policy;
use crate::wire::sink::Begun;

#[cfg(feature = "alloc")]
mod grow;
mod memory;
#[cfg(feature = "std")]
mod writer;

#[cfg(feature = "dynamic")]
pub(crate) use grow::locating_vec_from;
#[cfg(feature = "alloc")]
pub use grow::vec_sink;
#[cfg(feature = "alloc")]
pub(crate) use grow::{Grow, locating_vec, part_sink};
#[cfg(feature = "columns")]
pub(crate) use memory::Fixed;
#[cfg(feature = "columns")]
pub(super) use memory::sink_at;
pub(crate) use memory::{locating_slice, patch, slice_sink};
#[cfg(feature = "std")]
pub(crate) use writer::locating_writer;
#[cfg(all(feature = "std", any(feature = "columns", feature = "futhark")))]
pub(crate) use writer::writer_sink;
#[cfg(feature = "sdds")]
pub(crate) use writer::writer_sink_in;

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

/// Where the room begins, and where it ends.
type Ends = (*mut u8, *mut u8);

/// What to do when the room is out.
///
/// # Safety
/// `more` returns a range that is writable for at least `n` bytes and stays so until the next call; bytes written
/// before `to` are kept.
pub unsafe trait Room {
    /// Longer runs of bytes than this are handed on as they are, instead of being copied into room made for them.
    const DIRECT: usize = usize::MAX;

    /// Whether no caller sees what stands after the bytes that were written, so that more may be written there than counts.
    const OWN: bool = true;

    /// Hands on a long run of bytes, after what was written up to `to`; returns room as `more` does.
    fn direct(&mut self, to: *mut u8, bytes: &[u8]) -> Result<Ends> {
        self.more(to, bytes.len())
    }

    /// Room for `n` bytes, when what was written ends at `to`.
    fn more(&mut self, to: *mut u8, n: usize) -> Result<Ends>;
    /// How many bytes were written, when what was written ends at `to`.
    fn written(&self, to: *mut u8) -> u64;

    /// Writes the parts that wait, all of them or those of a region, after what ends where the room begins; returns the room
    /// that is left, and what came of it. Each sink has it for itself, so that it is not compiled in the crates of users.
    fn settle(&mut self, room: Ends, region: Option<u64>) -> (Ends, Result<()>);

    /// Whether all of them are in memory.
    const MEMORY: bool = false;

    /// They themselves, when what was written ends at `to`.
    fn bytes(&mut self, _to: *mut u8) -> Option<&mut [u8]> {
        None
    }

    /// Those from a position on; none of a position that is not among them.
    fn from(&mut self, _to: *mut u8, _at: u64) -> &mut [u8] {
        &mut []
    }

    /// The parts that wait to be written elsewhere.
    fn placed(&mut self) -> &mut Placed;

    /// Writes a part to another position, when what was written ends where the room begins. Returns where there is room after that,
    /// and what came of it.
    #[cfg(feature = "alloc")]
    #[inline]
    fn part(
        &mut self,
        ends: Ends,
        optional_nul: bool,
        place: (u64, Landing),
        write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<()>,
    ) -> (Ends, Result<()>) {
        (ends, grow::waiting_part(self.placed(), optional_nul, place, write))
    }

    /// Whether a part that is written whole has all of another one, which is there already.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn is_written(&mut self, _place: (u64, Landing), _is_there: impl FnOnce(&[u8]) -> bool) -> bool {
        false
    }

    /// The bytes that were written last and are still in memory, when what was written ends at `to`.
    fn recent(&mut self, to: *mut u8) -> &mut [u8] {
        self.bytes(to).unwrap_or(&mut [])
    }
}

/// The parts that wait, kept by a sink that needs no cleaning up itself: where a frame holds something to drop, every call in it is
/// one that may unwind, and the compiler no longer moves the rare ones (`more`) out of the way. A panic in the user's code leaks them.
type Kept = core::mem::ManuallyDrop<Placed>;

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

    /// Writes a part to another position.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn part(
        &mut self,
        at: u64,
        landing: Landing,
        write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<()>,
    ) -> Result<()> {
        // by value in and out, as in `make`
        let ends = (self.to, self.end);
        let ((to, end), done) = self.room.part(ends, self.optional_nul, (at, landing), write);
        self.to = to;
        self.end = end;
        self.sure = 0;
        done
    }

    /// Whether a part need not be written, because its bytes are there already.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn is_written_at(
        &mut self,
        place: (u64, Landing),
        is_there: impl FnOnce(&[u8]) -> bool,
    ) -> bool {
        self.room.is_written(place, is_there)
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
        if self.room.placed().is_due(region) {
            let at = self.at();
            let begun = region.map(|parts| Begun { parts, at, ..Begun::default() });
            self.room.placed().ends(at, begun)?;
            // by value in and out, as in `make`; after an error, too, the memory may be another
            let ((to, end), done) = self.room.settle((self.to, self.end), region);
            self.to = to;
            self.end = end;
            self.sure = 0;
            return done;
        }
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn at(&self) -> u64 {
        self.room.written(self.to)
    }

    /// What was written from a position on.
    #[inline(always)]
    pub(crate) fn bytes_from(&mut self, at: u64) -> &mut [u8] {
        self.room.from(self.to, at)
    }
}

/// Whether an error may be one of which the fields are found by writing once more. What fails for want of room has them already.
fn may_name_fields(e: &Error) -> bool {
    !matches!(e.kind(), ErrorKind::OutputFull { .. } | ErrorKind::OutOfMemory { .. })
}

/// Writes once, or until an error has found its fields.
///
/// There is one function that writes, and one place that calls it: a second one would cost each type its code twice, and
/// the first its place in the code around it.
#[inline(always)]
fn located<R>(mut write: impl FnMut(Option<&mut Locator>) -> Result<R>) -> Result<R> {
    match write(None) {
        Err(e) if may_name_fields(&e) => locate(Locator::default(), &mut write),
        done => done,
    }
}

/// Writes for who looks for the fields of an error, out of the way of what is usual.
#[cold]
#[inline(never)]
fn locate<R>(mut locator: Locator, write: &mut dyn FnMut(Option<&mut Locator>) -> Result<R>) -> Result<R> {
    loop {
        let done = write(Some(&mut locator));
        if done.is_ok() && !locator.is_asking() {
            return done;
        }
        if let Some(done) = locator.next(done) {
            return done;
        }
    }
}

/// Writes and settles, for who may look for the fields of an error.
#[inline(always)]
fn run<G: Room>(
    mut locator: Option<&mut Locator>,
    out: &mut Out<'_, G>,
    write: impl Fn(&mut Out<'_, G>) -> Result<()>,
) -> Result<()> {
    if let Some(locator) = &locator {
        locator.begin(out.placed_parts());
    }
    let mut done = write(out);
    if done.is_ok() {
        done = out.settle();
    }
    if done.is_err()
        && let Some(locator) = &mut locator
    {
        locator.note(out.placed_parts());
    }
    done
}

/// Writes the parts that wait to where the room is; returns the room that is left, and what came of it.
fn settled<G: Room>(room: &mut G, (to, end): Ends, region: Option<u64>) -> (Ends, Result<()>) {
    let mut out = Out { to, end, sure: 0, room, optional_nul: false };
    let done = placed::settle(&mut out, region);
    ((out.to, out.end), done)
}
