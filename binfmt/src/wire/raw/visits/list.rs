//! The list of the parts.

use super::Visits;
use crate::error::Result;
use crate::wire::raw::bulk;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem::ManuallyDrop;

/// The first byte of a part, and the one after its last.
pub(crate) type Range = (u64, u64);

#[allow(clippy::box_collection, reason = "every source has one, which takes a word")]
pub(super) type List = Box<Vec<Range>>;

impl Visits {
    /// An empty list.
    pub(crate) fn begin() -> Self {
        Visits { list: ManuallyDrop::new(Some(List::default())) }
    }

    /// Memory that one part more takes; 0 while nothing is kept.
    pub(crate) fn cost(&self) -> usize {
        if self.list.is_some() { size_of::<Range>() } else { 0 }
    }

    /// One part more.
    pub(crate) fn add(&mut self, (from, to): Range) -> Result<()> {
        let Some(list) = self.list.as_mut() else { return Ok(()) };
        match list.last_mut().filter(|(_, end)| *end == from) {
            Some((_, end)) => *end = to,
            None => {
                bulk::try_room(list, 1).map_err(|e| e.at(from))?;
                list.push((from, to));
            }
        }
        Ok(())
    }

    /// All parts, in the order in which they were read; nothing is kept from here on.
    pub(crate) fn take(&mut self) -> Vec<Range> {
        self.list.take().map(|list| *list).unwrap_or_default()
    }
}
