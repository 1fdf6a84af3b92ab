//! Elements of any number of bits, one after the other without a gap: where each is in the bytes.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "widths are 1 to 128, and places are those of the bytes of a few elements"
)]

use super::bits::{BitPlace, too_wide};
use super::raw::BitOrder;
use crate::error::Result;

/// How elements are packed. Eight of them have as many bytes as one has bits, so that every group of eight begins with a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packing {
    /// Bits of each: 1 to 128.
    width: u8,
    /// Whether the lowest bit of a byte comes first, and that of an element.
    lowest: bool,
}

/// The bytes that are loaded for an element.
const WORD: usize = 8;
/// The elements of a group.
pub(crate) const GROUP: usize = 8;

/// The bytes of `n` elements of so many bits; the greatest number where they are more.
#[inline(always)]
pub(crate) const fn bytes_of(bits: u8, n: usize) -> usize {
    let bytes = (n as u128 * bits as u128).div_ceil(8);
    if bytes > usize::MAX as u128 { usize::MAX } else { bytes as usize }
}

impl Packing {
    #[inline(always)]
    pub(crate) const fn new(width: u8, order: Option<BitOrder>, little: bool) -> Self {
        let lowest = match order {
            Some(BitOrder::Msb) => false,
            Some(BitOrder::Lsb) => true,
            None => little,
        };
        Packing { width, lowest }
    }

    pub(crate) const fn width(self) -> u8 {
        self.width
    }

    pub(crate) const fn is_lowest_first(self) -> bool {
        self.lowest
    }

    /// The bytes of `n` elements; the greatest number where they are more.
    #[inline(always)]
    pub(crate) const fn bytes(self, n: usize) -> usize {
        bytes_of(self.width, n)
    }

    /// The elements that so many bytes have in full.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) const fn num_in(self, bytes: usize) -> usize {
        let n = bytes as u128 * 8 / self.width as u128;
        if n > usize::MAX as u128 { usize::MAX } else { n as usize }
    }

    /// The bits of the last byte that none of `n` elements has.
    pub(crate) const fn spare(self, n: usize) -> u8 {
        let used = (n % GROUP * self.width as usize) % 8;
        (8 - used as u8) % 8
    }

    /// Those bits, as a number.
    pub(crate) const fn rest(self, n: usize, last: u8) -> u8 {
        let spare = self.spare(n);
        if self.lowest { ((last as u16) >> (8 - spare)) as u8 } else { last & !(0xff_u16 << spare) as u8 }
    }

    /// The bytes of a group.
    pub(crate) const fn group(self) -> usize {
        self.width as usize
    }

    /// The byte in which the element of this index begins.
    pub(crate) const fn begins(self, i: usize) -> u64 {
        ((i as u128 * self.width as u128) / 8) as u64
    }

    /// Element `i` of a group, whose bytes are the first; with bytes after them one load of a word or two is all.
    #[inline(always)]
    pub(crate) fn get(self, bytes: &[u8], i: usize) -> u128 {
        let (at, width) = (i * self.width as usize, u32::from(self.width));
        let (from, skip) = (bytes.get(at / 8..).unwrap_or_default(), at as u32 % 8);
        if width <= 57
            && let Some(word) = from.first_chunk::<WORD>()
        {
            let bits = match self.lowest {
                true => (u64::from_le_bytes(*word) >> skip) & (u64::MAX >> (64 - width)),
                false => (u64::from_be_bytes(*word) << skip) >> (64 - width),
            };
            return bits.into();
        }
        if width <= 121
            && let Some(words) = from.first_chunk::<{ 2 * WORD }>()
        {
            return match self.lowest {
                true => (u128::from_le_bytes(*words) >> skip) & (u128::MAX >> (128 - width)),
                false => (u128::from_be_bytes(*words) << skip) >> (128 - width),
            };
        }
        self.gathered(from, skip)
    }

    /// The same, byte by byte.
    fn gathered(self, bytes: &[u8], mut skip: u32) -> u128 {
        let (mut all, mut left) = (0_u128, u32::from(self.width));
        for byte in bytes {
            let n = (8 - skip).min(left);
            let part = match self.lowest {
                true => (byte >> skip) & (0xff >> (8 - n)),
                false => (byte << skip) >> (8 - n),
            };
            all = match self.lowest {
                true => all | (u128::from(part) << (u32::from(self.width) - left)),
                false => (all << n) | u128::from(part),
            };
            (left, skip) = (left - n, 0);
            if left == 0 {
                break;
            }
        }
        all
    }

    /// Calls `take` for every group of `n` elements with its bytes and what is after them, and how many elements it has.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn groups(
        self,
        bytes: &[u8],
        n: usize,
        mut take: impl FnMut(&[u8], usize) -> Result<()>,
    ) -> Result<()> {
        let (mut rest, mut left) = (bytes, n);
        // of a constant length, so that no load of one is checked
        while left >= GROUP
            && let Some(group) = rest.get(..self.group() + WORD)
        {
            take(group, GROUP)?;
            rest = rest.get(self.group()..).unwrap_or_default();
            left -= GROUP;
        }
        while left > 0 {
            let n = left.min(GROUP);
            take(rest, n)?;
            rest = rest.get(self.group()..).unwrap_or_default();
            left -= n;
        }
        Ok(())
    }

    /// The value of an element, with its sign carried on.
    #[inline(always)]
    pub(crate) const fn value(self, bits: u128, signed: bool) -> u128 {
        if signed { self.place().extended(bits) } else { bits }
    }

    /// The bits of a value, if they are enough for it.
    #[inline(always)]
    fn bits(self, value: u128, signed: bool, at: u64) -> Result<u128> {
        let bits = value & (u128::MAX >> (128 - u32::from(self.width)));
        match self.value(bits, signed) == value {
            true => Ok(bits),
            false => Err(too_wide(value, self.width, at)),
        }
    }

    const fn place(self) -> BitPlace {
        BitPlace { bytes: 16, before: 0, width: self.width, order: None }
    }
}

