//! Vectors that grow by what was read: values that are copied, or made one after the other in the room for them.

use super::bulk::NoMemory;
use super::facts::{Facts, Nums};
use super::huge;
use super::swap::swap;
use crate::error::Result;
use crate::wire::amount::num_in;
#[cfg(feature = "std")]
use crate::wire::amount::plus;
#[cfg(feature = "table")]
use crate::wire::amount::times;
use crate::wire::endian::Order;
use alloc::alloc::{Layout, alloc, alloc_zeroed};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem::{ManuallyDrop, size_of};
use core::ptr::copy_nonoverlapping;

/// Appends the values whose wire bytes are `bytes`; a part of a value at the end is left out.
///
/// # Panics
/// When `T` is not bulk in this order: a mistake in this crate, folded away where there is none.
#[inline(always)]
pub(crate) fn extend<O: Order, T>(
    facts: Facts<T>,
    bytes: &[u8],
    huge_pages: Option<bool>,
    out: &mut Vec<T>,
) -> Result<(), NoMemory> {
    let n: Nums = facts.nums();
    let k = n.sizes.min;
    assert!(facts.is_bulk::<O>() && k <= size_of::<T>());
    let count = num_in(bytes.len(), k);
    make_room(out, count, huge_pages)?;
    // SAFETY: `reserve` made room for `count` values of T. `is_bulk` comes from `Facts<T>`: either the first k bytes of
    // a T are its wire bytes and any bytes make a valid T (numbers and structs of them, what is after them is padding),
    // or T consists of numbers of `number` bytes, again valid for any bytes. `count * k <= bytes.len()`.
    unsafe {
        let len = out.len();
        let to = out.as_mut_ptr().add(len);
        if n.image::<O>() {
            copy_in(bytes.as_ptr(), to, count, k);
        } else {
            swap(bytes.as_ptr(), to.cast::<u8>(), count.unchecked_mul(k), n.number());
        }
        out.set_len(len.unchecked_add(count));
    }
    Ok(())
}

/// How many values there is room for.
#[inline(always)]
pub(super) fn spare<T>(v: &Vec<T>) -> usize {
    // the capacity is never below the length
    v.capacity().wrapping_sub(v.len())
}

/// Room for `n` values more.
#[inline(always)]
pub(crate) fn try_room<T>(out: &mut Vec<T>, n: usize) -> Result<(), NoMemory> {
    out.try_reserve(n).map_err(|_| NoMemory::of::<T>(n))
}

/// Room for exactly `n` values more. An empty vector gets memory of its own at once: to grow it would cost a short one as much
/// as what it is for.
#[inline(always)]
pub(crate) fn try_room_exact<T>(out: &mut Vec<T>, n: usize) -> Result<(), NoMemory> {
    if out.capacity() == 0 {
        core::mem::forget(core::mem::replace(out, room(n)?));
        return Ok(());
    }
    out.try_reserve_exact(n).map_err(|_| NoMemory::of::<T>(n))
}

/// An empty vector with room for `n` values that have a size, or a few more.
#[inline(always)]
fn room<T>(n: usize) -> Result<Vec<T>, NoMemory> {
    #[cfg(feature = "table")]
    if times(n, size_of::<T>()) >= super::kept::LEAST {
        return super::kept::room(n, false);
    }
    allocated(n, false)
}

/// The same, all bytes of whose room are set.
#[inline(always)]
#[cfg(feature = "std")]
fn set_room<T>(n: usize) -> Result<Vec<T>, NoMemory> {
    #[cfg(feature = "table")]
    if times(n, size_of::<T>()) >= super::kept::LEAST {
        return super::kept::room(n, true);
    }
    allocated(n, true)
}

/// An empty vector with room for `n` values that have a size, whose bytes are zero if they are to be set.
#[inline(always)]
pub(super) fn allocated<T>(n: usize, is_set: bool) -> Result<Vec<T>, NoMemory> {
    let layout = match Layout::array::<T>(n) {
        Ok(layout) if layout.size() > 0 => layout,
        Ok(_) => return Ok(Vec::new()),
        Err(_) => return Err(NoMemory::of::<T>(n)),
    };
    // SAFETY: the layout has a size; what it gives is memory for `n` values, from the allocator of vectors
    unsafe {
        let get = || if is_set { alloc_zeroed(layout) } else { alloc(layout) };
        #[cfg_attr(not(feature = "table"), allow(unused_mut))]
        let mut to = get();
        #[cfg(feature = "table")]
        if to.is_null() && super::kept::clear() {
            to = get();
        }
        if to.is_null() { Err(NoMemory::of::<T>(n)) } else { Ok(Vec::from_raw_parts(to.cast(), 0, n)) }
    }
}

