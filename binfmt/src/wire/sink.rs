//! Where bytes go.

use super::elsewhere::Placed;
#[cfg(feature = "alloc")]
use super::elsewhere::cannot_place;
use super::elsewhere::landing::Landing;
use super::endian::Order;
#[cfg(feature = "alloc")]
use super::out::{Out, apart_in_memory};
use super::raw::Facts;
use super::raw::facts::{PutTogether, TogetherBytes};
#[cfg(feature = "alloc")]
use super::raw::out::Grow;
use super::source::sealed::Sealed;
use crate::error::{Error, Result};

/// The parts of an output that wait, for this crate alone.
#[derive(Debug)]
pub struct Parts<'p> {
    pub(crate) placed: Option<&'p mut Placed>,
}

impl<'p> Parts<'p> {
    pub(crate) fn of(placed: Option<&'p mut Placed>) -> Self {
        Parts { placed }
    }
}

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

    /// The parts that are written elsewhere; none where there can be none.
    #[doc(hidden)]
    fn parts(&mut self) -> Parts<'_> {
        Parts::of(None)
    }

    /// Whether a number in these bytes is filled in later.
    #[doc(hidden)]
    #[inline(always)]
    fn has_number_in(&self, _from: u64, _to: u64) -> bool {
        false
    }

    /// The most bytes that may be written in all.
    #[doc(hidden)]
    #[inline(always)]
    fn most(&self) -> u64 {
        u64::MAX
    }

    /// Runs `write` with a sink that has memory, and writes its bytes at once.
    #[doc(hidden)]
    #[cfg(feature = "alloc")]
    fn in_memory(&mut self, write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<()>) -> Result<()> {
        apart_in_memory(self, write)
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
    fn fills_to(&mut self, _to: u64, _begun: Begun) -> Result<()> {
        Ok(())
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
    match out.parts().placed {
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
    match out.parts().placed {
        Some(placed) => placed.must_reach(at, to, e()),
        None if W::COUNT => Ok(()),
        None => Err(e()),
    }
}
