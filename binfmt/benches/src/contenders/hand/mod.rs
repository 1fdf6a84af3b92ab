//! Hand-written codecs, each named after its trick; all refuse input that is cut short. `safe` has no unsafe code.

mod w1;
mod w2;
mod w3;
mod w4;
mod w5;
mod w6;

use super::*;

#[derive(Debug)]
struct Bad;
type Result<T> = std::result::Result<T, Bad>;

#[inline(always)]
fn take<'a>(w: &mut &'a [u8], n: usize) -> Result<&'a [u8]> {
    let (a, b) = w.split_at_checked(n).ok_or(Bad)?;
    *w = b;
    Ok(a)
}

/// One check for a run of fixed-size fields.
#[inline(always)]
fn run<'a, const N: usize>(w: &mut &'a [u8]) -> Result<&'a [u8; N]> {
    let (a, b) = w.split_first_chunk::<N>().ok_or(Bad)?;
    *w = b;
    Ok(a)
}

#[inline(always)]
fn u32_at(b: &[u8], i: usize) -> u32 {
    u32::from_le_bytes(*b[i..].first_chunk().unwrap())
}

/// Copies `n` bytes; short ones as overlapping words instead of a call of memcpy.
///
/// # Safety
/// As for `copy_nonoverlapping`.
#[inline(always)]
unsafe fn copy_short(p: *const u8, q: *mut u8, n: usize) {
    /// Two words of `N` bytes that may overlap, `N <= n <= 2 * N`.
    #[inline(always)]
    unsafe fn two<const N: usize>(p: *const u8, q: *mut u8, n: usize) {
        unsafe {
            let a = p.cast::<[u8; N]>().read();
            let b = p.add(n - N).cast::<[u8; N]>().read();
            q.cast::<[u8; N]>().write(a);
            q.add(n - N).cast::<[u8; N]>().write(b);
        }
    }
    unsafe {
        match n {
            33.. => std::ptr::copy_nonoverlapping(p, q, n),
            16.. => two::<16>(p, q, n),
            8.. => two::<8>(p, q, n),
            4.. => two::<4>(p, q, n),
            1.. => {
                let (a, b, c) = (*p, *p.add(n / 2), *p.add(n - 1));
                *q = a;
                *q.add(n / 2) = b;
                *q.add(n - 1) = c;
            }
            0 => {}
        }
    }
}

/// `to_vec` with a short copy inlined.
#[inline(always)]
fn small_vec(s: &[u8]) -> Vec<u8> {
    let mut v = Vec::with_capacity(s.len());
    // SAFETY: the capacity is `s.len()`, and all of it is written.
    unsafe {
        copy_short(s.as_ptr(), v.as_mut_ptr(), s.len());
        v.set_len(s.len());
    }
    v
}

#[inline(always)]
fn small_string(s: &str) -> String {
    // SAFETY: the bytes are those of a str.
    unsafe { String::from_utf8_unchecked(small_vec(s.as_bytes())) }
}

/// The string of `n` bytes at the start of `tail`. Tests for ASCII without a branch on the length: two loads of 16 bytes,
/// which may run past the string but not past the input, and a mask for the bits past its end.
#[inline(always)]
fn wide_str(tail: &[u8], n: usize) -> Result<&str> {
    let s = tail.get(..n).ok_or(Bad)?;
    #[cfg(target_arch = "x86_64")]
    if n <= 32 && tail.len() >= 32 {
        use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_movemask_epi8};
        // SAFETY: `tail` has 32 bytes; ASCII is UTF-8.
        unsafe {
            let p = tail.as_ptr().cast::<__m128i>();
            let low = _mm_movemask_epi8(_mm_loadu_si128(p)) as u32 as u64;
            let high = _mm_movemask_epi8(_mm_loadu_si128(p.add(1))) as u32 as u64;
            if (low | high << 16) & ((1u64 << n) - 1) == 0 {
                return Ok(std::str::from_utf8_unchecked(s));
            }
        }
    }
    std::str::from_utf8(s).map_err(|_| Bad)
}

pub fn register(r: &mut Registry) {
    w1::register(r);
    w2::register(r);
    w3::register(r);
    w4::register(r);
    w5::register(r);
    w6::register(r);
}
