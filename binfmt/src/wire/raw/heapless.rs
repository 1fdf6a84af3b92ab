//! What a sink keeps of parts that lie elsewhere, if there is no heap to keep it in: nothing.

use super::out::{Out, Room};
use crate::error::{Error, Result};

/// What waits.
#[derive(Debug, Default)]
pub struct NothingPlaced;

/// As with a heap.
pub type Placed = NothingPlaced;

impl NothingPlaced {
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        true
    }

    #[inline(always)]
    pub(crate) fn free(self) {}

    #[inline(always)]
    pub(crate) fn is_due(&self, _region: Option<u64>) -> bool {
        false
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        0
    }

    #[inline(always)]
    pub(crate) fn seal(&mut self, _at: Option<u64>) -> Option<u64> {
        None
    }

    /// What follows is not known.
    pub(crate) fn must_end(&mut self, _at: u64, e: Error) -> Result<()> {
        Err(e)
    }

    #[inline(always)]
    pub(crate) fn ends(&mut self, _at: u64, _region: Option<u64>) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn has_number_in(&self, _from: u64, _to: u64) -> bool {
        false
    }
}

/// Writes the parts that wait.
pub(crate) fn settle<G: Room>(_: &mut Out<'_, G>, _: Option<u64>) -> Result<()> {
    Ok(())
}
