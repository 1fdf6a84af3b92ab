//! One number of each record of a block: out of all records into a vector, or from there to its place in each of them.
//!
//! Each step to the next record is of the same size, which is known only at run time: that all places are in bounds is said
//! once for all records. What is left is loads and stores, several to a step. Numbers whose bytes are reversed go through
//! AVX2, where the machine has it: one shuffle reverses four of them. Numbers that only move do not, as wide stores into a
//! vector cross cache lines and are slower than four narrow ones.

use super::bulk::{NoMemory, try_room};
use super::facts::Facts;
use crate::wire::endian::Order;
use alloc::vec::Vec;
use core::hint::black_box;

/// Whether a `T` is one number, which these functions take.
#[inline(always)]
pub(crate) const fn is_number<O: Order, T>(facts: Facts<T>) -> bool {
    let k = facts.nums().number();
    k == size_of::<T>() && matches!(k, 1 | 2 | 4 | 8 | 16) && facts.is_bulk::<O>()
}

/// Appends the number at `offset` of each of the first `n` records of `stride` bytes.
///
/// # Panics
/// When the records are not all in `bytes`, a number does not lie within its record, or `T` is not a number: mistakes in this
/// crate.
#[inline(always)]
pub(crate) fn gather<O: Order, T>(
    facts: Facts<T>,
    bytes: &[u8],
    (stride, offset): (usize, usize),
    n: usize,
    out: &mut Vec<T>,
) -> Result<(), NoMemory> {
    assert!(is_number::<O, T>(facts));
    let fits = n.checked_mul(stride).is_some_and(|all| all <= bytes.len());
    assert!(fits && offset.checked_add(size_of::<T>()).is_some_and(|end| end <= stride));
    try_room(out, n)?;
    // SAFETY: record `i < n` is at `i * stride` of `bytes`, whose length is at least `n * stride`, and `offset + k <= stride`;
    // there is room for `n` values, each of which is a number of `k` bytes, valid for any of them
    unsafe {
        let (from, len) = (bytes.as_ptr().wrapping_add(offset), out.len());
        let numbers = Numbers { records: from.cast_mut(), stride, n, width: size_of::<T>() };
        numbers.gather(out.as_mut_ptr().add(len).cast::<u8>(), !facts.is_plain::<O>());
        out.set_len(len.unchecked_add(n));
    }
    Ok(())
}

/// Writes numbers to `offset` of each record of `stride` bytes, as many as there are of both.
///
/// # Panics
/// When a number does not lie within its record, or `T` is not a number: mistakes in this crate.
#[inline(always)]
#[cfg(feature = "dynamic")]
pub(crate) fn scatter<O: Order, T>(
    facts: Facts<T>,
    values: &[T],
    bytes: &mut [u8],
    (stride, offset): (usize, usize),
) {
    assert!(is_number::<O, T>(facts));
    assert!(offset.checked_add(size_of::<T>()).is_some_and(|end| end <= stride));
    // a stride of 0 has no room for a number
    let n = values.len().min(crate::wire::amount::num_in(bytes.len(), stride));
    // SAFETY: record `i < n` is at `i * stride` of `bytes`, whose length is at least `n * stride`, and `offset + k <= stride`;
    // there are at least `n` values, each of which is a number of `k` bytes
    unsafe {
        let records = bytes.as_mut_ptr().wrapping_add(offset);
        let numbers = Numbers { records, stride, n, width: size_of::<T>() };
        numbers.scatter(values.as_ptr().cast::<u8>(), !facts.is_plain::<O>());
    }
}

/// Numbers of that many bytes each, one in each of `n` records.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    /// The place in the first record.
    pub(super) records: *mut u8,
    /// Bytes to the place in the next record.
    pub(super) stride: usize,
    pub(super) n: usize,
    /// 1, 2, 4, 8 or 16.
    pub(super) width: usize,
}

/// An integer as wide as the number.
trait Word: Copy {
    fn turned(self, turn: bool) -> Self;
}

macro_rules! words {
    ($($t:ident)*) => { $(
        impl Word for $t {
            #[inline(always)]
            fn turned(self, turn: bool) -> Self {
                if turn { self.swap_bytes() } else { self }
            }
        }
    )* };
}
words!(u8 u16 u32 u64 u128);

