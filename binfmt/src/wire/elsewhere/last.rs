//! What may only be the last of a region, part or output: a variant that would be read as another one with bytes after it, and a text
//! that ends without its terminator. And what may not be the last: a value whose bytes are those of what follows.

#[cfg(feature = "dynamic")]
use super::Locator;
use super::landing::FLOATING;
use super::placed::{List, Placed, Waiting};
use crate::error::{Error, Result};
use crate::wire::sink::Begun;

impl Placed {
    /// Nothing may follow what was written up to here: where a region, part or output goes on, that is this error.
    ///
    /// # Errors
    /// The one of something else, which this follows.
    pub(crate) fn must_end(&mut self, at: u64, e: Error) -> Result<()> {
        self.watch(at)?.must_end(at, e)
    }

    /// The region or output must go on up to a position, because of what was written up to here: where it does not, that is this error.
    ///
    /// # Errors
    /// This one, where it is looked for.
    pub(crate) fn must_reach(&mut self, at: u64, to: u64, e: Error) -> Result<()> {
        self.watch(at)?.must_reach(at, to, e)
    }

    /// What must be the last, if it is so far, and how it is found again: what is written here is part of something larger.
    ///
    /// # Errors
    /// It is at the end of a part, which is not known to be that of all.
    #[cfg(feature = "dynamic")]
    pub(crate) fn open_end(&mut self, at: u64) -> Result<Option<(Locator, Error)>> {
        let Some(list) = self.list.as_mut() else { return Ok(None) };
        let has_parts = !list.parts.is_empty();
        let Some(watch) = list.watch.as_mut() else { return Ok(None) };
        watch.no_part_ends()?;
        let last = watch.last.take_if(|last| last.at == at && !has_parts);
        Ok(last.map(|last| (Locator::last(last.number), last.error)))
    }

    /// The output ends here, or the region that begins with the part of a number.
    ///
    /// # Errors
    /// Something follows what nothing may.
    #[inline(always)]
    pub(crate) fn ends(&mut self, at: u64, region: Option<Begun>) -> Result<()> {
        match &mut self.list {
            Some(list) if list.watch.is_some() => ends(list, at, region),
            _ => Ok(()),
        }
    }
}

#[cold]
#[inline(never)]
fn ends(list: &mut List, at: u64, region: Option<Begun>) -> Result<()> {
    let Some(watch) = &mut list.watch else { return Ok(()) };
    match region {
        Some(begun) => {
            watch.region_reaches(begun.at, at)?;
            watch.region_ends(at, list.parts.len() as u64 > begun.parts)
        }
        None => {
            let floats = list.floats > 0 || list.parts.iter().any(|part| part.at >= FLOATING);
            let end = list.parts.iter().map(Waiting::end).fold(at, u64::max);
            watch.output_ends((!floats).then_some(end))
        }
    }
}
