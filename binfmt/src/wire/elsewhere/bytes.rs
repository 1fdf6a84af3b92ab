//! The bytes of the parts that wait.

use crate::wire::raw::bulk::{self, NoMemory};
use alloc::vec::Vec;
use core::mem::take;

/// Room for a small part.
const FIRST: usize = 64;

/// A vector for each part.
#[derive(Debug, Default)]
pub(super) struct Bytes {
    list: Vec<Vec<u8>>,
}

/// Those of one part.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    slot: usize,
    len: usize,
}

impl Span {
    pub(super) fn len(&self) -> usize {
        self.len
    }
}

impl Bytes {
    /// A vector for a part.
    pub(super) fn room() -> Result<Vec<u8>, NoMemory> {
        let mut bytes = Vec::new();
        bulk::try_room(&mut bytes, FIRST)?;
        Ok(bytes)
    }

    /// Keeps those of a part.
    pub(super) fn keep(&mut self, bytes: Vec<u8>) -> Result<Span, NoMemory> {
        bulk::try_room(&mut self.list, 1)?;
        let span = Span { slot: self.list.len(), len: bytes.len() };
        self.list.push(bytes);
        Ok(span)
    }

    /// The bytes of a part.
    pub(super) fn of(&self, span: &Span) -> &[u8] {
        self.list.get(span.slot).and_then(|bytes| bytes.get(..span.len)).unwrap_or(&[])
    }

    /// The same, to be changed.
    pub(super) fn of_mut(&mut self, span: &Span) -> &mut [u8] {
        self.list.get_mut(span.slot).and_then(|bytes| bytes.get_mut(..span.len)).unwrap_or(&mut [])
    }

    /// Adds to a part zeros, and the bytes of another one but for its first.
    pub(super) fn join(
        &mut self,
        first: &mut Span,
        zeros: usize,
        (part, without): (&Span, usize),
    ) -> Result<(), NoMemory> {
        let part = self.list.get_mut(part.slot).map(take).unwrap_or_default();
        let more = part.get(without..).unwrap_or(&[]);
        let Some(bytes) = self.list.get_mut(first.slot) else { return Ok(()) };
        bulk::try_room(bytes, zeros.saturating_add(more.len()))?;
        bytes.extend(core::iter::repeat_n(0, zeros));
        bytes.extend_from_slice(more);
        first.len = bytes.len();
        Ok(())
    }

    /// Forgets a part that is written.
    pub(super) fn forget(&mut self, span: &Span) {
        if let Some(bytes) = self.list.get_mut(span.slot) {
            *bytes = Vec::new();
        }
    }

    /// Forgets all parts from the first that is not there any more.
    pub(super) fn shorten(&mut self) {
        let last = self.list.iter().rposition(|bytes| !bytes.is_empty());
        self.list.truncate(last.map_or(0, |last| last.saturating_add(1)));
    }
}
