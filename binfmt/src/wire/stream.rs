//! The source over `io::Read`: forward only, and never ahead of what it may hold.

#![allow(clippy::arithmetic_side_effects, reason = "places in a buffer, which is in memory")]

use super::options::{Limits, Policy};
#[cfg(feature = "table")]
use super::{
    amount::{after, inside, plus},
    raw::bulk,
};
use crate::error::Result;
#[cfg(feature = "table")]
use alloc::vec::Vec;
use flow::{Flow, Whole};
#[cfg(any(feature = "sdds", all(any(feature = "beat", feature = "futhark"), feature = "table")))]
pub(crate) use input::Leap;
use input::Reading;
pub(crate) use input::{Input, Seek};
pub(super) use seek::SavedStream;
use std::io::Read;
pub(crate) use steady::Steady;

mod fill;
pub(crate) mod flow;
mod input;
mod seek;
mod source;
mod steady;

/// A reader as a source. Holds one block, or one item where that is longer; grows by what has arrived, at most doubling.
/// A reader that has failed is not read again: whatever needs more of its bytes fails with the same error.
///
/// ```
/// use binfmt::{Decode, Le, wire::Stream};
/// let mut src = Stream::new(&[1u8, 0, 2, 0][..]);
/// assert_eq!(u16::decode::<Le, _>(&mut src, ())?, 1);
/// assert_eq!(u16::decode::<Le, _>(&mut src, ())?, 2);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Debug)]
pub struct Stream<R> {
    flow: Flow,
    input: Reading<R>,
}

#[cfg(feature = "table")]
impl Stream<std::io::Empty> {
    /// A part of memory, and nothing after it.
    pub(crate) fn of_memory(
        memory: Vec<u8>,
        bytes: core::ops::Range<usize>,
        limits: Limits,
        policy: Policy,
    ) -> Self {
        let mut all = Stream::with(std::io::empty(), limits, policy, false);
        (all.flow.from, all.flow.to) = (bytes.start, bytes.end);
        all.flow.buf = memory;
        all
    }
}

#[cfg(feature = "table")]
impl Flow {
    /// The next `n` bytes, of those that are at hand, as a source of their own with the budget of a new one. Bytes after them that were
    /// read are copied, to memory that was used before if there is any; the others are not.
    pub(super) fn split_off(
        &mut self,
        n: usize,
        limits: Limits,
        mut room: Vec<u8>,
    ) -> Result<Stream<std::io::Empty>> {
        let rest = inside(&self.buf, plus(self.from, n)..self.to);
        let (len, there) = (rest.len(), room.len());
        if len > there {
            bulk::try_room(&mut room, len - there).map_err(|e| e.at(self.pos))?;
            room.resize(len, 0);
        }
        room.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        let bytes = self.from..self.to.wrapping_sub(len);
        (self.from, self.to) = (0, len);
        let buf = core::mem::replace(&mut self.buf, room);
        let part = Stream::of_memory(buf, bytes, limits, self.budget.policy).starting_at(self.pos);
        self.pos = after(self.pos, part.flow.have() as u64);
        Ok(part)
    }
}

impl<R: Read> Stream<R> {
    /// A source that reads ahead in blocks, with the default limits.
    ///
    /// ```
    /// use binfmt::{Decode, Be, wire::Stream};
    /// assert_eq!(u32::decode::<Be, _>(&mut Stream::new(&[0u8, 0, 0, 5][..]), ())?, 5);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn new(reader: R) -> Self {
        Stream::with(reader, Limits::DEFAULT, Policy::STRICT, false)
    }

    pub(crate) fn with(reader: R, limits: Limits, policy: Policy, exact: bool) -> Self {
        let input = Reading { reader: Steady::new(reader), leap: None, seek: None };
        Stream { flow: Flow::new(limits, policy, exact), input }
    }

    /// The same source, whose first byte is at this offset of the whole input.
    #[must_use]
    #[cfg(any(feature = "dump", feature = "dynamic"))]
    pub(crate) fn starting_at(mut self, offset: u64) -> Self {
        self.flow.pos = offset;
        self
    }

    /// The same source, whose input has probably that many bytes in all: that of a file whose size is known. Memory for so
    /// many may be made before they are read.
    #[must_use]
    #[cfg(any(feature = "sdds", feature = "table"))]
    pub(crate) fn likely_to_end_at(mut self, size: u64) -> Self {
        self.flow.likely_end = size;
        self
    }

    /// The same source, whose reader can step over bytes without reading them.
    #[must_use]
    #[cfg(any(feature = "sdds", all(any(feature = "beat", feature = "futhark"), feature = "table")))]
    pub(crate) fn leaping(mut self, leap: Leap<R>) -> Self {
        self.input.leap = Some(leap);
        self
    }

    /// The reader, to be taken to another place.
    #[cfg(feature = "sdds")]
    pub(crate) fn inner(&mut self) -> &mut R {
        self.input.reader.get_mut()
    }

    /// What was read is forgotten: the reader was taken to this offset.
    #[cfg(feature = "sdds")]
    pub(crate) fn moved_to(&mut self, offset: u64) {
        self.input.reader.moved();
        (self.flow.from, self.flow.to, self.flow.pos) = (0, 0, offset);
    }

    /// The same source, whose reader goes to any place: its first byte is at `base` of the reader, and there are `size` of them.
    #[must_use]
    pub(crate) fn seeking(mut self, seek: Seek<R>, base: u64, size: u64) -> Self {
        self.flow.likely_end = size;
        self.flow.whole = Some(Whole { base, size });
        self.input.seek = Some(seek);
        self
    }

    /// Puts the reader where the source is.
    pub(crate) fn settle(&mut self) -> Result<()> {
        self.flow.settle(&mut self.input)
    }

    /// Its memory, to be used again.
    #[cfg(feature = "table")]
    pub(crate) fn into_memory(self) -> Vec<u8> {
        self.flow.buf
    }
}
