//! What all parts are looked at for, which is rare: what may only be the last, and what is looked for.

use super::landing::{FLOATING, Landing};
use super::placed::{Places, real, space};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::after;
use crate::wire::raw::bulk;
use alloc::vec::Vec;

/// What an error is about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Blame {
    /// A part, and a byte of it that another one says otherwise.
    Over { part: u64, byte: u64 },
    /// A part.
    Part(u64),
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
    /// Up to which position something must follow what was written up to another one: the last in each space.
    ahead: Vec<(u64, Last)>,
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

    /// What was written up to here goes on up to a position. Of several positions in one space the last counts.
    pub(super) fn must_reach(&mut self, from: u64, at: u64, error: Error) -> Result<()> {
        let (number, error) = self.next(error)?;
        let last = Last { at, number, error };
        match self.ahead.iter_mut().find(|(known, _)| space(*known) == space(from)) {
            Some((_, ahead)) if ahead.at >= at => {}
            Some(ahead) => *ahead = (from, last),
            None => {
                bulk::try_room(&mut self.ahead, 1).map_err(|e| e.at(from))?;
                self.ahead.push((from, last));
            }
        }
        Ok(())
    }

    /// A region ends here.
    pub(super) fn region_reaches(&mut self, begin: u64, end: u64) -> Result<()> {
        let is_inside = |(from, ahead): &(u64, Last)| *from >= begin && *from <= end && ahead.at > end;
        match self.ahead.iter().position(is_inside) {
            Some(i) => {
                let (_, ahead) = self.ahead.swap_remove(i);
                self.fails(ahead)
            }
            None => Ok(()),
        }
    }

    /// A region ends here, or the output, and what floated in it has come to its place.
    pub(super) fn reaches(&mut self, places: &Places, end: u64, is_output: bool) -> Result<()> {
        let is_due = |from: u64| is_output || places.of(from).is_some();
        if let Some(i) =
            self.ahead.iter().position(|(from, ahead)| is_due(*from) && real(ahead.at, places) > end)
        {
            let (_, ahead) = self.ahead.swap_remove(i);
            return self.fails(ahead);
        }
        self.ahead.retain(|(from, _)| !is_due(*from));
        Ok(())
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
        let is_beyond = |(_, ahead): &(u64, Last)| at.is_some_and(|at| ahead.at > at);
        if let Some(i) = self.ahead.iter().position(is_beyond) {
            let (_, ahead) = self.ahead.swap_remove(i);
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
