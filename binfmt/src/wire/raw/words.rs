//! Short runs of bytes as moves of whole words: a few bytes take less than the call that would copy them.

use core::ptr::copy_nonoverlapping;

/// Copies the first `n` bytes of `b` to the beginning of `to`: short ones as two moves of whole words, whatever their length, where
/// there is so much to read and to write. So `to` may be written beyond them. `None` where it is too short.
#[inline(always)]
#[cfg(feature = "dynamic")]
pub(crate) fn copy_front(b: &[u8], n: usize, to: &mut [u8]) -> Option<()> {
    const WIDE: usize = 32;
    if let (true, Some(b), Some(to)) = (n <= WIDE, b.first_chunk::<WIDE>(), to.first_chunk_mut::<WIDE>()) {
        *to = *b;
        return Some(());
    }
    to.get_mut(..n)?.copy_from_slice(b.get(..n)?);
    Some(())
}

/// Whether a byte of a word is 0.
#[inline(always)]
const fn has_zero_byte(word: u64) -> bool {
    const ONES: u64 = u64::MAX / 0xff;
    word.wrapping_sub(ONES) & !word & ONES << 7 != 0
}

/// The first and the last bytes of a run of at most 16 as words, which overlap: so all bytes. Where a word is wider than the bytes, bits are set.
#[inline(always)]
fn ends(b: &[u8]) -> [u64; 2] {
    if let (Some(first), Some(last)) = (b.first_chunk(), b.last_chunk()) {
        return [first, last].map(|word| u64::from_ne_bytes(*word));
    }
    if let (Some(first), Some(last)) = (b.first_chunk(), b.last_chunk()) {
        return [first, last].map(|word| u64::from(u32::from_ne_bytes(*word)) | u64::MAX << 32);
    }
    if let (Some(first), Some(last)) = (b.first_chunk(), b.last_chunk()) {
        return [first, last].map(|word| u64::from(u16::from_ne_bytes(*word)) | u64::MAX << 16);
    }
    [b.first().map_or(u64::MAX, |byte| u64::from(*byte) | u64::MAX << 8); 2]
}

/// A run of bytes that two words have.
const SHORT: usize = 16;

/// Whether none of some bytes is 0.
#[inline(always)]
pub(crate) fn has_no_zero(b: &[u8]) -> bool {
    if b.len() > SHORT {
        return !b.contains(&0);
    }
    !ends(b).into_iter().any(has_zero_byte)
}

/// A copy of a short run of bytes as two overlapping moves of whole words, of a long one by `memcpy`.
///
/// # Safety
/// `from` is readable and `to` writable for `n` bytes, and the two do not overlap.
#[inline(always)]
pub(super) unsafe fn copy_short(from: *const u8, to: *mut u8, n: usize) {
    // an array of bytes would go through the stack
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    type Wide = core::arch::x86_64::__m128i;
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    type Wide = u128;
    /// The first and the last bytes, as a word `W` each.
    ///
    /// # Safety
    /// That of `copy_short`, and `n` is at least the size of `W`.
    #[inline(always)]
    unsafe fn overlapping<W>(from: *const u8, to: *mut u8, n: usize) {
        // SAFETY: both words lie within the `n` bytes
        unsafe {
            let rest = n.unchecked_sub(size_of::<W>());
            let first = from.cast::<W>().read_unaligned();
            let last = from.add(rest).cast::<W>().read_unaligned();
            to.cast::<W>().write_unaligned(first);
            to.add(rest).cast::<W>().write_unaligned(last);
        }
    }
    // SAFETY: each pair of moves covers exactly `n` bytes, as `n` is at most twice the size of a word
    unsafe {
        if n > 32 {
            copy_nonoverlapping(from, to, n);
        } else if n >= 16 {
            overlapping::<Wide>(from, to, n);
        } else if n >= 8 {
            overlapping::<u64>(from, to, n);
        } else if n >= 4 {
            overlapping::<u32>(from, to, n);
        } else if n >= 2 {
            overlapping::<u16>(from, to, n);
        } else if n == 1 {
            *to = *from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::has_no_zero;

    #[test]
    fn zeros_are_found_wherever_they_are() {
        for len in 0..40 {
            let mut text: Vec<u8> = (1..=len).collect();
            assert!(has_no_zero(&text), "{len}");
            for i in 0..usize::from(len) {
                for (byte, is_zero) in [(0, true), (0x80, false), (0xff, false)] {
                    let before = core::mem::replace(&mut text[i], byte);
                    assert_eq!(has_no_zero(&text), !is_zero, "{len} {i}");
                    text[i] = before;
                }
            }
        }
    }
}
