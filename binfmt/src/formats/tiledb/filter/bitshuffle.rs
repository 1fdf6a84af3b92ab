//! Bitshuffle: first the lowest bits of all values, then the second ones, in blocks.
//!
//! As the library of this name does it: blocks of 8192 bytes (at least 128 values), then one of what is left to the
//! eighth value, then up to seven values as they are. Inside of a block, bit i of byte b of the plane of bit k is bit k of
//! value 8b + i.
//!
//! Only parts whose length is a multiple of 8 and of the value's size are shuffled; of others TileDB splits off the last
//! bytes (`len % 8`), which stay as they are.

use super::metadata::Metadata;
use super::shuffle::{shuffle, unshuffle};
use super::stage::{NewMetadata, Stage, Target, len32, nothing_left, overwrite, piece, piece_mut, total};
use crate::Result;
use crate::formats::tiledb::layout::parts::Lengths;
use crate::wire::raw::planes;

pub(crate) struct Bitshuffle {
    /// Bytes of a value (not of a cell).
    size: usize,
    /// The planes of bytes of one block, and the planes of bits of one of them.
    planes: Vec<u8>,
    bits: Vec<u8>,
}

impl Bitshuffle {
    pub(crate) fn new(size: usize) -> Self {
        Bitshuffle { size, planes: Vec::new(), bits: Vec::new() }
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
                bits_to_bytes(bits, plane, &mut self.bits);
            }
            unshuffle(&self.planes, self.size, out);
        }
        end.copy_from_slice(tail);
    }
}

impl Stage for Bitshuffle {
    fn apply(&mut self, metadata: &mut NewMetadata, from: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let odd = from.len() % 8;
        let (head, tail) = from.split_at(from.len() - odd);
        let (to, end) = overwrite(out, from.len()).split_at_mut(head.len());
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
        metadata.put(crate::to_vec(&Lengths { parts })?);
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

/// One byte of each of n values (a multiple of 8) to eight planes of n / 8 bytes.
///
/// Every eighth byte makes a row; then bit i of row k and bit k of row i change places, in each byte by itself.
fn bytes_to_bits(bytes: &[u8], bits: &mut [u8]) {
    // all at once where the rows fill registers, as those of whole blocks do
    if planes::split(bytes, 8, bits, true) * 8 < bytes.len() {
        shuffle(bytes, 8, bits);
        exchange_bits(bits);
    }
}

/// Eight planes of n / 8 bytes to one byte of each of n values.
fn bits_to_bytes(bits: &[u8], bytes: &mut [u8], scratch: &mut Vec<u8>) {
    if planes::join(bits, 8, bytes, true) * 8 < bytes.len() {
        scratch.clear();
        scratch.extend_from_slice(bits);
        exchange_bits(scratch);
        unshuffle(scratch, 8, bytes);
    }
}

/// In eight rows of the same length: bit i of row k and bit k of row i change places, in each byte by itself.
fn exchange_bits(bits: &mut [u8]) {
    let n = bits.len() / 8;
    for (distance, shift, mask) in [(4, 4, 0x0f), (2, 2, 0x33), (1, 1, 0x55)] {
        for pair in bits.chunks_exact_mut(2 * distance * n.max(1)) {
            let (low, high) = pair.split_at_mut(distance * n);
            // bytes, which the compiler takes many of at once
            for (low, high) in low.iter_mut().zip(high) {
                let moved = ((*low >> shift) ^ *high) & mask;
                *high ^= moved;
                *low ^= moved << shift;
            }
        }
    }
}
