//! How bytes come from the reader: into the buffer, straight to their place, or not at all.

#![allow(clippy::arithmetic_side_effects, reason = "places in a buffer, which is in memory")]

use super::flow::{BLOCK, FIRST, Flow, part_of};
use super::input::Input;
use crate::error::{Error, ErrorKind, Result};
#[cfg(feature = "dump")]
use crate::wire::amount::between;
use crate::wire::amount::{after, times, times64};
use crate::wire::endian::Order;
use crate::wire::raw::{Facts, bulk};
use alloc::vec::Vec;
#[cfg(feature = "dump")]
use std::io::Read;

impl Flow {
    /// Gets n bytes into the buffer, or as many as the reader gives before it ends.
    #[cold]
    #[inline(never)]
    pub(super) fn fill(&mut self, input: &mut dyn Input, n: usize) -> Result<()> {
        match self.gather(input, n)? {
            true => Ok(()),
            false => Err(Error::short(n, self.have(), self.pos, false)),
        }
    }

    /// The bytes before the next one that stay in the buffer.
    pub(super) fn kept(&self) -> usize {
        usize::try_from(self.pos.saturating_sub(self.held)).unwrap_or(usize::MAX).min(self.from)
    }

    /// The same, and whether there were as many: where the end of the input is not an error, none is made.
    #[cold]
    #[inline(never)]
    pub(super) fn gather(&mut self, input: &mut dyn Input, n: usize) -> Result<bool> {
        let kept = self.kept();
        if self.from > kept {
            self.buf.copy_within(self.from - kept..self.to, 0);
        }
        self.to = self.have() + kept;
        self.from = kept;
        while self.have() < n {
            let missing = n - self.have();
            let ahead = if self.exact { 0 } else { (2 * self.buf.len()).clamp(FIRST, BLOCK) };
            let want = missing.max(ahead);
            let step = want.min(self.to.max(BLOCK));
            let end = self.to + step;
            if end > self.buf.len() {
                self.charge_growth(end)?;
                let more = end - self.buf.len();
                bulk::try_room(&mut self.buf, more).map_err(|e| e.at(self.pos))?;
                self.buf.resize(end, 0);
            }
            let got = match self.buf.get_mut(self.to..end) {
                Some(room) => input.read(room),
                None => Ok(0),
            };
            match got {
                Ok(0) => return Ok(false),
                Ok(read) => self.to += read.min(step),
                Err(e) => {
                    return Err(Error::new(ErrorKind::Io(e), after(self.pos, self.have() as u64)));
                }
            }
        }
        Ok(true)
    }

    /// Fills a place with the bytes that come next, straight from the reader; how many there were before the input ended.
    pub(super) fn copy_to(&mut self, input: &mut dyn Input, to: &mut [u8]) -> Result<usize> {
        let mut got = self.have().min(to.len());
        if let (Some(front), Some(unread)) = (to.get_mut(..got), self.unread().get(..got)) {
            front.copy_from_slice(unread);
        }
        self.from += got;
        while let Some(room) = to.get_mut(got..).filter(|room| !room.is_empty()) {
            match input.read(room) {
                Ok(0) => break,
                Ok(read) => got += read.min(room.len()),
                Err(e) => return Err(Error::new(ErrorKind::Io(e), after(self.pos, got as u64))),
            }
        }
        Ok(got)
    }

    /// Appends all bytes that follow, wherever a region ends; whether the input ended within `most`. Without memory for them it fails.
    #[cfg(feature = "dump")]
    pub(in crate::wire) fn drain(
        &mut self,
        input: &mut dyn Input,
        most: u64,
        out: &mut Vec<u8>,
    ) -> std::io::Result<bool> {
        out.try_reserve(self.have())?;
        out.extend_from_slice(self.unread());
        let mut left = most;
        loop {
            // a reader that ends asks for a few bytes more, and takes memory for them without asking whether there is any
            let step = left.min(BLOCK as u64);
            out.try_reserve(times(2, BLOCK))?;
            let read = Rest(input).take(step).read_to_end(out)? as u64;
            if read == 0 {
                return Ok(left > 0);
            }
            left = between(read, left);
        }
    }

    /// Many values that are their wire bytes, at most that many at once, without a block in between.
    pub(super) fn bulk_direct<O: Order, T>(
        &mut self,
        input: &mut dyn Input,
        facts: Facts<T>,
        mut n: usize,
        most: usize,
        out: &mut Vec<T>,
    ) -> Result<()> {
        let k = size_of::<T>();
        while n > 0 {
            let item = times64(n as u64, k as u64);
            let step = part_of(&mut n, most);
            let wanted = times(step, k);
            self.charge(wanted)?;
            let (at, huge_pages) = (self.pos, self.budget.policy.huge_pages);
            let got = bulk::extend_with::<O, T>(facts, step, out, huge_pages, at, |bytes| {
                self.copy_to(input, bytes)
            })?;
            if got < wanted {
                return Err(Error::short(wanted, got, self.pos, false).of_item(item));
            }
            self.pos = after(self.pos, wanted as u64);
        }
        Ok(())
    }
}

/// What a stream has not read.
#[cfg(feature = "dump")]
struct Rest<'a>(&'a mut dyn Input);

#[cfg(feature = "dump")]
impl Read for Rest<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(out)
    }
}
