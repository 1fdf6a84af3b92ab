//! A sink that appends to a vector.

#[cfg(feature = "dynamic")]
use super::locate;
use super::{Ends, Kept, Out, Room, located, run, settled};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::{inside, plus};
use crate::wire::raw::facts::Known;
use crate::wire::raw::landing::Landing;
#[cfg(feature = "dynamic")]
use crate::wire::raw::placed::Locator;
use crate::wire::raw::placed::{OVER, Place, Placed};
use alloc::vec::Vec;
use core::mem::{ManuallyDrop, MaybeUninit, take};

mod away;

/// A growing vector, written after what it already holds; or a part of it, or one that waits in a vector of its own.
#[derive(Debug)]
pub struct Grow<'v> {
    /// The first byte of this sink's, and its position: in a part of something larger it is not 0.
    first: *mut u8,
    base: u64,
    /// The address that the position 0 has, or would have: that of the first byte less its position.
    zero: usize,
    /// The output, and where it begins in its vector; none where that is not one.
    v: Option<&'v mut Vec<u8>>,
    start: usize,
    /// Where the output is, and how many bytes it has room for.
    output: *mut u8,
    room: usize,
    /// The vector of a part that waits.
    own: ManuallyDrop<Vec<u8>>,
    kind: Kind,
    /// Whether the vector is an output.
    direct: bool,
    /// The bytes that are in the output where a part is written over them.
    over: [MaybeUninit<u8>; OVER],
    placed: Kept,
}

/// Where it is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// To the output, which begins at the position 0: parts are written to their places in it.
    Output,
    /// To a vector that is a part of something larger: all its parts wait.
    Apart,
    /// To the output, over bytes that are already there, which the part must say again.
    Over,
    /// To the vector of a part that waits.
    Own,
}

// SAFETY: `try_reserve` makes room for n bytes after `len`, which is set to what was written (all of it initialised); a part in the
// output has the room up to the next thing that is in it
unsafe impl Room for Grow<'_> {
    #[cold]
    #[inline(never)]
    fn more(&mut self, to: *mut u8, n: usize) -> Result<Ends> {
        match self.kind {
            Kind::Output if self.placed.has_in_place() => self.more_among(to, n),
            Kind::Over => match self.wait(to, n) {
                (ends, Ok(())) => Ok(ends),
                (_, Err(e)) => Err(e),
            },
            _ => self.extend(to, n),
        }
    }

    #[inline(always)]
    fn written(&self, to: *mut u8) -> u64 {
        (to as usize).wrapping_sub(self.zero) as u64
    }

    #[cold]
    #[inline(never)]
    fn settle(&mut self, (mut to, mut end): Ends, region: Option<u64>) -> (Ends, Result<()>) {
        if self.kind == Kind::Over {
            let done;
            ((to, end), done) = self.wait(to, 0);
            if done.is_err() {
                return ((to, end), done);
            }
        }
        if !self.direct || !self.placed.has_in_place() {
            return settled(self, (to, end), region);
        }
        if region.is_none()
            && let Some(end_of_parts) = self.finish(to)
        {
            // SAFETY: all up to there is in the vector and set
            let to = unsafe { self.first.add(end_of_parts) };
            let end = self.end();
            if self.placed.has_parts() {
                return settled(self, (to, end), region);
            }
            take(&mut *self.placed).free();
            return ((to, end), Ok(()));
        }
        match self.give_way() {
            Ok(()) => settled(self, (to, end), region),
            Err(e) => ((to, end), Err(e)),
        }
    }

    const MEMORY: bool = true;

    fn bytes(&mut self, to: *mut u8) -> Option<&mut [u8]> {
        // SAFETY: the bytes from the first up to `to` were written
        Some(unsafe { core::slice::from_raw_parts_mut(self.first, self.len(to)) })
    }

    #[inline(always)]
    fn from(&mut self, to: *mut u8, at: u64) -> &mut [u8] {
        let len = self.len(to);
        let place = usize::try_from(at.wrapping_sub(self.base)).unwrap_or(len).min(len);
        // SAFETY: the bytes from the first up to `to` were written
        unsafe { core::slice::from_raw_parts_mut(self.first.add(place), len.wrapping_sub(place)) }
    }

    #[inline(always)]
    fn placed(&mut self) -> &mut Placed {
        &mut self.placed
    }

    /// The same sink goes to the part and comes back.
    #[inline]
    fn part(
        &mut self,
        mut ends: Ends,
        optional_nul: bool,
        place: (u64, Landing),
        write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<()>,
    ) -> (Ends, Result<()>) {
        if self.kind == Kind::Over {
            // what is put aside is that of one part
            let done;
            (ends, done) = self.wait(ends.0, 0);
            if done.is_err() {
                return (ends, done);
            }
        }
        let (away, (to, end)) = self.depart(ends, place);
        let mut out = Out { to, end, sure: 0, room: &mut *self, optional_nul };
        let done = write(&mut out);
        let to = out.to;
        self.arrive(away, to, place, done)
    }

    #[inline(always)]
    fn is_written(&mut self, place: (u64, Landing), is_there: impl FnOnce(&[u8]) -> bool) -> bool {
        if self.kind != Kind::Output {
            return false;
        }
        let Some(len) = self.placed.rest_of_whole(place) else { return false };
        // SAFETY: a part that is written whole has so many bytes from there on
        let there = unsafe { part(self.output, place.0, len) };
        is_there(there) && self.placed.skip()
    }
}

