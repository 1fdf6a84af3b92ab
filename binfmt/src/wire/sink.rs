//! Where bytes go.

use super::endian::Order;
use super::raw::facts::{PutTogether, TogetherBytes};
use super::raw::landing::Landing;
#[cfg(feature = "alloc")]
use super::raw::out::Grow;
use super::raw::out::Room;
use super::raw::placed::Placed;
#[cfg(feature = "alloc")]
use super::raw::placed::cannot_place;
use super::raw::{Facts, Out};
use super::source::sealed::Sealed;
use crate::error::{Error, Result};

/// What a sink notes when a region begins.
#[derive(Clone, Copy, Debug, Default)]
pub struct Begun {
    /// The parts that wait.
    pub(super) parts: u64,
    /// Where it begins.
    pub(super) at: u64,
    /// What a sink that only measures knows of what is around the region.
    pub(super) reach: u64,
    pub(super) floating: u64,
    pub(super) tail: u64,
}

/// A place to encode into: a vector, a fixed slice, an `io::Write`, or a counter that only measures.
pub trait Sink: Sealed + Sized {
    /// Whether this sink only measures: checks whose outcome does not change the length may be left out.
    const COUNT: bool = false;

    /// Whether it only looks for what is wrong, and where: a length that cannot be measured does not end it.
    #[doc(hidden)]
    const FINDS: bool = false;

    /// Makes room for n bytes; writes of up to n bytes that follow are free. 0 does nothing.
    fn ensure(&mut self, n: usize) -> Result<()>;

    /// N bytes.
    fn array<const N: usize>(&mut self, bytes: [u8; N]) -> Result<()>;

    /// Values that lie one after the other and are moved at once.
    #[doc(hidden)]
    #[inline(always)]
    fn together<O: Order, T: PutTogether>(&mut self, values: T) -> Result<()> {
        self.bytes(values.bytes::<O>(&mut TogetherBytes::new()), 0)
    }

    /// Any number of bytes, with room made for `then` more.
    fn bytes(&mut self, bytes: &[u8], then: usize) -> Result<()>;

    /// The first `n` of these bytes, with room made for `then` more; the others may be looked at.
    #[doc(hidden)]
    #[inline(always)]
    fn front(&mut self, bytes: &[u8], n: usize, then: usize) -> Result<()> {
        self.bytes(bytes.get(..n).unwrap_or(bytes), then)
    }

    /// The same byte n times.
    fn fill(&mut self, byte: u8, n: u64) -> Result<()>;

    /// Values whose wire form is moved at once; `facts` is their type's own.
    #[doc(hidden)]
    fn bulk<O: Order, T>(&mut self, facts: Facts<T>, items: &[T]) -> Result<()>;

    /// Offset of the next byte, from the first that was written.
    fn pos(&self) -> u64;

    /// Whether what was written is in memory: `memory_from` has it.
    #[doc(hidden)]
    const MEMORY: bool = false;

    /// Whether it is forgotten after an error, so that no caller sees what was to be filled in.
    #[doc(hidden)]
    const FORGETS: bool = false;

    /// What was written from a position on, where it is in memory, to be changed.
    #[doc(hidden)]
    #[inline(always)]
    fn memory_from(&mut self, _at: u64) -> &mut [u8] {
        &mut []
    }

    /// The parts so far that are written elsewhere; nothing where there can be none.
    #[doc(hidden)]
    #[inline(always)]
    fn placed(&mut self) -> Option<&mut Placed> {
        None
    }

    /// Writes a part to another position.
    #[doc(hidden)]
    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn part(
        &mut self,
        _at: u64,
        _landing: Landing,
        _write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<()>,
    ) -> Result<()> {
        Err(cannot_place(self.pos()))
    }

    /// Whether a part need not be written, because what is written at its position already says the same: `is_there` looks at that.
    #[doc(hidden)]
    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn is_written(&mut self, _place: (u64, Landing), _is_there: impl FnOnce(&[u8]) -> bool) -> bool {
        false
    }

    /// What was written last and is still in memory: all that was written since a part waits.
    #[doc(hidden)]
    fn recent(&mut self) -> &mut [u8] {
        &mut []
    }

    /// What was written up to here is read to the end of the region or input: a part after it would be read as more of it.
    #[doc(hidden)]
    #[inline(always)]
    fn seal(&mut self) {}

    /// Begins a region: what `settle` takes at its end.
    #[doc(hidden)]
    #[inline(always)]
    fn begin_region(&mut self) -> Begun {
        Begun::default()
    }

    /// Ends a region that is filled up to a position, before it is.
    #[doc(hidden)]
    #[inline(always)]
    fn fills_to(&mut self, to: u64, begun: Begun) -> Result<()> {
        match self.placed() {
            Some(placed) => placed.ends(to, Some(begun)),
            None => Ok(()),
        }
    }

