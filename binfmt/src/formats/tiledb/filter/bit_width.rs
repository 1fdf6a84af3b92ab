//! Bit width reduction: windows of integers as distances from their smallest, in 8, 16 or 32 bits each.
//!
//! | window | bytes |
//! |---|---|
//! | metadata | smallest value (of the type), `u8` bits, `u32` length before the reduction |
//! | data | each value minus the smallest, in that many bits; raw when that saves nothing |
//!
//! Before the windows are the length of all data and the number of windows. The bits of signed types leave room
//! for a sign. libtiledb 1.6.3 wraps around where the distance is larger than the type's largest value, and loses data;
//! such windows are written raw here. Bytes, and types that are not integers (times among them), pass through without
//! metadata.

use super::int::{bounds, for_size, narrow, store, widen};
use super::metadata::Metadata;
use super::stage::{NewMetadata, Stage, Target, floats, len32, nothing_left, piece, piece_mut};
use crate::formats::tiledb::layout::parts::{Reduced, ReducedWindow};
use crate::numbers::NumberType;
use crate::{DecodeOwned, ErrorKind, Result};

pub(crate) struct BitWidth {
    pub(crate) kind: NumberType,
    pub(crate) max_window: usize,
}

const NAME: &str = "bit width reduction";

impl Stage for BitWidth {
    fn apply(&mut self, metadata: &mut NewMetadata, data: &[u8], out: &mut Vec<u8>) -> Result<()> {
        for_size!(self.kind.size(), N => self.reduce::<N>(metadata, data, out), else Err(floats(NAME).into()))
    }

    fn undo(&mut self, metadata: &mut Metadata, data: &[u8], out: Target<'_>) -> Result<()> {
        let restore = match (self.kind.size(), self.kind.is_signed()) {
            (1, false) => restore::<1, u8, false>,
            (1, true) => restore::<1, u8, true>,
            (2, false) => restore::<2, u16, false>,
            (2, true) => restore::<2, u16, true>,
            (4, false) => restore::<4, u32, false>,
            (4, true) => restore::<4, u32, true>,
            (8, false) => restore::<8, u64, false>,
            (8, true) => restore::<8, u64, true>,
            _ => return Err(floats(NAME).into()),
        };
        restore(metadata, data, out)
    }
}

/// The length of the windows of `len` bytes: whole values of that many bytes, as many as fit.
pub(crate) fn window_len(len: usize, max_window: usize, size: usize) -> usize {
    match len.min(max_window) / size * size {
        // fewer bytes than a value: one raw window
        0 => len.max(1),
        n => n,
    }
}

impl BitWidth {
    fn reduce<const N: usize>(
        &self,
        metadata: &mut NewMetadata,
        data: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let len = data.len();
        let window_len = window_len(len, self.max_window, N);
        let windows = Vec::with_capacity(len.div_ceil(window_len));
        let mut reduced = Reduced { len_original: len32(len)?, windows };
        out.clear();
        out.reserve(len);
        for window in data.chunks(window_len) {
            let whole = window.len().is_multiple_of(N);
            let (offset, bytes) = match bounds(window, self.kind).filter(|_| whole) {
                Some([min, max]) => (store(min as u64), self.bytes(max - min)),
                None => ([0; N], N),
            };
            match bytes {
                _ if bytes == N => out.extend_from_slice(window),
                1 => narrow::<N, 1>(window, &offset, out),
                2 => narrow::<N, 2>(window, &offset, out),
                _ => narrow::<N, 4>(window, &offset, out),
            }
            let bits = 8 * bytes as u8;
            reduced.windows.push(ReducedWindow { offset, bits, len_original: len32(window.len())? });
        }
        metadata.put(crate::to_vec(&reduced)?);
        Ok(())
    }

    /// The bytes in which distances up to this one are stored; those of the type when values stay as they are.
    fn bytes(&self, distance: i128) -> usize {
        // signed values keep a bit for a sign, although there are no negative ones
        let bits = (distance + 1).ilog2() + 1 + u32::from(self.kind.is_signed());
        let bytes = match bits {
            0..=8 => 1,
            9..=16 => 2,
            17..=32 => 4,
            _ => 8,
        };
        bytes.min(self.kind.size())
    }
}

/// U are N bytes: as a number an offset is read at once.
fn restore<const N: usize, U: DecodeOwned + Copy + Into<u64>, const SIGNED: bool>(
    metadata: &mut Metadata,
    mut data: &[u8],
    out: Target<'_>,
) -> Result<()> {
    let reduced: Reduced<U> = metadata.take()?;
    let mut out = out.room(reduced.len_original as usize)?;
    for window in &reduced.windows {
        let len = window.len_original as usize;
        let to = piece_mut(&mut out, len)?;
        let (bits, offset) = (usize::from(window.bits), window.offset);
        if bits >= 8 * N || !len.is_multiple_of(N) {
            to.copy_from_slice(piece(&mut data, len)?);
            continue;
        }
        let mut from = |bytes| piece(&mut data, len / N * bytes);
        match bits {
            8 => widen::<1, N, U, SIGNED>(from(1)?, offset, to),
            16 => widen::<2, N, U, SIGNED>(from(2)?, offset, to),
            32 => widen::<4, N, U, SIGNED>(from(4)?, offset, to),
            _ => return Err(ErrorKind::invalid("bits of a window", bits, "").into()),
        }
    }
    match out.len() {
        0 => nothing_left(data),
        n => Err(ErrorKind::UnconsumedRegion { count: n as u64 }.into()),
    }
}