/// Elements on their way into bytes, which are not its own: then all of this is in registers.
pub(crate) struct Packer {
    packing: Packing,
    /// The bits that wait for a byte of their own, where they will be in a word: the first of them at the end that comes first.
    word: u64,
    /// How many of them there are: fewer than 64.
    have: u32,
    /// The bytes so far.
    len: usize,
}

/// Room for the bytes of a few groups of the widest elements, and a word more than those need.
pub(crate) type Room = [u8; 2 * 128 + 2 * WORD];

/// Room in which nothing is.
pub(crate) const EMPTY: Room = [0; size_of::<Room>()];

impl Packer {
    #[inline(always)]
    pub(crate) const fn new(packing: Packing) -> Self {
        Packer { packing, word: 0, have: 0, len: 0 }
    }

    /// Adds a value, which an error says is at this byte if it has more bits.
    #[inline(always)]
    pub(crate) fn push(&mut self, (value, signed): (u128, bool), room: &mut Room, at: u64) -> Result<()> {
        let (bits, width) = (self.packing.bits(value, signed, at)?, u32::from(self.packing.width));
        match (width.checked_sub(64), self.packing.lowest) {
            (None | Some(0), _) => self.part(bits as u64, width, room),
            (Some(more), true) => {
                self.part(bits as u64, 64, room);
                self.part((bits >> 64) as u64, more, room);
            }
            (Some(more), false) => {
                self.part((bits >> 64) as u64, more, room);
                self.part(bits as u64, 64, room);
            }
        }
        Ok(())
    }

    /// Adds the lowest bits of a word, all others of which are 0: 1 to 64.
    #[inline(always)]
    fn part(&mut self, bits: u64, width: u32, room: &mut Room) {
        let (have, all) = (self.have, self.have + width);
        self.have = all % 64;
        // what of them is beyond the word, and there is none where nothing waits
        let beyond = |far: Option<u64>| far.unwrap_or(0);
        let rest = match self.packing.lowest {
            true => {
                self.word |= bits << have;
                beyond(bits.checked_shr(64 - have))
            }
            false => {
                let first = bits << (64 - width);
                self.word |= first >> have;
                beyond(first.checked_shl(64 - have))
            }
        };
        if all >= 64 {
            self.put(WORD, room);
            self.word = rest;
        }
    }

