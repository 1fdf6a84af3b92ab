//! Numbers of 2, 4 or 8 bytes taken apart into planes, one for each of their bytes, and put together again; the bits of
//! eight planes exchanged with the places of their bytes.
//!
//! Baseline x86-64 has no instruction that shuffles bytes: this is the part with AVX2, for as many numbers as fill its
//! registers. The functions say how many they did; the others, and all on other machines, are the caller's.

use crate::wire::amount::num_in;

/// Plane `j` of `to` gets byte `j` of each number of `from`; gives the number of the first that is not done. With `bits`
/// (and numbers of 8 bytes) bit `i` of plane `k` and bit `k` of plane `i` change places then, in each byte by itself.
///
/// # Panics
/// When `to` is shorter than the whole numbers of `from`.
pub(crate) fn split(from: &[u8], size: usize, to: &mut [u8], bits: bool) -> usize {
    run(from.len(), size, (from, to), (bits, false))
}

/// The way back: `from` holds the planes, whose bits change places first when `bits` says so.
///
/// # Panics
/// When `from` is shorter than the whole numbers of `to`.
pub(crate) fn join(from: &[u8], size: usize, to: &mut [u8], bits: bool) -> usize {
    run(to.len(), size, (from, to), (bits, true))
}

fn run(len: usize, size: usize, (from, to): (&[u8], &mut [u8]), how: (bool, bool)) -> usize {
    let n = num_in(len, size);
    let all = n.wrapping_mul(size);
    let (from, to) = (&from[..all], &mut to[..all]);
    #[cfg(target_arch = "x86_64")]
    if n >= 32 && std::is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has AVX2, which is all that the functions ask for
        unsafe {
            match (size, how) {
                (2, (_, false)) => avx2::split2(from, to),
                (2, (_, true)) => avx2::join2(from, to),
                (4, (_, false)) => avx2::split4(from, to),
                (4, (_, true)) => avx2::join4(from, to),
                (8, (true, false)) => avx2::split8::<true>(from, to),
                (8, (false, false)) => avx2::split8::<false>(from, to),
                (8, (true, true)) => avx2::join8::<true>(from, to),
                (8, (false, true)) => avx2::join8::<false>(from, to),
                _ => return 0,
            }
        }
        return n & !31;
    }
    let _ = (from, to, how);
    0
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use crate::wire::amount::num_in;
    use core::arch::x86_64::*;

    /// Bytes of a vector.
    const WIDE: usize = 32;

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(from: &[u8; WIDE]) -> __m256i {
        // SAFETY: the array has the bytes of a vector, and the load needs no alignment
        unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn store(to: &mut [u8; WIDE], v: __m256i) {
        // SAFETY: as above
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), v) }
    }

    /// The lower half of one vector and that of another; then the upper halves.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn halves(a: __m256i, b: __m256i) -> [__m256i; 2] {
        [_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b)]
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn both8(a: __m256i, b: __m256i) -> [__m256i; 2] {
        [_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b)]
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn both16(a: __m256i, b: __m256i) -> [__m256i; 2] {
        [_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)]
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn both32(a: __m256i, b: __m256i) -> [__m256i; 2] {
        [_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b)]
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn both64(a: __m256i, b: __m256i) -> [__m256i; 2] {
        [_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)]
    }

    /// In each half of a vector of numbers of `k` bytes: first all lowest bytes, then all second ones.
    fn order(k: usize) -> [u8; WIDE] {
        core::array::from_fn(|i| {
            // for each width the bits of a place in a half: first the byte of the number, then which number
            let (i, bits) = (i % 16, k.trailing_zeros());
            let numbers = 16usize >> bits;
            (((i & numbers.wrapping_sub(1)) << bits) | (i >> 4u32.wrapping_sub(bits))) as u8
        })
    }

    /// The n-th vector of each of K planes.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn planes<const K: usize>(from: &[u8], n: usize) -> [__m256i; K] {
        let len = num_in(from.len(), K);
        core::array::from_fn(|j| {
            let start = j.wrapping_mul(len);
            let plane = &from[start..start.wrapping_add(len)];
            load(&plane.as_chunks().0[n])
        })
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn put_planes<const K: usize>(to: &mut [u8], n: usize, rows: [__m256i; K]) {
        let len = num_in(to.len(), K);
        for (j, row) in rows.into_iter().enumerate() {
            let start = j.wrapping_mul(len);
            store(&mut to[start..start.wrapping_add(len)].as_chunks_mut().0[n], row);
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn split2(from: &[u8], to: &mut [u8]) {
        let order = load(&order(2));
        for (n, group) in from.as_chunks::<WIDE>().0.as_chunks::<2>().0.iter().enumerate() {
            let [a, b] = halves(load(&group[0]), load(&group[1]));
            let [a, b] = [_mm256_shuffle_epi8(a, order), _mm256_shuffle_epi8(b, order)];
            put_planes(to, n, both64(a, b));
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn split4(from: &[u8], to: &mut [u8]) {
        let order = load(&order(4));
        for (n, group) in from.as_chunks::<WIDE>().0.as_chunks::<4>().0.iter().enumerate() {
            let [a, b] = halves(load(&group[0]), load(&group[2]));
            let [c, d] = halves(load(&group[1]), load(&group[3]));
            let [a, b, c, d] = [
                _mm256_shuffle_epi8(a, order),
                _mm256_shuffle_epi8(b, order),
                _mm256_shuffle_epi8(c, order),
                _mm256_shuffle_epi8(d, order),
            ];
            // each half has four bytes of each plane: a square of words is turned round
            let ([a, b], [c, d]) = (both32(a, b), both32(c, d));
            let ([p, q], [r, s]) = (both64(a, c), both64(b, d));
            put_planes(to, n, [p, q, r, s]);
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn split8<const BITS: bool>(from: &[u8], to: &mut [u8]) {
        let order = load(&order(8));
        for (n, group) in from.as_chunks::<WIDE>().0.as_chunks::<8>().0.iter().enumerate() {
            let [a, b] = halves(load(&group[0]), load(&group[4]));
            let [c, d] = halves(load(&group[1]), load(&group[5]));
            let [e, f] = halves(load(&group[2]), load(&group[6]));
            let [g, h] = halves(load(&group[3]), load(&group[7]));
            let s = |v| _mm256_shuffle_epi8(v, order);
            // each half has two bytes of each plane: a square of such pairs is turned round
            let ([a0, a1], [b0, b1]) = (both16(s(a), s(b)), both16(s(c), s(d)));
            let ([c0, c1], [d0, d1]) = (both16(s(e), s(f)), both16(s(g), s(h)));
            let ([a, b], [c, d]) = (both32(a0, b0), both32(a1, b1));
            let ([e, f], [g, h]) = (both32(c0, d0), both32(c1, d1));
            let ([p0, p1], [p2, p3]) = (both64(a, e), both64(b, f));
            let ([p4, p5], [p6, p7]) = (both64(c, g), both64(d, h));
            let rows = [p0, p1, p2, p3, p4, p5, p6, p7];
            put_planes(to, n, if BITS { exchange_bits(rows) } else { rows });
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn join2(from: &[u8], to: &mut [u8]) {
        for (n, group) in to.as_chunks_mut::<WIDE>().0.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            let [a, b] = planes(from, n);
            let [low, high] = both8(a, b);
            let [first, second] = halves(low, high);
            store(&mut group[0], first);
            store(&mut group[1], second);
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn join4(from: &[u8], to: &mut [u8]) {
        for (n, group) in to.as_chunks_mut::<WIDE>().0.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let [a, b, c, d] = planes(from, n);
            let ([a, b], [c, d]) = (both8(a, b), both8(c, d));
            let ([p, q], [r, s]) = (both16(a, c), both16(b, d));
            let ([first, third], [second, fourth]) = (halves(p, q), halves(r, s));
            for (to, v) in group.iter_mut().zip([first, second, third, fourth]) {
                store(to, v);
            }
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn join8<const BITS: bool>(from: &[u8], to: &mut [u8]) {
        for (n, group) in to.as_chunks_mut::<WIDE>().0.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let rows = planes::<8>(from, n);
            let [a, b, c, d, e, f, g, h] = if BITS { exchange_bits(rows) } else { rows };
            let ([a, b], [c, d], [e, f], [g, h]) = (both8(a, b), both8(c, d), both8(e, f), both8(g, h));
            let ([p0, p1], [q0, q1]) = (both16(a, c), both16(e, g));
            let ([p2, p3], [q2, q3]) = (both16(b, d), both16(f, h));
            let ([a, b], [c, d]) = (both32(p0, q0), both32(p1, q1));
            let ([e, f], [g, h]) = (both32(p2, q2), both32(p3, q3));
            let ([v0, v4], [v1, v5]) = (halves(a, b), halves(c, d));
            let ([v2, v6], [v3, v7]) = (halves(e, f), halves(g, h));
            for (to, v) in group.iter_mut().zip([v0, v1, v2, v3, v4, v5, v6, v7]) {
                store(to, v);
            }
        }
    }

    /// Bit `i` of row `k` and bit `k` of row `i` change places, in each byte by itself: first in squares of four rows and
    /// bits, then of two, then of one.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn exchange_bits(rows: [__m256i; 8]) -> [__m256i; 8] {
        let [a, b, c, d, e, f, g, h] = rows;
        let ((a, e), (b, f)) = (swap::<4>(a, e), swap::<4>(b, f));
        let ((c, g), (d, h)) = (swap::<4>(c, g), swap::<4>(d, h));
        let ((a, c), (b, d)) = (swap::<2>(a, c), swap::<2>(b, d));
        let ((e, g), (f, h)) = (swap::<2>(e, g), swap::<2>(f, h));
        let ((a, b), (c, d)) = (swap::<1>(a, b), swap::<1>(c, d));
        let ((e, f), (g, h)) = (swap::<1>(e, f), swap::<1>(g, h));
        [a, b, c, d, e, f, g, h]
    }

    /// The upper N bits of each group of 2 N bits in one row change places with the lower ones in the other.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn swap<const N: i32>(low: __m256i, high: __m256i) -> (__m256i, __m256i) {
        let mask = _mm256_set1_epi8(match N {
            4 => 0x0f,
            2 => 0x33,
            _ => 0x55,
        });
        // shifts of words move bits into neighbouring bytes, which the mask takes out, or which are not there
        let moved = _mm256_and_si256(_mm256_xor_si256(_mm256_srli_epi64::<N>(low), high), mask);
        (_mm256_xor_si256(low, _mm256_slli_epi64::<N>(moved)), _mm256_xor_si256(high, moved))
    }
}

#[cfg(test)]
mod tests {
    use super::{join, split};
    use alloc::vec;
    use alloc::vec::Vec;

    #[test]
    fn planes_are_the_bytes_of_the_numbers() {
        for size in [2, 4, 8] {
            for n in [0, 1, 31, 32, 33, 64, 100, 1024] {
                let from: Vec<u8> = (0..n * size).map(|i| (i * 7 % 251) as u8).collect();
                let mut to = vec![0; n * size];
                let done = split(&from, size, &mut to, false);
                assert!(done <= n && done.is_multiple_of(32));
                for (i, j) in (0..done).flat_map(|i| (0..size).map(move |j| (i, j))) {
                    assert_eq!(to[j * n + i], from[i * size + j], "{size} bytes, {n} numbers, {i}, {j}");
                }
                let mut back = vec![0; n * size];
                assert_eq!(join(&to, size, &mut back, false), done);
                assert_eq!(back[..done * size], from[..done * size]);
            }
        }
    }

    #[test]
    fn bits_change_places() {
        let n = 96;
        let from: Vec<u8> = (0..n * 8).map(|i| (i * 37 % 253) as u8).collect();
        let mut to = vec![0; n * 8];
        let done = split(&from, 8, &mut to, true);
        let bit = |byte: u8, i: usize| byte >> i & 1;
        for (i, k) in (0..8).flat_map(|i| (0..8).map(move |k| (i, k))) {
            for b in 0..done {
                assert_eq!(bit(to[k * n + b], i), bit(from[b * 8 + i], k));
            }
        }
        let mut back = vec![0; n * 8];
        assert_eq!(join(&to, 8, &mut back, true), done);
        assert_eq!(back[..done * 8], from[..done * 8]);
    }
}
