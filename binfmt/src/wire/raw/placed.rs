//! Parts that are written elsewhere: they wait until what they come after is written.
//!
//! What is written one after the other has no holes. So a part elsewhere comes after it, or says again what is there; and
//! when all parts are known, they are appended in the order of their positions. No sink goes back.

use super::bulk;
use super::out::{Out, Room};
use crate::error::{Error, ErrorKind, Result};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Parts that are encoded and wait for their turn.
#[derive(Debug, Default)]
pub struct Placed {
    // one word, which is looked at when a value is written
    #[expect(clippy::box_collection, reason = "a sink that has none is one pointer larger, not three")]
    list: Option<Box<Vec<Waiting>>>,
}

/// A part.
#[derive(Debug)]
struct Waiting {
    at: u64,
    /// Whether its position counts from the first byte of the output, so that it belongs to no region.
    whole: bool,
    bytes: Vec<u8>,
}

impl Placed {
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_none()
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.list.as_ref().map_or(0, |list| list.len())
    }

    /// A part at a position.
    pub(crate) fn add(&mut self, at: u64, whole: bool, bytes: Vec<u8>) -> Result<()> {
        let list = self.list.get_or_insert_with(Box::default);
        bulk::try_room(list, 1).map_err(|e| e.at(at))?;
        list.push(Waiting { at, whole, bytes });
        Ok(())
    }

    /// All parts, or those of a region, in the order of their positions.
    fn take(&mut self, region: Option<u64>) -> Vec<Waiting> {
        let Some(mut list) = self.list.take() else { return Vec::new() };
        let mut due = *match region {
            None => list,
            Some(begun) => {
                let since = usize::try_from(begun).unwrap_or(usize::MAX).min(list.len());
                let (others, due) = list.split_off(since).into_iter().partition(|part| part.whole);
                list.extend::<Vec<Waiting>>(others);
                self.list = Some(list).filter(|list| !list.is_empty());
                Box::new(due)
            }
        };
        due.sort_by_key(|part| part.at);
        due
    }
}

/// Writes the parts, or those of the region that begins with the part of a number: the gaps between them are zeros.
#[cold]
#[inline(never)]
pub(crate) fn settle<G: Room>(out: &mut Out<'_, G>, region: Option<u64>) -> Result<()> {
    for part in joined(out.placed_parts().take(region))? {
        out.put_fill(0, part.at.saturating_sub(out.at()))?;
        let shared = usize::try_from(out.at().saturating_sub(part.at)).unwrap_or(usize::MAX);
        let (same, more) = part.bytes.split_at(shared.min(part.bytes.len()));
        if !is_there(out, part.at, same) {
            return Err(overlap(part.at));
        }
        out.put_bytes(more, 0)?;
    }
    Ok(())
}

/// Parts in the order of their positions, of which those that share bytes are one.
fn joined(parts: Vec<Waiting>) -> Result<Vec<Waiting>> {
    let mut all: Vec<Waiting> = Vec::new();
    for part in parts {
        match all.last_mut().filter(|last| part.at < last.at.saturating_add(last.bytes.len() as u64)) {
            Some(last) => join(last, &part)?,
            None => all.push(part),
        }
    }
    Ok(all)
}

/// Adds the bytes of a part to one that begins before it.
fn join(first: &mut Waiting, part: &Waiting) -> Result<()> {
    let at = usize::try_from(part.at.saturating_sub(first.at)).unwrap_or(usize::MAX);
    let there = first.bytes.get(at..).unwrap_or(&[]);
    let (same, more) = part.bytes.split_at(there.len().min(part.bytes.len()));
    if !there.starts_with(same) {
        return Err(overlap(part.at));
    }
    bulk::try_room(&mut first.bytes, more.len()).map_err(|e| e.at(part.at))?;
    first.bytes.extend_from_slice(more);
    Ok(())
}

#[cold]
fn overlap(position: u64) -> Error {
    Error::new(ErrorKind::Overlap { position }, position)
}

/// Whether these bytes were written at a position.
fn is_there<G: Room>(out: &mut Out<'_, G>, at: u64, bytes: &[u8]) -> bool {
    if bytes.is_empty() {
        return true;
    }
    let pos = out.at();
    let written = out.recent_bytes();
    let first = pos.saturating_sub(written.len() as u64);
    let from = usize::try_from(at.saturating_sub(first)).unwrap_or(usize::MAX);
    at >= first && written.get(from..).is_some_and(|there| there.starts_with(bytes))
}

/// The position of a part: a number of bytes after the first byte from which it counts.
#[inline]
pub(crate) fn position(base: u64, n: i128, at: u64) -> Result<u64> {
    let position = i128::from(base).saturating_add(n);
    match u64::try_from(position) {
        Ok(position) if n >= 0 => Ok(position),
        _ => Err(nowhere(position, at)),
    }
}

#[cold]
fn nowhere(position: i128, at: u64) -> Error {
    let kind = ErrorKind::NoPosition { position, end: u64::MAX, in_region: true };
    Error::new(kind, at)
}