/// Moves numbers out of their records, and back.
type Moves = (unsafe fn(Numbers, *mut u8), unsafe fn(Numbers, *const u8));

const fn moves<U: Word, const TURN: bool>() -> Moves {
    (gather_words::<U, TURN>, scatter_words::<U, TURN>)
}

impl Numbers {
    /// Those for integers of this width, with their bytes turned round or not.
    #[inline(always)]
    fn moves(self, turn: bool) -> Moves {
        match (self.width, turn) {
            (1, _) => moves::<u8, false>(),
            (2, false) => moves::<u16, false>(),
            (2, true) => moves::<u16, true>(),
            (4, false) => moves::<u32, false>(),
            (4, true) => moves::<u32, true>(),
            (8, false) => moves::<u64, false>(),
            (8, true) => moves::<u64, true>(),
            (_, false) => moves::<u128, false>(),
            (_, true) => moves::<u128, true>(),
        }
    }

    /// # Safety
    /// The places are readable, `to` is writable for `n` numbers, and the two do not overlap.
    #[inline(never)]
    pub(super) unsafe fn gather(self, to: *mut u8, turn: bool) {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        if turn && matches!(self.width, 2 | 4 | 8) && std::is_x86_feature_detected!("avx2") {
            // SAFETY: AVX2 is there, the rest is our caller's contract
            return unsafe { avx2::gather_turned(self, to) };
        }
        // SAFETY: by the contract of this function
        unsafe { self.gather_words(to, turn) }
    }

    /// The plain way, which every machine has.
    ///
    /// # Safety
    /// As `gather`.
    #[inline(always)]
    unsafe fn gather_words(self, to: *mut u8, turn: bool) {
        // SAFETY: by the contract of this function
        unsafe { self.moves(turn).0(self, to) }
    }

    /// # Safety
    /// The places are writable, `from` is readable for `n` numbers, and the two do not overlap.
    #[inline(never)]
    pub(super) unsafe fn scatter(self, from: *const u8, turn: bool) {
        // SAFETY: by the contract of this function
        unsafe { self.moves(turn).1(self, from) }
    }
}

/// The steps to the second, third and fourth record, and to the one after these. The compiler must not see that one follows
/// from another, or it makes a chain of them, in which each waits for the one before.
#[inline(always)]
fn steps(stride: usize) -> [usize; 4] {
    // these are of use only where there are four records, and the bytes of all records are a number
    let [two, three, four] = [2usize, 3, 4].map(|n| n.wrapping_mul(stride));
    [stride, black_box(two), black_box(three), four]
}

/// # Safety
/// As `Numbers::gather`, for numbers of this width.
unsafe fn gather_words<U: Word, const TURN: bool>(numbers: Numbers, to: *mut u8) {
    let (mut from, mut to) = (numbers.records.cast_const(), to.cast::<U>());
    let [second, third, fourth, next] = steps(numbers.stride);
    // SAFETY: `from` is read only where it belongs to one of the `n` records, `to` written for as many
    unsafe {
        let one = |from: *const u8| from.cast::<U>().read_unaligned().turned(TURN);
        for _ in 0..numbers.n / 4 {
            to.write_unaligned(one(from));
            to.add(1).write_unaligned(one(from.add(second)));
            to.add(2).write_unaligned(one(from.add(third)));
            to.add(3).write_unaligned(one(from.add(fourth)));
            to = to.add(4);
            from = from.wrapping_add(next);
        }
        for _ in 0..numbers.n % 4 {
            to.write_unaligned(one(from));
            to = to.add(1);
            from = from.wrapping_add(second);
        }
    }
}

