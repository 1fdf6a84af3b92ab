//! The list of the parts.

use super::{Mark, Visits};
use crate::error::Result;
use crate::wire::origin::Origin;
use crate::wire::raw::bulk;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem::ManuallyDrop;

/// The first byte of a part, and the one after its last.
pub(crate) type Range = (u64, u64);

/// The parts for which there is room at first.
const SOME: usize = 32;

// every source has one, which takes a word
pub(super) type List = Box<Noted>;

/// What was read, each part in the order in which it was read.
#[derive(Debug, Default)]
pub(crate) struct Noted {
    /// Parts in positions that do not move with the end.
    pub(crate) given: Vec<Range>,
    /// Parts that count from the end, and what counts in them.
    pub(crate) from_end: Vec<Range>,
    is_from_end: bool,
}

/// Room for some more parts.
#[cold]
#[inline(never)]
fn grow(list: &mut Vec<Range>, from: u64) -> Result<()> {
    let more = if list.is_empty() { SOME } else { 1 };
    bulk::try_room(list, more).map_err(|e| e.at(from))
}

impl Visits {
    /// An empty list.
    pub(crate) fn begin() -> Self {
        Visits { list: ManuallyDrop::new(Some(List::default())) }
    }

    /// Memory that one part more takes; 0 while nothing is kept.
    pub(crate) fn cost(&self) -> usize {
        if self.list.is_some() { size_of::<Range>() } else { 0 }
    }

    /// Goes to a part whose position counts from there; returns what [`leave`](Visits::leave) needs.
    pub(crate) fn enter(&mut self, from: Origin) -> bool {
        let Some(list) = self.list.as_mut() else { return false };
        let within = match from {
            Origin::End => true,
            Origin::File => false,
            Origin::Container => list.is_from_end,
        };
        core::mem::replace(&mut list.is_from_end, within)
    }

    /// Comes back from a part.
    pub(crate) fn leave(&mut self, before: bool) {
        if let Some(list) = &mut *self.list {
            list.is_from_end = before;
        }
    }

    /// One part more.
    #[inline]
    pub(crate) fn add(&mut self, (from, to): Range) -> Result<()> {
        let Some(list) = self.list.as_mut() else { return Ok(()) };
        let list = if list.is_from_end { &mut list.from_end } else { &mut list.given };
        match list.last_mut() {
            Some((_, end)) if *end == from => *end = to,
            _ => {
                if list.len() == list.capacity() {
                    grow(list, from)?;
                }
                list.push((from, to));
            }
        }
        Ok(())
    }

    /// What is in the list.
    #[inline(always)]
    pub(crate) fn mark(&self) -> Mark {
        let Some(list) = self.list.as_ref() else { return Mark::default() };
        let ranges = |list: &[Range]| (list.len(), list.last().copied());
        Mark { given: ranges(&list.given), from_end: ranges(&list.from_end), is_from_end: list.is_from_end }
    }

    /// Forgets what was added since.
    pub(crate) fn back_to(&mut self, mark: Mark) {
        let Some(list) = self.list.as_mut() else { return };
        list.is_from_end = mark.is_from_end;
        for (list, (len, last)) in [(&mut list.given, mark.given), (&mut list.from_end, mark.from_end)] {
            list.truncate(len);
            if let (Some(now), Some(last)) = (list.last_mut(), last) {
                *now = last;
            }
        }
    }

    /// All parts; nothing is kept from here on.
    pub(crate) fn take(&mut self) -> Noted {
        self.list.take().map(|list| *list).unwrap_or_default()
    }
}
