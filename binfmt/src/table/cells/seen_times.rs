//! What fields of text were that look like times.

use crate::table::TimeUnit;
use crate::table::times::{has_all, is_not_a_time, looks};

/// What the times of a column were so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SeenTimes {
    /// The first and the last one, in seconds.
    ends: Option<(i64, i64)>,
    /// Whether some say how far from UTC they are, and some do not.
    zoned: bool,
    unzoned: bool,
    /// Whether there was a word for no time.
    has_none: bool,
}

impl SeenTimes {
    /// Adds a field, if it is a time: the unit that it is written in.
    pub(super) fn add(&mut self, field: &[u8]) -> Option<TimeUnit> {
        let time = looks(field)?;
        let (first, last) = self.ends.unwrap_or((time.seconds, time.seconds));
        self.ends = Some((first.min(time.seconds), last.max(time.seconds)));
        self.zoned |= time.is_zoned;
        self.unzoned |= !time.is_zoned;
        Some(time.unit)
    }

    /// Whether a field is the word for no time, which is then one of the column.
    pub(super) fn is_none(&mut self, field: &[u8]) -> bool {
        let is_none = is_not_a_time(field);
        self.has_none |= is_none;
        is_none
    }

    /// Whether there was such a word.
    pub(super) fn has_none(self) -> bool {
        self.has_none
    }

    /// Whether all of them say how far from UTC they are.
    pub(super) fn are_zoned(self) -> bool {
        self.zoned
    }

    /// Whether a column of this unit has all of them.
    pub(super) fn are_of(self, unit: TimeUnit) -> bool {
        let is_one_kind = !(self.zoned && self.unzoned);
        is_one_kind && self.ends.is_some_and(|(first, last)| has_all(unit, first, last))
    }
}
