//! Where the chunks of a data file are, and what indices they have.

use crate::codec::Decode;
use crate::error::{ErrorKind, Result};
use crate::formats::beat::layout::line::ChunkLine;
use crate::storage::StorageReader;
use crate::table::{ScalarRange, Wanted};
use crate::wire::{Cursor, Le, Stream};
use std::ops::Range;

/// Chunks that follow each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// Where the line of the first begins.
    offset: u64,
    /// The least and the greatest index with which one starts, and ends.
    starts: (i64, i64),
    ends: (i64, i64),
}

impl Run {
    fn and(self, next: &Run) -> Run {
        let both = |a: (i64, i64), b: (i64, i64)| (a.0.min(b.0), a.1.max(b.1));
        Run { starts: both(self.starts, next.starts), ends: both(self.ends, next.ends), ..self }
    }

    pub(super) fn is_wanted(&self, wanted: &Wanted) -> bool {
        let is = |column: usize, (low, high): (i64, i64)| wanted.may_be(column, &low.into(), &high.into());
        wanted.ranges.is_empty() || (is(0, self.starts) && is(1, self.ends))
    }
}

/// As many runs are remembered, some megabytes. An even number.
const MOST: usize = 1 << 16;

/// The chunks of a file: each by itself, or, where they are many, some as one, so that a file of any size takes no more memory.
#[derive(Debug)]
pub(super) struct Places {
    runs: Vec<Run>,
    /// How many chunks a run has; the last one may have fewer.
    each: i64,
    /// How many chunks there are.
    pub(super) count: i64,
    /// Where a line begins that is damaged, or a chunk that is not complete.
    pub(super) damaged: Option<u64>,
}

impl Places {
    /// Those up to one that is damaged.
    pub(super) fn find(src: &mut Stream<StorageReader>) -> Self {
        let mut places = Places { runs: Vec::new(), each: 1, count: 0, damaged: None };
        loop {
            let offset = src.pos();
            match next(src) {
                Ok(Some((start, end))) => {
                    places.add(Run { offset, starts: (start, start), ends: (end, end) });
                }
                Ok(None) => return places,
                Err(_) => {
                    places.damaged = Some(offset);
                    return places;
                }
            }
        }
    }

    fn add(&mut self, chunk: Run) {
        let is_first = self.count % self.each == 0;
        if is_first && self.runs.len() >= MOST {
            let joined = self.runs.chunks(2).filter_map(|pair| Some(pair.first()?.and(pair.last()?)));
            self.runs = joined.collect();
            self.each *= 2;
        }
        match self.runs.last_mut() {
            Some(run) if self.count % self.each != 0 => *run = run.and(&chunk),
            _ => self.runs.push(chunk),
        }
        self.count += 1;
    }

    /// The run of this chunk, if it was found.
    pub(super) fn run(&self, row: i64) -> Option<&Run> {
        let run = usize::try_from(row / self.each).ok().filter(|_| row < self.count)?;
        self.runs.get(run)
    }

    /// A chunk at or before this one, and where its line begins.
    pub(super) fn before(&self, row: i64) -> Option<(i64, u64)> {
        Some((row - row % self.each, self.run(row)?.offset))
    }

    /// Where a line begins that is not before that of this chunk; `None` if all of them are.
    pub(super) fn after(&self, row: i64) -> Option<u64> {
        let run = usize::try_from(row.checked_add(self.each - 1)? / self.each).ok()?;
        Some(self.runs.get(run)?.offset)
    }

    /// Those of these chunks that lie in runs that are wanted.
    pub(super) fn wanted<'a>(
        &'a self,
        wanted: &'a Wanted,
        rows: &'a Range<i64>,
    ) -> impl DoubleEndedIterator<Item = Range<i64>> + 'a {
        let part = move |(i, run): (usize, &Run)| {
            let first = i64::try_from(i).ok()?.checked_mul(self.each)?;
            let part = first.max(rows.start)..first.checked_add(self.each)?.min(self.count).min(rows.end);
            (!part.is_empty() && run.is_wanted(wanted)).then_some(part)
        };
        self.runs.iter().enumerate().filter_map(part)
    }

    /// The least and the greatest index with which a chunk starts, and ends.
    pub(super) fn bounds(&self) -> Option<[ScalarRange; 2]> {
        let all = self.runs.iter().copied().reduce(|all, run| all.and(&run))?;
        Some([all.starts, all.ends].map(|(low, high)| ScalarRange::of(low..=high)))
    }
}

/// Steps over a chunk, whose indices these are.
pub(super) fn next(src: &mut Stream<StorageReader>) -> Result<Option<(i64, i64)>> {
    if src.at_end()? {
        return Ok(None);
    }
    let line = ChunkLine::decode::<Le, _>(src, ())?;
    src.skip(line.size)?;
    Ok(Some((number(line.start)?, number(line.end)?)))
}

/// An index as tables have it.
pub(super) fn number(index: u64) -> Result<i64> {
    i64::try_from(index).map_err(|_| ErrorKind::unsupported("a table", format!("the index {index}")).into())
}