    /// Ends a region: the parts of it that lie elsewhere are written after it.
    #[doc(hidden)]
    #[inline(always)]
    fn end_region(&mut self, _begun: Begun) -> Result<()> {
        Ok(())
    }

    /// Where the sink only measures: what is measured next lies at another place, until `land` gets what this returns.
    #[doc(hidden)]
    #[inline(always)]
    fn jump(&mut self, _to: u64) -> (u64, u64) {
        (0, 0)
    }

    /// Undoes `jump`.
    #[doc(hidden)]
    #[inline(always)]
    fn land(&mut self, _to: u64, _before: (u64, u64), _place: Landing) {}

    /// Whether text may fill a field of a fixed size and leave no room for its NUL. Looked at where it does.
    #[doc(hidden)]
    #[inline(always)]
    fn optional_nul(&self) -> bool {
        false
    }
}

/// Nothing may follow what was written up to here: where the region, part or output goes on, that is this error.
///
/// # Errors
/// The one of something else, which this follows; this one where the sink cannot know.
#[cold]
#[inline(never)]
pub(crate) fn must_end<W: Sink>(out: &mut W, e: impl FnOnce() -> Error) -> Result<()> {
    let at = out.pos();
    match out.placed() {
        Some(placed) => placed.must_end(at, e()),
        None if W::COUNT => Ok(()),
        None => Err(e()),
    }
}

/// Something that was read ahead goes on up to a position: where the region or output ends before it, that is this error.
///
/// # Errors
/// This one where the sink cannot know.
#[cold]
#[inline(never)]
#[cfg(feature = "alloc")]
pub(crate) fn must_reach<W: Sink>(out: &mut W, to: u64, e: impl FnOnce() -> Error) -> Result<()> {
    let at = out.pos();
    match out.placed() {
        Some(placed) => placed.must_reach(at, to, e()),
        None if W::COUNT => Ok(()),
        None => Err(e()),
    }
}

impl<G: Room> Sealed for Out<'_, G> {}

impl<G: Room> Sink for Out<'_, G> {
    const MEMORY: bool = G::MEMORY;
    const FORGETS: bool = G::MEMORY && G::OWN;

    #[inline(always)]
    fn memory_from(&mut self, at: u64) -> &mut [u8] {
        self.bytes_from(at)
    }

    #[inline(always)]
    fn ensure(&mut self, n: usize) -> Result<()> {
        self.ensure_room(n)
    }

    #[inline(always)]
    fn array<const N: usize>(&mut self, bytes: [u8; N]) -> Result<()> {
        self.put_array(bytes)
    }

    #[inline(always)]
    fn together<O: Order, T: PutTogether>(&mut self, values: T) -> Result<()> {
        self.put_together::<O, T>(values)
    }

    #[inline(always)]
    fn bytes(&mut self, bytes: &[u8], then: usize) -> Result<()> {
        self.put_bytes(bytes, then)
    }

    #[inline(always)]
    fn front(&mut self, bytes: &[u8], n: usize, then: usize) -> Result<()> {
        self.put_front(bytes, n, then)
    }

    #[inline(always)]
    fn fill(&mut self, byte: u8, n: u64) -> Result<()> {
        self.put_fill(byte, n)
    }

    #[inline(always)]
    fn bulk<O: Order, T>(&mut self, facts: Facts<T>, items: &[T]) -> Result<()> {
        self.put_items::<O, T>(facts, items)
    }

    #[inline(always)]
    fn pos(&self) -> u64 {
        self.at()
    }

    #[inline(always)]
    fn placed(&mut self) -> Option<&mut Placed> {
        Some(self.placed_parts())
    }

    #[cfg(feature = "alloc")]
    #[inline]
    fn part(
        &mut self,
        at: u64,
        landing: Landing,
        write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<()>,
    ) -> Result<()> {
        Out::part(self, at, landing, write)
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn is_written(&mut self, place: (u64, Landing), is_there: impl FnOnce(&[u8]) -> bool) -> bool {
        self.is_written_at(place, is_there)
    }

    fn recent(&mut self) -> &mut [u8] {
        self.recent_bytes()
    }

    #[inline(always)]
    fn seal(&mut self) {
        let at = self.at();
        self.placed_parts().seal(Some(at));
    }

    #[inline(always)]
    fn begin_region(&mut self) -> Begun {
        Begun { parts: self.placed_parts().len() as u64, at: self.at(), ..Begun::default() }
    }

    #[inline(always)]
    fn end_region(&mut self, begun: Begun) -> Result<()> {
        if !self.placed_parts().is_empty() {
            let at = self.at();
            self.placed_parts().ends(at, Some(begun))?;
            self.settle_since(Some(begun.parts))?;
        }
        self.placed_parts().seal(None);
        Ok(())
    }

    #[inline(always)]
    fn optional_nul(&self) -> bool {
        self.optional_nul
    }
}
