//! What all parts are looked at for, which is rare: what may only be the last, and what is looked for.

use super::landing::{FLOATING, Landing};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::after;

/// What an error is about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Blame {
    /// A part, and a byte of it that another one says otherwise.
    Over { part: u64, byte: u64 },
    /// What may only be the last.
    Last(u64),
}

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Asked {
    Part(u64),
    /// A part that has a byte, but for one.
    Other {
        part: u64,
        byte: u64,
    },
    Last(u64),
}

/// What is rare: what may only be the last, and what is looked for.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// In what is being written.
    pub(super) last: Option<Last>,
    /// At the end of a part elsewhere, of which a reader goes on to what comes after it in the region or output.
    of_part: Option<(Last, Landing)>,
    /// Up to which position something must follow what was written up to another one.
    ahead: Option<(u64, Last)>,
    lasts: u64,
    pub(super) asked: Option<Asked>,
    pub(super) found: bool,
    pub(super) blame: Option<Blame>,
}

/// After which position nothing may come up to the end of the region, part or output.
#[derive(Debug)]
pub(super) struct Last {
    pub(super) at: u64,
    pub(super) number: u64,
    /// The error if something does.
    pub(super) error: Error,
}

impl Watch {
    /// A part of a number has its bytes.
    pub(super) fn part(&mut self, number: u64, (at, place): (u64, Landing), len: usize) -> Result<()> {
        if let Some(last) = self.last.take() {
            if at >= FLOATING || after(at, len as u64) != last.at {
                return self.fails(last);
            }
            match self.of_part.replace((last, place)) {
                Some((before, _)) if self.of_part.as_ref().is_none_or(|(last, _)| last.at != before.at) => {
                    return self.fails(before);
                }
                _ => {}
            }
        }
        // what is around the one that was found comes to its end, too
        self.found |= match self.asked {
            Some(Asked::Part(part)) => part == number,
            Some(Asked::Other { part, byte }) => {
                part != number && byte.checked_sub(at).is_some_and(|n| n < len as u64)
            }
            Some(Asked::Last(_)) | None => return Ok(()),
        };
        if self.found { Err(ErrorKind::Overlap { position: at, other: None }.into()) } else { Ok(()) }
    }

    /// The number of what is watched next, unless that is what is looked for.
    fn next(&mut self, error: Error) -> Result<(u64, Error)> {
        let number = self.lasts;
        self.lasts = number.wrapping_add(1);
        if self.asked == Some(Asked::Last(number)) {
            self.found = true;
            return Err(error);
        }
        Ok((number, error))
    }

    /// What was written up to here goes on up to a position. Of several positions the last counts.
    pub(super) fn must_reach(&mut self, from: u64, at: u64, error: Error) -> Result<()> {
        let (number, error) = self.next(error)?;
        if self.ahead.as_ref().is_none_or(|(_, ahead)| ahead.at < at) {
            self.ahead = Some((from, Last { at, number, error }));
        }
        Ok(())
    }

    /// A region ends here.
    pub(super) fn region_reaches(&mut self, begin: u64, end: u64) -> Result<()> {
        let is_inside = |(from, ahead): &mut (u64, Last)| *from >= begin && *from <= end && ahead.at > end;
        match self.ahead.take_if(is_inside) {
            Some((_, ahead)) => self.fails(ahead),
            None => Ok(()),
        }
    }

    /// Nothing may follow what was written up to here.
    pub(super) fn must_end(&mut self, at: u64, error: Error) -> Result<()> {
        let (number, error) = self.next(error)?;
        match self.last.replace(Last { at, number, error }) {
            Some(before) if before.at < at => self.fails(before),
            _ => Ok(()),
        }
    }

    /// A region ends here, which may have parts.
    pub(super) fn region_ends(&mut self, at: u64, has_parts: bool) -> Result<()> {
        if let Some((last, _)) = self.of_part.take_if(|(_, place)| *place != Landing::File) {
            return self.fails(last);
        }
        match self.last.take() {
            Some(last) if last.at < at || has_parts => self.fails(last),
            _ => Ok(()),
        }
    }

    /// No part may be the last.
    #[cfg(feature = "dynamic")]
    pub(super) fn no_part_ends(&mut self) -> Result<()> {
        self.of_part.take().map_or(Ok(()), |(last, _)| self.fails(last))
    }

    /// The output ends here, or at the end of its last part; that is not known where a part floats.
    pub(super) fn output_ends(&mut self, at: Option<u64>) -> Result<()> {
        if let Some((_, ahead)) = self.ahead.take_if(|(_, ahead)| at.is_some_and(|at| ahead.at > at)) {
            return self.fails(ahead);
        }
        let of_part = self.of_part.take().map(|(last, _)| last);
        match [self.last.take(), of_part].into_iter().flatten().find(|last| at.is_none_or(|at| last.at < at))
        {
            Some(last) => self.fails(last),
            None => Ok(()),
        }
    }

    #[cold]
    fn fails(&mut self, last: Last) -> Result<()> {
        self.blame = Some(Blame::Last(last.number));
        Err(last.error)
    }
}
