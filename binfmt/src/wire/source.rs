//! Where bytes come from.

use super::endian::Order;
use super::label::{Kind, Label};
use super::limits::Window;
use super::options::Policy;
use super::raw::{Facts, Slice, Taken, bulk};
use crate::error::{Error, ErrorKind, Result};
use alloc::vec::Vec;

pub(crate) mod sealed {
    /// Sources and sinks are this crate's own: their counters are what its safety rests on.
    pub trait Sealed {}
}

/// Bytes to decode from: a [`Slice`] that lends them, or a [`Stream`](super::Stream) over `io::Read`.
///
/// A hand-written [`Decode`](crate::Decode) reads with `array` and `take` and calls others; it never needs `ensure`.
pub trait Source<'de>: sealed::Sealed + Sized {
    /// Whether the source notes what `open`, `mark` and `close` tell it; for all others these are nothing.
    const TRACED: bool = false;

    /// The bytes from here to the `close` that belongs to it are called so; `native` is their type in the source.
    #[inline(always)]
    fn open(&mut self, _label: Label<&str>, _native: &str) {}

    /// What the bytes of the innermost open span are, and their byte order.
    #[inline(always)]
    fn mark(&mut self, _kind: Kind<&str>, _little: bool) {}

    /// The end of the innermost open span.
    #[inline(always)]
    fn close(&mut self) {}

    /// Offset of the next byte, from the first of the input.
    fn pos(&self) -> u64;

    /// Bytes that are known to remain; `None` on a stream.
    fn left(&self) -> Option<usize>;

    /// Bytes that are likely to remain: those that are known to, or, on a stream, what its opener was told. Good enough to
    /// make room once and not again and again; what it says may never come.
    #[inline(always)]
    fn expected(&self) -> Option<usize> {
        self.left()
    }

    /// Whether the input was narrowed, so that its end is none that more bytes would move.
    fn in_region(&self) -> bool;

    /// Whether the input, or the region that it was narrowed to, is used up.
    fn at_end(&mut self) -> Result<bool>;

    /// Bytes that can be had at once without a large allocation; 0 only at the end of the input or region.
    fn chunk(&mut self) -> Result<usize>;

    /// How many bytes stand before the next byte of this value.
    fn find(&mut self, byte: u8) -> Result<usize>;

    /// The bytes that come next, which stay unread: at least `n`, fewer only where the input or region ends, and more
    /// where they are in memory.
    fn look(&mut self, n: usize) -> Result<&[u8]>;

    /// Checks once that `n` bytes are there; reads of up to `n` bytes that follow are free. 0 does nothing.
    fn ensure(&mut self, n: usize) -> Result<()>;

    /// The next N bytes.
    fn array<const N: usize>(&mut self) -> Result<[u8; N]>;

    /// The next n bytes, gone at the next call.
    fn take(&mut self, n: usize) -> Result<Taken<'_>>;

    /// The next n bytes of the input itself. A stream answers with an error.
    fn borrow(&mut self, n: usize) -> Result<Taken<'de>>;

    /// Steps over n bytes.
    fn skip(&mut self, n: u64) -> Result<()>;

    /// Steps over n bytes that belong to a run.
    fn pass(&mut self, n: usize) -> Result<()>;

    /// n bytes appended to `out`, which grows only as they come.
    fn append(&mut self, n: usize, out: &mut Vec<u8>) -> Result<()>;

    /// n values whose wire form is moved at once; `facts` is their type's own.
    #[doc(hidden)]
    fn bulk<O: Order, T>(&mut self, facts: Facts<T>, n: usize, out: &mut Vec<T>) -> Result<()>;

    /// `n` records of `k` bytes and a source to read them with, where they lie in memory together; `None` on a stream.
    #[doc(hidden)]
    #[inline(always)]
    fn run(&mut self, _n: usize, _k: usize) -> Result<Option<(&'de [u8], Slice<'de>)>> {
        Ok(None)
    }

    /// Bytes that come next, at most `most`, without reading them; fewer where fewer are in memory together, and none
    /// where each is to be read by itself.
    #[doc(hidden)]
    #[inline(always)]
    fn peek(&mut self, _most: usize) -> Result<&[u8]> {
        Ok(&[])
    }

    /// One value that is a copy of its bytes; `None` when its type is not so.
    #[doc(hidden)]
    fn plain<O: Order, T>(&mut self, facts: Facts<T>) -> Result<Option<T>>;

    /// One level deeper. Every `enter` of a decode that succeeds is followed by a `leave`.
    fn enter(&mut self) -> Result<()>;

    /// One level up.
    fn leave(&mut self);

    /// At most `levels` more levels from here; returns what `restore_depth` takes.
    fn limit_depth(&mut self, levels: u32) -> u32;

    /// Undoes `limit_depth`.
    fn restore_depth(&mut self, saved: u32);

    /// Asks for memory before it is allocated.
    fn charge(&mut self, bytes: usize) -> Result<()>;

    /// Ends the input after n bytes, until `widen`.
    fn narrow(&mut self, n: u64) -> Result<Window>;

    /// Ends the narrowing; bytes of the region that are left over are an error.
    fn widen(&mut self, window: Window) -> Result<()>;

    /// What this reader lets pass.
    fn policy(&self) -> Policy;

    /// Steps over the body of a missing value, which the policy may want to be zeros.
    fn blank(&mut self, n: usize) -> Result<()>;
}

/// The error of a body that is not blank. By value: see `Error::short`.
#[cold]
#[inline(never)]
pub(super) fn not_blank(bytes: &[u8], at: u64) -> Option<Error> {
    let i = bytes.iter().position(|b| *b != 0)?;
    Some(Error::new(ErrorKind::MissingNotBlank, at.saturating_add(i as u64)))
}

