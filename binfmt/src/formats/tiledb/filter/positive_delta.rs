//! Positive delta: windows of integers that never decrease, as differences.
//!
//! | window | bytes |
//! |---|---|
//! | metadata | first value (of the type), `u32` length |
//! | data | each value minus the one before it, in the type; the first is 0 |
//!
//! Before the windows is their number. Types that are not integers (times among them) pass through without metadata.

use super::bit_width::window_len;
use super::int::{deltas, for_size, sums};
use super::metadata::Metadata;
use super::stage::{
    NewMetadata, Stage, Target, failed, floats, len32, nothing_left, overwrite, piece, piece_mut, total,
};
use crate::Result;
use crate::formats::tiledb::layout::parts::{DeltaWindow, Deltas};
use crate::numbers::NumberType;

pub(crate) struct PositiveDelta {
    pub(crate) kind: NumberType,
    pub(crate) max_window: usize,
}

const NAME: &str = "positive delta";

impl Stage for PositiveDelta {
    fn apply(&mut self, metadata: &mut NewMetadata, data: &[u8], out: &mut Vec<u8>) -> Result<()> {
        for_size!(self.kind.size(), N => self.subtract::<N>(metadata, data, out), else Err(floats(NAME).into()))
    }

    fn undo(&mut self, metadata: &mut Metadata, data: &[u8], out: Target<'_>) -> Result<()> {
        for_size!(self.kind.size(), N => add::<N>(metadata, data, out), else Err(floats(NAME).into()))
    }
}

impl PositiveDelta {
    fn subtract<const N: usize>(
        &self,
        metadata: &mut NewMetadata,
        data: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let window_len = window_len(data.len(), self.max_window, N);
        let mut windows = Vec::with_capacity(data.len().div_ceil(window_len));
        let out = overwrite(out, data.len());
        for (window, to) in data.chunks(window_len).zip(out.chunks_mut(window_len)) {
            let first = if !window.len().is_multiple_of(N) {
                to.copy_from_slice(window);
                Some([0; N])
            } else if self.kind.is_signed() {
                deltas::<N, true>(window, to)
            } else {
                deltas::<N, false>(window, to)
            };
            let first = first.ok_or_else(|| failed(NAME, "the values decrease"))?;
            windows.push(DeltaWindow { first, len: len32(window.len())? });
        }
        metadata.put(crate::to_vec(&Deltas { windows })?);
        Ok(())
    }
}

fn add<const N: usize>(metadata: &mut Metadata, mut data: &[u8], out: Target<'_>) -> Result<()> {
    let deltas: Deltas<[u8; N]> = metadata.take()?;
    let mut out = out.room(total(deltas.windows.iter().map(|w| w.len))?)?;
    for window in &deltas.windows {
        let len = window.len as usize;
        let (from, to) = (piece(&mut data, len)?, piece_mut(&mut out, len)?);
        if len.is_multiple_of(N) {
            sums(from, &window.first, to);
        } else {
            to.copy_from_slice(from);
        }
    }
    nothing_left(data)
}
