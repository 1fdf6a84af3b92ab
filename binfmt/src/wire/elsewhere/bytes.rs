//! The bytes of the parts that wait: those that are encoded inside equally many others share a vector, so that a part needs no
//! memory of its own, and one inside another is not in its way.

#![allow(clippy::arithmetic_side_effects, reason = "places in vectors that are in memory")]

use crate::wire::amount::known;
use crate::wire::raw::bulk::{self, NoMemory};
use alloc::vec::Vec;
use core::mem::take;

/// Room for the first parts.
const FIRST: usize = 1024;

/// The level of what was put together of several parts.
const JOINED: usize = usize::MAX;
/// The vectors.
#[derive(Debug, Default)]
pub(super) struct Bytes {
    levels: Vec<Vec<u8>>,
    joined: Vec<u8>,
}

/// Some bytes in one of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    pub(super) level: usize,
    from: usize,
    to: usize,
}

impl Span {
    /// All of a vector from a place on.
    pub(super) fn rest(level: usize, from: usize, bytes: &[u8]) -> Self {
        Span { level, from, to: bytes.len() }
    }

    pub(super) fn len(&self) -> usize {
        self.to - self.from
    }

    fn without(&self, n: usize) -> Self {
        Span { from: self.from + n, ..*self }
    }
}

impl Bytes {
    /// The vector of a level, to which a part is appended until `give_back`.
    pub(super) fn lend(&mut self, level: usize) -> Result<Vec<u8>, NoMemory> {
        if let Some(bytes) = self.levels.get_mut(level) {
            return Ok(take(bytes));
        }
        let more = (level + 1).saturating_sub(self.levels.len());
        bulk::try_room(&mut self.levels, more)?;
        self.levels.resize_with(level + 1, Vec::new);
        let mut bytes = Vec::new();
        bulk::try_room(&mut bytes, FIRST)?;
        Ok(bytes)
    }

    pub(super) fn give_back(&mut self, level: usize, bytes: Vec<u8>) {
        if let Some(place) = self.levels.get_mut(level) {
            *place = bytes;
        }
    }

    /// The bytes of a part.
    pub(super) fn of(&self, span: &Span) -> &[u8] {
        // of a part without bytes, which is nowhere, too
        if span.from == span.to {
            return &[];
        }
        let all = match span.level {
            JOINED => Some(&self.joined),
            level => self.levels.get(level),
        };
        known(all.and_then(|all| all.get(span.from..span.to)))
    }

    /// The same, to be changed.
    pub(super) fn of_mut(&mut self, span: &Span) -> &mut [u8] {
        self.levels.get_mut(span.level).and_then(|all| all.get_mut(span.from..span.to)).unwrap_or(&mut [])
    }

    /// Those of a part, zeros, and those of another one but for its first.
    pub(super) fn joined(
        &mut self,
        first: &Span,
        zeros: usize,
        (part, without): (&Span, usize),
    ) -> Result<Span, NoMemory> {
        let grows = first.level == JOINED && first.to == self.joined.len();
        let more = part.without(without);
        let copied = if grows { 0 } else { first.len() };
        bulk::try_room(&mut self.joined, copied.saturating_add(zeros).saturating_add(more.len()))?;
        let from = if grows { first.from } else { self.joined.len() };
        if !grows {
            self.append(first);
        }
        self.joined.extend(core::iter::repeat_n(0, zeros));
        self.append(&more);
        Ok(Span { level: JOINED, from, to: self.joined.len() })
    }

    fn append(&mut self, span: &Span) {
        if span.level == JOINED {
            return self.joined.extend_from_within(span.from..span.to);
        }
        if let Some(bytes) = self.levels.get(span.level).and_then(|all| all.get(span.from..span.to)) {
            self.joined.extend_from_slice(bytes);
        }
    }

    /// Forgets parts that are written and all that was encoded after them, and what parts were put together to.
    pub(super) fn forget<'s>(&mut self, parts: impl Iterator<Item = &'s Span>) {
        self.joined.clear();
        for span in parts {
            if let Some(bytes) = self.levels.get_mut(span.level) {
                bytes.truncate(span.from);
            }
        }
    }
}