impl<'v> Grow<'v> {
    /// After what is in `v`, of which the first byte is at the position `base`.
    #[inline(always)]
    fn after(v: &'v mut Vec<u8>, base: u64, placed: Placed, direct: bool) -> Self {
        let start = v.len();
        // SAFETY: the length is at most the capacity
        let first = unsafe { v.as_mut_ptr().add(start) };
        let (own, placed) = (ManuallyDrop::new(Vec::new()), Kept::new(placed));
        let zero = (first as usize).wrapping_sub(base as usize);
        let room = v.capacity().wrapping_sub(start);
        let kind = if direct { Kind::Output } else { Kind::Apart };
        let over = [MaybeUninit::uninit(); OVER];
        Grow { first, base, zero, v: Some(v), start, output: first, room, own, kind, direct, over, placed }
    }

    /// The first byte of this sink's is there.
    #[inline(always)]
    fn begins_at(&mut self, first: *mut u8) {
        self.first = first;
        self.zero = (first as usize).wrapping_sub(self.base as usize);
    }

    /// A part that waits, which was begun.
    fn waiting(mut placed: Placed, at: u64) -> (Self, Ends) {
        let own = ManuallyDrop::new(placed.lend());
        let placed = Kept::new(placed);
        let nowhere = core::ptr::null_mut();
        let mut room = Grow {
            first: nowhere,
            base: at,
            zero: 0,
            v: None,
            start: 0,
            output: nowhere,
            room: 0,
            own,
            kind: Kind::Own,
            direct: false,
            over: [MaybeUninit::uninit(); OVER],
            placed,
        };
        let ends = room.ends_of_own();
        (room, ends)
    }

    /// From the end of what is in the vector of a part to that of its memory; the part begins there.
    #[inline]
    fn ends_of_own(&mut self) -> Ends {
        let p = self.own.as_mut_ptr();
        // SAFETY: the length is at most the capacity
        let ends = unsafe { (p.add(self.own.len()), p.add(self.own.capacity())) };
        self.begins_at(ends.0);
        ends
    }

    /// Adds a part that waits.
    #[inline(never)]
    fn add_own(&mut self, mut to: *mut u8, place: (u64, Landing)) -> Result<()> {
        if self.kind == Kind::Over {
            let ((end, _), done) = self.wait(to, 0);
            if done.is_err() {
                let own = ManuallyDrop::into_inner(take(&mut self.own));
                let from = own.len();
                self.placed.take_back(own, from);
                return done;
            }
            to = end;
        }
        let len = self.len(to);
        let mut own = ManuallyDrop::into_inner(take(&mut self.own));
        let from = (self.first as usize).wrapping_sub(own.as_ptr() as usize);
        // SAFETY: `to` lies in the vector's own memory, after bytes that were written
        unsafe { own.set_len(from.wrapping_add(len)) };
        if self.direct {
            let output = self.output;
            // SAFETY: the output begins there, and such parts were written
            let bytes = |at: u64, len: usize| unsafe { part(output, at, len) };
            if self.placed.says_again(place, inside(&own, from..), bytes) {
                self.placed.take_back(own, from);
                return Ok(());
            }
        }
        self.placed.add_own(place, own, from)
    }

    #[inline(always)]
    fn len(&self, to: *mut u8) -> usize {
        (to as usize).wrapping_sub(self.first as usize)
    }

    /// The vector that is written to.
    #[inline(always)]
    fn vec(&mut self) -> &mut Vec<u8> {
        match &mut self.v {
            Some(v) if self.kind != Kind::Own => v,
            _ => &mut self.own,
        }
    }

    /// The end of its memory.
    fn end(&mut self) -> *mut u8 {
        let v = self.vec();
        // SAFETY: one past the end
        unsafe { v.as_mut_ptr().add(v.capacity()) }
    }

