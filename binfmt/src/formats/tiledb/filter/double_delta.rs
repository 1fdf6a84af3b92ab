//! Double delta: the first two values, then each difference of differences as a sign bit and as many bits as the largest
//! needs, packed from the highest bit of little-endian 64-bit words downwards.
//!
//! | field | bytes |
//! |---|---|
//! | bits of the largest difference of differences | `u8` |
//! | number of values | `u64` |
//! | first and second value | of the type |
//! | packed rest | words of 8 bytes, the last one filled up with zeros |
//!
//! Where that would need as many bits as the type has, all values follow the header raw; so does a part that is not a whole
//! number of values, such as another filter leaves, of which the number of values counts the whole ones.

use super::compress::{Codec, append};
use super::int::{for_size, load, store};
use super::stage::{failed, floats};
use crate::Result;
use crate::formats::tiledb::layout::parts::DoubleDeltaHeader;
use crate::numbers::NumberType;

pub(crate) struct DoubleDelta {
    pub(crate) kind: NumberType,
}

const NAME: &str = "double delta";

impl Codec for DoubleDelta {
    fn compress(&mut self, part: &[u8], out: &mut Vec<u8>) -> Result<()> {
        if self.kind.is_float() {
            return Err(floats(NAME).into());
        }
        for_size!(
            self.kind.size(),
            N => match self.kind.is_signed() {
                true => compress::<N, true>(part, out),
                false => compress::<N, false>(part, out),
            },
            else Err(floats(NAME).into())
        )
    }

    fn decompress(&mut self, part: &[u8], out: &mut [u8]) -> Result<()> {
        if self.kind.is_float() {
            return Err(floats(NAME).into());
        }
        // sums wrap around, so that signed and unsigned values are the same bytes
        for_size!(self.kind.size(), N => decompress::<N>(part, out), else Err(floats(NAME).into()))
    }
}

/// A value of N bytes as a 64-bit one whose differences are those of the values.
#[inline(always)]
fn load_signed<const N: usize, const SIGNED: bool>(bytes: &[u8; N]) -> i64 {
    let value = load(bytes);
    let spare = 64 - 8 * N as u32;
    match (SIGNED, N) {
        (true, _) => ((value << spare) as i64) >> spare,
        // the same differences from the middle of the range
        (false, 8) => (value ^ 1 << 63) as i64,
        (false, _) => value as i64,
    }
}

/// Bits of the largest difference of differences; `None` when one does not fit 64 bits.
fn width<const N: usize, const SIGNED: bool>(values: &[[u8; N]]) -> Option<u32> {
    let (mut all, mut over) = (0, false);
    for three in values.windows(3) {
        let [a, b, c] = [0, 1, 2].map(|i| load_signed::<N, SIGNED>(&three[i]));
        let ((first, x), (second, y)) = (b.overflowing_sub(a), c.overflowing_sub(b));
        let (dd, z) = second.overflowing_sub(first);
        over |= x | y | z;
        all |= dd.unsigned_abs();
    }
    (!over).then_some(64 - all.leading_zeros())
}

fn compress<const N: usize, const SIGNED: bool>(part: &[u8], out: &mut Vec<u8>) -> Result<()> {
    let (values, rest) = part.as_chunks::<N>();
    let raw_bits = 8 * N as u32 - 1;
    let bits = match width::<N, SIGNED>(values) {
        _ if !rest.is_empty() => raw_bits,
        _ if values.len() <= 2 => 0,
        Some(bits) => bits.max(1),
        None => raw_bits,
    };
    crate::append(&DoubleDeltaHeader { bits: bits as u8, num_values: values.len() as u64 }, out)?;
    if bits >= raw_bits {
        out.extend_from_slice(part);
        return Ok(());
    }
    out.extend_from_slice(values.get(..2).unwrap_or(values).as_flattened());
    let packed = values.get(2..).map_or(0, <[_]>::len);
    let words = (packed * (bits as usize + 1)).div_ceil(64);
    append(out, 8 * words, |to| {
        pack::<N, SIGNED>(values, bits, to.as_chunks_mut::<8>().0);
        Ok(8 * words)
    })
}

