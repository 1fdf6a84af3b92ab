//! To a part that is written elsewhere, and back.

use super::{Grow, Kind, no_memory, part};
use crate::error::Result;
use crate::wire::amount::plus;
use crate::wire::raw::landing::Landing;
use crate::wire::raw::out::{Ends, Room as _};
use crate::wire::raw::placed::{Before, OVER, Place};
use alloc::vec::Vec;
use core::mem::{ManuallyDrop, MaybeUninit};

/// What a sink was before it went to a part.
#[derive(Debug)]
pub(super) struct Away {
    base: u64,
    /// Where its bytes are.
    first: *mut u8,
    /// What it has written and has room for.
    len: usize,
    room: usize,
    kind: Kind,
    /// Its vector, if it waits.
    own: MaybeUninit<ManuallyDrop<Vec<u8>>>,
    parts: Before,
}

impl Grow<'_> {
    /// Goes to a part at a position, when what was written ends where the room begins.
    #[inline(always)]
    pub(super) fn depart(&mut self, (to, end): Ends, place: (u64, Landing)) -> (Away, Ends) {
        let (len, at) = (self.len(to), place.0);
        let room = (end as usize).wrapping_sub(self.first as usize);
        if self.kind == Kind::Output {
            let (base, first, kind, own) = (self.base, self.first, Kind::Output, MaybeUninit::uninit());
            let around = (base, base.wrapping_add(len as u64));
            if let Some((parts, end)) = self.placed.place_next(around, at) {
                self.base = at;
                // SAFETY: what is free of the output is in the vector's memory
                let ends = unsafe { (self.output.add(at as usize), self.output.add(end)) };
                self.begins_at(ends.0);
                return (Away { base, first, len, room, kind, own, parts }, ends);
            }
            if let Some((parts, end)) = self.placed.place_again(place, self.room) {
                let ends = self.over(at, end);
                return (Away { base, first, len, room, kind, own, parts }, ends);
            }
        }
        self.depart_far(len, room, place)
    }

    /// Goes to a part that is written over bytes in the output, where what is around ends: they are put aside.
    #[inline(always)]
    fn over(&mut self, at: u64, end: u64) -> Ends {
        // SAFETY: so many bytes from there on are in the vector's memory, and those up to `end` are set
        let (first, over) = unsafe {
            let first = self.output.add(at as usize);
            (first, first.cast::<[MaybeUninit<u8>; OVER]>().read())
        };
        (self.over, self.kind, self.base) = (over, Kind::Over, at);
        self.begins_at(first);
        let room = (end.wrapping_sub(at) as usize).min(OVER);
        // SAFETY: as above
        (first, unsafe { first.add(room) })
    }

    /// The bytes in the output are again what they were before a part was written over them: beyond its end, too, where whole words
    /// were moved.
    #[inline(always)]
    fn restore(&mut self) {
        // SAFETY: so many bytes are there in the vector's memory, out of which they were read
        unsafe { self.first.cast::<[MaybeUninit<u8>; OVER]>().write(self.over) };
    }

    /// Whether the bytes that were written over others are the same.
    #[inline(always)]
    fn says_again(&self, len: usize) -> bool {
        // SAFETY: so many were written, and the room of such a part ends where those do that were put aside
        unsafe { part(self.first, 0, len) == part(self.over.as_ptr().cast(), 0, len) }
    }

    /// The bytes in the output are again what they were, and the part that was written over them goes on in a vector of its own, with
    /// room for `n` bytes more.
    #[cold]
    #[inline(never)]
    pub(super) fn wait(&mut self, to: *mut u8, n: usize) -> (Ends, Result<()>) {
        let (at, len) = (self.base, self.len(to));
        let (own, has_room) = self.copied(to, n);
        self.restore();
        (self.own, self.kind) = (own, Kind::Own);
        let ends = self.ends_after(if has_room { len } else { 0 });
        (ends, if has_room { Ok(()) } else { Err(no_memory(n, at)) })
    }

    /// A vector with what was written, and room for that many bytes more; whether there is memory for both.
    pub(super) fn copied(&mut self, to: *mut u8, n: usize) -> (ManuallyDrop<Vec<u8>>, bool) {
        let (mut own, len) = (ManuallyDrop::new(self.placed.lend()), self.len(to));
        let has_room = own.try_reserve(plus(len, n)).is_ok();
        if has_room {
            own.extend_from_slice(self.bytes(to).unwrap_or(&mut []));
        }
        (own, has_room)
    }

    /// The room after what was written of a part that has come to a vector of its own, as the last `len` bytes there.
    pub(super) fn ends_after(&mut self, len: usize) -> Ends {
        let from = self.own.len().wrapping_sub(len);
        let p = self.own.as_mut_ptr();
        // SAFETY: all of it lies in the memory of the vector
        unsafe {
            self.begins_at(p.add(from));
            (p.add(self.own.len()), p.add(self.own.capacity()))
        }
    }

    /// Goes to a part wherever it is.
    #[inline(never)]
    fn depart_far(&mut self, len: usize, away: usize, place: (u64, Landing)) -> (Away, Ends) {
        let (base, first, kind, at) = (self.base, self.first, self.kind, place.0);
        let mut own = MaybeUninit::uninit();
        let (mut spot, parts) = match kind {
            Kind::Output => self.placed.place(self.room, (base, base.wrapping_add(len as u64)), place),
            // in a part that waits all parts do: it notes nothing of what it is written out of
            _ => (Place::Own, self.placed.place_own()),
        };
        if let Place::Over(end) = spot {
            let ends = self.over(at, end);
            return (Away { base, first, len, room: away, kind, own, parts }, ends);
        }
        if let Place::Beyond(more) = spot {
            spot = self.reach(more);
        }
        if kind == Kind::Own {
            own.write(core::mem::replace(&mut self.own, ManuallyDrop::new(Vec::new())));
        }
        let away = Away { base, first, len, room: away, kind, own, parts };
        self.base = at;
        if let Place::Output(end) = spot {
            // SAFETY: `place` says that the position is in the vector's memory, and so is the next thing in it
            let ends = unsafe { (self.output.add(at as usize), self.output.add(end)) };
            self.begins_at(ends.0);
            return (away, ends);
        }
        self.kind = Kind::Own;
        self.own = ManuallyDrop::new(self.placed.lend());
        (away, self.ends_of_own())
    }

    /// Comes back from a part of which all is written.
    #[inline(always)]
    pub(super) fn arrive(
        &mut self,
        away: Away,
        to: *mut u8,
        place: (u64, Landing),
        mut done: Result<()>,
    ) -> (Ends, Result<()>) {
        let len = self.len(to);
        let added = match self.kind {
            Kind::Output => self.placed.add_in_place(place, len, &away.parts),
            Kind::Over if self.says_again(len) => {
                self.restore();
                if self.placed.is_again() { Ok(()) } else { self.add_own(to, place) }
            }
            _ => self.add_own(to, place),
        };
        if let (Err(e), true) = (added, done.is_ok()) {
            done = Err(e);
        }
        (self.base, self.kind) = (away.base, away.kind);
        let (mut first, mut room) = (away.first, away.room);
        match away.kind {
            Kind::Output => {
                // the vector may be elsewhere
                // SAFETY: it has all that was written
                first = unsafe { self.output.add(away.base as usize) };
                if self.placed.has_moved(&away.parts) {
                    // whatever is free is found when it is needed
                    room = away.len;
                }
            }
            // SAFETY: such a sink has put its vector there
            Kind::Own => self.own = unsafe { away.own.assume_init() },
            _ => {}
        }
        self.begins_at(first);
        self.placed.back(away.parts);
        // SAFETY: as it was, or none
        let ends = unsafe { (self.first.add(away.len), self.first.add(room)) };
        (ends, done)
    }
}