impl sealed::Sealed for Slice<'_> {}

impl<'de> Source<'de> for Slice<'de> {
    #[inline(always)]
    fn pos(&self) -> u64 {
        self.at() as u64
    }

    #[inline(always)]
    fn left(&self) -> Option<usize> {
        Some(self.rest().len())
    }

    #[inline(always)]
    fn in_region(&self) -> bool {
        self.is_narrowed()
    }

    #[inline(always)]
    fn at_end(&mut self) -> Result<bool> {
        Ok(self.rest().is_empty())
    }

    #[inline(always)]
    fn chunk(&mut self) -> Result<usize> {
        Ok(self.rest().len())
    }

    #[inline]
    fn find(&mut self, byte: u8) -> Result<usize> {
        match self.rest().iter().position(|b| *b == byte) {
            Some(n) => Ok(n),
            None => {
                let n = self.rest().len();
                Err(self.end_before(n.saturating_add(1)))
            }
        }
    }

    #[inline(always)]
    fn look(&mut self, _: usize) -> Result<&[u8]> {
        Ok(self.rest())
    }

    #[inline(always)]
    fn ensure(&mut self, n: usize) -> Result<()> {
        self.ensure_bytes(n)
    }

    #[inline(always)]
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.read_array()
    }

    #[inline(always)]
    fn take(&mut self, n: usize) -> Result<Taken<'_>> {
        self.take_bytes(n)
    }

    #[inline(always)]
    fn borrow(&mut self, n: usize) -> Result<Taken<'de>> {
        self.take_bytes(n)
    }

    #[inline(always)]
    fn skip(&mut self, n: u64) -> Result<()> {
        self.take_bytes(usize::try_from(n).unwrap_or(usize::MAX)).map(|_| ())
    }

    #[inline(always)]
    fn pass(&mut self, n: usize) -> Result<()> {
        self.pass_bytes(n).map(|_| ())
    }

    #[inline(always)]
    fn blank(&mut self, n: usize) -> Result<()> {
        let (at, strict) = (self.pos(), self.policy.blank_missing);
        let body = self.pass_bytes(n)?;
        if strict && let Some(e) = not_blank(body.bytes(), at) {
            return Err(e);
        }
        Ok(())
    }

    #[inline(always)]
    fn append(&mut self, n: usize, out: &mut Vec<u8>) -> Result<()> {
        let at = self.at() as u64;
        let bytes = self.take_bytes(n)?.bytes();
        bulk::try_room(out, n).map_err(|e| e.at(at))?;
        out.extend_from_slice(bytes);
        Ok(())
    }

    #[inline(always)]
    fn bulk<O: Order, T>(&mut self, facts: Facts<T>, n: usize, out: &mut Vec<T>) -> Result<()> {
        self.charge(n.saturating_mul(size_of::<T>()))?;
        let all = n.saturating_mul(facts.sizes().min);
        let bytes = self.take_bytes(all)?.bytes();
        match bulk::extend::<O, T>(facts, bytes, self.policy.huge_pages, out) {
            Ok(()) => Ok(()),
            Err(e) => Err(e.at((self.at() as u64).saturating_sub(all as u64))),
        }
    }

    #[inline(always)]
    fn run(&mut self, n: usize, k: usize) -> Result<Option<(&'de [u8], Slice<'de>)>> {
        let all = self.take_bytes(n.saturating_mul(k))?.bytes();
        Ok(Some((all, self.clone())))
    }

    #[inline(always)]
    fn peek(&mut self, most: usize) -> Result<&[u8]> {
        let rest = self.rest();
        Ok(rest.get(..most).unwrap_or(rest))
    }

    #[inline(always)]
    fn plain<O: Order, T>(&mut self, facts: Facts<T>) -> Result<Option<T>> {
        if !facts.is_plain::<O>() {
            return Ok(None);
        }
        Ok(bulk::one::<O, T>(facts, self.pass_bytes(facts.sizes().min)?.bytes()))
    }

    #[inline(always)]
    fn enter(&mut self) -> Result<()> {
        if self.depth == 0 {
            return Err(Error::new(ErrorKind::DepthLimit { max: self.max_depth }, self.pos()));
        }
        self.depth = self.depth.saturating_sub(1);
        Ok(())
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.depth = self.depth.wrapping_add(1);
    }

    #[inline]
    fn limit_depth(&mut self, levels: u32) -> u32 {
        let less = self.depth.saturating_sub(levels);
        self.depth = self.depth.saturating_sub(less);
        if less > 0 {
            self.max_depth = levels;
        }
        less
    }

    #[inline]
    fn restore_depth(&mut self, saved: u32) {
        self.depth = self.depth.saturating_add(saved);
    }

    #[inline(always)]
    fn charge(&mut self, bytes: usize) -> Result<()> {
        if bytes > self.limits.memory {
            let kind = ErrorKind::MemoryLimit { requested: bytes, remaining: self.limits.memory };
            return Err(Error::new(kind, self.pos()));
        }
        self.limits.memory = self.limits.memory.wrapping_sub(bytes);
        Ok(())
    }

    #[inline]
    fn narrow(&mut self, n: u64) -> Result<Window> {
        let (back, in_region) = self.narrow_bytes(usize::try_from(n).unwrap_or(usize::MAX))?;
        Ok(Window { outer: back as u64, in_region })
    }

    #[inline]
    fn widen(&mut self, window: Window) -> Result<()> {
        let count = self.rest().len() as u64;
        if count > 0 {
            return Err(Error::new(ErrorKind::UnconsumedRegion { count }, self.pos()));
        }
        self.widen_bytes((window.outer as usize, window.in_region));
        Ok(())
    }

    #[inline(always)]
    fn policy(&self) -> Policy {
        self.policy
    }
}