/// # Safety
/// As `Numbers::scatter`, for numbers of this width.
unsafe fn scatter_words<U: Word, const TURN: bool>(numbers: Numbers, from: *const u8) {
    let (mut to, mut from) = (numbers.records, from.cast::<U>());
    let [second, third, fourth, next] = steps(numbers.stride);
    // SAFETY: as above, the other way round
    unsafe {
        let one = |from: *const U| from.read_unaligned().turned(TURN);
        for _ in 0..numbers.n / 4 {
            to.cast::<U>().write_unaligned(one(from));
            to.add(second).cast::<U>().write_unaligned(one(from.add(1)));
            to.add(third).cast::<U>().write_unaligned(one(from.add(2)));
            to.add(fourth).cast::<U>().write_unaligned(one(from.add(3)));
            from = from.add(4);
            to = to.wrapping_add(next);
        }
        for _ in 0..numbers.n % 4 {
            to.cast::<U>().write_unaligned(one(from));
            from = from.add(1);
            to = to.wrapping_add(second);
        }
    }
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod avx2 {
    use super::{Numbers, steps};
    use core::arch::x86_64::{
        __m128i, __m256i, _mm_cvtsi32_si128, _mm_insert_epi16, _mm_loadl_epi64, _mm_shuffle_epi8,
        _mm_storel_epi64, _mm_storeu_si128, _mm_unpacklo_epi32, _mm_unpacklo_epi64, _mm256_castsi128_si256,
        _mm256_castsi256_si128, _mm256_inserti128_si256, _mm256_loadu_si256, _mm256_shuffle_epi8,
        _mm256_storeu_si256,
    };

    /// For each byte of a half vector the one that comes there: the bytes of each number of `k` bytes the other way round.
    const fn order(k: usize) -> [u8; 32] {
        let mut order = [0; 32];
        let mut i = 0usize;
        while i < 32 {
            order[i] = ((i % 16) ^ k.wrapping_sub(1)) as u8;
            i = i.wrapping_add(1);
        }
        order
    }

    static ORDERS: [[u8; 32]; 3] = [order(2), order(4), order(8)];

    /// # Safety
    /// As `Numbers::gather`, the width is 2, 4 or 8, and the machine has AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn gather_turned(numbers: Numbers, to: *mut u8) {
        let [two, four, eight] = &ORDERS;
        let fours = numbers.n / 4;
        let done = fours.wrapping_mul(4);
        // SAFETY: `done` is at most `n`, the others go the plain way, and an order has as many bytes as the vectors
        unsafe {
            let loaded = |order: &[u8; 32]| _mm256_loadu_si256(order.as_ptr().cast::<__m256i>());
            match numbers.width {
                8 => eights(numbers, to, fours, loaded(eight)),
                4 => quads(numbers, to, fours, loaded(four)),
                _ => pairs(numbers, to, fours, loaded(two)),
            }
            if done == numbers.n {
                return;
            }
            let records = numbers.records.wrapping_add(done.wrapping_mul(numbers.stride));
            let rest = Numbers { records, n: numbers.n.unchecked_sub(done), ..numbers };
            rest.gather_words(to.add(done.unchecked_mul(numbers.width)), true);
        }
    }

    /// # Safety
    /// As `gather`, for `4 * fours` numbers of eight bytes.
    #[target_feature(enable = "avx2")]
    unsafe fn eights(numbers: Numbers, to: *mut u8, fours: usize, order: __m256i) {
        let [second, third, fourth, next] = steps(numbers.stride);
        let (mut from, mut to) = (numbers.records.cast_const(), to.cast::<__m256i>());
        for _ in 0..fours {
            // SAFETY: each load is of the eight bytes of one record, the store has room for four numbers
            unsafe {
                let one = |from: *const u8| _mm_loadl_epi64(from.cast::<__m128i>());
                let low = _mm_unpacklo_epi64(one(from), one(from.add(second)));
                let high = _mm_unpacklo_epi64(one(from.add(third)), one(from.add(fourth)));
                let all = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high);
                _mm256_storeu_si256(to, _mm256_shuffle_epi8(all, order));
                to = to.add(1);
            }
            from = from.wrapping_add(next);
        }
    }

    /// # Safety
    /// As `gather`, for `4 * fours` numbers of four bytes.
    #[target_feature(enable = "avx2")]
    unsafe fn quads(numbers: Numbers, to: *mut u8, fours: usize, order: __m256i) {
        let [second, third, fourth, next] = steps(numbers.stride);
        let order = _mm256_castsi256_si128(order);
        let (mut from, mut to) = (numbers.records.cast_const(), to.cast::<__m128i>());
        for _ in 0..fours {
            // SAFETY: as above, with four bytes
            unsafe {
                let one = |from: *const u8| _mm_cvtsi32_si128(from.cast::<i32>().read_unaligned());
                let low = _mm_unpacklo_epi32(one(from), one(from.add(second)));
                let high = _mm_unpacklo_epi32(one(from.add(third)), one(from.add(fourth)));
                let all = _mm_unpacklo_epi64(low, high);
                _mm_storeu_si128(to, _mm_shuffle_epi8(all, order));
                to = to.add(1);
            }
            from = from.wrapping_add(next);
        }
    }

    /// # Safety
    /// As `gather`, for `4 * fours` numbers of two bytes.
    #[target_feature(enable = "avx2")]
    unsafe fn pairs(numbers: Numbers, to: *mut u8, fours: usize, order: __m256i) {
        let [second, third, fourth, next] = steps(numbers.stride);
        let order = _mm256_castsi256_si128(order);
        let (mut from, mut to) = (numbers.records.cast_const(), to);
        for _ in 0..fours {
            // SAFETY: as above, with two bytes; the store is of the lower half of the vector
            unsafe {
                let one = |from: *const u8| i32::from(from.cast::<u16>().read_unaligned());
                let all = _mm_cvtsi32_si128(one(from));
                let all = _mm_insert_epi16::<1>(all, one(from.add(second)));
                let all = _mm_insert_epi16::<2>(all, one(from.add(third)));
                let all = _mm_insert_epi16::<3>(all, one(from.add(fourth)));
                _mm_storel_epi64(to.cast::<__m128i>(), _mm_shuffle_epi8(all, order));
                to = to.add(8);
            }
            from = from.wrapping_add(next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Facts, Numbers, gather};
    use crate::wire::endian::{Be, Le, Order};
    use alloc::vec;
    use alloc::vec::Vec;

    /// Numbers of any width at any place of records of any size, in both orders and both directions.
    #[test]
    fn numbers_go_to_their_places_and_back() {
        fn check<T: Copy + PartialEq + core::fmt::Debug>(from: fn(&[u8], bool) -> T) {
            let k = size_of::<T>();
            let bytes: Vec<u8> = (0..600u32).map(|i| (i * 7 + i / 256) as u8).collect();
            for (stride, offset) in [(k, 0), (k + 3, 0), (k + 3, 3), (26, 26 - k)] {
                for n in [0, 1, 3, 4, 5, 8, 11, 16] {
                    fn in_order<O: Order, T: Copy>(b: &[u8], at: (usize, usize), n: usize) -> Vec<T> {
                        let mut out = Vec::new();
                        assert!(gather::<O, T>(Facts::<T>::number(), b, at, n, &mut out).is_ok());
                        out
                    }
                    let one = |i: usize, little| from(&bytes[i * stride + offset..][..k], little);
                    let little = in_order::<Le, T>(&bytes, (stride, offset), n);
                    assert_eq!(little, (0..n).map(|i| one(i, true)).collect::<Vec<T>>(), "{stride} {offset}");
                    let big = in_order::<Be, T>(&bytes, (stride, offset), n);
                    assert_eq!(big, (0..n).map(|i| one(i, false)).collect::<Vec<T>>(), "{stride} {offset}");
                    for (values, swapped) in
                        [(&little, cfg!(target_endian = "big")), (&big, cfg!(target_endian = "little"))]
                    {
                        let mut back = vec![0u8; n * stride];
                        // SAFETY: the block has `n` records of `stride` bytes
                        unsafe {
                            let records = back.as_mut_ptr().wrapping_add(offset);
                            Numbers { records, stride, n, width: k }.scatter(values.as_ptr().cast(), swapped);
                        }
                        for (i, record) in back.chunks(stride).enumerate() {
                            assert_eq!(record[offset..][..k], bytes[i * stride + offset..][..k]);
                            assert!(record[..offset].iter().chain(&record[offset + k..]).all(|b| *b == 0));
                        }
                    }
                }
            }
        }
        macro_rules! all {
            ($($t:ident)*) => { $(
                check::<$t>(|b, little| {
                    let b = b.try_into().unwrap();
                    if little { $t::from_le_bytes(b) } else { $t::from_be_bytes(b) }
                });
            )* };
        }
        all!(u8 i16 u32 i64 u128);
    }
}
