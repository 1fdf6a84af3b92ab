//! Byteshuffle: first the lowest bytes of all values, then the second ones. What is not a whole value stays at the end.

use super::metadata::Metadata;
use super::stage::{NewMetadata, Stage, Target, len32, nothing_left, overwrite, piece, piece_mut, total};
use crate::Result;
use crate::formats::tiledb::layout::parts::Lengths;
use crate::wire::raw::planes;

pub(crate) struct Byteshuffle {
    /// Bytes of a value (not of a cell).
    pub(crate) size: usize,
}

impl Stage for Byteshuffle {
    fn apply(&mut self, metadata: &mut NewMetadata, data: &[u8], out: &mut Vec<u8>) -> Result<()> {
        shuffle(data, self.size, overwrite(out, data.len()));
        metadata.put(crate::to_vec(&Lengths { parts: vec![len32(data.len())?] })?);
        Ok(())
    }

    fn undo(&mut self, metadata: &mut Metadata, mut data: &[u8], out: Target<'_>) -> Result<()> {
        let lengths: Lengths = metadata.take()?;
        let mut out = out.room(total(lengths.parts.iter().copied())?)?;
        for len in lengths.parts {
            let (from, to) = (piece(&mut data, len as usize)?, piece_mut(&mut out, len as usize)?);
            unshuffle(from, self.size, to);
        }
        nothing_left(data)
    }
}

/// Values to planes of bytes; `to` is as long as `from`.
pub(crate) fn shuffle(from: &[u8], size: usize, to: &mut [u8]) {
    match (planes::split(from, size, to, false), size) {
        (0, 2) => shuffle_n::<2>(from, to),
        (0, 4) => shuffle_n::<4>(from, to),
        (0, 8) => shuffle_8(from, to),
        (0, _) => to.copy_from_slice(from),
        (done, _) => shuffle_rest(from, size, to, done),
    }
}

/// The values from one on.
fn shuffle_rest(from: &[u8], size: usize, to: &mut [u8], done: usize) {
    let n = from.len() / size;
    for (i, value) in from.chunks_exact(size).enumerate().skip(done) {
        for (j, byte) in value.iter().enumerate() {
            to[j * n + i] = *byte;
        }
    }
    to[n * size..].copy_from_slice(&from[n * size..]);
}

fn shuffle_n<const N: usize>(from: &[u8], to: &mut [u8]) {
    let (values, tail) = from.as_chunks::<N>();
    let (planes, end) = to.split_at_mut(values.len() * N);
    for (j, plane) in planes.chunks_exact_mut(values.len().max(1)).enumerate() {
        for (to, value) in plane.iter_mut().zip(values) {
            *to = value[j];
        }
    }
    end.copy_from_slice(tail);
}

/// Eight values at a time, as a transposition of 8 x 8 bytes.
fn shuffle_8(from: &[u8], to: &mut [u8]) {
    let (values, tail) = from.as_chunks::<8>();
    let n = values.len();
    let (planes, end) = to.split_at_mut(n * 8);
    let (groups, last) = values.as_chunks::<8>();
    for (i, group) in groups.iter().enumerate() {
        let rows = transpose_bytes(group.map(u64::from_le_bytes));
        for (j, row) in rows.into_iter().enumerate() {
            if let Some(to) = planes.get_mut(j * n + 8 * i..j * n + 8 * i + 8) {
                to.copy_from_slice(&row.to_le_bytes());
            }
        }
    }
    let done = groups.len() * 8;
    for (i, value) in last.iter().enumerate() {
        for (j, byte) in value.iter().enumerate() {
            planes[j * n + done + i] = *byte;
        }
    }
    end.copy_from_slice(tail);
}

/// Planes of bytes to values; `to` is as long as `from`.
pub(crate) fn unshuffle(from: &[u8], size: usize, to: &mut [u8]) {
    match (planes::join(from, size, to, false), size) {
        (0, 2) => unshuffle_2(from, to),
        (0, 4) => unshuffle_4(from, to),
        (0, 8) => unshuffle_8(from, to),
        (0, _) => to.copy_from_slice(from),
        (done, _) => unshuffle_rest(from, size, to, done),
    }
}

/// The values from one on.
fn unshuffle_rest(from: &[u8], size: usize, to: &mut [u8], done: usize) {
    let n = from.len() / size;
    for (i, value) in to.chunks_exact_mut(size).enumerate().skip(done) {
        for (j, byte) in value.iter_mut().enumerate() {
            *byte = from[j * n + i];
        }
    }
    to[n * size..].copy_from_slice(&from[n * size..]);
}

/// N planes of the same length, and what is not a whole value.
fn planes<const N: usize>(from: &[u8]) -> ([&[u8]; N], &[u8]) {
    let n = from.len() / N;
    let mut rest = from;
    let planes = [(); N].map(|()| {
        let (plane, other) = rest.split_at(n);
        rest = other;
        plane
    });
    (planes, rest)
}

// words are put together from zero-extended bytes: the compiler makes unpacking instructions of it

fn unshuffle_2(from: &[u8], to: &mut [u8]) {
    let ([a, b], tail) = planes::<2>(from);
    let (values, end) = to.as_chunks_mut::<2>();
    for ((to, a), b) in values.iter_mut().zip(a).zip(b) {
        *to = [*a, *b];
    }
    end.copy_from_slice(tail);
}

fn unshuffle_4(from: &[u8], to: &mut [u8]) {
    let ([a, b, c, d], tail) = planes::<4>(from);
    let (values, end) = to.as_chunks_mut::<4>();
    for ((((to, a), b), c), d) in values.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        let word = u32::from(*a) | u32::from(*b) << 8 | u32::from(*c) << 16 | u32::from(*d) << 24;
        *to = word.to_le_bytes();
    }
    end.copy_from_slice(tail);
}

/// Eight values at a time, as a transposition of 8 x 8 bytes.
fn unshuffle_8(from: &[u8], to: &mut [u8]) {
    let (planes, tail) = planes::<8>(from);
    let (values, end) = to.as_chunks_mut::<8>();
    let (groups, last) = values.as_chunks_mut::<8>();
    let words = planes.map(|plane| plane.as_chunks::<8>().0);
    for (i, group) in groups.iter_mut().enumerate() {
        let rows = words.map(|words| u64::from_le_bytes(words[i]));
        for (to, row) in group.iter_mut().zip(transpose_bytes(rows)) {
            *to = row.to_le_bytes();
        }
    }
    let done = groups.len() * 8;
    for (i, to) in last.iter_mut().enumerate() {
        *to = planes.map(|plane| plane[done + i]);
    }
    end.copy_from_slice(tail);
}

/// Byte i of row j becomes byte j of row i.
fn transpose_bytes(mut rows: [u64; 8]) -> [u64; 8] {
    for (step, shift, mask) in
        [(4, 32, 0x0000_0000_ffff_ffff), (2, 16, 0x0000_ffff_0000_ffff), (1, 8, 0x00ff_00ff_00ff_00ff)]
    {
        exchange(&mut rows, step, shift, mask);
    }
    rows
}

/// Exchanges the upper half of each group of bits in one row with the lower half of the row `step` further on.
#[inline(always)]
fn exchange(rows: &mut [u64; 8], step: usize, shift: u32, mask: u64) {
    for i in (0..8).filter(|i| i & step == 0) {
        let (low, high) = (rows[i], rows[i + step]);
        let moved = ((low >> shift) ^ high) & mask;
        rows[i + step] = high ^ moved;
        rows[i] = low ^ (moved << shift);
    }
}
