//! Runs of equal cells: the cell, then the length of the run as a big-endian `u16`.
//!
//! A cell is all values of an attribute's cell, of coordinates all dimensions.

use super::compress::Codec;
use crate::{Error, Result};

pub(crate) struct Rle {
    pub(crate) cell_size: usize,
}

impl Codec for Rle {
    fn compress(&mut self, part: &[u8]) -> Result<Vec<u8>> {
        let size = self.cell_size;
        if !part.len().is_multiple_of(size) {
            let text = format!("RLE of {} bytes, which are no whole cells of {size}", part.len());
            return Err(Error::message(text, 0));
        }
        let mut out = Vec::new();
        let mut rest = part;
        while let Some(cell) = rest.get(..size) {
            let same = rest.chunks_exact(size).take(usize::from(u16::MAX)).take_while(|c| *c == cell).count();
            out.extend_from_slice(cell);
            out.extend_from_slice(&(same as u16).to_be_bytes());
            rest = &rest[same * size..];
        }
        Ok(out)
    }

    fn decompress(&mut self, part: &[u8], mut out: &mut [u8]) -> Result<()> {
        let size = self.cell_size;
        let runs = part.chunks_exact(size.saturating_add(2));
        if !runs.remainder().is_empty() {
            return Err(Error::message("RLE: the last run is cut off", 0));
        }
        for run in runs {
            let (cell, count) = run.split_at(size);
            let count = count.iter().fold(0, |n, b| n << 8 | usize::from(*b));
            let Some((to, rest)) = std::mem::take(&mut out).split_at_mut_checked(count.saturating_mul(size))
            else {
                return Err(Error::message("RLE: more cells than the part has room for", 0));
            };
            fill(to, cell);
            out = rest;
        }
        match out.len() {
            0 => Ok(()),
            n => Err(Error::message(format!("RLE: {n} bytes are missing"), 0)),
        }
    }
}

/// Repeats a cell over `to`, which has room for a whole number of them.
fn fill(to: &mut [u8], cell: &[u8]) {
    fn fixed<const N: usize>(to: &mut [u8], cell: &[u8]) {
        if let Ok(cell) = <[u8; N]>::try_from(cell) {
            to.as_chunks_mut::<N>().0.fill(cell);
        }
    }
    match cell.len() {
        1 => fixed::<1>(to, cell),
        2 => fixed::<2>(to, cell),
        4 => fixed::<4>(to, cell),
        8 => fixed::<8>(to, cell),
        n => to.chunks_exact_mut(n.max(1)).for_each(|to| to.copy_from_slice(cell)),
    }
}
