//! The path of an error that is found when everything else is written: the value is written once more, up to the field.
//!
//! Parts, and what must be the last, have numbers in the order in which they are written, which is always the same. So the second
//! run stops at a number, and the error there gets its path like any other.

use super::{List, Placed};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::after;
use crate::wire::raw::landing::{FLOATING, Landing};
use alloc::boxed::Box;
use alloc::string::{String, ToString};

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
enum Asked {
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
    asked: Option<Asked>,
    found: bool,
    blame: Option<Blame>,
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

impl Placed {
    pub(super) fn watch(&mut self) -> &mut Watch {
        self.list.get_or_insert_with(Box::<List>::default).watch.get_or_insert_default()
    }

    /// Notes what an error is about.
    pub(super) fn blames(&mut self, blame: Blame) {
        self.watch().blame = Some(blame);
    }
}

/// How often a value is written: once, unless an error must find its fields.
#[derive(Debug, Default)]
pub(crate) struct Locator {
    // one word, which is looked at when a value is written
    search: Option<Box<Search>>,
}

#[derive(Debug, Default)]
struct Search {
    asked: Option<Asked>,
    found: bool,
    blame: Option<Blame>,
    error: Option<Error>,
    other: Option<String>,
}

impl Locator {
    /// Looks for what may only be the last, by its number.
    #[cfg(feature = "dynamic")]
    pub(super) fn last(number: u64) -> Self {
        Locator { search: Some(Box::new(Search { asked: Some(Asked::Last(number)), ..Search::default() })) }
    }

    /// Whether it is written again.
    #[inline(always)]
    pub(crate) fn is_asking(&self) -> bool {
        self.search.is_some()
    }

    /// Begins to write.
    #[inline(always)]
    pub(crate) fn begin(&self, placed: &mut Placed) {
        if self.is_asking() {
            self.ask(placed);
        }
    }

    #[cold]
    #[inline(never)]
    fn ask(&self, placed: &mut Placed) {
        placed.watch().asked = self.search.as_ref().and_then(|search| search.asked);
    }

    /// Notes what an error is about.
    #[cold]
    #[inline(never)]
    pub(crate) fn note(&mut self, placed: &mut Placed) {
        if let Some(watch) = placed.list.as_mut().and_then(|list| list.watch.as_mut())
            && (watch.blame.is_some() || self.search.is_some())
        {
            let search = self.search.get_or_insert_default();
            (search.found, search.blame) = (watch.found, watch.blame);
        }
    }

    /// What came of it; `None` where it is written again.
    #[cold]
    #[inline(never)]
    pub(crate) fn next<T>(&mut self, done: Result<T>) -> Option<Result<T>> {
        let Some(search) = &mut self.search else { return Some(done) };
        let found = core::mem::take(&mut search.found);
        let (value, e) = match done {
            Ok(value) => (Some(value), None),
            Err(e) => (None, Some(e)),
        };
        match (search.asked.take(), e.filter(|_| found || search.error.is_none())) {
            (None, Some(e)) => {
                let Some(blame) = search.blame else { return Some(Err(e)) };
                search.error = Some(e);
                search.asked = Some(match blame {
                    Blame::Over { part, byte } => Asked::Other { part, byte },
                    Blame::Last(number) => Asked::Last(number),
                });
                None
            }
            (Some(Asked::Other { part, .. }), e) => {
                search.other = e.map(|e| e.path().to_string());
                search.asked = Some(Asked::Part(part));
                None
            }
            (Some(Asked::Last(_)), Some(e)) => Some(Err(e)),
            (Some(Asked::Part(_)), Some(e)) => {
                let first = search.error.take()?;
                let ErrorKind::Overlap { position, .. } = *first.kind() else { return Some(Err(first)) };
                let kind = ErrorKind::Overlap { position, other: search.other.take() };
                Some(Err(e.relocate(kind, first.offset().unwrap_or(position))))
            }
            (_, None) => Some(match search.error.take() {
                Some(first) => Err(first),
                None => {
                    value.ok_or_else(|| Error::other("the value is another one when it is written again"))
                }
            }),
        }
    }
}
