//! Integers of a width that no number has: in a column each is the next wider number.
#![allow(clippy::arithmetic_side_effects, reason = "no width is more than 8 bytes")]

use crate::numbers::Numbers;

/// How many bytes, 3 to 8, and whether they have a sign.
#[derive(Clone, Copy, Debug)]
pub(super) struct Width {
    pub(super) bytes: u8,
    pub(super) signed: bool,
}

impl Width {
    /// Bits of a word that it does not have.
    fn rest(self) -> u32 {
        64 - u32::from(self.bytes) * 8
    }

    /// The integer at the beginning of these bytes: one load where a whole word is there.
    #[inline(always)]
    pub(super) fn read(self, bytes: &[u8], little: bool) -> i64 {
        let word = bytes.first_chunk::<8>().copied().unwrap_or_else(|| {
            let mut word = [0; 8];
            word.iter_mut().zip(bytes).for_each(|(to, b)| *to = *b);
            word
        });
        let rest = self.rest();
        let high =
            if little { u64::from_le_bytes(word).wrapping_shl(rest) } else { u64::from_be_bytes(word) };
        if self.signed { (high as i64).wrapping_shr(rest) } else { high.wrapping_shr(rest) as i64 }
    }

    /// Writes an integer into as many bytes; `false` if it does not fit.
    #[inline(always)]
    pub(super) fn write(self, n: i64, room: &mut [u8], little: bool) -> bool {
        let rest = self.rest();
        let high = (n as u64).wrapping_shl(rest);
        let back =
            if self.signed { (high as i64).wrapping_shr(rest) } else { high.wrapping_shr(rest) as i64 };
        if back != n {
            return false;
        }
        let bytes = if little { (n as u64).to_le_bytes() } else { high.to_be_bytes() };
        room.iter_mut().zip(bytes).for_each(|(to, b)| *to = b);
        true
    }
}

/// Adds integers, each of which the column's numbers hold.
pub(super) fn extend(numbers: &mut Numbers, integers: impl Iterator<Item = i64>) {
    match numbers {
        Numbers::U32(v) => v.extend(integers.map(|n| n as u32)),
        Numbers::I32(v) => v.extend(integers.map(|n| n as i32)),
        Numbers::U64(v) => v.extend(integers.map(|n| n as u64)),
        Numbers::I64(v) => v.extend(integers),
        // a column of this type has none of the others
        _ => {}
    }
}

/// The integer of a row; `None` if it is wider than any of these.
pub(super) fn get(numbers: &Numbers, row: usize) -> Option<i64> {
    match numbers {
        Numbers::U32(v) => v.get(row).map(|n| i64::from(*n)),
        Numbers::I32(v) => v.get(row).map(|n| i64::from(*n)),
        Numbers::U64(v) => v.get(row).and_then(|n| i64::try_from(*n).ok()),
        Numbers::I64(v) => v.get(row).copied(),
        _ => None,
    }
}