    /// Writes the word, of which so many bytes count.
    #[inline(always)]
    fn put(&mut self, len: usize, room: &mut Room) {
        if let Some(to) = room.get_mut(self.len..).and_then(|to| to.first_chunk_mut::<WORD>()) {
            *to = if self.packing.lowest { self.word.to_le_bytes() } else { self.word.to_be_bytes() };
            self.len += len;
        }
    }

    /// After a group, or after the last element: what waits gets its bytes, the last of which zeros fill.
    #[inline(always)]
    pub(crate) fn settle(&mut self, room: &mut Room) {
        self.put(self.have.div_ceil(8) as usize, room);
        (self.word, self.have) = (0, 0);
    }

    /// Whether there is no room for a group more.
    #[inline(always)]
    pub(crate) const fn is_full(&self) -> bool {
        self.len + self.packing.group() + WORD > size_of::<Room>()
    }

    /// The bytes so far, which are forgotten.
    #[inline(always)]
    pub(crate) fn flush<'r>(&mut self, room: &'r Room) -> &'r [u8] {
        let len = core::mem::take(&mut self.len);
        room.get(..len).unwrap_or_default()
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::{EMPTY, GROUP, Packer, Packing};
    use crate::wire::BitOrder;

    /// Bit by bit, as the words of this module describe it.
    fn slowly(values: &[u128], width: u8, lowest: bool) -> Vec<u8> {
        let mut bytes = vec![0; (values.len() * usize::from(width)).div_ceil(8)];
        let mut at = 0;
        for value in values {
            for i in 0..width {
                let bit = if lowest { i } else { width - 1 - i };
                let place = if lowest { at % 8 } else { 7 - at % 8 };
                bytes[at / 8] |= (((value >> bit) & 1) as u8) << place;
                at += 1;
            }
        }
        bytes
    }

    #[test]
    fn every_width_is_packed_and_unpacked() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u128;
        for width in 1..=128_u8 {
            for (order, lowest) in [(BitOrder::Msb, false), (BitOrder::Lsb, true)] {
                for n in [0, 1, 2, 3, 7, 8, 9, 16, 31, 100] {
                    let mut next = || {
                        state = state.wrapping_mul(0xda94_2042_e4dd_58b5_da94_2042_e4dd_58b5).wrapping_add(1);
                        state >> (128 - u32::from(width))
                    };
                    let values: Vec<u128> = (0..n).map(|_| next()).collect();
                    let packing = Packing::new(width, Some(order), !lowest);
                    let mut packed = Vec::new();
                    let (mut packer, mut room) = (Packer::new(packing), EMPTY);
                    for group in values.chunks(GROUP) {
                        group.iter().for_each(|value| packer.push((*value, false), &mut room, 0).unwrap());
                        packer.settle(&mut room);
                        if packer.is_full() {
                            packed.extend_from_slice(packer.flush(&room));
                        }
                    }
                    packed.extend_from_slice(packer.flush(&room));
                    assert_eq!(packed, slowly(&values, width, lowest), "{n} of {width} bits, {order:?}");
                    assert_eq!(packed.len(), packing.bytes(n));
                    let mut found = Vec::new();
                    let done = packing.groups(&packed, n, |bytes, n| {
                        found.extend((0..n).map(|i| packing.get(bytes, i)));
                        Ok(())
                    });
                    done.unwrap();
                    assert_eq!(found, values, "{n} of {width} bits, {order:?}");
                    if let Some(last) = packed.last() {
                        assert_eq!(packing.rest(n, *last), 0);
                        assert_eq!(packing.rest(n, 0xff).count_ones(), u32::from(packing.spare(n)));
                    }
                }
            }
        }
    }

    #[test]
    fn a_value_that_its_bits_do_not_hold() {
        let (mut packer, mut room) = (Packer::new(Packing::new(4, None, false)), EMPTY);
        assert!(packer.push((16, false), &mut room, 0).is_err());
        packer.push((-8_i128 as u128, true), &mut room, 0).unwrap();
        assert!(packer.push((8, true), &mut room, 0).is_err());
        packer.settle(&mut room);
        assert_eq!(packer.flush(&room), [0x80]);
    }
}
