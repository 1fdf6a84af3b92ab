//! What may only be the last of a region, part or output: a variant that would be read as another one with bytes after it.

use super::{List, Placed};
use crate::error::{Error, Result};
use alloc::boxed::Box;

impl Placed {
    /// Nothing may follow what was written up to here: where a region, part or output goes on, that is this error.
    ///
    /// # Errors
    /// The one of something else, which this follows.
    pub(crate) fn must_end(&mut self, at: u64, e: Error) -> Result<()> {
        let list = self.list.get_or_insert_with(Box::default);
        match list.last.replace((at, e)) {
            Some((before, e)) if before < at => Err(e),
            _ => Ok(()),
        }
    }

    /// The output ends here, or the region that begins with the part of a number.
    ///
    /// # Errors
    /// Something follows what nothing may.
    #[inline(always)]
    pub(crate) fn ends(&mut self, at: u64, region: Option<u64>) -> Result<()> {
        match &mut self.list {
            Some(list) if list.last.is_some() => ends(list, at, region),
            _ => Ok(()),
        }
    }
}

#[cold]
#[inline(never)]
fn ends(list: &mut List, at: u64, region: Option<u64>) -> Result<()> {
    let has_parts = list.parts.len() as u64 > region.unwrap_or(0);
    match list.last.take() {
        Some((last, e)) if last < at || has_parts => Err(e),
        _ => Ok(()),
    }
}
