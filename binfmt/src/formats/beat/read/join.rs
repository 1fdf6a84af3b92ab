//! Chunks of several sets side by side, as the platform gives synchronised inputs.

use super::chunks::{Chunks, RawChunk};
use crate::error::{ErrorKind, Result};
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// What several sets have for the same indices.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JoinedChunk {
    /// The first index.
    pub start: u64,
    /// The last index: here a chunk of some set ends.
    pub end: u64,
    /// The chunk of each set that contains the first index; `None` where a set has none. A chunk of many indices stands in
    /// several, and is the same one.
    pub chunks: Vec<Option<Arc<RawChunk>>>,
}

/// The chunks of several sets, joined by their indices: what the platform's loader of synchronised inputs gives.
///
/// Indices are cut wherever a chunk of any set ends, from where the last set begins to where the first one ends. In memory is
/// one chunk of each set.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use binfmt::formats::beat::{DataSet, Writer, Joined};
/// let folder = std::env::temp_dir().join("binfmt-doc-joined");
/// std::fs::create_dir_all(&folder)?;
/// let write = |name: &str, chunks: &[(u64, u64)]| -> binfmt::Result<DataSet> {
///     let base = folder.join(name);
///     let mut writer = Writer::create(&base, "u/int/1", chunks[0].0, chunks[chunks.len() - 1].1)?;
///     chunks.iter().try_for_each(|(start, end)| writer.write(*start, *end, &(*end as i32)))?;
///     writer.finish()?;
///     DataSet::open(&base)
/// };
/// let (people, images) = (write("people", &[(0, 2), (3, 4)])?, write("images", &[(0, 1), (2, 3), (4, 4)])?);
/// let mut found = Vec::new();
/// for joined in Joined::new([people.within(0..=9), images.within(0..=9)]) {
///     let joined = joined?;
///     let values = joined.chunks.iter().flatten().map(|chunk| Ok(chunk.decode::<i32>()?.value));
///     found.push((joined.start, joined.end, values.collect::<binfmt::Result<Vec<i32>>>()?));
/// }
/// assert_eq!(found, [(0, 1, vec![2, 1]), (2, 2, vec![2, 3]), (3, 3, vec![4, 3]), (4, 4, vec![4, 4])]);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Joined {
    sides: Vec<Side>,
    /// The index that comes next; `None` before the first.
    next: Option<u64>,
    is_over: bool,
}

/// One of the sets, and the chunk that it is at.
#[derive(Debug)]
struct Side {
    chunks: Chunks,
    now: Option<Arc<RawChunk>>,
}

impl Side {
    /// Goes to the next chunk; whether there is one.
    fn advance(&mut self) -> Result<bool> {
        let Some(next) = self.chunks.next().transpose()? else { return Ok(false) };
        let before = self.now.as_ref().map(|chunk| chunk.end);
        if let Some(end) = before.filter(|end| next.start <= *end || next.start > next.end) {
            let found = format!("{} to {}", next.start, next.end);
            let reason = format!("those of the chunk before end at {end}: only rising indices are joined");
            return Err(ErrorKind::invalid("range of indices", found, reason).into());
        }
        self.now = Some(Arc::new(next));
        Ok(true)
    }
}

impl Joined {
    /// The chunks of these sets, or of a part of each.
    ///
    /// See [`Joined`] for an example.
    pub fn new(sets: impl IntoIterator<Item = Chunks>) -> Joined {
        let sides: Vec<Side> = sets.into_iter().map(|chunks| Side { chunks, now: None }).collect();
        Joined { is_over: sides.is_empty(), sides, next: None }
    }

    fn step(&mut self) -> Result<Option<JoinedChunk>> {
        if self.next.is_none() {
            for side in &mut self.sides {
                if !side.advance()? {
                    return Ok(None);
                }
            }
        }
        let chunks = || self.sides.iter().filter_map(|side| side.now.as_deref());
        let start = self.next.or_else(|| chunks().map(|chunk| chunk.start).max()).unwrap_or(0);
        for side in &mut self.sides {
            while side.now.as_ref().is_none_or(|chunk| chunk.end < start) {
                if !side.advance()? {
                    return Ok(None);
                }
            }
        }
        let chunks = || self.sides.iter().filter_map(|side| side.now.as_ref());
        let end = chunks().map(|chunk| chunk.end).min().unwrap_or(start);
        let chunks = chunks().map(|chunk| (chunk.start <= start).then(|| Arc::clone(chunk))).collect();
        self.next = end.checked_add(1);
        // nothing comes after the last of all indices
        self.is_over = self.next.is_none();
        Ok(Some(JoinedChunk { start, end, chunks }))
    }
}

impl Iterator for Joined {
    type Item = Result<JoinedChunk>;

    fn next(&mut self) -> Option<Result<JoinedChunk>> {
        if self.is_over {
            return None;
        }
        let found = self.step();
        self.is_over |= !matches!(found, Ok(Some(_)));
        found.transpose()
    }
}

impl core::iter::FusedIterator for Joined {}
