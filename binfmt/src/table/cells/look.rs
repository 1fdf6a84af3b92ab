//! How much of a file says what its columns are.

use super::Seen;
use crate::wire::amount::after;

/// Bytes of a file by which types are inferred, and the most of them where a column has no value for long.
const LOOKED_AT: u64 = 1 << 20;
const LOOKED_AT_MOST: u64 = 64 << 20;

/// Up to where a file is looked at.
#[derive(Debug)]
pub(in crate::table) struct Look {
    until: u64,
    /// How many columns had no value when that was looked for.
    nothing: usize,
}

impl Look {
    pub(in crate::table) fn new() -> Self {
        Look { until: LOOKED_AT, nothing: 0 }
    }

    /// Whether rows from this place on are looked at. Where a column has no value yet they are, and some after its first one.
    pub(in crate::table) fn goes_on(&mut self, at: u64, seen: &[Seen]) -> bool {
        if at < self.until {
            return true;
        }
        let nothing = seen.iter().filter(|seen| seen.is_nothing()).count();
        let before = std::mem::replace(&mut self.nothing, nothing);
        self.until = after(at, LOOKED_AT);
        before.max(nothing) > 0 && at < LOOKED_AT_MOST
    }
}