/// A value in a box.
#[inline(always)]
pub(crate) fn boxed<T>(value: T) -> Result<Box<T>, NoMemory> {
    let mut one: Vec<T> = Vec::new();
    try_room_exact(&mut one, 1)?;
    if one.capacity() != 1 {
        // of no size, or more room than was asked for
        return Ok(Box::new(value));
    }
    let mut one = ManuallyDrop::new(one);
    let to = one.as_mut_ptr();
    // SAFETY: the vector has room for one value, for which it has the memory that a box of it has; it is the box's now
    unsafe {
        to.write(value);
        Ok(Box::from_raw(to))
    }
}

/// Room for `n` values more, of which all will come.
#[inline(always)]
pub(crate) fn make_room<T>(out: &mut Vec<T>, n: usize, huge_pages: Option<bool>) -> Result<(), NoMemory> {
    if spare(out) < n {
        if out.capacity() == 0 { try_room_exact(out, n) } else { try_room(out, n) }?;
        huge::expect_filled(out, huge_pages);
    }
    Ok(())
}

/// Room for `n` values more, which will probably come: where memory for all of them is not to be had, none is made.
#[inline]
#[cfg(feature = "std")]
pub(crate) fn foresee_room<T>(out: &mut Vec<T>, n: usize, huge_pages: Option<bool>) {
    if spare(out) < n && out.try_reserve_exact(n).is_ok() {
        huge::expect_filled(out, huge_pages);
    }
}

/// Appends `n` values whose wire bytes `read` puts into their places; it says how many bytes it had, and a part of a value
/// at the end is left out.
///
/// # Panics
/// When the memory of a `T` is not its wire bytes in this order: a mistake in this crate.
#[cfg(feature = "std")]
pub(crate) fn extend_with<O: Order, T>(
    facts: Facts<T>,
    n: usize,
    out: &mut Vec<T>,
    huge_pages: Option<bool>,
    at: u64,
    read: impl FnOnce(&mut [u8]) -> Result<usize>,
) -> Result<usize> {
    let k = facts.sizes().min;
    assert!(facts.is_plain::<O>() && k == size_of::<T>() && k > 0);
    let start = out.len();
    if out.capacity() == 0 && n > 0 {
        // zeros of the kernel's own, which need not be written, or what was set before
        *out = set_room(n).map_err(|e| e.at(at))?;
        huge::expect_filled(out, huge_pages);
        // SAFETY: there is room for `n` values, whose bytes are set, and any bytes make a valid T, as `is_plain` says
        unsafe { out.set_len(n) };
    } else {
        try_room(out, n).map_err(|e| e.at(at))?;
        // SAFETY: there is room for `n` values, which are zeros now, as above
        unsafe {
            out.as_mut_ptr().add(start).write_bytes(0, n);
            out.set_len(start.unchecked_add(n));
        }
    }
    // SAFETY: the `n` values at `start` are k bytes each, all of them set, and may become any others
    let bytes = unsafe {
        core::slice::from_raw_parts_mut(out.as_mut_ptr().add(start).cast::<u8>(), n.unchecked_mul(k))
    };
    let got = read(bytes);
    let whole = got.as_ref().map_or(0, |got| num_in(*got, k).min(n));
    out.truncate(plus(start, whole));
    got
}

/// # Safety
/// `from` is readable for `count * k` bytes, `to` writable for `count` values, `k <= size_of::<T>()`.
#[inline(always)]
unsafe fn copy_in<T>(from: *const u8, to: *mut T, count: usize, k: usize) {
    // SAFETY: by the contract of this function; the regions are an input and a fresh part of a Vec
    unsafe {
        if k == size_of::<T>() {
            copy_nonoverlapping(from, to.cast::<u8>(), count.unchecked_mul(k));
        } else {
            for i in 0..count {
                copy_words(from.add(i.unchecked_mul(k)), to.add(i).cast::<u8>(), k);
            }
        }
    }
}

