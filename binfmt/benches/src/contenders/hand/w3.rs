//! W3: arrays of numbers.

use super::*;
use std::mem::MaybeUninit;

/// From this size on, single streams go past the caches.
const STREAM: usize = 16 << 20;

macro_rules! safe {
    ($t:ty, $n:literal, $dec:ident, $enc:ident, $from:ident, $to:ident) => {
        #[inline(always)]
        fn $dec(w: &[u8]) -> Vec<$t> {
            let (c, rest) = w.as_chunks::<$n>();
            assert!(rest.is_empty());
            c.iter().map(|b| <$t>::$from(*b)).collect()
        }
        #[inline(always)]
        fn $enc(s: &&'static Vec<$t>, o: &mut Vec<u8>) {
            let at = o.len();
            o.reserve(s.len() * $n);
            let spare = &mut o.spare_capacity_mut()[..s.len() * $n];
            for (x, b) in s.iter().zip(spare.as_chunks_mut::<$n>().0) {
                *b = x.$to().map(MaybeUninit::new);
            }
            // SAFETY: all of it was written.
            unsafe { o.set_len(at + s.len() * $n) }
        }
    };
}
safe!(f64, 8, f64le_dec, f64le_enc, from_le_bytes, to_le_bytes);
safe!(f64, 8, f64be_dec, f64be_enc, from_be_bytes, to_be_bytes);
safe!(i32, 4, i32le_dec, i32le_enc, from_le_bytes, to_le_bytes);
safe!(i32, 4, i32be_dec, i32be_enc, from_be_bytes, to_be_bytes);

