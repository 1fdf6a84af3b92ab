//! One strided pass over a block of records for each column: the fastest way there is from rows to columns in safe
//! code, as long as the block stays in the first cache.

pub(crate) use super::rows::BLOCK_ROWS;
use crate::numbers::Element;
use crate::wire::Order;
#[cfg(any(test, feature = "sdds"))]
use alloc::vec::Vec;

/// Appends the number at `offset` of each record of `stride` bytes in `block` to `out` (room was made by the caller).
///
/// Bytes behind the last whole record are left out, and so is a number that does not lie within a record.
#[cfg(any(test, feature = "sdds"))]
#[inline(always)]
pub(crate) fn gather<O: Order, T: Element>(block: &[u8], stride: usize, offset: usize, out: &mut Vec<T>) {
    // said once, so that no record needs a check of its own
    if stride == 0 || offset > stride || size_of::<T>() > stride.saturating_sub(offset) {
        return;
    }
    out.extend(block.chunks_exact(stride).map(|record| match record.get(offset..) {
        Some(bytes) => T::read::<O>(bytes),
        None => T::default(),
    }));
}

/// Writes numbers to `offset` of each record of `stride` bytes in `block`, as many as there are of both.
#[inline(always)]
pub(crate) fn scatter<O: Order, T: Element>(values: &[T], block: &mut [u8], stride: usize, offset: usize) {
    if stride == 0 || offset > stride || size_of::<T>() > stride.saturating_sub(offset) {
        return;
    }
    for (value, record) in values.iter().zip(block.chunks_exact_mut(stride)) {
        if let Some(bytes) = record.get_mut(offset..) {
            value.write::<O>(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Be, Le};
    use alloc::vec;

    #[test]
    fn numbers_go_to_their_places_and_back() {
        let block: Vec<u8> = (0..=20).collect();
        let mut out = vec![9u16];
        gather::<Le, u16>(&block, 7, 3, &mut out);
        gather::<Be, u16>(&block, 7, 3, &mut out);
        assert_eq!(out, [9, 0x0403, 0x0b0a, 0x1211, 0x0304, 0x0a0b, 0x1112]);
        let mut back = vec![0u8; 21];
        scatter::<Be, u16>(&out[4..], &mut back, 7, 3);
        let places: Vec<usize> = (0..21).filter(|i| back[*i] != 0).collect();
        assert_eq!(places, [3, 4, 10, 11, 17, 18]);
        assert!(places.iter().all(|i| back[*i] == block[*i]));
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        let mut out: Vec<u32> = vec![];
        gather::<Le, u32>(&[1; 20], 7, 4, &mut out);
        gather::<Le, u32>(&[1; 20], 0, 0, &mut out);
        gather::<Le, u32>(&[1; 20], 5, usize::MAX, &mut out);
        assert!(out.is_empty());
        let mut block = [0u8; 20];
        scatter::<Le, u32>(&[1, 2], &mut block, 7, 4);
        scatter::<Le, u32>(&[1, 2], &mut block, 0, 0);
        assert_eq!(block, [0; 20]);
    }
}
