//! Records of one size that are put together one part after the other, in memory that is not set.
//!
//! A block of rows is filled column by column. If its bytes were set to zero first, all of them would be written twice; instead
//! the block counts how many bytes at the beginning of every record are set, and the vector gets its new length when that
//! is all of them.

use super::facts::Facts;
use super::stride::{Numbers, is_number};
use super::words::copy_short;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::endian::Order;
use alloc::vec::Vec;
use core::mem::MaybeUninit;

/// Bytes of a record that are to be set.
pub(crate) type Unset<'r> = &'r mut [MaybeUninit<u8>];

/// Whether a function sets all of some bytes: it gives them back as set.
///
/// # Safety
/// `place` is writable for `k` bytes, which nothing else looks at before this returns.
#[inline(always)]
unsafe fn is_set(
    place: *mut u8,
    k: usize,
    set: impl for<'r> FnOnce(Unset<'r>) -> Result<&'r mut [u8]>,
) -> bool {
    // SAFETY: by the contract of this function; bytes that need not be set may be anything
    let bytes = unsafe { core::slice::from_raw_parts_mut(place.cast::<MaybeUninit<u8>>(), k) };
    // others would not be these
    matches!(set(bytes), Ok(bytes) if bytes.len() == k && bytes.as_ptr() == place.cast_const())
}

/// A block of records after what a vector holds.
#[derive(Debug)]
pub struct RecordsMut<'v> {
    /// With room for all records.
    out: &'v mut Vec<u8>,
    rows: usize,
    stride: usize,
    /// That many bytes at the beginning of every record are set. Never above `stride`.
    set: usize,
}

impl<'v> RecordsMut<'v> {
    /// Records after what `out` holds; `None` where there is no memory for them.
    #[inline(always)]
    pub(crate) fn after(out: &'v mut Vec<u8>, rows: usize, stride: usize) -> Option<Self> {
        out.try_reserve(rows.checked_mul(stride)?).ok()?;
        Some(RecordsMut { out, rows, stride, set: 0 })
    }

    /// The next `k` bytes of each record, which a function of the record's index sets; `false` where it fails or sets others, and
    /// then the block is of no use.
    #[inline(always)]
    fn each(&mut self, k: usize, mut set: impl FnMut(usize, Unset<'_>) -> Result<&mut [u8]>) -> bool {
        let Some(end) = self.set.checked_add(k).filter(|end| *end <= self.stride) else { return false };
        // SAFETY: the caller made room for `rows` records after the length, and `set <= stride`
        let first = unsafe { self.out.as_mut_ptr().add(self.out.len()).add(self.set) };
        let mut all = true;
        for i in 0..self.rows {
            // SAFETY: the record `i < rows` has `stride` bytes of room, of which these are the ones from `set` to `end`
            let place = unsafe { first.add(i.unchecked_mul(self.stride)) };
            // SAFETY: as above; no one else has them
            all &= unsafe { is_set(place, k, |place| set(i, place)) };
        }
        if all {
            self.set = end;
        }
        all
    }

    /// The next `k` bytes of each record, from one value for each.
    #[inline(always)]
    pub(crate) fn put<T>(
        &mut self,
        k: usize,
        values: &[T],
        mut set: impl for<'r> FnMut(&T, Unset<'r>) -> Result<&'r mut [u8]>,
    ) -> bool {
        values.len() == self.rows
            && self.each(k, |i, place| match values.get(i) {
                Some(value) => set(value, place),
                None => Err(Error::new(ErrorKind::OutputFull { needed: k, remaining: 0 }, 0)),
            })
    }

    /// The next number of each record.
    ///
    /// # Panics
    /// When `T` is not a number: a mistake in this crate, folded away where there is none.
    #[inline(always)]
    pub(crate) fn put_numbers<O: Order, T>(&mut self, facts: Facts<T>, values: &[T]) -> bool {
        assert!(is_number::<O, T>(facts));
        let end = self.set.checked_add(size_of::<T>()).filter(|end| *end <= self.stride);
        let Some(end) = end.filter(|_| values.len() == self.rows) else { return false };
        // SAFETY: as in `each`; there are as many values as records, and each is a number of that many bytes
        unsafe {
            let records = self.out.as_mut_ptr().add(self.out.len()).add(self.set);
            let numbers = Numbers { records, stride: self.stride, n: self.rows, width: size_of::<T>() };
            numbers.scatter(values.as_ptr().cast::<u8>(), !facts.is_plain::<O>());
        }
        self.set = end;
        true
    }