    /// More room in the vector, for bytes after which nothing is in it.
    fn extend(&mut self, to: *mut u8, n: usize) -> Result<Ends> {
        let (first, len, at) = (self.first, self.len(to), self.written(to));
        let v = self.vec();
        // SAFETY: `to` lies in the vector's own memory, after bytes that were written
        let (from, p, end) = unsafe {
            let from = (first as usize).wrapping_sub(v.as_ptr() as usize);
            let len = from.wrapping_add(len);
            v.set_len(len);
            if v.try_reserve(n).is_err() {
                return Err(no_memory(n, at));
            }
            let p = v.as_mut_ptr();
            (from, p, p.add(v.capacity()))
        };
        // SAFETY: where it was, in the vector's memory
        unsafe {
            self.begins_at(p.add(from));
            self.find();
            Ok((self.first.add(len), end))
        }
    }

    /// Notes where the vector is, which may have moved.
    fn find(&mut self) {
        let start = self.start;
        if let Some(v) = self.v.as_deref_mut() {
            self.room = v.capacity().wrapping_sub(start);
            // SAFETY: the output begins there, at most at the end of the memory
            self.output = unsafe { v.as_mut_ptr().add(start) };
        }
    }

    /// More room where other parts are in the output.
    fn more_among(&mut self, to: *mut u8, n: usize) -> Result<Ends> {
        let at = self.written(to);
        self.placed.cover((self.base, at))?;
        let next = self.placed.next(at);
        let end = next.unwrap_or(self.room as u64);
        if end.wrapping_sub(at) >= n as u64 {
            // SAFETY: what is covered is in the vector, and so is its memory
            return Ok((to, unsafe { to.add(end.wrapping_sub(at) as usize) }));
        }
        if next.is_none() {
            self.clear_gaps(0);
            return self.extend(to, n);
        }
        if !self.placed.wait() {
            self.give_way()?;
            return self.extend(to, n);
        }
        // this part waits itself
        let len = self.len(to);
        let (own, has_room) = self.copied(to, n);
        (self.own, self.kind) = (own, Kind::Own);
        let ends = self.ends_after(if has_room { len } else { 0 });
        if has_room { Ok(ends) } else { Err(no_memory(n, at)) }
    }

    /// Room for a part after all that is in the output.
    #[cold]
    #[inline(never)]
    fn reach(&mut self, more: u64) -> Place {
        /// The room that is made for what is in it.
        const ROOM: usize = 512;
        let start = self.start;
        let Some(v) = self.v.as_deref_mut() else { return Place::Own };
        let end = clear_gaps(v, start, &self.placed, 0);
        // SAFETY: what is in the output is set, and so are the gaps
        unsafe { v.set_len(end) };
        let done = v.try_reserve(plus(more as usize, ROOM));
        self.find();
        if done.is_ok() { Place::Output(self.room) } else { Place::Own }
    }

    /// Sets to zero what is not written before what is, and up to a position.
    fn clear_gaps(&mut self, to: u64) {
        if let Some(v) = self.v.as_deref_mut() {
            clear_gaps(v, self.start, &self.placed, to);
        }
    }

    /// Ends the output, if nothing must give way: where the parts end.
    fn finish(&mut self, to: *mut u8) -> Option<usize> {
        let (at, first) = (self.written(to), self.first);
        // SAFETY: such parts were written, and the output begins at the first byte
        let bytes = |at: u64, len: usize| unsafe { part(first, at, len) };
        let end = self.placed.finish(at, bytes)?;
        // parts without bytes may come after what is written
        self.clear_gaps(end);
        Some(end as usize)
    }

    /// The parts in the output wait from here on.
    fn give_way(&mut self) -> Result<()> {
        let output = self.output;
        // SAFETY: such parts were written
        let bytes = |at: u64, len: usize| unsafe { part(output, at, len) };
        self.placed.give_way(bytes)
    }

    /// Runs `write` with room for `reserve` bytes. When it fails, the vector is what it was, and nothing waits.
    #[inline(always)]
    fn fill<R>(
        &mut self,
        reserve: usize,
        write: impl FnOnce(&mut Out<'_, Grow<'v>>) -> Result<R>,
    ) -> Result<R> {
        let (mut to, mut end) = (self.first, self.end());
        if reserve > (end as usize).wrapping_sub(to as usize) {
            (to, end) = self.extend_first(reserve)?;
        }
        let mut out = Out { to, end, sure: 0, room: &mut *self, optional_nul: false };
        let result = write(&mut out);
        let to = out.to;
        match result {
            // every part has come back, so that it is the vector
            Ok(_) => {
                if let Some(v) = self.v.as_deref_mut() {
                    // SAFETY: `to` lies in the vector's own memory, after bytes that were written
                    unsafe { v.set_len((to as usize).wrapping_sub(v.as_ptr() as usize)) }
                }
            }
            Err(_) => self.give_up(),
        }
        result
    }

