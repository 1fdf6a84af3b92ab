//! Rows that one thread finds and any thread decodes.
#![allow(clippy::arithmetic_side_effects, reason = "rows and bytes that are in memory")]

use super::super::batch::Columns;
use super::decode::{CHUNK, LONG_ROW, RowReader, is_bounded};
use super::reader::{Batches, ColumnsReader};
use super::walk::Unfinished;
use crate::error::Result;
#[cfg(feature = "sdds")]
use crate::wire::Stream;
use crate::wire::amount::inside;
use crate::wire::options::Limits;
#[cfg(feature = "sdds")]
use crate::wire::options::Policy;
use crate::wire::{Cursor, Endian, Erased, Source};
use core::iter::from_fn;
use std::io::{Empty, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// Rows that are found together have no more bytes, but for the last of them: each thread has as many.
const FOUND_BYTES: usize = 1 << 20;

/// Memory that waits, at most, in pieces and in bytes of each.
const SPARE: usize = 8;
const SPARE_BYTES: usize = 2 * FOUND_BYTES;

/// What finds rows, and remembers of them what the next ones are found with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Finder {
    /// How many bytes the rows are likely to have that are found next.
    likely: usize,
    /// Memory for the bytes of rows that are found, which comes back from those that are decoded: new memory is zeroed by the system, page by
    /// page, and by the stream.
    spare: Arc<Mutex<Vec<Vec<u8>>>>,
}

/// The rows of a batch.
#[derive(Debug)]
pub(crate) enum FoundRows {
    /// Their bytes are known to be whole rows.
    Encoded(Box<ColumnsReader<Empty>>),
    /// They are found only by decoding them.
    Decoded(Columns),
}

impl FoundRows {
    pub(crate) fn num_rows(&self) -> u64 {
        match self {
            FoundRows::Encoded(reader) => reader.batches.left.unwrap_or_default(),
            FoundRows::Decoded(columns) => columns.num_rows() as u64,
        }
    }

    /// Their columns: all, or those before a damaged row and its error.
    pub(crate) fn decode(self) -> Vec<Result<Columns>> {
        match self {
            FoundRows::Encoded(mut reader) => {
                let found = from_fn(|| reader.next_batch(usize::MAX).transpose()).collect();
                let ColumnsReader { src, batches } = *reader;
                batches.finder.give_back(src.into_memory());
                found
            }
            FoundRows::Decoded(columns) => vec![Ok(columns)],
        }
    }
}

impl<R: Read> ColumnsReader<R> {
    /// What [`next_batch`](Self::next_batch) would decode, as far as it can be found by lengths alone.
    pub(crate) fn next_found(&mut self, max_rows: usize) -> Result<Option<FoundRows>> {
        self.batches.next_found(&mut self.src.erase(), max_rows)
    }
}

impl Batches {
    fn next_found(&mut self, src: &mut Erased<'_, '_>, max_rows: usize) -> Result<Option<FoundRows>> {
        src.budget_mut().0.renew(self.limits);
        let left = self.left.map_or(usize::MAX, |left| usize::try_from(left).unwrap_or(usize::MAX));
        let found = match self.ended || self.error.is_some() {
            true => None,
            false => {
                let most = (max_rows.min(left), self.most);
                self.finder.next((src, self.limits), &mut self.rows, most)?
            }
        };
        let Some(found) = found else {
            // it is told what is wrong with a row by who decodes it
            return Ok(self.next(src, max_rows)?.map(FoundRows::Decoded));
        };
        if let Some(left) = &mut self.left {
            *left -= found.num_rows();
        }
        Ok(Some(found))
    }
}

impl Finder {
    /// The rows that come next, of at most that many rows and about so many bytes; `None` if the first of them has to be decoded to be found.
    pub(crate) fn next(
        &mut self,
        (src, limits): (&mut Erased<'_, '_>, Limits),
        rows: &mut RowReader,
        most: (usize, u64),
    ) -> Result<Option<FoundRows>> {
        // a limit counts what is decoded before it
        if rows.num_rows() > 0 || is_bounded(src) {
            return Ok(None);
        }
        let Some((count, size)) = find(src, rows, most, self.likely.max(CHUNK)) else { return Ok(None) };
        // a little more, as rows are not of one size
        self.likely = size + size / 16;
        let Some(part) = src.split_off(size, limits, || self.room())? else { return Ok(None) };
        let rows = rows.split_off(count, src.pos());
        let found = ColumnsReader { src: part, batches: self.batches(rows, count, limits) };
        Ok(Some(FoundRows::Encoded(Box::new(found))))
    }

