//! Rows that one thread finds and any thread decodes.
#![allow(clippy::arithmetic_side_effects, reason = "rows and bytes that are in memory")]

use super::super::batch::Columns;
use super::decode::{CHUNK, LONG_ROW, RowReader, is_bounded};
use super::reader::ColumnsReader;
use super::walk::Unfinished;
use crate::error::Result;
use crate::wire::amount::inside;
use crate::wire::{Cursor, Endian, Source};
use core::iter::from_fn;
use std::io::{Empty, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// Rows that are found together have no more bytes, but for the last of them: each thread has as many.
const FOUND_BYTES: usize = 1 << 20;

/// Memory for the bytes of rows that are found, which comes back from those that are decoded: new memory is zeroed by the system, page by
/// page, and by the stream.
pub(super) type Spare = Arc<Mutex<Vec<Vec<u8>>>>;

/// Memory that waits, at most, in pieces and in bytes of each.
const SPARE: usize = 8;
const SPARE_BYTES: usize = 2 * FOUND_BYTES;

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
            FoundRows::Encoded(reader) => reader.left.unwrap_or_default(),
            FoundRows::Decoded(columns) => columns.num_rows() as u64,
        }
    }

    /// Their columns: all, or those before a damaged row and its error.
    pub(crate) fn decode(self) -> Vec<Result<Columns>> {
        match self {
            FoundRows::Encoded(mut reader) => {
                let batches = from_fn(|| reader.next_batch(usize::MAX).transpose()).collect();
                let ColumnsReader { src, spare, .. } = *reader;
                let memory = src.into_memory();
                let mut spare = spare.lock().unwrap_or_else(PoisonError::into_inner);
                if spare.len() < SPARE && memory.len() <= SPARE_BYTES {
                    spare.push(memory);
                }
                batches
            }
            FoundRows::Decoded(columns) => vec![Ok(columns)],
        }
    }
}

impl<R: Read> ColumnsReader<R> {
    /// What [`next_batch`](Self::next_batch) would decode, as far as it can be found by lengths alone.
    pub(crate) fn next_found(&mut self, max_rows: usize) -> Result<Option<FoundRows>> {
        self.src.budget_mut().renew(self.limits);
        let left = self.left.map_or(usize::MAX, |left| usize::try_from(left).unwrap_or(usize::MAX));
        let Some((rows, size)) = self.find(max_rows.min(left)) else {
            // it is told what is wrong with a row by who decodes it
            return Ok(self.next_batch(max_rows)?.map(FoundRows::Decoded));
        };
        // a little more, as rows are not of one size
        self.likely = size + size / 16;
        let room = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        let found = ColumnsReader {
            src: self.src.split_off(size, self.limits, room)?,
            rows: self.rows.split_off(rows, self.src.pos()),
            limits: self.limits,
            most: u64::MAX,
            left: Some(rows as u64),
            likely: 0,
            spare: Arc::clone(&self.spare),
            error: None,
            ended: false,
        };
        if let Some(left) = &mut self.left {
            *left -= rows as u64;
        }
        Ok(Some(FoundRows::Encoded(Box::new(found))))
    }

    /// How many rows come next, of at most that many, and how many bytes they have; `None` if that is not known of the first.
    fn find(&mut self, most: usize) -> Option<(usize, usize)> {
        // a limit counts what is decoded before it
        let is_known = self.rows.is_found_by_lengths() && !is_bounded(&self.src);
        if self.ended || self.error.is_some() || self.rows.num_rows() > 0 || !is_known {
            return None;
        }
        let enough = usize::try_from(self.most).unwrap_or(usize::MAX).min(FOUND_BYTES);
        let (mut rows, mut size) = (0, 0);
        let mut bytes = self.src.look(self.likely.max(CHUNK).min(enough)).ok()?;
        loop {
            let (more, taken, why) = self.rows.step_over(bytes, size, (most - rows, enough));
            (rows, size) = (rows + more, size + taken);
            let have = bytes.len();
            if why != Some(Unfinished::Short) || have - size >= LONG_ROW {
                break;
            }
            match self.src.look(have + CHUNK) {
                Ok(all) if all.len() > have => bytes = all,
                // what cannot be read is told after the rows before it
                _ => break,
            }
        }
        (rows > 0).then_some((rows, size))
    }
}

impl RowReader {
    /// Whether what a row is does not depend on what comes after it, and lengths say where it ends. Rows of one size are cut anywhere.
    fn is_found_by_lengths(&self) -> bool {
        let parts = &self.plan.parts;
        parts.body.is_some() && parts.size.is_none() && !parts.greedy && !parts.ends_with_input
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
