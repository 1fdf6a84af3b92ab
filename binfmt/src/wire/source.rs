//! What decoders read from: a cursor, a budget and hooks.

use super::amount::after;
use super::cursor::Cursor;
use super::erased::Erased;
use super::options::Policy;
use super::raw::Slice;
use crate::error::{Error, ErrorKind, Result};

pub(crate) mod sealed {
    /// Types of this crate's choice. Sources and sinks are its own because their counters are what its safety rests on.
    pub trait Sealed {}
}

/// Bytes to decode from: a [`Slice`] that lends them, or a [`Stream`](super::Stream) over `io::Read`.
///
/// A hand-written [`Decode`](crate::Decode) reads with `array` and `take` and calls others; it never needs `ensure`.
pub trait Source<'de>: Cursor<'de> + sealed::Sealed + Sized {
    /// Whether there are sources of this type that note what they hear of what is read: see [`is_heard`](Source::is_heard).
    #[doc(hidden)]
    const HEARS: bool = false;

    /// Whether this source notes what `open`, `mark` and `close` tell it. For types that never do, code that asks is removed when
    /// compiling, before it is compiled for a type.
    #[doc(hidden)]
    #[inline(always)]
    fn is_heard(&self) -> bool {
        Self::HEARS && self.is_traced()
    }

    /// Whether it wants to hear of each field before it is read, to read bytes of its own there.
    #[doc(hidden)]
    #[inline(always)]
    fn wants_fields(&self) -> bool {
        Self::HEARS && self.is_by_field()
    }

    /// One level deeper. Every `enter` of a decode that succeeds is followed by a `leave`.
    #[inline(always)]
    fn enter(&mut self) -> Result<()> {
        match self.budget_mut().0.descend() {
            true => Ok(()),
            false => Err(too_deep(self.budget().max_depth(), self.pos())),
        }
    }

    /// One level up.
    #[inline(always)]
    fn leave(&mut self) {
        self.budget_mut().0.ascend();
    }

    /// At most `levels` more levels from here; returns what `restore_depth` takes.
    #[inline]
    fn limit_depth(&mut self, levels: u32) -> u32 {
        self.budget_mut().0.limit_depth(levels)
    }

    /// Undoes `limit_depth`.
    #[inline]
    fn restore_depth(&mut self, saved: u32) {
        self.budget_mut().0.restore_depth(saved);
    }

    /// Asks for memory before it is allocated.
    #[inline(always)]
    fn charge(&mut self, bytes: usize) -> Result<()> {
        match self.budget_mut().0.spend(bytes) {
            true => Ok(()),
            false => Err(too_much(bytes, self.budget().memory(), self.pos())),
        }
    }

    /// One jump more.
    #[doc(hidden)]
    #[inline]
    fn count_jump(&mut self) -> Result<()> {
        let size = self.input_size();
        match self.budget_mut().0.jump(size) {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::JumpLimit, self.pos())),
        }
    }

    /// Bytes that were read by a jump.
    #[doc(hidden)]
    #[inline]
    fn count_jumped(&mut self, requested: u64) -> Result<()> {
        match self.budget_mut().0.jumped(requested) {
            None => Ok(()),
            Some(remaining) => {
                Err(Error::new(ErrorKind::JumpBytesLimit { requested, remaining }, self.pos()))
            }
        }
    }

    /// Bytes that are read once more.
    #[doc(hidden)]
    #[inline]
    fn count_peeked(&mut self, requested: u64) -> Result<()> {
        let at = self.pos();
        match self.budget_mut().0.peeked(requested, at) {
            None => Ok(()),
            Some(remaining) => Err(Error::new(ErrorKind::JumpBytesLimit { requested, remaining }, at)),
        }
    }

    /// What this reader lets pass.
    #[inline(always)]
    fn policy(&self) -> Policy {
        self.budget().policy
    }

    /// This source as the one type that stands for all of them: what a file decides reads from it, and is compiled once.
    #[doc(hidden)]
    fn erase(&mut self) -> Erased<'_, 'de>;
}

#[cold]
#[inline(never)]
fn too_deep(max: u32, at: u64) -> Error {
    Error::new(ErrorKind::DepthLimit { max }, at)
}

#[cold]
#[inline(never)]
pub(super) fn too_much(requested: usize, remaining: usize, at: u64) -> Error {
    Error::new(ErrorKind::MemoryLimit { requested, remaining }, at)
}

/// The error of a body that is not blank. By value: see `Error::short`.
#[cold]
#[inline(never)]
pub(super) fn not_blank(bytes: &[u8], at: u64) -> Option<Error> {
    let i = bytes.iter().position(|b| *b != 0)?;
    Some(Error::new(ErrorKind::MissingNotBlank, after(at, i as u64)))
}

impl sealed::Sealed for Slice<'_> {}

impl<'de> Source<'de> for Slice<'de> {
    #[inline(always)]
    fn erase(&mut self) -> Erased<'_, 'de> {
        Erased::Slice(self)
    }
}
