//! What a sink keeps of parts that lie elsewhere, if there is no heap to keep it in: nothing, but what must be the last.

use crate::error::{Error, Result};
use crate::wire::raw::out::{RawOut, Room};
use crate::wire::sink::Begun;

/// No parts.
#[derive(Debug, Default)]
pub(crate) struct Placed {
    /// After which position nothing may come up to the end of the region or output, and the error if something does.
    last: Option<(u64, Error)>,
}

impl Placed {
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// A fixed slice bounds what is written anyway.
    #[inline(always)]
    pub(crate) fn most(&self) -> u64 {
        u64::MAX
    }

    #[inline(always)]
    pub(crate) fn at_most(&mut self, _most: u64) {}

    #[inline(always)]
    pub(crate) fn is_due(&self, _region: Option<u64>) -> bool {
        self.last.is_some()
    }

    #[inline(always)]
    pub(crate) fn num_parts(&self) -> usize {
        0
    }

    #[inline(always)]
    pub(crate) fn seal(&mut self, _at: Option<u64>) -> Option<u64> {
        None
    }

    /// Nothing may follow what was written up to here.
    pub(crate) fn must_end(&mut self, at: u64, e: Error) -> Result<()> {
        match self.last.replace((at, e)) {
            Some((before, e)) if before < at => Err(e),
            _ => Ok(()),
        }
    }

    /// The output or region ends here.
    #[inline(always)]
    pub(crate) fn ends(&mut self, at: u64, _region: Option<Begun>) -> Result<()> {
        match self.last.take() {
            Some((last, e)) if last < at => Err(e),
            _ => Ok(()),
        }
    }

    #[inline(always)]
    pub(crate) fn has_number_in(&self, _from: u64, _to: u64) -> bool {
        false
    }
}

/// A value is written once: errors have the innermost step of a path alone.
#[derive(Debug, Default)]
pub(crate) struct Locator;

impl Locator {
    #[inline(always)]
    pub(crate) fn is_asking(&self) -> bool {
        false
    }

    #[inline(always)]
    pub(crate) fn begin(&self, _: &mut Placed) {}

    #[inline(always)]
    pub(crate) fn note(&mut self, _: &mut Placed) {}

    #[inline(always)]
    pub(crate) fn next<T>(&mut self, done: Result<T>) -> Option<Result<T>> {
        Some(done)
    }
}

/// Writes the parts that wait.
pub(crate) fn settle<G: Room>(_: &mut RawOut<'_, G>, _: &mut Placed, _: Option<u64>) -> Result<()> {
    Ok(())
}
