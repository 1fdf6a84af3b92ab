//! The cursor over a slice: the fast source.

use super::input::InputBytes;
use crate::error::{Error, Result};
use crate::wire::amount::plus;
use crate::wire::budget::Budget;
use crate::wire::options::{Limits, Policy};

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
    /// Whether `rest` ends before the input does.
    in_region: bool,
    pub(crate) budget: Budget,
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
        Slice { rest: bytes, all: bytes, sure: 0, in_region: false, budget: Budget::new(limits, policy) }
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
        self.in_region
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
                return Err(Error::short(n, self.rest.len(), self.at() as u64, self.in_region));
            }
            self.sure = n;
        }
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn read_array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.ensure_bytes(N)?;
        // `ensure_bytes` has just seen to it that there are so many
        self.sure = self.sure.wrapping_sub(N);
        // SAFETY: `N <= sure <= rest.len()`: the counter is private, `ensure_bytes` alone raises it, to at most
        // `rest.len()`, and whatever shortens `rest` lowers it as much or sets it to 0
        unsafe {
            let a = self.rest.as_ptr().cast::<[u8; N]>().read();
            self.rest = self.rest.get_unchecked(N..);
            Ok(a)
        }
    }

    #[inline(always)]
    pub(crate) fn take_bytes(&mut self, n: usize) -> Result<InputBytes<'de>> {
        let rest = self.rest;
        if n > rest.len() {
            return Err(Error::short(n, rest.len(), self.at() as u64, self.in_region));
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
        Slice { rest: bytes, sure: bytes.len(), ..*self }
    }

    /// The error of a read of `n` bytes that are not there.
    #[cold]
    pub(crate) fn end_before(&self, n: usize) -> Error {
        Error::short(n, self.rest.len(), self.at() as u64, self.in_region)
    }

    /// Ends the input after `n` bytes; returns what `widen_bytes` needs to undo it.
    #[inline]
    pub(crate) fn narrow_bytes(&mut self, n: usize) -> Result<(usize, bool)> {
        let Some((front, back)) = self.rest.split_at_checked(n) else {
            return Err(Error::short(n, self.rest.len(), self.at() as u64, self.in_region));
        };
        self.rest = front;
        self.sure = 0;
        let undo = (back.len(), self.in_region);
        self.in_region = true;
        Ok(undo)
    }

    #[inline]
    pub(crate) fn widen_bytes(&mut self, (back, in_region): (usize, bool)) {
        let at = self.at();
        let end = plus(plus(at, self.rest.len()), back);
        self.rest = self.all.get(at..end).unwrap_or(self.rest);
        self.sure = 0;
        self.in_region = in_region;
    }
}
