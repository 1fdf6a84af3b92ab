//! Bit width reduction: windows of integers as distances from their smallest, in 8, 16 or 32 bits each.
//!
//! | window | bytes |
//! |---|---|
//! | metadata | smallest value (of the type), `u8` bits, `u32` length before the reduction |
//! | data | each value minus the smallest, in so many bits; raw when that saves nothing |
//!
//! In front of the windows stand the length of all data and the number of windows. The bits of signed types leave room
//! for a sign. libtiledb 1.6.3 wraps around where the distance is larger than the type's largest value, and loses data;
//! such windows are written raw here. Bytes, and types that are no integers (times among them), pass through without
//! metadata.

use super::int::{Int, for_int};
use super::metadata::Metadata;
use super::stage::{Fronts, Stage, Target, len32, nothing_left, overwrite, piece, piece_mut};
use crate::formats::tiledb::layout::Number;
use crate::formats::tiledb::layout::parts::{Reduced, ReducedWindow};
use crate::{ErrorKind, Result};

pub(crate) struct BitWidth {
    pub(crate) number: Number,
    pub(crate) max_window: usize,
}

impl Stage for BitWidth {
    fn apply(&mut self, metadata: &mut Fronts, data: &[u8], out: &mut Vec<u8>) -> Result<()> {
        for_int!(self.number, T => apply::<T>(self.max_window, metadata, data, out))
    }

    fn undo(&mut self, metadata: &mut Metadata, data: &[u8], out: Target<'_>) -> Result<()> {
        for_int!(self.number, T => undo::<T>(metadata, data, out))
    }
}

/// The length of the windows of `len` bytes: whole values, as many as fit.
pub(crate) fn window_len<T: Int>(len: usize, max_window: usize) -> usize {
    match len.min(max_window) / T::SIZE * T::SIZE {
        // fewer bytes than a value: one raw window
        0 => len.max(1),
        n => n,
    }
}

fn apply<T: Int>(max_window: usize, metadata: &mut Fronts, data: &[u8], out: &mut Vec<u8>) -> Result<()> {
    let len = data.len();
    let window_len = window_len::<T>(len, max_window);
    let windows = Vec::with_capacity(len.div_ceil(window_len));
    let mut reduced = Reduced { len_original: len32(len)?, windows };
    let zero: T = crate::from_slice(&[0; 8][..T::SIZE])?;
    let mut rest = overwrite(out, len);
    for window in data.chunks(window_len) {
        let whole = window.len().is_multiple_of(T::SIZE);
        let (min, max) = T::bounds(window).filter(|_| whole).unwrap_or((zero, zero));
        let raw_bits = 8 * T::SIZE as u8;
        let bits = if whole { T::bits(min, max) } else { raw_bits };
        let narrow = window.len() / usize::from(raw_bits / bits);
        let to = piece_mut(&mut rest, narrow)?;
        if bits == raw_bits {
            to.copy_from_slice(window);
        } else {
            T::narrow(window, bits, min, to);
        }
        reduced.windows.push(ReducedWindow { offset: min, bits, len_original: len32(window.len())? });
    }
    let unused = rest.len();
    out.truncate(len - unused);
    metadata.put(crate::to_vec(&reduced)?);
    Ok(())
}

fn undo<T: Int>(metadata: &mut Metadata, mut data: &[u8], out: Target<'_>) -> Result<()> {
    let reduced: Reduced<T> = metadata.take()?;
    let mut out = out.room(reduced.len_original as usize)?;
    for window in &reduced.windows {
        let len = window.len_original as usize;
        let to = piece_mut(&mut out, len)?;
        let bits = usize::from(window.bits);
        if bits >= 8 * T::SIZE || !len.is_multiple_of(T::SIZE) {
            to.copy_from_slice(piece(&mut data, len)?);
        } else if matches!(bits, 8 | 16 | 32) {
            T::widen(piece(&mut data, len / T::SIZE * (bits / 8))?, window.bits, window.offset, to);
        } else {
            return Err(ErrorKind::invalid("bits of a window", bits, "").into());
        }
    }
    match out.len() {
        0 => nothing_left(data),
        n => Err(ErrorKind::UnconsumedRegion { count: n as u64 }.into()),
    }
}
