//! Many values at once: copies of memory, and one pass that reverses the bytes of each number.
//!
//! The idea: `Facts<T>` is the one proof that the memory of a `T` is its wire form (or that of numbers in the other byte
//! order), so every function here takes facts beside the values and asserts them. With a constant `T` the assertion is
//! folded; with a wrong caller it panics, and never reads or writes out of bounds. Room is reserved before anything is
//! written and may be refused: [`NoMemory`] is small and has no place in the input, which only the caller knows, so that
//! nothing is computed for an error that does not happen.

use super::facts::Facts;
#[cfg(feature = "alloc")]
pub(crate) use super::grow::*;
use super::swap::swap;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::times;
use crate::wire::endian::Order;
use core::mem::{MaybeUninit, size_of};
use core::ptr::copy_nonoverlapping;

/// The system does not give that many bytes of memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoMemory {
    requested: usize,
}

impl NoMemory {
    #[cold]
    #[inline(never)]
    pub(super) fn of<T>(n: usize) -> Self {
        NoMemory { requested: times(n, size_of::<T>()) }
    }

    /// The error at this place of the input.
    #[cold]
    #[inline(never)]
    pub(crate) fn at(self, at: u64) -> Error {
        Error::new(ErrorKind::OutOfMemory { requested: self.requested }, at)
    }
}

/// Where there is no input and no output.
impl From<NoMemory> for Error {
    fn from(e: NoMemory) -> Self {
        ErrorKind::OutOfMemory { requested: e.requested }.into()
    }
}

/// The wire bytes of `items`, written at `to`.
///
/// # Safety
/// `to` is writable for `items.len()` times the exact wire size, which is at most `size_of::<T>()`.
#[inline(always)]
pub(super) unsafe fn write<O: Order, T>(facts: Facts<T>, items: &[T], to: *mut u8) {
    let n = facts.nums();
    let k = n.sizes.min;
    // SAFETY: as the contract says; as `MaybeUninit` and k bytes only, because tail padding is not initialised. For
    // swapped numbers `is_bulk` says that T is nothing but numbers of that width.
    unsafe {
        if !n.image::<O>() {
            swap(items.as_ptr().cast::<u8>(), to, items.len().unchecked_mul(k), n.number());
        } else if k == size_of::<T>() {
            copy_nonoverlapping(items.as_ptr().cast::<u8>(), to, items.len().unchecked_mul(k));
        } else {
            for (i, item) in items.iter().enumerate() {
                let from = core::ptr::from_ref(item).cast::<MaybeUninit<u8>>();
                copy_nonoverlapping(from, to.add(i.unchecked_mul(k)).cast::<MaybeUninit<u8>>(), k);
            }
        }
    }
}

/// An array of values made one after the other; the first error ends it.
#[inline(always)]
pub(crate) fn array<T, const N: usize>(mut make: impl FnMut(usize) -> Result<T>) -> Result<[T; N]> {
    /// Drops what was made when making the next one fails or panics.
    struct Guard<T, const N: usize> {
        items: MaybeUninit<[T; N]>,
        made: usize,
    }
    impl<T, const N: usize> Drop for Guard<T, N> {
        fn drop(&mut self) {
            if core::mem::needs_drop::<T>() {
                let first = self.items.as_mut_ptr().cast::<T>();
                // SAFETY: the first `made` values are initialised and nothing else drops them
                unsafe { core::ptr::slice_from_raw_parts_mut(first, self.made).drop_in_place() }
            }
        }
    }
    let mut guard = Guard::<T, N> { items: MaybeUninit::uninit(), made: 0 };
    while guard.made < N {
        let value = make(guard.made)?;
        // SAFETY: `made < N`
        unsafe { guard.items.as_mut_ptr().cast::<T>().add(guard.made).write(value) };
        guard.made = guard.made.wrapping_add(1);
    }
    // SAFETY: all N values are initialised; `made = 0` leaves nothing for the guard to drop
    let items = unsafe { guard.items.as_ptr().read() };
    guard.made = 0;
    Ok(items)
}

/// One value whose bytes in memory are `bytes`.
#[inline(always)]
pub(crate) fn one<O: Order, T>(facts: Facts<T>, bytes: &[u8]) -> Option<T> {
    let k = facts.sizes().min;
    if !facts.is_plain::<O>() || k != size_of::<T>() || k > bytes.len() {
        return None;
    }
    // SAFETY: `is_plain` says that any bytes make a valid T, `k == size_of::<T>()` of them are there
    Some(unsafe { bytes.as_ptr().cast::<T>().read_unaligned() })
}

/// What the values are in memory.
///
/// # Safety
/// The values have no padding: every one of their bytes is set.
#[cfg_attr(
    feature = "std",
    expect(
        clippy::disallowed_methods,
        reason = "the one place that looks at values as bytes without a copy"
    )
)]
pub(super) unsafe fn memory_of<T>(values: &[T]) -> &[u8] {
    // SAFETY: these are the bytes of the slice, all of them set (from the caller), and bytes need no alignment
    unsafe { core::slice::from_raw_parts(values.as_ptr().cast::<u8>(), size_of_val(values)) }
}
