//! The parts of a result that belong to single tiles, so that several threads can write to it.

use crate::formats::tiledb::array::AnyArray;
use crate::formats::tiledb::region::Needed;
use crate::{Error, ErrorKind};
use std::num::NonZeroUsize;
use std::ops::Range;

/// Where the cells of a tile go, which lie together in both.
pub(super) struct Place<'o> {
    /// The tile among those needed.
    pub(super) k: usize,
    /// The first of its cells.
    pub(super) first: usize,
    pub(super) to: &'o mut [u8],
}

/// The places of all tiles, of cells of that many bytes; `None` when the cells of one do not lie together, or not in the order of the tiles.
pub(super) fn places<'o>(needed: &[Needed], size: usize, mut out: &'o mut [u8]) -> Option<Vec<Place<'o>>> {
    let mut at = 0;
    let mut places = Vec::with_capacity(needed.len());
    for (k, needed) in needed.iter().enumerate() {
        let run = needed.cells.run().filter(|run| run.is_contiguous())?;
        let (_, rest) = out.split_at_mut_checked(run.to.checked_sub(at)? * size)?;
        let (to, rest) = rest.split_at_mut_checked(run.len * size)?;
        places.push(Place { k, first: run.from, to });
        (out, at) = (rest, run.to + run.len);
    }
    Some(places)
}

/// Unfiltered bytes that a thread takes on at once, at least.
const BATCH: u64 = 1 << 20;

/// How many tiles of that many bytes a thread takes on at once: all when it is the only one, as neighbours are read together.
pub(super) fn batch(threads: NonZeroUsize, tile_len: u64) -> usize {
    match threads.get() {
        1 => usize::MAX,
        _ => BATCH.div_ceil(tile_len.max(1)) as usize,
    }
}

/// That many tiles in batches.
pub(super) fn ranges(tiles: usize, batch: usize) -> Vec<Range<usize>> {
    (0..tiles).step_by(batch).map(|k| k..k + batch.min(tiles - k)).collect()
}

/// The places in batches.
pub(super) fn batches(places: Vec<Place<'_>>, len: usize) -> Vec<Vec<Place<'_>>> {
    let mut places = places.into_iter();
    let mut batches = Vec::new();
    loop {
        let batch: Vec<_> = places.by_ref().take(len).collect();
        if batch.is_empty() {
            return batches;
        }
        batches.push(batch);
    }
}

/// The bytes of that many cells; those beyond any number are above every limit.
pub(super) fn bytes_of(cells: u64, size: usize) -> u64 {
    cells.saturating_mul(size as u64)
}

/// The error of values above the limit.
#[cold]
pub(super) fn above_limit(array: &AnyArray<'_>, a: usize) -> Error {
    let name = &array.schema.attributes[a].name;
    ErrorKind::size_limit(format!("attribute `{name}`"), None, array.limit).into()
}