    /// The next `k` bytes of each record, which are the same in all of them.
    #[inline(always)]
    pub(crate) fn put_same(
        &mut self,
        k: usize,
        set: impl for<'r> FnOnce(Unset<'r>) -> Result<&'r mut [u8]>,
    ) -> bool {
        let Some(end) = self.set.checked_add(k).filter(|end| *end <= self.stride) else { return false };
        if self.rows == 0 {
            return true;
        }
        // SAFETY: as in `each`
        unsafe {
            let first = self.out.as_mut_ptr().add(self.out.len()).add(self.set);
            if !is_set(first, k, set) {
                return false;
            }
            for i in 1..self.rows {
                // the places are `stride >= k` bytes apart
                copy_short(first, first.add(i.unchecked_mul(self.stride)), k);
            }
        }
        self.set = end;
        true
    }

    /// Makes the last `k` bytes that are set of record `i` zeros.
    #[inline(always)]
    pub(crate) fn blank(&mut self, i: usize, k: usize) {
        if i < self.rows && k <= self.set {
            // SAFETY: `i < rows`, and the `k` bytes before `set <= stride` are in the record
            unsafe {
                let record = self.out.as_mut_ptr().add(self.out.len()).add(i.unchecked_mul(self.stride));
                record.add(self.set.unchecked_sub(k)).write_bytes(0, k);
            }
        }
    }

    /// Adds the records to the vector; `false` where they are not complete.
    #[inline(always)]
    pub(crate) fn finish(self) -> bool {
        let complete = self.set == self.stride;
        if complete {
            // SAFETY: the caller made room for `rows * stride` bytes, and all of every record are set
            unsafe { self.out.set_len(self.out.len().unchecked_add(self.rows.unchecked_mul(self.stride))) };
        }
        complete
    }
}

#[cfg(test)]
mod tests {
    use super::{RecordsMut, Unset};
    use crate::error::Result;
    use crate::wire::raw::out::Fixed;
    use alloc::boxed::Box;
    use alloc::vec;
    use alloc::vec::Vec;
    use core::sync::atomic::{AtomicPtr, Ordering};

    /// Sets the first bytes of a place.
    fn set<'r, const N: usize>(place: Unset<'r>, bytes: [u8; N]) -> Result<&'r mut [u8]> {
        let mut room = Fixed::unset(place);
        let mut out = room.begin();
        out.put_array(bytes)?;
        Ok(out.filled())
    }

    /// A block of three records of four bytes: two numbers and two bytes that are always the same.
    fn block(out: &mut Vec<u8>, parts: usize) -> bool {
        let Some(mut records) = RecordsMut::after(out, 3, 4) else { return false };
        let mut done = records.put(1, &[1u8, 2, 3], |n, place| set(place, [*n]));
        if parts > 1 {
            done &= records.put_same(2, |place| set(place, [8, 9]));
        }
        if parts > 2 {
            done &= records.put(1, &[4u8, 5, 6], |n, place| set(place, [*n]));
            records.blank(1, 1);
            records.blank(3, 1);
            records.blank(0, 5);
        }
        done && records.finish()
    }

    #[test]
    fn records_are_added_when_all_parts_are_set() {
        let mut out = vec![7];
        assert!(block(&mut out, 3));
        assert_eq!(out, [7, 1, 8, 9, 4, 2, 8, 9, 0, 3, 8, 9, 6]);
        for parts in [1, 2] {
            let mut out = vec![7];
            assert!(!block(&mut out, parts));
            assert_eq!(out, [7]);
        }
    }

    #[test]
    fn a_part_that_does_not_fit_is_refused() {
        let mut out = Vec::new();
        let Some(mut records) = RecordsMut::after(&mut out, 2, 2) else { panic!("no memory") };
        // too few values, too many bytes, not enough bytes, other bytes
        assert!(!records.put(1, &[1u8], |n, place| set(place, [*n])));
        assert!(!records.put(3, &[1u8, 2], |n, place| set(place, [*n, 0, 0])));
        assert!(!records.put(2, &[1u8, 2], |n, place| set(place, [*n])));
        assert!(!records.put(1, &[1u8, 2], |n, place| set(place, [*n, 0])));
        assert!(!records.put_same(3, |place| set(place, [0; 3])));
        assert!(!records.put_same(2, |place| set(place, [0])));
        // found again from here, so that no tool takes it for lost
        static OTHER: AtomicPtr<[u8; 2]> = AtomicPtr::new(core::ptr::null_mut());
        let other = Box::leak(Box::new([0; 2]));
        OTHER.store(other, Ordering::Relaxed);
        assert!(!records.put_same(2, |_| Ok(other)));
        assert!(!records.finish());
        assert!(out.is_empty());
        assert!(RecordsMut::after(&mut out, usize::MAX, 2).is_none());
    }
}
