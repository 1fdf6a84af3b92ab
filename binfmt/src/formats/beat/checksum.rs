//! SHA-256, which the platform keeps beside each file.

use alloc::format;
use alloc::string::String;

const ROUNDS: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

const BLOCK: usize = 64;

/// The checksum of bytes that come piece by piece.
///
/// ```
/// use binfmt::formats::beat::Checksum;
/// let mut sum = Checksum::new();
/// sum.update(b"ab");
/// sum.update(b"c");
/// assert_eq!(sum.finish(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
/// ```
#[derive(Clone, Debug)]
pub struct Checksum {
    state: [u32; 8],
    block: [u8; BLOCK],
    /// Bytes of the block that wait for others.
    filled: usize,
    len: u64,
}

impl Default for Checksum {
    fn default() -> Self {
        Checksum::new()
    }
}

impl Checksum {
    /// Of no bytes yet.
    ///
    /// ```
    /// assert!(binfmt::formats::beat::Checksum::new().finish().starts_with("e3b0c442"));
    /// ```
    pub fn new() -> Self {
        let state =
            [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
        Checksum { state, block: [0; BLOCK], filled: 0, len: 0 }
    }

    /// More bytes.
    ///
    /// ```
    /// binfmt::formats::beat::Checksum::new().update(b"abc");
    /// ```
    pub fn update(&mut self, mut bytes: &[u8]) {
        self.len = self.len.wrapping_add(bytes.len() as u64);
        if self.filled > 0 {
            let room = BLOCK.saturating_sub(self.filled).min(bytes.len());
            let (front, rest) = bytes.split_at(room);
            if let Some(place) = self.block.get_mut(self.filled..self.filled.saturating_add(room)) {
                place.copy_from_slice(front);
            }
            self.filled = self.filled.saturating_add(room);
            bytes = rest;
            if self.filled < BLOCK {
                return;
            }
            let block = self.block;
            self.mix(&block);
            self.filled = 0;
        }
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        for block in blocks {
            self.mix(block);
        }
        if let Some(place) = self.block.get_mut(..rest.len()) {
            place.copy_from_slice(rest);
        }
        self.filled = rest.len();
    }

    /// The checksum of all bytes: 64 hexadecimal digits.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::beat::Checksum::new().finish().len(), 64);
    /// ```
    pub fn finish(mut self) -> String {
        let bits = self.len.wrapping_mul(8);
        let zeros = BLOCK.saturating_add(55).saturating_sub(self.filled) % BLOCK;
        let mut tail = [0u8; 2 * BLOCK];
        tail[0] = 0x80;
        let end = zeros.saturating_add(1);
        if let Some(place) = tail.get_mut(end..end.saturating_add(8)) {
            place.copy_from_slice(&bits.to_be_bytes());
        }
        self.update(tail.get(..end.saturating_add(8)).unwrap_or(&[]));
        self.state.iter().map(|word| format!("{word:08x}")).collect()
    }

    fn mix(&mut self, block: &[u8; BLOCK]) {
        let mut w = [0u32; 64];
        for (word, bytes) in w.iter_mut().zip(block.as_chunks::<4>().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        for i in 16..64 {
            let (a, b) = (w[i - 15], w[i - 2]);
            let s0 = a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3;
            let s1 = b.rotate_right(17) ^ b.rotate_right(19) ^ b >> 10;
            w[i] = w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = self.state;
        for (k, w) in ROUNDS.iter().zip(w) {
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = e & f ^ !e & g;
            let t1 = h.wrapping_add(s1).wrapping_add(choice).wrapping_add(*k).wrapping_add(w);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let majority = a & b ^ a & c ^ b & c;
            let t2 = s0.wrapping_add(majority);
            (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2));
        }
        for (state, x) in self.state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *state = state.wrapping_add(x);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_any_size_give_the_same() {
        let bytes: alloc::vec::Vec<u8> = (0..300u32).map(|n| n as u8).collect();
        for len in [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 300] {
            let mut whole = Checksum::new();
            whole.update(&bytes[..len]);
            let whole = whole.finish();
            for step in [1, 7, 64, 100] {
                let mut sum = Checksum::new();
                bytes[..len].chunks(step).for_each(|piece| sum.update(piece));
                assert_eq!(sum.finish(), whole, "{len} bytes, {step} at a time");
            }
        }
    }
}
