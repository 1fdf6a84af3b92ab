//! Where bytes come from: the reading itself.

#[cfg(feature = "alloc")]
use super::amount::between;
use super::amount::{plus, times};
use super::budget::{Budget, Lent};
use super::endian::Order;
use super::ending;
use super::hooks::Hooks;
use super::limits::Window;
use super::raw::facts::{Together, together_in};
use super::raw::{Facts, InputBytes, Jump, SavedSlice, Slice, Visits, bulk};
#[cfg(feature = "alloc")]
use super::source::Source;
use super::source::not_blank;
#[cfg(feature = "std")]
use super::stream::SavedStream;
#[cfg(feature = "dump")]
use super::trace::SavedTracer;
use crate::error::{Error, ErrorKind, Result};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// What a search for bytes finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// They come after that many others.
    At(usize),
    /// The input or region ends first, after that many bytes.
    Nowhere(usize),
}

/// What a source was at a place.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is of the source that it names")]
pub enum Saved<'de> {
    Slice(SavedSlice<'de>),
    #[cfg(feature = "std")]
    Stream(SavedStream),
    #[cfg(feature = "dump")]
    Traced(alloc::boxed::Box<SavedTracer<'de>>),
}

/// A position in bytes, and what may be read from there.
pub trait Cursor<'de>: Hooks {
    /// What is left of levels and memory.
    #[doc(hidden)]
    fn budget(&self) -> &Budget;

    /// The same, to be used up.
    #[doc(hidden)]
    fn budget_mut(&mut self) -> Lent<'_, Budget>;

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

    /// Whether the input was narrowed, so that more bytes would not move its end.
    fn in_region(&self) -> bool;

    /// Whether the input, or the region that it was narrowed to, is used up.
    fn at_end(&mut self) -> Result<bool>;

    /// Bytes that can be had at once without a large allocation; 0 only at the end of the input or region.
    fn chunk(&mut self) -> Result<usize>;

    /// How many bytes stand before the next byte of this value.
    fn find(&mut self, byte: u8) -> Result<usize>;

    /// How many bytes stand before the next of these, of which there is at least one.
    #[doc(hidden)]
    fn search(&mut self, wanted: &[u8]) -> Result<Found>;

    /// The bytes that come next, which stay unread: at least `n`, fewer only where the input or region ends, and more
    /// where they are in memory.
    fn look(&mut self, n: usize) -> Result<&[u8]>;

    /// Checks once that `n` bytes are there; reads of up to `n` bytes that follow are free. 0 does nothing.
    fn ensure(&mut self, n: usize) -> Result<()>;

    /// The next N bytes.
    fn array<const N: usize>(&mut self) -> Result<[u8; N]>
    where
        Self: Sized;

    /// The next n bytes, gone at the next call.
    fn take(&mut self, n: usize) -> Result<InputBytes<'_>>;

    /// The next n bytes of the input itself. A stream answers with an error.
    fn borrow(&mut self, n: usize) -> Result<InputBytes<'de>>;

    /// Steps over n bytes.
    fn skip(&mut self, n: u64) -> Result<()>;

    /// Steps over n bytes that belong to a run.
    #[inline(always)]
    fn pass(&mut self, n: usize) -> Result<()> {
        self.skip(n as u64)
    }

    /// Steps over the body of a missing value, which the policy may want to be zeros.
    fn blank(&mut self, n: usize) -> Result<()>;

    /// n bytes appended to `out`, which grows only as they come.
    #[cfg(feature = "alloc")]
    fn append(&mut self, n: usize, out: &mut Vec<u8>) -> Result<()>;

    /// n values whose wire form is moved at once; `facts` is their type's own.
    #[cfg(feature = "alloc")]
    #[doc(hidden)]
    fn bulk<O: Order, T>(&mut self, facts: Facts<T>, n: usize, out: &mut Vec<T>) -> Result<()>
    where
        Self: Sized;

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

    /// Values that lie one after the other and are moved at once.
    #[doc(hidden)]
    #[inline(always)]
    fn together<O: Order, T: Together>(&mut self) -> Result<T>
    where
        Self: Sized,
    {
        match together_in::<O, T>(self.take(T::SIZE)?.bytes()) {
            Some(values) => Ok(values),
            None => Err(Error::short(T::SIZE, 0, self.pos(), false)),
        }
    }

    /// One value that is a copy of its bytes; `None` when its type is not so.
    #[doc(hidden)]
    fn plain<O: Order, T>(&mut self, facts: Facts<T>) -> Result<Option<T>>
    where
        Self: Sized;

    /// Keeps the bytes that are read from here on, until `release` gets what this returns.
    #[doc(hidden)]
    #[inline(always)]
    fn hold(&mut self) -> u64 {
        0
    }

    /// Undoes `hold`.
    #[doc(hidden)]
    #[inline(always)]
    fn release(&mut self, _before: u64) {}

    /// The bytes from here up to the next one, where they are kept.
    #[doc(hidden)]
    #[inline(always)]
    fn held(&self, _from: u64) -> Option<&[u8]> {
        None
    }

    /// Goes back to an earlier byte, which has been held since.
    #[doc(hidden)]
    fn rewind(&mut self, to: u64);

    /// What this source is here, for coming back from anywhere: what is read in the meantime must be held.
    #[doc(hidden)]
    fn save(&mut self) -> Saved<'de>;

    /// Undoes what a decoder has done since `save` that failed anywhere.
    #[doc(hidden)]
    fn restore(&mut self, saved: Saved<'de>) -> Result<()>;

    /// Ends the input after n bytes, until `widen`.
    fn narrow(&mut self, n: u64) -> Result<Window>;

    /// Ends the narrowing; bytes of the region that are left over are an error.
    fn widen(&mut self, window: Window) -> Result<()>;

    /// Goes to another place, until `land`: of the region or input, or of the whole input.
    #[doc(hidden)]
    fn jump(&mut self, _to: u64, _whole: bool) -> Result<Jump> {
        Err(forward_only(self.pos()))
    }

    /// Where the input or region ends, where jumps can be made.
    #[doc(hidden)]
    fn end(&self) -> Result<u64> {
        Err(forward_only(self.pos()))
    }

    /// Goes back to where it was before `jump`.
    #[doc(hidden)]
    fn land(&mut self, _jump: Jump) -> Result<()> {
        Ok(())
    }

    /// What is left of the input or region as a source of its own, where it can be lent.
    #[doc(hidden)]
    fn lend(&self) -> Option<Slice<'de>> {
        None
    }

    /// What jumps have read, while something wants to know it; nothing where none can be made.
    #[doc(hidden)]
    fn visits(&mut self) -> Option<Lent<'_, Visits>> {
        None
    }

    /// The bytes of the whole input, where jumps can be made.
    #[doc(hidden)]
    fn input_size(&self) -> u64 {
        0
    }

    /// Bytes before the end of the input or region that nothing has read, as far as they are known.
    #[doc(hidden)]
    #[inline(always)]
    fn left_over(&self) -> Option<usize> {
        self.left()
    }
}

