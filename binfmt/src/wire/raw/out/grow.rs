//! A sink that appends to a vector.

use super::{Ends, Kept, Out, Room, settled};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::{inside, plus};
use crate::wire::raw::landing::Landing;
use crate::wire::raw::placed::{Before, Place, Placed};
use alloc::vec::Vec;
use core::mem::{ManuallyDrop, take};

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
    /// The vector of a part that waits.
    own: ManuallyDrop<Vec<u8>>,
    is_own: bool,
    /// Whether parts are written to their places in the output, which begins at the position 0.
    direct: bool,
    placed: Kept,
}

// SAFETY: `try_reserve` makes room for n bytes after `len`, which is set to what was written (all of it initialised); a part in the
// output has the room up to the next thing that is in it
unsafe impl Room for Grow<'_> {
    #[cold]
    #[inline(never)]
    fn more(&mut self, to: *mut u8, n: usize) -> Result<Ends> {
        if self.direct && !self.is_own && self.placed.has_in_place() {
            return self.more_among(to, n);
        }
        self.extend(to, n)
    }

    #[inline(always)]
    fn written(&self, to: *mut u8) -> u64 {
        (to as usize).wrapping_sub(self.zero) as u64
    }

    #[cold]
    #[inline(never)]
    fn settle(&mut self, (to, end): Ends, region: Option<u64>) -> (Ends, Result<()>) {
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
        ends: Ends,
        optional_nul: bool,
        place: (u64, Landing),
        write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<()>,
    ) -> (Ends, Result<()>) {
        let (away, (to, end)) = self.depart(ends, place.0);
        let mut out = Out { to, end, sure: 0, room: &mut *self, optional_nul };
        let done = write(&mut out);
        let to = out.to;
        self.arrive(away, to, place, done)
    }
}

/// What a sink was before it went to a part.
#[derive(Debug)]
struct Away {
    base: u64,
    /// What it has written and has room for.
    len: usize,
    room: usize,
    /// Where its bytes are, if these are not part of the output.
    first: *mut u8,
    is_own: bool,
    own: ManuallyDrop<Vec<u8>>,
    parts: Before,
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
        Grow { first, base, zero, v: Some(v), start, own, is_own: false, direct, placed }
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
            own,
            is_own: true,
            direct: false,
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

    /// Goes to a part at a position, when what was written ends where the room begins.
    #[inline(always)]
    fn depart(&mut self, (to, end): Ends, at: u64) -> (Away, Ends) {
        let len = self.len(to);
        let room = (end as usize).wrapping_sub(self.first as usize);
        let (base, first, is_own, own) = (self.base, self.first, self.is_own, ManuallyDrop::new(Vec::new()));
        if let Some(v) = self.v.as_deref_mut().filter(|_| self.direct && !is_own)
            && let Some((parts, end)) = self.placed.place_next((base, base.wrapping_add(len as u64)), at)
        {
            self.base = at;
            // SAFETY: what is free of the output is in the vector's memory
            let ends = unsafe {
                let output = v.as_mut_ptr().add(self.start);
                (output.add(at as usize), output.add(end))
            };
            self.begins_at(ends.0);
            return (Away { base, len, room, first, is_own, own, parts }, ends);
        }
        self.depart_far(len, room, at)
    }