#[cfg(test)]
mod tests {
    use crate::wire::raw::landing::Landing;
    use crate::wire::raw::out::vec_sink;

    #[test]
    fn whole_words_over_a_part_leave_what_is_after_them() {
        const NAMES: &[u8] = b"one.two.three.four.five.six.seven.eight.nine.ten.eleven.twelve.";
        // the last part says all again, and would hide what the others have changed
        for all_again in [false, true] {
            let mut v = Vec::new();
            vec_sink(&mut v, 256, |out| {
                out.put_bytes(b"head", 0)?;
                out.part(8, Landing::File, |out| out.put_bytes(NAMES, 0))?;
                // the second time it is known in which part they are
                for at in [12, 12, 8] {
                    let name = [&NAMES[at - 8..at - 4], &[b'-'; 40]].concat();
                    out.part(at as u64, Landing::File, |out| out.put_front(&name, 4, 0))?;
                }
                if all_again {
                    // more than there is room for over them
                    out.part(8, Landing::File, |out| {
                        out.put_front(NAMES, 4, 0)?;
                        out.put_bytes(&NAMES[4..], 0)
                    })?;
                }
                Ok(())
            })
            .unwrap();
            assert_eq!(v, [b"head\0\0\0\0", NAMES].concat(), "{all_again}");
        }
    }
}
