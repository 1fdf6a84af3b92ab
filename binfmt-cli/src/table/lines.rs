//! Lines of text on their way out. A cell may be as large as memory: none is held here a second time.

use crate::error::{Error, Result};
use std::io::Write;

/// Bytes that are collected before they are passed on.
const BLOCK: usize = 16 << 10;

/// A line that grows piece by piece.
pub(super) struct Lines<W> {
    out: W,
    held: Vec<u8>,
}

impl<W: Write> Lines<W> {
    pub(super) fn new(out: W) -> Self {
        Lines { out, held: Vec::new() }
    }

    /// Appends to the line.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<()> {
        if self.held.len() + bytes.len() > BLOCK {
            self.send()?;
        }
        if bytes.len() > BLOCK {
            return self.out.write_all(bytes).map_err(Error::output);
        }
        self.held.extend_from_slice(bytes);
        Ok(())
    }

    /// Writes a line of that many cells.
    pub(super) fn row(
        &mut self,
        separator: &[u8],
        cells: usize,
        mut cell: impl FnMut(usize, &mut Self) -> Result<()>,
    ) -> Result<()> {
        for i in 0..cells {
            if i > 0 {
                self.push(separator)?;
            }
            cell(i, self)?;
        }
        self.push(b"\n")
    }

    /// Appends bytes in hexadecimal.
    pub(super) fn push_hex(&mut self, bytes: &[u8]) -> Result<()> {
        self.push(b"0x")?;
        for piece in bytes.chunks(BLOCK / 2) {
            let digits: Vec<u8> = piece.iter().flat_map(|b| hex(*b)).collect();
            self.push(&digits)?;
        }
        Ok(())
    }

    /// Hands on what is held.
    pub(super) fn send(&mut self) -> Result<()> {
        self.out.write_all(&self.held).map_err(Error::output)?;
        self.held.clear();
        Ok(())
    }

    /// The same, and nothing stays in between.
    pub(super) fn flush(&mut self) -> Result<()> {
        self.send()?;
        self.out.flush().map_err(Error::output)
    }
}

/// The two digits of a byte.
pub(super) fn hex(byte: u8) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]
}