/// A copy of a constant number of bytes by words that do not overlap: faster than the two overlapping ones of
/// a constant `copy_nonoverlapping`.
///
/// # Safety
/// `from` is readable and `to` writable for `k` bytes, and the two do not overlap.
#[inline(always)]
unsafe fn copy_words(from: *const u8, to: *mut u8, k: usize) {
    /// Copies from byte `at` on, as long as there are words of `W` bytes; returns where it ended.
    ///
    /// # Safety
    /// That of `copy_words`, and `at <= k`.
    #[inline(always)]
    unsafe fn words<const W: usize>(from: *const u8, to: *mut u8, k: usize, mut at: usize) -> usize {
        // SAFETY: `at + W <= k` before each move
        unsafe {
            while k.unchecked_sub(at) >= W {
                to.add(at).cast::<[u8; W]>().write(from.add(at).cast::<[u8; W]>().read());
                at = at.unchecked_add(W);
            }
        }
        at
    }
    // SAFETY: each begins where the last one ended, at most at `k`
    unsafe {
        let at = words::<16>(from, to, k, 0);
        let at = words::<8>(from, to, k, at);
        let at = words::<4>(from, to, k, at);
        let at = words::<2>(from, to, k, at);
        words::<1>(from, to, k, at);
    }
}

/// Sets the length of a vector when a loop that fills it ends, also by a panic: a length that is written for each value
/// costs more.
struct Filled<'v, T> {
    v: &'v mut Vec<T>,
    len: usize,
}

impl<T> Drop for Filled<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: the values before `len` are initialised, and the capacity is at least `len`
        unsafe { self.v.set_len(self.len) }
    }
}

/// Appends `n` values made one after the other into room made before; the first error ends it, and what was made stays.
#[inline(always)]
pub(crate) fn fill<T>(v: &mut Vec<T>, n: usize, at: u64, mut make: impl FnMut() -> Result<T>) -> Result<()> {
    try_room(v, n).map_err(|e| e.at(at))?;
    let start = v.len();
    let mut filled = Filled { len: start, v };
    // SAFETY: `reserve` made room for `n` values after `start`
    let to = unsafe { filled.v.as_mut_ptr().add(start) };
    for i in 0..n {
        let value = make()?;
        // SAFETY: `i < n`, for which there is room after `start`, so the sum is no more than the capacity
        unsafe { to.add(i).write(value) };
        filled.len = start.wrapping_add(i).wrapping_add(1);
    }
    Ok(())
}

/// Appends a value for each record of `stride` bytes; a part of one at the end is left out.
#[cfg(feature = "columns")]
#[inline(always)]
pub(crate) fn fill_records<'a, T>(
    v: &mut Vec<T>,
    bytes: &'a [u8],
    stride: usize,
    mut make: impl FnMut(&'a [u8]) -> T,
) -> Result<(), NoMemory> {
    let records = bytes.chunks_exact(stride.max(1));
    let n = records.len();
    try_room(v, n)?;
    for (place, record) in v.spare_capacity_mut().iter_mut().zip(records) {
        place.write(make(record));
    }
    // SAFETY: there was room for `n` values at least, so the loop has written one for each of the `n` records
    unsafe { v.set_len(v.len().unchecked_add(n)) };
    Ok(())
}

/// Appends values into the room that is there, until it is full or `at_end`; `make` gets the length. The end is asked for
/// apart, because a value that may be an end as well as an error would be looked at twice.
#[inline(always)]
pub(crate) fn fill_room<S, T>(
    v: &mut Vec<T>,
    src: &mut S,
    mut at_end: impl FnMut(&mut S) -> Result<bool>,
    mut make: impl FnMut(&mut S, usize) -> Result<T>,
) -> Result<()> {
    let end = v.capacity();
    let mut filled = Filled { len: v.len(), v };
    let to = filled.v.as_mut_ptr();
    while filled.len < end && !at_end(src)? {
        let value = make(src, filled.len)?;
        // SAFETY: `len < end`, the capacity
        unsafe { to.add(filled.len).write(value) };
        filled.len = filled.len.wrapping_add(1);
    }
    Ok(())
}

/// Pushes into room that is there: no growth path stands after the value, so it is built in its place.
///
/// # Panics
/// When there is no room: the caller grows first.
#[inline(always)]
pub(crate) fn push<T>(v: &mut Vec<T>, value: T) {
    let len = v.len();
    assert!(len < v.capacity());
    // SAFETY: `len < capacity`
    unsafe {
        v.as_mut_ptr().add(len).write(value);
        v.set_len(len.unchecked_add(1));
    }
}
