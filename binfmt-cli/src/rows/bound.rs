//! How much is written of a document: what its layout says of positions and padding may be anything.

use crate::error::{Error, Result};
use crate::limits::{Limits, Size};

/// A small document may become that much.
const LEAST: u64 = 64 << 20;

/// Bytes for each one of the document: those of a block that is padded, of which it says little.
const TIMES: u64 = 1 << 10;

/// What may still be written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    left: u64,
    /// The most for one value, which is in memory until it is complete.
    value: u64,
}

impl Bound {
    /// Any: something else bounds the values, as the file does from which they were read.
    pub(crate) const NONE: Bound = Bound { left: u64::MAX, value: u64::MAX };

    /// What a document of so many bytes may become.
    pub(crate) fn of_document(bytes: u64, limits: Limits) -> Self {
        let all = bytes.saturating_mul(TIMES).saturating_add(LEAST);
        match limits.max_memory {
            Some(Size(memory)) => Bound { left: all.max(memory), value: memory },
            None => Bound { left: all, value: all },
        }
    }

    /// The most bytes of the next value.
    pub(crate) fn next(&self) -> u64 {
        self.left.min(self.value)
    }

    /// A value has become so many bytes.
    pub(crate) fn pass(&mut self, bytes: u64) -> Result<()> {
        if bytes > self.next() {
            return Err(self.exceeded());
        }
        self.left -= bytes;
        Ok(())
    }

    /// The next value is larger.
    pub(crate) fn exceeded(&self) -> Error {
        let text = format!(
            "what is written of the document is larger than the limit, which leaves {} bytes",
            self.next()
        );
        Error::data(text).tip("--max-memory allows more")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_becomes_no_more_than_it_may() {
        let mut bound = Bound::of_document(100, Limits::default());
        assert_eq!(bound.next(), (64 << 20) + 102_400);
        bound.pass(64 << 20).unwrap();
        assert_eq!(bound.next(), 102_400);
        bound.pass(102_401).unwrap_err();
        bound.pass(102_400).unwrap();
        bound.pass(1).unwrap_err();
        let limits = |memory| Limits { max_memory: Some(Size(memory)), ..Limits::default() };
        let mut small = Bound::of_document(0, limits(10));
        small.pass(11).unwrap_err();
        (0..100).try_for_each(|_| small.pass(10)).unwrap();
        assert_eq!(Bound::of_document(0, limits(1 << 40)).next(), 1 << 40);
    }
}
