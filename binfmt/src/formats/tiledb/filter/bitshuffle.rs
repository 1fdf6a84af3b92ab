//! Bitshuffle: first the lowest bits of all values, then the second ones, in blocks.
//!
//! As the library of this name does it: blocks of 8192 bytes (at least 128 values), then one of what is left to the
//! eighth value, then up to seven values as they are. Inside of a block, bit i of byte b of the plane of bit k is bit k of
//! value 8b + i.
//!
//! Only parts whose length is a multiple of 8 and of the value's size are shuffled; of others TileDB splits off the last
//! bytes (`len % 8`), which stay as they are.

use super::parts::{Lengths, Metadata};
use super::shuffle::{exchange, shuffle, transpose_bytes, unshuffle};
use super::stage::{Pieces, Stage, Target, len32, nothing_left, piece, piece_mut, total};
use crate::Result;

pub(crate) struct Bitshuffle {
    /// Bytes of a value (not of a cell).
    size: usize,
    /// The planes of bytes of one block.
    planes: Vec<u8>,
}

impl Bitshuffle {
    pub(crate) fn new(size: usize) -> Self {
        Bitshuffle { size, planes: Vec::new() }
    }

    fn is_shuffled(&self, len: usize) -> bool {
        len.is_multiple_of(self.size) && len.is_multiple_of(8)
    }

    /// The blocks of a part in bytes; what they leave is copied.
    fn block_len(&self) -> usize {
        (8192 / self.size / 8 * 8).max(128) * self.size
    }

    fn shuffle(&mut self, from: &[u8], to: &mut [u8]) {
        let eight = 8 * self.size;
        let whole = from.len() / eight * eight;
        let ((body, tail), (out, end)) = (from.split_at(whole), to.split_at_mut(whole));
        for (block, out) in body.chunks(self.block_len()).zip(out.chunks_mut(self.block_len())) {
            self.planes.resize(block.len(), 0);
            shuffle(block, self.size, &mut self.planes);
            let n = block.len() / self.size;
            for (plane, bits) in self.planes.chunks_exact(n).zip(out.chunks_exact_mut(n)) {
                bytes_to_bits(plane, bits);
            }
        }
        end.copy_from_slice(tail);
    }

    fn unshuffle(&mut self, from: &[u8], to: &mut [u8]) {
        let eight = 8 * self.size;
        let whole = from.len() / eight * eight;
        let ((body, tail), (out, end)) = (from.split_at(whole), to.split_at_mut(whole));
        for (block, out) in body.chunks(self.block_len()).zip(out.chunks_mut(self.block_len())) {
            self.planes.resize(block.len(), 0);
            let n = block.len() / self.size;
            for (bits, plane) in block.chunks_exact(n).zip(self.planes.chunks_exact_mut(n)) {
                bits_to_bytes(bits, plane);
            }
            unshuffle(&self.planes, self.size, out);
        }
        end.copy_from_slice(tail);
    }
}

impl Stage for Bitshuffle {
    fn apply(&mut self, chunk: &mut Pieces) -> Result<()> {
        let from = std::mem::take(&mut chunk.data);
        let mut data = vec![0; from.len()];
        let odd = from.len() % 8;
        let (head, tail) = from.split_at(from.len() - odd);
        let (to, end) = data.split_at_mut(head.len());
        if self.is_shuffled(head.len()) {
            self.shuffle(head, to);
        } else {
            to.copy_from_slice(head);
        }
        end.copy_from_slice(tail);
        let mut parts = vec![len32(head.len())?];
        if odd > 0 {
            parts.push(len32(odd)?);
        }
        chunk.put(crate::to_vec(&Lengths { parts })?, data);
        Ok(())
    }

    fn undo(&mut self, metadata: &mut Metadata, mut data: &[u8], out: Target<'_>) -> Result<()> {
        let lengths: Lengths = metadata.take()?;
        let mut out = out.room(total(lengths.parts.iter().copied())?)?;
        for len in lengths.parts {
            let (from, to) = (piece(&mut data, len as usize)?, piece_mut(&mut out, len as usize)?);
            if self.is_shuffled(from.len()) {
                self.unshuffle(from, to);
            } else {
                to.copy_from_slice(from);
            }
        }
        nothing_left(data)
    }
}

/// Bit i of row j becomes bit j of row i, in each of the eight bytes of the rows by itself.
fn transpose_bits(mut rows: [u64; 8]) -> [u64; 8] {
    for (step, shift, mask) in
        [(4, 4, 0x0f0f_0f0f_0f0f_0f0f), (2, 2, 0x3333_3333_3333_3333), (1, 1, 0x5555_5555_5555_5555)]
    {
        exchange(&mut rows, step, shift, mask);
    }
    rows
}

/// One byte of each of n values (a multiple of 8) to eight planes of n / 8 bytes.
fn bytes_to_bits(bytes: &[u8], bits: &mut [u8]) {
    let n = bytes.len() / 8;
    let (groups, rest) = bytes.as_chunks::<64>();
    for (g, group) in groups.iter().enumerate() {
        let words = group.as_chunks::<8>().0;
        let mut rows = [0; 8];
        for (row, word) in rows.iter_mut().zip(words) {
            *row = u64::from_le_bytes(*word);
        }
        for (k, row) in transpose_bits(transpose_bytes(rows)).into_iter().enumerate() {
            if let Some(to) = bits.get_mut(k * n + 8 * g..k * n + 8 * g + 8) {
                to.copy_from_slice(&row.to_le_bytes());
            }
        }
    }
    for (i, eight) in rest.as_chunks::<8>().0.iter().enumerate() {
        let b = groups.len() * 8 + i;
        for (k, plane) in bits.chunks_exact_mut(n).enumerate() {
            plane[b] = eight.iter().enumerate().fold(0, |byte, (i, v)| byte | (v >> k & 1) << i);
        }
    }
}

/// Eight planes of n / 8 bytes to one byte of each of n values.
fn bits_to_bytes(bits: &[u8], bytes: &mut [u8]) {
    let n = bytes.len() / 8;
    let (groups, rest) = bytes.as_chunks_mut::<64>();
    let done = groups.len() * 8;
    let mut planes = [&bits[..0]; 8];
    for (to, plane) in planes.iter_mut().zip(bits.chunks_exact(n)) {
        *to = plane;
    }
    let words = planes.map(|plane| plane.as_chunks::<8>().0);
    for (g, group) in groups.iter_mut().enumerate() {
        let rows = words.map(|words| u64::from_le_bytes(words.get(g).copied().unwrap_or_default()));
        let rows = transpose_bytes(transpose_bits(rows));
        for (to, row) in group.as_chunks_mut::<8>().0.iter_mut().zip(rows) {
            *to = row.to_le_bytes();
        }
    }
    for (i, eight) in rest.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        for (e, to) in eight.iter_mut().enumerate() {
            *to =
                planes.iter().enumerate().fold(0, |byte, (k, plane)| byte | (plane[done + i] >> e & 1) << k);
        }
    }
}
