//! Room for large vectors in large pages.
//!
//! A vector of many megabytes is memory that its first touch has to get from the kernel. In pages of 4 KiB that takes
//! longer than everything that is then put there; where the kernel leaves the choice to programs (`madvise`, the usual
//! setting of Linux) it can be asked for pages of 2 MiB, as numpy does for its arrays, and for the small ones before and after
//! them all at once. Whether that is quicker depends on the machine: the caller, or the environment, says that it is wanted.

#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
use crate::wire::amount::{num_in, plus};
use alloc::vec::Vec;
#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
use core::ffi::{c_int, c_void};
#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
use core::sync::atomic::{AtomicBool, Ordering};

/// What holds where nothing is said at all; `Options::huge_pages` tells why.
#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
const DEFAULT: bool = false;

/// Vectors with less room than this are left alone.
#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
const LEAST: usize = 2 << 20;

/// Whether a block of that many bytes gets huge pages: a large one does, where they are wanted by the options of the call, or,
/// where these do not say, by the process.
#[inline(always)]
#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
fn is_advised(bytes: usize, wanted: Option<bool>) -> bool {
    bytes >= LEAST && wanted.unwrap_or_else(process_wants)
}

/// What holds in this process where the environment says nothing.
#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
static PREFERRED: AtomicBool = AtomicBool::new(DEFAULT);

/// Says what holds in this process from the first large block on, where neither options nor environment say anything.
#[cfg(feature = "std")]
pub(crate) fn prefer(on: bool) {
    #[cfg(all(target_os = "linux", not(miri)))]
    PREFERRED.store(on, Ordering::Relaxed);
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = on;
}

/// What the environment variable said when the first large block was made.
#[cold]
#[inline(never)]
#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
fn process_wants() -> bool {
    static WANTED: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *WANTED.get_or_init(|| {
        let said = said(std::env::var_os("BINFMT_HUGE_PAGES").as_deref());
        said.unwrap_or_else(|| PREFERRED.load(Ordering::Relaxed))
    })
}

/// What a value of the variable means; nothing, where it is neither `1` nor `0`.
#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
fn said(value: Option<&std::ffi::OsStr>) -> Option<bool> {
    match value?.to_str()? {
        "1" => Some(true),
        "0" => Some(false),
        _ => None,
    }
}

/// Says that the room after the values will be filled, where huge pages are wanted. Never fails: at worst the pages stay small.
#[inline(always)]
pub(crate) fn expect_filled<T>(v: &mut Vec<T>, wanted: Option<bool>) {
    #[cfg(all(feature = "std", target_os = "linux", not(miri)))]
    if is_advised(size_of_val(v.spare_capacity_mut()), wanted) {
        let room = v.spare_capacity_mut();
        let bytes = size_of_val(room);
        // SAFETY: this is memory of the vector, which is borrowed here for writing
        unsafe { advise(room.as_mut_ptr().cast::<u8>(), bytes) };
    }
    #[cfg(not(all(feature = "std", target_os = "linux", not(miri))))]
    let _ = (v, wanted);
}

/// That many equal values that will be written over. Where they are zero, and many, the memory is one that was not touched yet.
#[cfg(feature = "tiledb")]
pub(crate) fn to_overwrite<T: Copy>(value: T, len: usize, wanted: Option<bool>) -> Vec<T> {
    let mut v = alloc::vec![value; len];
    #[cfg(all(feature = "std", target_os = "linux", not(miri)))]
    if is_advised(size_of_val(v.as_slice()), wanted) {
        let bytes = size_of_val(v.as_slice());
        // SAFETY: as above
        unsafe { advise(v.as_mut_ptr().cast::<u8>(), bytes) };
    }
    #[cfg(not(all(feature = "std", target_os = "linux", not(miri))))]
    let _ = (&mut v, wanted);
    v
}

/// # Safety
/// The bytes are memory of an allocation that is borrowed for writing.
#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
#[cold]
#[inline(never)]
unsafe fn advise(start: *mut u8, bytes: usize) {
    const LARGE_PAGE: usize = 2 << 20;
    /// The usual size; where pages are larger, the kernel refuses what is not a whole page, and nothing is lost.
    const PAGE: usize = 4 << 10;
    const MADV_HUGEPAGE: c_int = 14;
    const MADV_POPULATE_WRITE: c_int = 23;

    // whole pages only: what the room shares with other memory is not ours
    let whole = |from: usize, to: usize, page: usize| {
        let skipped = start.wrapping_add(from).align_offset(page);
        let from = plus(from, skipped).min(to);
        let num = num_in(to.wrapping_sub(from), page);
        (from, from.wrapping_add(num.wrapping_mul(page)))
    };
    let say = |(from, to): (usize, usize), advice: c_int| {
        if from < to {
            // SAFETY: `from <= to <= bytes`, so the range lies in that memory; neither advice changes
            // what is in it or who may access it. An error is of no matter.
            unsafe { madvise(start.add(from).cast::<c_void>(), to.unchecked_sub(from), advice) };
        }
    };
    let large = whole(0, bytes, LARGE_PAGE);
    say(large, MADV_HUGEPAGE);
    // the small pages before and after come together, instead of one by one when each is touched
    say(whole(0, large.0, PAGE), MADV_POPULATE_WRITE);
    say(whole(large.1, bytes, PAGE), MADV_POPULATE_WRITE);
}

#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
// SAFETY: the signature of the C library that `std` is linked with
unsafe extern "C" {
    fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
}

#[cfg(test)]
mod tests {
    use super::expect_filled;
    use alloc::vec::Vec;

    #[test]
    #[cfg(feature = "tiledb")]
    fn values_to_overwrite_are_there() {
        for value in [0u64, 7] {
            for len in [0, 3, 1 << 20] {
                assert_eq!(super::to_overwrite(value, len, Some(true)), alloc::vec![value; len]);
            }
        }
    }

    #[test]
    #[cfg(all(feature = "std", target_os = "linux", not(miri)))]
    fn large_blocks_are_advised_where_it_is_wanted() {
        use super::{LEAST, is_advised, process_wants, said};
        for (bytes, large) in [(0, false), (LEAST - 1, false), (LEAST, true), (usize::MAX, true)] {
            assert_eq!(is_advised(bytes, Some(true)), large);
            assert!(!is_advised(bytes, Some(false)));
            assert_eq!(is_advised(bytes, None), large && process_wants());
        }
        let of = |text: &str| said(Some(text.as_ref()));
        assert_eq!(
            [of("1"), of("0"), of(""), of("yes"), said(None)],
            [Some(true), Some(false), None, None, None]
        );
    }

    #[test]
    fn values_and_room_stay_as_they_are() {
        // with and without a large page inside, and at the end of an allocation of any size; Miri gets no large pages
        let sizes = if cfg!(miri) { &[2000][..] } else { &[520_000, 600_000, 1_048_577, 3 << 20] };
        for n in sizes.iter().copied() {
            let mut v: Vec<u32> = Vec::with_capacity(n);
            v.extend(0..1000);
            let (place, room) = (v.as_ptr(), v.capacity());
            expect_filled(&mut v, Some(true));
            assert_eq!((v.as_ptr(), v.capacity()), (place, room));
            assert!(v.iter().copied().eq(0..1000));
            v.extend(1000..n as u32);
            assert!(v.iter().copied().eq(0..n as u32));
        }
    }
}
