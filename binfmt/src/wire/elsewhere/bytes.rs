//! The bytes of the parts that wait: those that are encoded inside equally many others share a vector, so that a part needs no
//! memory of its own, and one inside another is not in its way. A vector that is nearly full stays as it is, and the next part
//! begins another one: to grow it would move the parts that are done.

#![allow(clippy::arithmetic_side_effects, reason = "places in vectors that are in memory")]

use crate::wire::amount::known;
use crate::wire::raw::bulk::{self, NoMemory};
use alloc::vec::Vec;
use core::mem::take;

/// Room for the first parts.
const FIRST: usize = 1024;

/// The vector of what was put together of several parts.
const JOINED: usize = usize::MAX;

/// The vectors.
#[derive(Debug, Default)]
pub(super) struct Bytes {
    vectors: Vec<Vec<u8>>,
    /// Of parts that are encoded inside so many others, the vector to which the next one is appended.
    levels: Vec<usize>,
    joined: Vec<u8>,
}

/// Some bytes in one of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    pub(super) vector: usize,
    pub(super) from: usize,
    pub(super) to: usize,
}

impl Span {
    pub(super) fn len(&self) -> usize {
        self.to - self.from
    }

    fn without(&self, n: usize) -> Self {
        Span { from: self.from + n, ..*self }
    }
}

impl Bytes {
    /// A vector to which a part inside so many others is appended until `give_back`, and its number.
    pub(super) fn lend(&mut self, level: usize) -> Result<(usize, Vec<u8>), NoMemory> {
        let last = self.levels.get(level).copied().unwrap_or(JOINED);
        let capacity = match self.vectors.get_mut(last) {
            Some(bytes) if bytes.is_empty() || bytes.capacity() - bytes.len() >= bytes.capacity() / 4 => {
                return Ok((last, take(bytes)));
            }
            Some(bytes) => bytes.capacity(),
            None => 0,
        };
        let more = (level + 1).saturating_sub(self.levels.len());
        bulk::try_room(&mut self.levels, more)?;
        bulk::try_room(&mut self.vectors, 1)?;
        let mut bytes = Vec::new();
        bulk::try_room(&mut bytes, FIRST.max(capacity.saturating_mul(2)))?;
        self.levels.resize(self.levels.len() + more, JOINED);
        let vector = self.vectors.len();
        self.vectors.push(Vec::new());
        if let Some(last) = self.levels.get_mut(level) {
            *last = vector;
        }
        Ok((vector, bytes))
    }

    pub(super) fn give_back(&mut self, vector: usize, bytes: Vec<u8>) {
        if let Some(place) = self.vectors.get_mut(vector) {
            *place = bytes;
        }
    }

    /// The bytes of a part.
    pub(super) fn of(&self, span: &Span) -> &[u8] {
        // of a part without bytes, which is nowhere, too
        if span.from == span.to {
            return &[];
        }
        let all = match span.vector {
            JOINED => Some(&self.joined),
            vector => self.vectors.get(vector),
        };
        known(all.and_then(|all| all.get(span.from..span.to)))
    }

    /// The same, to be changed.
    pub(super) fn of_mut(&mut self, span: &Span) -> &mut [u8] {
        self.vectors.get_mut(span.vector).and_then(|all| all.get_mut(span.from..span.to)).unwrap_or(&mut [])
    }

    /// Those of a part, zeros, and those of another one but for its first.
    pub(super) fn joined(
        &mut self,
        first: &Span,
        zeros: usize,
        (part, without): (&Span, usize),
    ) -> Result<Span, NoMemory> {
        let grows = first.vector == JOINED && first.to == self.joined.len();
        let more = part.without(without);
        let copied = if grows { 0 } else { first.len() };
        bulk::try_room(&mut self.joined, copied.saturating_add(zeros).saturating_add(more.len()))?;
        let from = if grows { first.from } else { self.joined.len() };
        if !grows {
            self.append(first);
        }
        self.joined.extend(core::iter::repeat_n(0, zeros));
        self.append(&more);
        Ok(Span { vector: JOINED, from, to: self.joined.len() })
    }

    fn append(&mut self, span: &Span) {
        if span.vector == JOINED {
            return self.joined.extend_from_within(span.from..span.to);
        }
        if let Some(bytes) = self.vectors.get(span.vector).and_then(|all| all.get(span.from..span.to)) {
            self.joined.extend_from_slice(bytes);
        }
    }

    /// Forgets parts that are written and all that was encoded after them, and what parts were put together to.
    pub(super) fn forget<'s>(&mut self, parts: impl Iterator<Item = &'s Span>) {
        self.joined.clear();
        for span in parts {
            if let Some(bytes) = self.vectors.get_mut(span.vector) {
                bytes.truncate(span.from);
            }
        }
    }
}
