//! Runs of equal cells: the cell, then the length of the run as a big-endian `u16`.
//!
//! A cell is all values of an attribute's cell, of coordinates all dimensions.

use super::compress::{Codec, append};
use super::int::for_size;
use super::stage::failed;
use crate::Result;
use crate::wire::amount::plus;

pub(crate) struct Rle {
    pub(crate) cell_size: usize,
}

/// Bytes of the length of a run.
const COUNT: usize = 2;

const NAME: &str = "RLE";

/// The bytes of a run; of cells that no memory holds there is none.
fn run_len(size: usize) -> usize {
    plus(size, COUNT)
}

impl Codec for Rle {
    fn compress(&mut self, part: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let size = self.cell_size;
        if !part.len().is_multiple_of(size) {
            return Err(failed(NAME, format_args!("{} bytes are not whole cells of {size}", part.len())));
        }
        let longest = part.len() / size * run_len(size);
        append(out, longest, |to| {
            Ok(for_size!(size, N => find_runs::<N>(part, to), else find_any_runs(size, part, to)))
        })
    }

    fn decompress(&mut self, part: &[u8], out: &mut [u8]) -> Result<()> {
        let size = self.cell_size;
        if !part.len().is_multiple_of(run_len(size)) {
            return Err(failed(NAME, "the last run is cut off"));
        }
        match for_size!(size, N => repeat::<N>(part, out), else repeat_any(size, part, out)) {
            Some(0) => Ok(()),
            Some(n) => Err(failed(NAME, format_args!("{n} bytes are missing"))),
            None => Err(failed(NAME, "more cells than the part has room for")),
        }
    }
}

/// Writes the runs of cells of N bytes; gives the number of bytes written.
#[inline(always)]
fn find_runs<const N: usize>(part: &[u8], out: &mut [u8]) -> usize {
    let (cells, mut at) = (part.as_chunks::<N>().0, 0);
    let Some(mut cell) = cells.first() else { return 0 };
    let mut count = 0u16;
    let mut put = |cell: &[u8; N], count: u16| {
        if let Some(run) = out.get_mut(at..at + N + COUNT) {
            let (to, length) = run.split_at_mut(N);
            to.copy_from_slice(cell);
            length.copy_from_slice(&count.to_be_bytes());
        }
        at += N + COUNT;
    };
    for next in cells {
        if next != cell || count == u16::MAX {
            put(cell, count);
            (cell, count) = (next, 0);
        }
        count += 1;
    }
    put(cell, count);
    at
}

/// The same for cells of any size.
fn find_any_runs(size: usize, part: &[u8], out: &mut [u8]) -> usize {
    let (mut rest, mut at) = (part, 0);
    while let Some(cell) = rest.get(..size) {
        let same = rest.chunks_exact(size).take(usize::from(u16::MAX)).take_while(|c| *c == cell).count();
        if let Some(run) = out.get_mut(at..at + size + COUNT) {
            let (to, length) = run.split_at_mut(size);
            to.copy_from_slice(cell);
            length.copy_from_slice(&(same as u16).to_be_bytes());
        }
        at += size + COUNT;
        rest = &rest[same * size..];
    }
    at
}

/// Repeats the cell of each run; gives the number of bytes that nothing was written to, `None` when there is no room.
#[inline(always)]
fn repeat<const N: usize>(part: &[u8], mut out: &mut [u8]) -> Option<usize> {
    for run in part.chunks_exact(N + COUNT) {
        let (cell, count) = (run.first_chunk::<N>()?, run.last_chunk::<COUNT>()?);
        let len = usize::from(u16::from_be_bytes(*count)) * N;
        let (to, rest) = out.split_at_mut_checked(len)?;
        to.as_chunks_mut::<N>().0.fill(*cell);
        out = rest;
    }
    Some(out.len())
}

/// The same for cells of any size.
fn repeat_any(size: usize, part: &[u8], mut out: &mut [u8]) -> Option<usize> {
    for run in part.chunks_exact(run_len(size)) {
        let (cell, count) = run.split_last_chunk::<COUNT>()?;
        let len = usize::from(u16::from_be_bytes(*count)).checked_mul(size)?;
        let (to, rest) = out.split_at_mut_checked(len)?;
        to.chunks_exact_mut(size).for_each(|to| to.copy_from_slice(cell));
        out = rest;
    }
    Some(out.len())
}
