//! Parts that are written to their places at once, in an output that is a vector.
//!
//! Only what needs no second thought goes there: parts in the order of their positions, after all that is written one after the other.
//! Small parts that say again what is in one of them, as names in a table of names do, are compared at the end. Whatever else there is
//! (a part before another one, a region, a number that is filled in, a sequence that comes to a part), the output is *lost*: it is thrown
//! away and written again, with parts that wait.

use super::landing::{FLOATING, Landing};
use super::placed::{Before, List, Placed};
use crate::error::Result;
use crate::wire::raw::bulk;

/// A part that is in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    from: u64,
    to: u64,
    place: Landing,
}

/// Whether there is nothing that needs a second thought: no part that is open, or has failed, or floats, no number, nothing to watch.
fn is_plain(list: &List) -> bool {
    list.open == 0 && list.numbers.is_empty() && list.floats == 0 && list.watch.is_none()
}

impl Placed {
    /// Whether a part may go to its place, if that is free.
    pub(crate) fn may_go(&self, at: u64) -> bool {
        at < FLOATING && !self.is_lost && self.list.as_ref().is_none_or(|list| is_plain(list))
    }

    /// The output must be written again, with parts that wait.
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost
    }

    pub(crate) fn has_spots(&self) -> bool {
        self.list.as_ref().is_some_and(|list| !list.spots.is_empty())
    }

    /// The parts that are in their places.
    pub(crate) fn num_spots(&self) -> usize {
        self.list.as_ref().map_or(0, |list| list.spots.len())
    }

    /// A region ends: its own parts, those since a number of them, must be in it.
    pub(crate) fn keeps_spots(&mut self, begun: u64) {
        let Some(list) = &self.list else { return };
        let own = list.spots.get(usize::try_from(begun).unwrap_or(usize::MAX)..).unwrap_or(&[]);
        self.is_lost |= own.iter().any(|spot| spot.place != Landing::File);
    }

    /// The part that was begun has come to its end, in its place.
    pub(crate) fn end_in_place(
        &mut self,
        (at, place): (u64, Landing),
        to: u64,
        before: Before,
    ) -> Result<()> {
        let Some(list) = self.end_of(before) else { return Ok(()) };
        bulk::try_room(&mut list.spots, 1).map_err(|e| e.at(at))?;
        list.spots.push(Spot { from: at, to, place });
        list.closed();
        Ok(())
    }

    /// Ends an output, if it is complete: all parts that wait say again what is in its bytes, in one that does not. If it is not, it is lost.
    pub(crate) fn complete(&mut self, all: Option<&[u8]>, end_of_sequence: u64) {
        let sealed = self.seal(None);
        self.is_lost |= sealed == Some(end_of_sequence) || all.is_none_or(|all| !self.is_in(all));
        self.list = None;
    }

    fn is_in(&self, all: &[u8]) -> bool {
        let Some(list) = &self.list else { return true };
        let says_again = |at: u64, own: &[u8]| {
            let i = list.spots.partition_point(|spot| spot.from <= at);
            let end = at.saturating_add(own.len() as u64);
            let is_inside =
                i.checked_sub(1).and_then(|i| list.spots.get(i)).is_some_and(|spot| end <= spot.to);
            let from = usize::try_from(at).unwrap_or(usize::MAX);
            is_inside && all.get(from..).is_some_and(|there| there.starts_with(own))
        };
        is_plain(list) && list.parts.iter().all(|part| says_again(part.at, list.bytes.of(&part.span)))
    }
}
