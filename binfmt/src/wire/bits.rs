//! Bits of an integer: which ones a field has, and how its value goes in and out.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "a run has at most 128 bits, which its places do not leave"
)]

use super::endian::Order;
use super::raw::BitOrder;
use super::sink::Sink;
use super::source::Source;
use crate::error::{Error, ErrorKind, Result};
use core::cell::Cell;

/// The bits of a field in the integer that its run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BitPlace {
    /// Bytes of the integer: 1 to 16.
    pub(crate) bytes: u8,
    /// Bits of earlier fields.
    pub(crate) before: u8,
    /// Bits of the field, of which there is one at least.
    pub(crate) width: u8,
    /// `None` is the highest first in big-endian order, and the lowest in little-endian order.
    pub(crate) order: Option<BitOrder>,
}

impl BitPlace {
    /// Whether the field opens its run.
    #[inline(always)]
    pub(crate) const fn is_first(self) -> bool {
        self.before == 0
    }

    /// Whether the field ends its run.
    #[inline(always)]
    const fn is_last(self) -> bool {
        self.before as u32 + self.width as u32 == self.bits()
    }

    const fn bits(self) -> u32 {
        self.bytes as u32 * 8
    }

    #[inline(always)]
    fn shift<O: Order>(self) -> u32 {
        match self.order {
            Some(BitOrder::Msb) => self.bits() - self.before as u32 - self.width as u32,
            None if !O::LE => self.bits() - self.before as u32 - self.width as u32,
            _ => self.before as u32,
        }
    }

    #[inline(always)]
    const fn mask(self) -> u128 {
        u128::MAX >> (128 - self.width as u32)
    }

    /// The bits of the field; where it opens its run, the integer is read first.
    #[inline(always)]
    pub(crate) fn read<'de, O: Order, S: Source<'de>>(self, src: &mut S, run: &Cell<u128>) -> Result<u128> {
        if self.is_first() {
            run.set(match self.bytes {
                1 => src.array::<1>()?[0].into(),
                2 => O::read_u16(&src.array::<2>()?).into(),
                4 => O::read_u32(&src.array::<4>()?).into(),
                8 => O::read_u64(&src.array::<8>()?).into(),
                3 => odd::<O, 3>(src.array()?),
                5 => odd::<O, 5>(src.array()?),
                6 => odd::<O, 6>(src.array()?),
                7 => odd::<O, 7>(src.array()?),
                9 => odd::<O, 9>(src.array()?),
                10 => odd::<O, 10>(src.array()?),
                11 => odd::<O, 11>(src.array()?),
                12 => odd::<O, 12>(src.array()?),
                13 => odd::<O, 13>(src.array()?),
                14 => odd::<O, 14>(src.array()?),
                15 => odd::<O, 15>(src.array()?),
                _ => O::read_u128(&src.array::<16>()?),
            });
        }
        Ok((run.get() >> self.shift::<O>()) & self.mask())
    }

    /// Puts the bits of a value into the run; where the field ends it, the integer is written.
    #[inline(always)]
    pub(crate) fn write<O: Order, W: Sink>(
        self,
        value: u128,
        signed: bool,
        run: &Cell<u128>,
        out: &mut W,
    ) -> Result<()> {
        let bits = value & self.mask();
        let back = if signed { self.extended(bits) } else { bits };
        if back != value {
            return Err(too_wide(value, self.width, out.pos()));
        }
        let all = (if self.is_first() { 0 } else { run.get() }) | (bits << self.shift::<O>());
        run.set(all);
        if !self.is_last() {
            return Ok(());
        }
        match self.bytes {
            1 => out.array([all as u8]),
            2 => out.array(in_order::<O, 2>((all as u16).to_le_bytes())),
            4 => out.array(in_order::<O, 4>((all as u32).to_le_bytes())),
            8 => out.array(in_order::<O, 8>((all as u64).to_le_bytes())),
            3 => out.array(low::<O, 3>(all)),
            5 => out.array(low::<O, 5>(all)),
            6 => out.array(low::<O, 6>(all)),
            7 => out.array(low::<O, 7>(all)),
            9 => out.array(low::<O, 9>(all)),
            10 => out.array(low::<O, 10>(all)),
            11 => out.array(low::<O, 11>(all)),
            12 => out.array(low::<O, 12>(all)),
            13 => out.array(low::<O, 13>(all)),
            14 => out.array(low::<O, 14>(all)),
            15 => out.array(low::<O, 15>(all)),
            _ => out.array(in_order::<O, 16>(all.to_le_bytes())),
        }
    }

    /// The bits of a signed value with its sign carried on.
    #[inline(always)]
    pub(crate) const fn extended(self, bits: u128) -> u128 {
        let rest = 128 - self.width as u32;
        (((bits << rest) as i128) >> rest) as u128
    }
}

#[inline(always)]
fn in_order<O: Order, const N: usize>(mut bytes: [u8; N]) -> [u8; N] {
    if !O::LE {
        bytes.reverse();
    }
    bytes
}

/// The low bytes of an integer.
#[inline(always)]
fn low<O: Order, const N: usize>(all: u128) -> [u8; N] {
    in_order::<O, N>(core::array::from_fn(|i| all.wrapping_shr((i as u32).wrapping_mul(8)) as u8))
}

/// The first bytes of a value that is that long, in the byte order of its run or out of it.
#[inline(always)]
pub(crate) fn in_bytes<O: Order>(mut bytes: [u8; 16], len: usize) -> [u8; 16] {
    if !O::LE
        && let Some(value) = bytes.get_mut(..len)
    {
        value.reverse();
    }
    bytes
}

/// An integer of a width that no type has.
#[inline(always)]
fn odd<O: Order, const N: usize>(bytes: [u8; N]) -> u128 {
    in_order::<O, N>(bytes).iter().rev().fold(0, |all, byte| (all << 8) | u128::from(*byte))
}

#[cold]
pub(super) fn too_wide(value: u128, bits: u8, at: u64) -> Error {
    Error::new(ErrorKind::BitOverflow { value: value as i128, bits }, at)
}

/// The value of the little-endian bytes of a number.
#[inline(always)]
pub(crate) fn number(bytes: [u8; 16], len: usize, signed: bool) -> u128 {
    let n = u128::from_le_bytes(bytes);
    if !signed || len == 0 || len > 15 {
        return n;
    }
    let rest = 128 - 8 * len as u32;
    (((n << rest) as i128) >> rest) as u128
}
