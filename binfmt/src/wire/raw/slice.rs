//! The cursor over a slice: the fast source.

use super::facts::{Together, together};
use super::input::InputBytes;
use super::visits::{Mark, Visits};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::plus;
use crate::wire::budget::Budget;
use crate::wire::endian::Order;
use crate::wire::options::{Limits, Policy};

/// Where a source was before it went to another place, for going back.
#[derive(Clone, Copy, Debug)]
pub struct Jump {
    pub(crate) from: u64,
    /// Where the input or region ended.
    pub(crate) end: u64,
    pub(crate) region: u64,
}

/// A slice of bytes as a source: checks once for a run of bytes, lends what it is asked for.
///
/// *Credit*: `ensure(n)` checks once that `n` bytes are there and remembers it in a private counter; the reads that
/// follow spend it instead of checking. Inlined, the counter is a known constant in every place and disappears, so a
/// run of fixed fields costs one comparison. A wrong `n` costs a check, never soundness.
#[derive(Clone, Debug)]
pub struct Slice<'de> {
    rest: &'de [u8],
    all: &'de [u8],
    /// Bytes already checked for. Never above `rest.len()`.
    sure: usize,
    /// Bit 0: whether `rest` ends before the input does. The others: where what was read elsewhere in the region, by jumps,
    /// ends.
    region: usize,
    /// Where what was read by jumps ends.
    reach: usize,
    pub(crate) visits: Visits,
    pub(crate) budget: Budget,
}

/// What a slice was at a place.
#[derive(Debug)]
pub struct SavedSlice<'de> {
    source: Slice<'de>,
    visits: Mark,
}

impl<'de> Slice<'de> {
    /// A source over all of `bytes`, with the default limits.
    ///
    /// ```
    /// use binfmt::{Decode, Le, wire::Slice};
    /// let mut src = Slice::new(&[1, 0, 2]);
    /// assert_eq!(u16::decode::<Le, _>(&mut src, ())?, 1);
    /// assert_eq!(src.rest(), [2]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[inline(always)]
    pub fn new(bytes: &'de [u8]) -> Self {
        Slice::with(bytes, Limits::DEFAULT, Policy::STRICT)
    }

    #[inline(always)]
    pub(crate) fn with(bytes: &'de [u8], limits: Limits, policy: Policy) -> Self {
        let budget = Budget::new(limits, policy);
        Slice { rest: bytes, all: bytes, sure: 0, region: 0, reach: 0, visits: Visits::NONE, budget }
    }

