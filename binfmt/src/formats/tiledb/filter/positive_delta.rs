//! Positive delta: windows of integers that never decrease, as differences.
//!
//! | window | bytes |
//! |---|---|
//! | metadata | first value (of the type), `u32` length |
//! | data | each value minus the one before it, in the type; the first is 0 |
//!
//! In front of the windows stands their number. Types that are no integers pass through without metadata.

use super::bit_width::window_len;
use super::int::{Int, for_int};
use super::parts::{DeltaWindow, Deltas, Metadata};
use super::stage::{Pieces, Stage, Target, len32, nothing_left, piece, piece_mut, total};
use crate::formats::tiledb::Number;
use crate::{Error, Result};

pub(crate) struct PositiveDelta {
    pub(crate) number: Number,
    pub(crate) max_window: usize,
}

impl Stage for PositiveDelta {
    fn apply(&mut self, chunk: &mut Pieces) -> Result<()> {
        for_int!(self.number, T => apply::<T>(self.max_window, chunk))
    }

    fn undo(&mut self, metadata: &mut Metadata, data: &[u8], out: Target<'_>) -> Result<()> {
        for_int!(self.number, T => undo::<T>(metadata, data, out))
    }
}

fn apply<T: Int>(max_window: usize, chunk: &mut Pieces) -> Result<()> {
    let len = chunk.data.len();
    let mut deltas = Deltas { windows: Vec::new() };
    let mut data = Vec::with_capacity(len);
    let zero: T = crate::from_slice(&[0; 8][..T::SIZE])?;
    for window in chunk.data.chunks(window_len::<T>(len, max_window)) {
        let first = if !window.len().is_multiple_of(T::SIZE) {
            data.extend_from_slice(window);
            zero
        } else {
            T::deltas(window, &mut data).ok_or_else(|| {
                Error::message("positive delta needs values that never decrease; these do", 0)
            })?
        };
        deltas.windows.push(DeltaWindow { first, len: len32(window.len())? });
    }
    chunk.put(crate::to_vec(&deltas)?, data);
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