    /// The same, wherever it is.
    #[inline(never)]
    fn depart_far(&mut self, len: usize, room: usize, at: u64) -> (Away, Ends) {
        let (base, first, is_own, own) = (self.base, self.first, self.is_own, ManuallyDrop::new(Vec::new()));
        let (mut place, parts) = match &self.v {
            // in a part that waits all parts do: it notes nothing of what it is written out of
            Some(v) if self.direct && !is_own => {
                let room = v.capacity().wrapping_sub(self.start);
                self.placed.place(room, (base, base.wrapping_add(len as u64)), at)
            }
            _ => (Place::Own, self.placed.place_own()),
        };
        if let Place::Beyond(more) = place {
            place = self.reach(more);
        }
        let mut away = Away { base, len, room, first, is_own, own, parts };
        if is_own {
            core::mem::swap(&mut away.own, &mut self.own);
        }
        self.base = at;
        self.is_own = true;
        if let (Some(v), Place::Output(end)) = (&mut self.v, place) {
            self.is_own = false;
            // SAFETY: `place` says that the position is in the vector's memory, and so is the next thing in it
            let ends = unsafe {
                let output = v.as_mut_ptr().add(self.start);
                (output.add(at as usize), output.add(end))
            };
            self.begins_at(ends.0);
            return (away, ends);
        }
        self.own = ManuallyDrop::new(self.placed.lend());
        (away, self.ends_of_own())
    }

    /// Comes back from a part of which all is written.
    #[inline(always)]
    fn arrive(
        &mut self,
        away: Away,
        to: *mut u8,
        place: (u64, Landing),
        mut done: Result<()>,
    ) -> (Ends, Result<()>) {
        let len = self.len(to);
        let added = match self.is_own {
            true => self.add_own(to, place),
            false => self.placed.add_in_place(place, len, &away.parts),
        };
        if let (Err(e), true) = (added, done.is_ok()) {
            done = Err(e);
        }
        (self.base, self.is_own) = (away.base, away.is_own);
        let mut first = away.first;
        if away.is_own {
            self.own = away.own;
        }
        let mut room = away.room;
        if let (Some(v), true) = (&mut self.v, self.direct && !away.is_own) {
            // the vector may be elsewhere
            // SAFETY: it has all that was written
            first = unsafe { v.as_mut_ptr().add(self.start).add(away.base as usize) };
            if self.placed.has_moved(&away.parts) {
                room = self.room_after(away.len);
            }
        }
        self.begins_at(first);
        self.placed.back(away.parts);
        // SAFETY: as it was, or up to the next thing in the vector's memory
        let ends = unsafe { (self.first.add(away.len), self.first.add(room)) };
        (ends, done)
    }

    /// The room of what is in the output, up to the next thing.
    #[cold]
    #[inline(never)]
    fn room_after(&mut self, len: usize) -> usize {
        let next = self.placed.next(self.base.wrapping_add(len as u64));
        let all = self.v.as_ref().map_or(0, |v| v.capacity().wrapping_sub(self.start));
        next.map_or(all, |next| next as usize).wrapping_sub(self.base as usize)
    }

