//! A run of input bytes, with as much of what follows as lies after them in memory.

/// The first `len` bytes of a run; the rest may be looked at, not used, by the text test.
#[derive(Clone, Copy, Debug)]
pub struct InputBytes<'a> {
    rest: &'a [u8],
    /// Never above `rest.len()`.
    len: usize,
}

impl<'a> InputBytes<'a> {
    /// The first `len` bytes of `rest`, or all of it when it is shorter.
    #[inline(always)]
    pub(crate) fn new(rest: &'a [u8], len: usize) -> Self {
        InputBytes { rest, len: if len > rest.len() { rest.len() } else { len } }
    }

    /// The bytes.
    ///
    /// ```
    /// use binfmt::wire::{Cursor, Slice};
    /// let mut src = Slice::new(b"abc");
    /// assert_eq!(src.take(2)?.bytes(), b"ab");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[inline(always)]
    pub fn bytes(self) -> &'a [u8] {
        // SAFETY: `len <= rest.len()`, by `new`, the only place that sets them
        unsafe { self.rest.get_unchecked(..self.len) }
    }

    /// The bytes, and those that follow in memory.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(super) fn rest(self) -> &'a [u8] {
        self.rest
    }

    /// The first `len` bytes as UTF-8 text, or how many bytes of them are valid.
    #[inline(always)]
    pub(crate) fn text(self, len: usize) -> Result<&'a str, usize> {
        let Some(bytes) = self.bytes().get(..len) else { return Err(0) };
        if self.is_short_ascii(len) {
            // SAFETY: no byte has its high bit set, so this is ASCII
            return Ok(unsafe { core::str::from_utf8_unchecked(bytes) });
        }
        core::str::from_utf8(bytes).map_err(|e| e.valid_up_to())
    }

    /// Whether the first `len` bytes are few and all of them ASCII: two wide loads and a mask, without a branch on the length.
    #[inline(always)]
    fn is_short_ascii(self, len: usize) -> bool {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if len <= 32 && self.rest.len() >= 32 {
            use core::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_movemask_epi8};
            // SAFETY: this is compiled only where SSE2 is part of the target, and 32 bytes of `rest` are readable
            let high = unsafe {
                let p = self.rest.as_ptr();
                let low = _mm_movemask_epi8(_mm_loadu_si128(p.cast::<__m128i>())) as u32;
                let top = _mm_movemask_epi8(_mm_loadu_si128(p.add(16).cast::<__m128i>())) as u32;
                (low | (top << 16)) & ((1u64 << len).wrapping_sub(1)) as u32
            };
            return high == 0;
        }
        false
    }
}
