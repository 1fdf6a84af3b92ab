//! Whole arrays of numbers with the bytes of each reversed.
//!
//! Baseline x86-64 has no byte shuffle: the same work with AVX2, chosen once for each array, is two to three times as
//! fast. Arrays beyond the caches are written past them.

/// `len` bytes of numbers of `k` bytes each, the bytes of each turned round.
///
/// # Safety
/// `from` is readable and `to` writable for `len` bytes, `len` is a multiple of `k`, and the two do not overlap.
#[inline(never)]
pub(super) unsafe fn swap(from: *const u8, to: *mut u8, len: usize, k: usize) {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    if len >= 256 && matches!(k, 2 | 4 | 8 | 16) && std::is_x86_feature_detected!("avx2") {
        // SAFETY: AVX2 is there, the rest is our caller's contract
        return unsafe { avx2::swap(from, to, len, k, len >= avx2::BEYOND_CACHES) };
    }
    // SAFETY: by the contract of this function
    unsafe { plain(from, to, len, k) }
}

/// The plain path, which every machine has.
///
/// # Safety
/// As `swap`.
unsafe fn plain(from: *const u8, to: *mut u8, len: usize, k: usize) {
    /// # Safety
    /// As `swap`, for `n` numbers of K bytes.
    #[inline(always)]
    unsafe fn each<const K: usize>(from: *const u8, to: *mut u8, n: usize) {
        for i in 0..n {
            // SAFETY: `i < n`; arrays of bytes have alignment 1
            unsafe {
                let mut a = from.cast::<[u8; K]>().add(i).read();
                a.reverse();
                to.cast::<[u8; K]>().add(i).write(a);
            }
        }
    }
    // SAFETY: by the contract of `swap`
    unsafe {
        match k {
            2 => each::<2>(from, to, len / 2),
            4 => each::<4>(from, to, len / 4),
            8 => each::<8>(from, to, len / 8),
            _ => each::<16>(from, to, len / 16),
        }
    }
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod avx2 {
    use core::arch::x86_64::{
        __m256i, _mm_sfence, _mm256_loadu_si256, _mm256_shuffle_epi8, _mm256_storeu_si256,
        _mm256_stream_si256,
    };

    /// From here on the output is written past the caches: it would only push out what is of use there.
    pub(super) const BEYOND_CACHES: usize = 16 << 20;

    /// Bytes of a vector.
    const WIDE: usize = 32;

    /// For each byte of a half vector the one that comes there.
    fn order(k: usize) -> [u8; WIDE] {
        core::array::from_fn(|i| {
            let i = i % 16;
            // the last bits of a place, as many as the width has, the other way round
            (i ^ k.wrapping_sub(1)) as u8
        })
    }

    /// # Safety
    /// As `super::swap`, `k` is 2, 4, 8 or 16, and the machine has AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn swap(from: *const u8, to: *mut u8, len: usize, k: usize, past_caches: bool) {
        // streaming stores want whole vectors at their own places, which numbers may straddle
        let before = to.align_offset(WIDE);
        let stream = past_caches && before.is_multiple_of(k) && before < len;
        let first = if stream { before } else { 0 };
        // `first <= len`
        let vectors = len.wrapping_sub(first) / WIDE;
        let done = first.wrapping_add(vectors.wrapping_mul(WIDE));
        // SAFETY: `first <= done <= len`, all three multiples of k, and the two ends go the plain way
        unsafe {
            super::plain(from, to, first, k);
            let (from, to) = (from.add(first), to.add(first));
            if stream { run::<true>(from, to, vectors, k) } else { run::<false>(from, to, vectors, k) }
        }
        // SAFETY: as above
        unsafe { super::plain(from.add(done), to.add(done), len.unchecked_sub(done), k) }
    }

    /// # Safety
    /// `from` is readable and `to` writable for `n` vectors; with STREAM `to` is aligned to a vector.
    #[target_feature(enable = "avx2")]
    unsafe fn run<const STREAM: bool>(from: *const u8, to: *mut u8, n: usize, k: usize) {
        let order = order(k);
        // SAFETY: `i + 4 <= n` and `i < n` before each block; loads and plain stores need no alignment, and streaming
        // stores have theirs by the contract
        unsafe {
            let order = _mm256_loadu_si256(order.as_ptr().cast::<__m256i>());
            let (from, to) = (from.cast::<__m256i>(), to.cast::<__m256i>());
            let put = |i: usize, v: __m256i| {
                if STREAM { _mm256_stream_si256(to.add(i), v) } else { _mm256_storeu_si256(to.add(i), v) }
            };
            let mut i = 0;
            while n.unchecked_sub(i) >= 4 {
                let v: [__m256i; 4] = [
                    _mm256_shuffle_epi8(_mm256_loadu_si256(from.add(i)), order),
                    _mm256_shuffle_epi8(_mm256_loadu_si256(from.add(i).add(1)), order),
                    _mm256_shuffle_epi8(_mm256_loadu_si256(from.add(i).add(2)), order),
                    _mm256_shuffle_epi8(_mm256_loadu_si256(from.add(i).add(3)), order),
                ];
                put(i, v[0]);
                put(i.unchecked_add(1), v[1]);
                put(i.unchecked_add(2), v[2]);
                put(i.unchecked_add(3), v[3]);
                i = i.unchecked_add(4);
            }
            while i < n {
                put(i, _mm256_shuffle_epi8(_mm256_loadu_si256(from.add(i)), order));
                i = i.unchecked_add(1);
            }
            if STREAM {
                // streaming stores are not ordered with the stores and loads that follow
                _mm_sfence();
            }
        }
    }
}

#[cfg(all(test, feature = "std", target_arch = "x86_64"))]
mod tests {
    fn expected(from: &[u8], k: usize) -> Vec<u8> {
        from.chunks(k).flat_map(|c| c.iter().rev().copied()).collect()
    }

    #[test]
    fn every_path_agrees_at_every_place() {
        let from: Vec<u8> = (0..700u32).map(|i| (i * 7 % 251) as u8).collect();
        for k in [2, 4, 8, 16] {
            for place in (0..33).step_by(if cfg!(miri) { 8 } else { 1 }) {
                for numbers in [0, 1, 2, 7, 16, 33, 40] {
                    let len = numbers * k;
                    let source = &from[place % 5..place % 5 + len];
                    let want = expected(source, k);
                    for path in 0..3 {
                        let mut to = vec![0xEE; len + 64];
                        // SAFETY: `to` has `place + len` bytes and 31 more, `source` has `len`
                        unsafe {
                            let at = to.as_mut_ptr().add(place);
                            match path {
                                0 => super::plain(source.as_ptr(), at, len, k),
                                _ if !std::is_x86_feature_detected!("avx2") => continue,
                                path => super::avx2::swap(source.as_ptr(), at, len, k, path == 2),
                            }
                        }
                        assert_eq!(
                            to[place..place + len],
                            want,
                            "{k} bytes, {numbers} numbers, place {place}, path {path}"
                        );
                        assert!(to[..place].iter().chain(&to[place + len..]).all(|b| *b == 0xEE));
                    }
                }
            }
        }
    }
}
