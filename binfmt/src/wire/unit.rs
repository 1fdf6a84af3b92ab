//! The units that text is counted in.
#![allow(clippy::arithmetic_side_effects, reason = "places in bytes in memory")]

use super::raw::Encoding;

/// A unit of text: its bytes, and whether the most significant comes first.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    pub(crate) bytes: usize,
    big: bool,
}

impl Unit {
    /// A single byte.
    pub(crate) const BYTE: Unit = Unit { bytes: 1, big: false };

    /// The number that stands first in bytes; of a part of a unit what it says.
    pub(crate) fn number(self, bytes: &[u8]) -> u32 {
        let unit = bytes.get(..self.bytes).unwrap_or(bytes).iter();
        let number = |n: u32, b: &u8| (n << 8) | u32::from(*b);
        if self.big { unit.fold(0, number) } else { unit.rev().fold(0, number) }
    }

    /// The last of whole units.
    pub(crate) fn last(self, bytes: &[u8]) -> Option<u32> {
        bytes.len().checked_sub(self.bytes).map(|at| self.number(&bytes[at..]))
    }

    /// How many units stand before the first that is this number.
    pub(crate) fn position(self, bytes: &[u8], number: u32) -> Option<usize> {
        bytes.chunks_exact(self.bytes.max(1)).position(|unit| self.number(unit) == number)
    }

    /// How many units are left without the last ones that are this number.
    pub(crate) fn without(self, bytes: &[u8], number: u32) -> usize {
        let mut units = bytes.chunks_exact(self.bytes.max(1));
        units.rposition(|unit| self.number(unit) != number).map_or(0, |last| last + 1)
    }

    /// Adds a number as a unit.
    #[cfg(feature = "alloc")]
    pub(crate) fn push(self, number: u32, out: &mut alloc::vec::Vec<u8>) {
        let mut unit = [0; 4];
        self.put(number, &mut unit);
        out.extend_from_slice(&unit[..self.bytes.min(4)]);
    }

    /// Puts a number at the beginning of some bytes as a unit.
    pub(crate) fn put(self, number: u32, to: &mut [u8]) {
        let (big, little) = (number.to_be_bytes(), number.to_le_bytes());
        let from = if self.big { &big[4 - self.bytes.min(4)..] } else { &little[..self.bytes.min(4)] };
        to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    }
}

impl Encoding {
    /// What its lengths count.
    pub(crate) const fn unit(self) -> Unit {
        match self {
            Encoding::Utf8 | Encoding::Ascii | Encoding::Latin1 | Encoding::Any => Unit::BYTE,
            Encoding::Utf16Le => Unit { bytes: 2, big: false },
            Encoding::Utf16Be => Unit { bytes: 2, big: true },
            Encoding::Utf32Le => Unit { bytes: 4, big: false },
            Encoding::Utf32Be => Unit { bytes: 4, big: true },
        }
    }
}
