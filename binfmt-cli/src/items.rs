//! What a file has, one item after the other: chunks, records, values.

use crate::error::{Error, Result};
use crate::format::Tally;
use crate::span::Span;
use std::cell::Cell;
use std::rc::Rc;

/// The wanted items of a file, up to the end or the damage.
pub(crate) struct Items<'a, T> {
    source: Box<dyn Iterator<Item = Result<T>> + 'a>,
    wanted: Span,
    tally: Tally,
    bytes: Rc<Cell<u64>>,
}

impl<'a, T> Items<'a, T> {
    /// All of them, as messages call them, and the bytes that were read of them so far.
    pub(crate) fn new(
        unit: (&'static str, &'static str),
        bytes: Rc<Cell<u64>>,
        source: impl Iterator<Item = Result<T>> + 'a,
    ) -> Self {
        let tally = Tally { count: 0, unit, bytes: 0 };
        Items { source: Box::new(source), wanted: Span::ALL, tally, bytes }
    }

    /// The same after bytes that are not theirs.
    pub(crate) fn after(mut self, bytes: u64) -> Self {
        self.tally.bytes = bytes;
        self
    }

    /// The same, of which only these are wanted.
    pub(crate) fn only(mut self, wanted: Span) -> Self {
        self.wanted = wanted;
        self
    }

    /// How many bytes were read so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    /// Takes the wanted ones. Tells what was read, wanted or not, and what ended the reading before the end.
    pub(crate) fn until_damage(mut self, mut take: impl FnMut(T)) -> (Tally, Option<Error>) {
        let damage = self.try_for_each(|item| item.map(&mut take)).err();
        (Tally { bytes: self.tally.bytes + self.bytes.get(), ..self.tally }, damage)
    }

    /// Reads all of them.
    pub(crate) fn check(self) -> Result<Tally> {
        match self.until_damage(drop) {
            (tally, None) => Ok(tally),
            (_, Some(e)) => Err(e),
        }
    }
}

impl<T> Iterator for Items<'_, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        while self.wanted.to.is_none_or(|to| self.tally.count < to) {
            let item = self.source.next()?;
            self.tally.count += u64::from(item.is_ok());
            if item.is_err() || self.tally.count > self.wanted.from {
                return Some(item);
            }
        }
        None
    }
}