#[cold]
#[inline(never)]
pub(crate) fn forward_only(at: u64) -> Error {
    Error::new(ErrorKind::ForwardOnly, at)
}

impl<'de> Cursor<'de> for Slice<'de> {
    #[inline(always)]
    fn budget(&self) -> &Budget {
        &self.budget
    }

    #[inline(always)]
    fn budget_mut(&mut self) -> Lent<'_, Budget> {
        Lent(&mut self.budget)
    }

    #[inline(always)]
    fn blank(&mut self, n: usize) -> Result<()> {
        let (at, strict) = (self.pos(), self.budget.policy.blank_missing);
        let body = self.pass_bytes(n)?;
        if strict && let Some(e) = not_blank(body.bytes(), at) {
            return Err(e);
        }
        Ok(())
    }

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
        match ending::byte(self.rest(), byte) {
            Some(n) => Ok(n),
            None => {
                let n = self.rest().len();
                Err(self.end_before(plus(n, 1)))
            }
        }
    }

    #[inline]
    fn search(&mut self, wanted: &[u8]) -> Result<Found> {
        let rest = self.rest();
        Ok(ending::position(rest, wanted).map_or(Found::Nowhere(rest.len()), Found::At))
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
    fn take(&mut self, n: usize) -> Result<InputBytes<'_>> {
        self.take_bytes(n)
    }

    #[inline(always)]
    fn borrow(&mut self, n: usize) -> Result<InputBytes<'de>> {
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

    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn append(&mut self, n: usize, out: &mut Vec<u8>) -> Result<()> {
        let at = self.at() as u64;
        let bytes = self.take_bytes(n)?.bytes();
        bulk::try_room(out, n).map_err(|e| e.at(at))?;
        out.extend_from_slice(bytes);
        Ok(())
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn bulk<O: Order, T>(&mut self, facts: Facts<T>, n: usize, out: &mut Vec<T>) -> Result<()> {
        self.charge(times(n, size_of::<T>()))?;
        let all = times(n, facts.sizes().min);
        let bytes = self.take_bytes(all)?.bytes();
        match bulk::extend::<O, T>(facts, bytes, self.budget().policy.huge_pages, out) {
            Ok(()) => Ok(()),
            Err(e) => Err(e.at(between(all as u64, self.pos()))),
        }
    }

    #[inline(always)]
    fn run(&mut self, n: usize, k: usize) -> Result<Option<(&'de [u8], Slice<'de>)>> {
        let all = self.take_bytes(times(n, k))?.bytes();
        Ok(Some((all, self.clone())))
    }

    #[inline(always)]
    fn peek(&mut self, most: usize) -> Result<&[u8]> {
        let rest = self.rest();
        Ok(rest.get(..most).unwrap_or(rest))
    }

    #[inline(always)]
    fn together<O: Order, T: Together>(&mut self) -> Result<T> {
        self.read_together::<O, T>()
    }

    #[inline(always)]
    fn plain<O: Order, T>(&mut self, facts: Facts<T>) -> Result<Option<T>> {
        if !facts.is_plain::<O>() {
            return Ok(None);
        }
        Ok(bulk::one::<O, T>(facts, self.pass_bytes(facts.sizes().min)?.bytes()))
    }

    #[inline(always)]
    fn held(&self, from: u64) -> Option<&[u8]> {
        self.passed(usize::try_from(from).ok()?)
    }

    #[inline(always)]
    fn rewind(&mut self, to: u64) {
        self.back_to(to);
    }

    #[inline(always)]
    fn save(&mut self) -> Saved<'de> {
        Saved::Slice(self.saved())
    }

    #[inline]
    fn restore(&mut self, saved: Saved<'de>) -> Result<()> {
        #[allow(irrefutable_let_patterns, reason = "without `std` there is no other source")]
        let Saved::Slice(saved) = saved else { return Err(forward_only(self.pos())) };
        self.back_to_saved(saved);
        Ok(())
    }

    #[inline]
    fn narrow(&mut self, n: u64) -> Result<Window> {
        let (back, region) = self.narrow_bytes(usize::try_from(n).unwrap_or(usize::MAX))?;
        Ok(Window { outer: back as u64, region: region as u64 })
    }

    #[inline]
    fn widen(&mut self, window: Window) -> Result<()> {
        if !self.rest().is_empty() {
            let count = self.unread() as u64;
            if count > 0 {
                return Err(Error::new(ErrorKind::UnconsumedRegion { count }, self.pos()));
            }
        }
        self.widen_bytes((window.outer as usize, window.region as usize));
        Ok(())
    }

    fn jump(&mut self, to: u64, whole: bool) -> Result<Jump> {
        self.jump_to(to, whole)
    }

    fn end(&self) -> Result<u64> {
        Ok(Slice::end(self) as u64)
    }

    fn land(&mut self, jump: Jump) -> Result<()> {
        self.jump_back(jump);
        Ok(())
    }

    fn lend(&self) -> Option<Slice<'de>> {
        Some(self.clone())
    }

    fn visits(&mut self) -> Option<Lent<'_, Visits>> {
        Some(Lent(&mut self.visits))
    }

    fn input_size(&self) -> u64 {
        self.size() as u64
    }

    #[inline]
    fn left_over(&self) -> Option<usize> {
        Some(self.unread())
    }
}