    #[cold]
    #[inline(never)]
    fn extend_first(&mut self, n: usize) -> Result<Ends> {
        self.extend(self.first, n)
    }

    #[cold]
    #[inline(never)]
    fn give_up(&mut self) {
        let start = self.start;
        self.vec().truncate(start);
        // of a part of something larger, who writes that lets go of its parts
        if self.direct {
            take(&mut *self.placed).free();
        }
    }
}

#[cold]
fn no_memory(requested: usize, at: u64) -> Error {
    Error::new(ErrorKind::OutOfMemory { requested }, at)
}

/// The bytes of a part.
///
/// # Safety
/// They are set, after where the output begins, and nothing else changes them.
#[allow(clippy::disallowed_methods, reason = "bytes, of which any are valid")]
unsafe fn part<'b>(output: *const u8, at: u64, len: usize) -> &'b [u8] {
    // SAFETY: as the contract says
    unsafe { core::slice::from_raw_parts(output.add(at as usize), len) }
}

/// Sets to zero what is not written of an output before what is, and up to a position for which there is room; returns where what is
/// written ends in the vector.
fn clear_gaps(v: &mut Vec<u8>, start: usize, placed: &Placed, to: u64) -> usize {
    // SAFETY: the output begins there
    let output = unsafe { v.as_mut_ptr().add(start) };
    let mut at = 0;
    for (from, to) in placed.written().iter().copied().chain([(to, to)]) {
        if from > at {
            // SAFETY: what is covered is in the memory of the vector, and so is what is before it
            unsafe { output.add(at as usize).write_bytes(0, from.wrapping_sub(at) as usize) };
        }
        at = at.max(to);
    }
    start.wrapping_add(placed.written().last().map_or(0, |last| last.1) as usize)
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
    Grow::after(v, 0, Placed::default(), true).fill(reserve, |out| {
        let mut result = write(out);
        if result.is_ok()
            && let Err(e) = out.settle()
        {
            result = Err(e);
        }
        result
    })
}

/// The same for what can be written again: errors of parts and of what must be the last have the paths of their fields.
/// Types without either need no code for that.
#[inline(always)]
pub(crate) fn locating_vec<T: Known>(
    v: &mut Vec<u8>,
    reserve: usize,
    write: impl Fn(&mut Out<'_, Grow<'_>>) -> Result<()>,
) -> Result<()> {
    if const { T::KNOWN.is_in_place() } {
        return vec_sink(v, reserve, write);
    }
    located(|locator| {
        Grow::after(v, 0, Placed::default(), true).fill(reserve, |out| run(locator, out, &write))
    })
}

/// The same, which looks for a field from the beginning.
#[cfg(feature = "dynamic")]
pub(crate) fn locating_vec_from(
    locator: Locator,
    v: &mut Vec<u8>,
    write: impl Fn(&mut Out<'_, Grow<'_>>) -> Result<()>,
) -> Result<()> {
    locate(locator, &mut |locator| {
        Grow::after(v, 0, Placed::default(), true).fill(0, |out| run(locator, out, &write))
    })
}

/// Writes a part that waits, after a number of others.
#[inline]
pub(super) fn waiting_part(
    parts: &mut Placed,
    optional_nul: bool,
    place: (u64, Landing),
    write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<()>,
) -> Result<()> {
    let before = parts.place_own();
    let (mut room, (to, end)) = Grow::waiting(take(parts), place.0);
    let mut out = Out { to, end, sure: 0, room: &mut room, optional_nul };
    let done = write(&mut out);
    let to = out.to;
    let added = room.add_own(to, place);
    // it is empty
    core::mem::forget(core::mem::replace(parts, Kept::into_inner(room.placed)));
    parts.back(before);
    if done.is_ok() { added } else { done }
}

/// Runs `write` with a sink for a part of something larger, whose first byte is at the position `at`; `placed` are the parts of all
/// of it that wait so far, to which those of this part are added.
pub(crate) fn part_sink<R>(
    v: &mut Vec<u8>,
    at: u64,
    placed: &mut Placed,
    write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<R>,
) -> Result<R> {
    let mut room = Grow::after(v, at, take(placed), false);
    let result = room.fill(0, write);
    *placed = Kept::into_inner(room.placed);
    result
}