    /// Adds the bytes of the next rows to those of others, if all that many are at hand and have no more bytes; else they stay where they are.
    #[cfg(feature = "sdds")]
    pub(crate) fn gather(
        &self,
        src: &mut Erased<'_, '_>,
        rows: &RowReader,
        (count, most_bytes): (usize, usize),
        into: &mut Vec<u8>,
    ) -> Result<bool> {
        if is_bounded(src) {
            return Ok(false);
        }
        let size = match rows.row_size() {
            Some(size) => count.checked_mul(size),
            None if count == 0 => Some(0),
            None => find(src, rows, (count, most_bytes as u64), 1)
                .and_then(|(found, size)| (found == count).then_some(size)),
        };
        let Some(size) = size.filter(|size| *size <= most_bytes) else { return Ok(false) };
        let there = src.look(size)?;
        let Some(bytes) = there.get(..size) else { return Ok(false) };
        if into.is_empty() {
            *into = self.room();
            into.clear();
        }
        into.extend_from_slice(bytes);
        src.skip(size as u64)?;
        Ok(true)
    }

    /// Rows that were gathered, as the bytes of one run of them.
    #[cfg(feature = "sdds")]
    pub(crate) fn gathered(
        &self,
        bytes: Vec<u8>,
        count: usize,
        rows: RowReader,
        limits: Limits,
    ) -> FoundRows {
        let all = 0..bytes.len();
        let src = Stream::of_memory(bytes, all, limits, Policy::STRICT);
        FoundRows::Encoded(Box::new(ColumnsReader { src, batches: self.batches(rows, count, limits) }))
    }

    /// Exactly that many rows, whose memory comes back here.
    fn batches(&self, rows: RowReader, count: usize, limits: Limits) -> Batches {
        Batches { left: Some(count as u64), finder: self.clone(), ..Batches::new(rows, limits) }
    }

    /// Memory that was used before, if there is any.
    fn room(&self) -> Vec<u8> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn give_back(&self, memory: Vec<u8>) {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        if spare.len() < SPARE && memory.len() <= SPARE_BYTES {
            spare.push(memory);
        }
    }
}

/// How many rows come next, and how many bytes they have; `None` if that is not known of the first. At first that many bytes are looked at.
fn find(
    src: &mut Erased<'_, '_>,
    rows: &RowReader,
    (most, most_bytes): (usize, u64),
    first: usize,
) -> Option<(usize, usize)> {
    if !rows.is_found_by_lengths() {
        return None;
    }
    let enough = usize::try_from(most_bytes).unwrap_or(usize::MAX).min(FOUND_BYTES);
    let (mut count, mut size) = (0, 0);
    let mut bytes = src.look(first.min(enough)).ok()?;
    loop {
        let (more, taken, why) = rows.step_over(bytes, size, (most - count, enough));
        (count, size) = (count + more, size + taken);
        let have = bytes.len();
        if why != Some(Unfinished::Short) || have - size >= LONG_ROW {
            break;
        }
        match src.look(have + CHUNK) {
            Ok(all) if all.len() > have => bytes = all,
            // what cannot be read is told after the rows before it
            _ => break,
        }
    }
    (count > 0).then_some((count, size))
}

impl RowReader {
    /// Whether what a row is does not depend on what comes after it, and lengths say where it ends. Rows of one size are cut anywhere.
    fn is_found_by_lengths(&self) -> bool {
        let parts = &self.plan.parts;
        parts.body.is_some() && parts.size.is_none() && !parts.greedy && !parts.ends_with_input
    }

    /// The bytes of a row, if all have as many.
    #[cfg(feature = "sdds")]
    fn row_size(&self) -> Option<usize> {
        self.plan.parts.size
    }

    /// How many rows of at most `most` follow from a place in these bytes, and how many bytes they have; no row begins after `enough` bytes.
    fn step_over(
        &self,
        bytes: &[u8],
        from: usize,
        (most, enough): (usize, usize),
    ) -> (usize, usize, Option<Unfinished>) {
        match &self.plan.parts.body {
            Some(body) => body.step_over(inside(bytes, from..), most, enough - from.min(enough), self.little),
            None => (0, 0, Some(Unfinished::Doubtful)),
        }
    }

    /// What reads the next rows, which end at that offset; here those after them come next.
    fn split_off(&mut self, rows: usize, end: u64) -> RowReader {
        let endian = if self.little { Endian::Little } else { Endian::Big };
        let part = RowReader::new(&self.plan, endian).at(self.end, self.next);
        self.next = self.next.saturating_add(rows);
        (self.begin, self.end) = (end, end);
        part
    }
}
