//! Room for large vectors in large pages.
//!
//! A vector of many megabytes is memory that its first touch has to get from the kernel. In pages of 4 KiB that takes
//! longer than everything that is then put there; where the kernel leaves the choice to programs (`madvise`, the usual
//! setting of Linux) it is asked for pages of 2 MiB, as numpy does for its arrays.

use alloc::vec::Vec;

/// Vectors with less room than this are left alone.
#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
const LEAST: usize = 4 << 20;

/// Says that the room behind the values will be filled. Never fails: at worst the pages stay small.
#[inline(always)]
pub(crate) fn expect_filled<T>(v: &mut Vec<T>) {
    #[cfg(all(feature = "std", target_os = "linux", not(miri)))]
    if v.capacity().saturating_sub(v.len()).saturating_mul(size_of::<T>()) >= LEAST {
        advise(v.spare_capacity_mut());
    }
    #[cfg(not(all(feature = "std", target_os = "linux", not(miri))))]
    let _ = v;
}

#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
#[cold]
#[inline(never)]
fn advise<T>(room: &mut [core::mem::MaybeUninit<T>]) {
    use core::ffi::{c_int, c_void};

    const LARGE_PAGE: usize = 2 << 20;
    const MADV_HUGEPAGE: c_int = 14;

    // SAFETY: the signature of the C library that `std` is linked with
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    let bytes = size_of_val(room);
    let start = room.as_mut_ptr().cast::<u8>();
    // whole large pages only: what the room shares with other memory is none of ours
    let before = start.align_offset(LARGE_PAGE).min(bytes);
    let length = (bytes - before) / LARGE_PAGE * LARGE_PAGE;
    if length > 0 {
        // SAFETY: the range lies in memory that the vector owns alone, begins at a multiple of any page's size, and this
        // advice changes neither what is in it nor who may access it. An error is of no matter.
        unsafe { madvise(start.add(before).cast::<c_void>(), length, MADV_HUGEPAGE) };
    }
}

#[cfg(test)]
mod tests {
    use super::expect_filled;
    use alloc::vec::Vec;

    #[test]
    fn values_and_room_stay_as_they_are() {
        let mut v: Vec<u32> = Vec::with_capacity(3 << 20);
        v.extend(0..1000);
        let (place, room) = (v.as_ptr(), v.capacity());
        expect_filled(&mut v);
        assert_eq!((v.as_ptr(), v.capacity()), (place, room));
        assert!(v.iter().copied().eq(0..1000));
        v.extend(1000..3 << 20);
        assert!(v.iter().copied().eq(0..3 << 20));
    }
}