    /// What has not been read.
    ///
    /// ```
    /// assert_eq!(binfmt::wire::Slice::new(b"ab").rest(), b"ab");
    /// ```
    #[inline(always)]
    pub fn rest(&self) -> &'de [u8] {
        self.rest
    }

    #[inline(always)]
    pub(crate) fn is_narrowed(&self) -> bool {
        self.region & 1 == 1
    }

    /// The offset of `rest` in the input.
    #[inline(always)]
    pub(crate) fn at(&self) -> usize {
        (self.rest.as_ptr() as usize).wrapping_sub(self.all.as_ptr() as usize)
    }

    /// What was read since this offset.
    #[inline(always)]
    pub(crate) fn passed(&self, from: usize) -> Option<&'de [u8]> {
        self.all.get(from..self.at())
    }

    #[inline(always)]
    pub(crate) fn ensure_bytes(&mut self, n: usize) -> Result<()> {
        if n > self.sure {
            if n > self.rest.len() {
                return Err(Error::short(n, self.rest.len(), self.at() as u64, self.is_narrowed()));
            }
            self.sure = n;
        }
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn read_array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.ensure_bytes(N)?;
        // `ensure_bytes` has just seen to it that there are that many
        self.sure = self.sure.wrapping_sub(N);
        // SAFETY: `N <= sure <= rest.len()`: the counter is private, `ensure_bytes` alone raises it, to at most
        // `rest.len()`, and whatever shortens `rest` lowers it as much or sets it to 0
        unsafe {
            let a = self.rest.as_ptr().cast::<[u8; N]>().read();
            self.rest = self.rest.get_unchecked(N..);
            Ok(a)
        }
    }

    /// Values that lie one after the other, as part of a run, which goes on after them.
    #[inline(always)]
    pub(crate) fn read_together<O: Order, T: Together>(&mut self) -> Result<T> {
        let n = together::<O, T>();
        self.ensure_bytes(n)?;
        self.sure = self.sure.wrapping_sub(n);
        // SAFETY: `n <= sure <= rest.len()`, by `ensure_bytes`, and `together` says yes
        unsafe {
            let values = T::get::<O>(self.rest.as_ptr());
            self.rest = self.rest.get_unchecked(n..);
            Ok(values)
        }
    }

    #[inline(always)]
    pub(crate) fn take_bytes(&mut self, n: usize) -> Result<InputBytes<'de>> {
        let rest = self.rest;
        if n > rest.len() {
            return Err(Error::short(n, rest.len(), self.at() as u64, self.is_narrowed()));
        }
        // after a part of variable size no run goes on: a constant, whatever n is
        self.sure = 0;
        // SAFETY: `n <= rest.len()`, compared above
        self.rest = unsafe { rest.get_unchecked(n..) };
        Ok(InputBytes::new(rest, n))
    }

    /// The next `n` bytes as part of a run, which goes on after them.
    #[inline(always)]
    pub(crate) fn pass_bytes(&mut self, n: usize) -> Result<InputBytes<'de>> {
        self.ensure_bytes(n)?;
        self.sure = self.sure.wrapping_sub(n);
        let rest = self.rest;
        // SAFETY: `n <= sure <= rest.len()`, by `ensure_bytes`
        self.rest = unsafe { rest.get_unchecked(n..) };
        Ok(InputBytes::new(rest, n))
    }

    /// A source over one record of this input, all of its bytes checked for: in a loop over records of a constant size
    /// the counter is a constant again.
    #[inline(always)]
    pub(crate) fn record(&self, bytes: &'de [u8]) -> Slice<'de> {
        Slice { rest: bytes, sure: bytes.len(), visits: Visits::NONE, ..*self }
    }

    /// The error of a read of `n` bytes that are not there.
    #[cold]
    pub(crate) fn end_before(&self, n: usize) -> Error {
        Error::short(n, self.rest.len(), self.at() as u64, self.is_narrowed())
    }

    /// Ends the input after `n` bytes; returns what `widen_bytes` needs to undo it.
    #[inline]
    pub(crate) fn narrow_bytes(&mut self, n: usize) -> Result<(usize, usize)> {
        let Some((front, back)) = self.rest.split_at_checked(n) else {
            return Err(Error::short(n, self.rest.len(), self.at() as u64, self.is_narrowed()));
        };
        self.rest = front;
        self.sure = 0;
        let undo = (back.len(), self.region);
        self.region = 1;
        Ok(undo)
    }

    #[inline]
    pub(crate) fn widen_bytes(&mut self, (back, region): (usize, usize)) {
        let at = plus(self.at(), self.rest.len());
        self.rest = self.all.get(at..plus(at, back)).unwrap_or(self.rest);
        self.sure = 0;
        self.region = region;
    }

    /// The bytes of the whole input.
    pub(crate) fn size(&self) -> usize {
        self.all.len()
    }

    /// The end of the input or region.
    pub(crate) fn end(&self) -> usize {
        plus(self.at(), self.rest.len())
    }

    /// Bytes after all that was read, here and by jumps. Inlined, so that the source has no address and stays in registers.
    #[inline(always)]
    pub(crate) fn unread(&self) -> usize {
        let jumps = if self.is_narrowed() { self.region >> 1 } else { self.reach.max(self.region >> 1) };
        self.end().saturating_sub(jumps.max(self.at()))
    }

    /// Goes to another place before the end of the region, or of the input.
    pub(crate) fn jump_to(&mut self, to: u64, whole: bool) -> Result<Jump> {
        let (from, end) = (self.at(), self.end());
        let within = if whole { self.all.len() } else { end };
        let place = usize::try_from(to).ok().and_then(|to| self.all.get(to..within));
        let Some(rest) = place else {
            let kind = ErrorKind::NoPosition {
                position: i128::from(to),
                end: within as u64,
                in_region: !whole && self.is_narrowed(),
            };
            return Err(Error::new(kind, from as u64));
        };
        let jump = Jump { from: from as u64, end: end as u64, region: self.region as u64 };
        self.rest = rest;
        self.sure = 0;
        if whole {
            self.region = 0;
        }
        Ok(jump)
    }

    /// Goes back to an earlier byte of the region or input.
    #[inline(always)]
    pub(crate) fn back_to(&mut self, to: u64) {
        let end = self.end();
        let rest = usize::try_from(to).ok().and_then(|to| self.all.get(to..end));
        self.rest = rest.unwrap_or(self.rest);
        self.sure = 0;
    }

    /// What this is here.
    #[inline(always)]
    pub(crate) fn saved(&self) -> SavedSlice<'de> {
        SavedSlice { source: self.clone(), visits: self.visits.mark() }
    }

    /// Becomes what it was, but for the work that was done.
    #[inline]
    pub(crate) fn back_to_saved(&mut self, SavedSlice { source, visits }: SavedSlice<'de>) {
        self.visits.back_to(visits);
        self.budget.go_on_from(source.budget);
        (self.rest, self.sure) = (source.rest, 0);
        (self.region, self.reach) = (source.region, source.reach);
    }

    /// Goes back.
    pub(crate) fn jump_back(&mut self, jump: Jump) {
        let (from, end, region) = (jump.from as usize, jump.end as usize, jump.region as usize);
        let read = self.at().max(self.region >> 1);
        self.reach = self.reach.max(read);
        // what was read in the region reaches further than what was read there before
        let same = self.is_narrowed() == (region & 1 == 1) && self.end() == end;
        self.region = if same { region.max(read << 1 | region & 1) } else { region };
        self.rest = self.all.get(from..end).unwrap_or(self.rest);
        self.sure = 0;
    }
}