/// The differences of differences, from the highest bit of each word downwards; `bits` is 1 to 62.
fn pack<const N: usize, const SIGNED: bool>(values: &[[u8; N]], bits: u32, words: &mut [[u8; 8]]) {
    let width = bits + 1;
    let (mut word, mut free) = (0, 64);
    let mut words = words.iter_mut();
    let mut put = |word: u64| {
        if let Some(to) = words.next() {
            *to = word.to_le_bytes();
        }
    };
    for three in values.windows(3) {
        let [a, b, c] = [0, 1, 2].map(|i| load_signed::<N, SIGNED>(&three[i]));
        let dd = c.wrapping_sub(b).wrapping_sub(b.wrapping_sub(a));
        let value = u64::from(dd < 0) << bits | dd.unsigned_abs();
        if free >= width {
            free -= width;
            word |= value << free;
        } else {
            // the upper bits are the last of this word; none when it is full
            let over = width - free;
            put(word | value >> over);
            free = 64 - over;
            word = value << free;
        }
    }
    if free < 64 {
        put(word);
    }
}

fn decompress<const N: usize>(part: &[u8], out: &mut [u8]) -> Result<()> {
    let (header, body) = crate::from_prefix::<DoubleDeltaHeader>(part)?;
    let wrong = |text: String| Err(failed(NAME, text));
    let bits = u32::from(header.bits);
    let is_raw = bits >= 8 * N as u32 - 1;
    // raw parts may have any length
    if header.num_values != (out.len() / N) as u64 || !is_raw && !out.len().is_multiple_of(N) {
        return wrong(format!("{} values, room for {} bytes", header.num_values, out.len()));
    }
    if is_raw {
        if body.len() != out.len() {
            return wrong(format!("{} raw bytes, {} expected", body.len(), out.len()));
        }
        out.copy_from_slice(body);
        return Ok(());
    }
    let to = out.as_chunks_mut::<N>().0;
    let raw = to.len().min(2);
    let Some((first, packed)) = body.split_at_checked(raw * N) else {
        return wrong("the first values are cut off".into());
    };
    to[..raw].as_flattened_mut().copy_from_slice(first);
    let words = packed.as_chunks::<8>().0;
    let rest = to.len() - raw;
    let needed = (rest as u128 * u128::from(bits + 1)).div_ceil(64);
    if needed != words.len() as u128 || !packed.len().is_multiple_of(8) {
        return wrong(format!("{} bytes of packed values, {} expected", packed.len(), needed * 8));
    }
    if let [a, b, rest @ ..] = to {
        unpack(words, bits, [load(a), load(b)], rest);
    }
    Ok(())
}

/// The values after the first two.
fn unpack<const N: usize>(words: &[[u8; 8]], bits: u32, [first, second]: [u64; 2], out: &mut [[u8; N]]) {
    let word = |i: usize| words.get(i).map_or(0, |b| u64::from_le_bytes(*b));
    let mut delta = second.wrapping_sub(first);
    let mut last = second;
    let (mut i, mut used) = (0, 0);
    let (mut high, mut low) = (word(0), word(1));
    for to in out {
        let value = high << used | if used == 0 { 0 } else { low >> (64 - used) };
        let sign = value >> 63;
        let magnitude = (value << 1).checked_shr(64 - bits).unwrap_or(0);
        delta = delta.wrapping_add((magnitude ^ sign.wrapping_neg()).wrapping_add(sign));
        last = last.wrapping_add(delta);
        *to = store(last);
        used += bits + 1;
        if used >= 64 {
            used -= 64;
            i += 1;
            (high, low) = (low, word(i + 1));
        }
    }
}