    /// Adds a part that waits.
    #[inline(never)]
    fn add_own(&mut self, to: *mut u8, place: (u64, Landing)) -> Result<()> {
        let len = self.len(to);
        let mut own = ManuallyDrop::into_inner(take(&mut self.own));
        let from = (self.first as usize).wrapping_sub(own.as_ptr() as usize);
        // SAFETY: `to` lies in the vector's own memory, after bytes that were written
        unsafe { own.set_len(from.wrapping_add(len)) };
        let output = self.v.as_deref().filter(|_| self.direct).and_then(|v| v.get(self.start..));
        if let Some(output) = output.map(<[u8]>::as_ptr) {
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
            Some(v) if !self.is_own => v,
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
                let err = ErrorKind::OutputFull { needed: n, remaining: v.capacity().wrapping_sub(len) };
                return Err(Error::new(err, at));
            }
            let p = v.as_mut_ptr();
            (from, p, p.add(v.capacity()))
        };
        // SAFETY: where it was, in the vector's memory
        unsafe {
            self.begins_at(p.add(from));
            Ok((self.first.add(len), end))
        }
    }

    /// More room where other parts are in the output.
    fn more_among(&mut self, to: *mut u8, n: usize) -> Result<Ends> {
        let at = self.written(to);
        self.placed.cover((self.base, at))?;
        let Some(next) = self.placed.next(at) else {
            self.clear_gaps();
            return self.extend(to, n);
        };
        if next.wrapping_sub(at) >= n as u64 {
            // SAFETY: what is covered is in the vector
            return Ok((to, unsafe { to.add(next.wrapping_sub(at) as usize) }));
        }
        if !self.placed.wait() {
            self.give_way()?;
            return self.extend(to, n);
        }
        // this part waits itself
        let (mut own, len) = (ManuallyDrop::new(self.placed.lend()), self.len(to));
        let from = own.len();
        let room = own.try_reserve(plus(len, n));
        if room.is_ok() {
            own.extend_from_slice(self.bytes(to).unwrap_or(&mut []));
        }
        // SAFETY: all of it lies in the memory of the vector
        let ends = unsafe {
            let p = own.as_mut_ptr();
            self.begins_at(p.add(from));
            (p.add(own.len()), p.add(own.capacity()))
        };
        (self.own, self.is_own) = (own, true);
        match room {
            Ok(()) => Ok(ends),
            Err(_) => Err(Error::new(ErrorKind::OutputFull { needed: n, remaining: 0 }, at)),
        }
    }

    /// Room for a part after all that is in the output.
    #[cold]
    #[inline(never)]
    fn reach(&mut self, more: u64) -> Place {
        /// The room that is made for what is in it.
        const ROOM: usize = 512;
        let start = self.start;
        let Some(v) = self.v.as_deref_mut() else { return Place::Own };
        let end = clear_gaps(v, start, &self.placed);
        // SAFETY: what is in the output is set, and so are the gaps
        unsafe { v.set_len(end) };
        match v.try_reserve(plus(more as usize, ROOM)) {
            Ok(()) => Place::Output(v.capacity().wrapping_sub(start)),
            Err(_) => Place::Own,
        }
    }

    /// Sets to zero what is not written before what is.
    fn clear_gaps(&mut self) {
        if let Some(v) = self.v.as_deref_mut() {
            clear_gaps(v, self.start, &self.placed);
        }
    }

    /// Ends the output, if nothing must give way: where the parts end.
    fn finish(&mut self, to: *mut u8) -> Option<usize> {
        let (at, first) = (self.written(to), self.first);
        // SAFETY: such parts were written, and the output begins at the first byte
        let bytes = |at: u64, len: usize| unsafe { part(first, at, len) };
        let end = self.placed.finish(at, bytes)?;
        self.clear_gaps();
        let covered = self.placed.gaps().1;
        // SAFETY: there is room for what ends there, which may have no bytes
        unsafe { first.add(covered as usize).write_bytes(0, end.saturating_sub(covered) as usize) };
        Some(end as usize)
    }

    /// The parts in the output wait from here on.
    fn give_way(&mut self) -> Result<()> {
        let Some(v) = self.v.as_deref_mut() else { return Ok(()) };
        // SAFETY: the output begins there
        let output = unsafe { v.as_mut_ptr().add(self.start) };
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
        take(&mut *self.placed).free();
    }
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

/// Sets to zero what is not written of an output before what is; returns where that ends in the vector.
fn clear_gaps(v: &mut Vec<u8>, start: usize, placed: &Placed) -> usize {
    let (gaps, end) = placed.gaps();
    // SAFETY: the output begins there
    let output = unsafe { v.as_mut_ptr().add(start) };
    for (from, to) in gaps {
        // SAFETY: what is covered is in the memory of the vector, and so is what is before it
        unsafe { output.add(from as usize).write_bytes(0, to.wrapping_sub(from) as usize) };
    }
    start.wrapping_add(end as usize)
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
/// of it that wait so far, and come back with those of this part.
pub(crate) fn part_sink<R>(
    v: &mut Vec<u8>,
    at: u64,
    placed: Placed,
    write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<R>,
) -> Result<(R, Placed)> {
    let mut room = Grow::after(v, at, placed, false);
    let result = room.fill(0, write)?;
    Ok((result, Kept::into_inner(room.placed)))
}
