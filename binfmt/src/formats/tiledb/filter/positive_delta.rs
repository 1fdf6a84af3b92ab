//! Positive delta: windows of integers that never decrease, as differences.
//!
//! | window | bytes |
//! |---|---|
//! | metadata | first value (of the type), `u32` length |
//! | data | each value minus the one before it, in the type; the first is 0 |
//!
//! In front of the windows stands their number. Types that are no integers (times among them) pass through without metadata.

use super::bit_width::window_len;
use super::int::{Int, for_int};
use super::metadata::Metadata;
use super::stage::{Fronts, Stage, Target, failed, len32, nothing_left, overwrite, piece, piece_mut, total};
use crate::Result;
use crate::formats::tiledb::layout::Number;
use crate::formats::tiledb::layout::parts::{DeltaWindow, Deltas};

pub(crate) struct PositiveDelta {
    pub(crate) number: Number,
    pub(crate) max_window: usize,
}

impl Stage for PositiveDelta {
    fn apply(&mut self, metadata: &mut Fronts, data: &[u8], out: &mut Vec<u8>) -> Result<()> {
        for_int!(self.number, T => apply::<T>(self.max_window, metadata, data, out))
    }

    fn undo(&mut self, metadata: &mut Metadata, data: &[u8], out: Target<'_>) -> Result<()> {
        for_int!(self.number, T => undo::<T>(metadata, data, out))
    }
}

fn apply<T: Int>(max_window: usize, metadata: &mut Fronts, data: &[u8], out: &mut Vec<u8>) -> Result<()> {
    let window_len = window_len::<T>(data.len(), max_window);
    let mut deltas = Deltas { windows: Vec::with_capacity(data.len().div_ceil(window_len)) };
    let out = overwrite(out, data.len());
    let zero: T = crate::from_slice(&[0; 8][..T::SIZE])?;
    for (window, to) in data.chunks(window_len).zip(out.chunks_mut(window_len)) {
        let first = if !window.len().is_multiple_of(T::SIZE) {
            to.copy_from_slice(window);
            zero
        } else {
            T::deltas(window, to).ok_or_else(|| failed("positive delta", "the values decrease"))?
        };
        deltas.windows.push(DeltaWindow { first, len: len32(window.len())? });
    }
    metadata.put(crate::to_vec(&deltas)?);
    Ok(())
}

fn undo<T: Int>(metadata: &mut Metadata, mut data: &[u8], out: Target<'_>) -> Result<()> {
    let deltas: Deltas<T> = metadata.take()?;
    let mut out = out.room(total(deltas.windows.iter().map(|w| w.len))?)?;
    for window in &deltas.windows {
        let len = window.len as usize;
        let (from, to) = (piece(&mut data, len)?, piece_mut(&mut out, len)?);
        if len.is_multiple_of(T::SIZE) {
            T::sums(from, window.first, to);
        } else {
            to.copy_from_slice(from);
        }
    }
    nothing_left(data)
}