/// The same loops compiled for AVX2, which has a byte shuffle, chosen at run time.
macro_rules! avx2 {
    ($($name:ident($($a:ident: $t:ty),*) $(-> $r:ty)? = $plain:ident;)*) => { $(
        fn $name($($a: $t),*) $(-> $r)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn fast($($a: $t),*) $(-> $r)? {
                    $plain($($a),*)
                }
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: AVX2 is there.
                    return unsafe { fast($($a),*) };
                }
            }
            $plain($($a),*)
        }
    )* };
}
avx2! {
    f64be_dec_avx2(w: &[u8]) -> Vec<f64> = f64be_dec;
    i32be_dec_avx2(w: &[u8]) -> Vec<i32> = i32be_dec;
    f64be_enc_avx2(s: &&'static Vec<f64>, o: &mut Vec<u8>) = f64be_enc;
    i32be_enc_avx2(s: &&'static Vec<i32>, o: &mut Vec<u8>) = i32be_enc;
}

/// One memcpy.
macro_rules! copy {
    ($t:ty, $n:literal, $dec:ident, $enc:ident, $dec_stream:ident, $enc_stream:ident) => {
        fn $dec(w: &[u8]) -> Vec<$t> {
            assert!(w.len().is_multiple_of($n));
            let n = w.len() / $n;
            let mut v: Vec<$t> = Vec::with_capacity(n);
            // SAFETY: `w` fills `n` numbers; every bit pattern is one.
            unsafe {
                std::ptr::copy_nonoverlapping(w.as_ptr(), v.as_mut_ptr().cast(), w.len());
                v.set_len(n);
            }
            v
        }
        fn $enc(s: &&'static Vec<$t>, o: &mut Vec<u8>) {
            // SAFETY: numbers have no padding.
            o.extend_from_slice(unsafe { std::slice::from_raw_parts(s.as_ptr().cast(), s.len() * $n) });
        }
        #[cfg(target_arch = "x86_64")]
        fn $dec_stream(w: &[u8]) -> Vec<$t> {
            if w.len() < STREAM {
                return $dec(w);
            }
            assert!(w.len().is_multiple_of($n));
            let n = w.len() / $n;
            let mut v: Vec<$t> = Vec::with_capacity(n);
            // SAFETY: as above.
            unsafe {
                stream::copy(w.as_ptr(), v.as_mut_ptr().cast(), w.len());
                v.set_len(n);
            }
            v
        }
        #[cfg(target_arch = "x86_64")]
        fn $enc_stream(s: &&'static Vec<$t>, o: &mut Vec<u8>) {
            let n = s.len() * $n;
            if n < STREAM {
                return $enc(s, o);
            }
            let at = o.len();
            o.reserve(n);
            // SAFETY: `n` bytes were reserved, and `n` are written.
            unsafe {
                stream::copy(s.as_ptr().cast(), o.as_mut_ptr().add(at), n);
                o.set_len(at + n);
            }
        }
    };
}
copy!(f64, 8, f64le_dec_copy, f64le_enc_copy, f64le_dec_stream, f64le_enc_stream);
copy!(i32, 4, i32le_dec_copy, i32le_enc_copy, i32le_dec_stream, i32le_enc_stream);

/// Non-temporal stores, for results larger than the caches.
#[cfg(target_arch = "x86_64")]
mod stream {
    use super::*;
    use std::arch::x86_64::*;

    /// # Safety
    /// As for `copy_nonoverlapping`.
    pub(super) unsafe fn copy(p: *const u8, q: *mut u8, n: usize) {
        unsafe {
            if !(q as usize).is_multiple_of(16) {
                return std::ptr::copy_nonoverlapping(p, q, n);
            }
            let mut i = 0;
            while i + 16 <= n {
                _mm_stream_si128(q.add(i).cast(), _mm_loadu_si128(p.add(i).cast()));
                i += 16;
            }
            _mm_sfence();
            std::ptr::copy_nonoverlapping(p.add(i), q.add(i), n - i);
        }
    }

    /// Reverses the bytes of every `N`.
    #[target_feature(enable = "avx2")]
    unsafe fn swap<const N: usize>(p: *const u8, q: *mut u8, bytes: usize) {
        let order: [u8; 32] = std::array::from_fn(|i| (i % 16 / N * N + N - 1 - i % N) as u8);
        unsafe {
            let order = _mm256_loadu_si256(order.as_ptr().cast());
            let one_by_one = |from: usize, to: usize| {
                for i in (from..to).step_by(N) {
                    (0..N).for_each(|k| *q.add(i + k) = *p.add(i + N - 1 - k));
                }
            };
            // Up to the next boundary of the destination: N divides the distance where q is aligned to N.
            let head = ((32 - (q as usize) % 32) % 32).min(bytes);
            one_by_one(0, head);
            let mut i = head;
            while i + 32 <= bytes {
                let x = _mm256_shuffle_epi8(_mm256_loadu_si256(p.add(i).cast()), order);
                _mm256_stream_si256(q.add(i).cast(), x);
                i += 32;
            }
            one_by_one(i, bytes);
            _mm_sfence();
        }
    }

    macro_rules! swapped {
        ($t:ty, $n:literal, $dec:ident, $enc:ident, $plain_dec:ident, $plain_enc:ident) => {
            pub(super) fn $dec(w: &[u8]) -> Vec<$t> {
                if w.len() < STREAM || !is_x86_feature_detected!("avx2") {
                    return $plain_dec(w);
                }
                assert!(w.len().is_multiple_of($n));
                let mut v: Vec<$t> = Vec::with_capacity(w.len() / $n);
                // SAFETY: AVX2 is there; `w` fills the numbers, every bit pattern is one.
                unsafe {
                    swap::<$n>(w.as_ptr(), v.as_mut_ptr().cast(), w.len());
                    v.set_len(w.len() / $n);
                }
                v
            }
            pub(super) fn $enc(s: &&'static Vec<$t>, o: &mut Vec<u8>) {
                let (at, n) = (o.len(), s.len() * $n);
                o.reserve(n);
                let aligned = (o.as_ptr() as usize + at).is_multiple_of($n);
                if n < STREAM || !aligned || !is_x86_feature_detected!("avx2") {
                    return $plain_enc(s, o);
                }
                // SAFETY: AVX2 is there; `n` bytes were reserved, and `n` are written.
                unsafe {
                    swap::<$n>(s.as_ptr().cast(), o.as_mut_ptr().add(at), n);
                    o.set_len(at + n);
                }
            }
        };
    }
    swapped!(f64, 8, f64be_dec, f64be_enc, f64be_dec_avx2, f64be_enc_avx2);
    swapped!(i32, 4, i32be_dec, i32be_enc, i32be_dec_avx2, i32be_enc_avx2);
}

pub fn register(r: &mut Registry) {
    use Wire::Exact;
    macro_rules! add {
        ($($dec:literal, $enc:literal, $name:literal, $d:path, $e:path, $src:ident, $ok:ident;)*) => { $(
            r.dec(("W3", $dec), $name, Exact, None, $d, $ok);
            r.enc(("W3", $enc), $name, Exact, $src, $e);
        )* };
    }
    add! {
        "f64le-dec", "f64le-enc", "hand/safe", f64le_dec, f64le_enc, src_f64, f64_ok;
        "f64le-dec", "f64le-enc", "hand/copy", f64le_dec_copy, f64le_enc_copy, src_f64, f64_ok;
        "f64be-dec", "f64be-enc", "hand/safe", f64be_dec, f64be_enc, src_f64, f64_ok;
        "f64be-dec", "f64be-enc", "hand/avx2", f64be_dec_avx2, f64be_enc_avx2, src_f64, f64_ok;
        "i32le-dec", "i32le-enc", "hand/safe", i32le_dec, i32le_enc, src_i32, i32_ok;
        "i32le-dec", "i32le-enc", "hand/copy", i32le_dec_copy, i32le_enc_copy, src_i32, i32_ok;
        "i32be-dec", "i32be-enc", "hand/safe", i32be_dec, i32be_enc, src_i32, i32_ok;
        "i32be-dec", "i32be-enc", "hand/avx2", i32be_dec_avx2, i32be_enc_avx2, src_i32, i32_ok;
    }
    #[cfg(target_arch = "x86_64")]
    add! {
        "f64le-dec", "f64le-enc", "hand/stream", f64le_dec_stream, f64le_enc_stream, src_f64, f64_ok;
        "f64be-dec", "f64be-enc", "hand/avx2, stream", stream::f64be_dec, stream::f64be_enc, src_f64, f64_ok;
        "i32le-dec", "i32le-enc", "hand/stream", i32le_dec_stream, i32le_enc_stream, src_i32, i32_ok;
        "i32be-dec", "i32be-enc", "hand/avx2, stream", stream::i32be_dec, stream::i32be_enc, src_i32, i32_ok;
    }
}
