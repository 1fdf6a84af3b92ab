//! Values one after the other into a writer, many at a time: what the writers of formats have in common.

use crate::error::{Error, ErrorKind, Result, Step};
use alloc::vec::Vec;
use std::io::Write;

/// Bytes that are gathered before they are handed to the writer.
pub(crate) const BLOCK: usize = 64 << 10;

/// Gathers what is written, and hands it on in blocks.
///
/// What cannot be written leaves nothing of itself: the file ends where it began. Errors begin with the number of
/// the item.
#[derive(Debug)]
pub(crate) struct Blocks<W: Write> {
    writer: W,
    block: Vec<u8>,
    num_items: u64,
    sent: u64,
}

impl<W: Write> Blocks<W> {
    pub(crate) fn new(writer: W) -> Self {
        Blocks { writer, block: Vec::new(), num_items: 0, sent: 0 }
    }

    /// Writes the next item, which is what `append` puts after the bytes that are there.
    pub(crate) fn item(&mut self, append: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> Result<()> {
        self.append(append)?;
        self.count()
    }

    fn append(&mut self, append: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> Result<()> {
        let before = self.block.len();
        append(&mut self.block).map_err(|e| {
            self.block.truncate(before);
            self.at_item(e)
        })
    }

    /// Writes a part of the next item, which ends with [`item`](Self::item).
    #[cfg(feature = "futhark")]
    pub(crate) fn part(&mut self, append: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> Result<()> {
        self.append(append)?;
        if self.block.len() >= BLOCK { self.send() } else { Ok(()) }
    }

    /// Writes the next item, a large one, which `put` hands to the writer itself, and tells how many bytes it takes.
    #[cfg(feature = "futhark")]
    pub(crate) fn large_item(&mut self, put: impl FnOnce(&mut W) -> Result<u64>) -> Result<()> {
        self.send()?;
        match put(&mut self.writer) {
            Ok(n) => self.sent += n,
            Err(e) => return Err(self.at_item(e)),
        }
        self.count()
    }

    fn at_item(&self, e: Error) -> Error {
        e.within(Step::Index(usize::try_from(self.num_items).unwrap_or(usize::MAX)))
    }

    fn count(&mut self) -> Result<()> {
        self.num_items += 1;
        if self.block.len() >= BLOCK { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> Result<()> {
        let done = self.writer.write_all(&self.block);
        let n = self.block.len() as u64;
        self.block.clear();
        done.map_err(|e| Error::new(ErrorKind::Io(e), self.sent))?;
        self.sent += n;
        Ok(())
    }

    /// Hands the rest to the writer, flushes it, and returns how many items were written.
    pub(crate) fn finish(mut self) -> Result<u64> {
        self.send()?;
        self.writer.flush().map_err(|e| Error::new(ErrorKind::Io(e), self.sent))?;
        Ok(self.num_items)
    }
}

#[cfg(all(test, feature = "futhark"))]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn what_cannot_be_written_leaves_nothing() {
        let mut out = Vec::new();
        let mut blocks = Blocks::new(&mut out);
        blocks.item(|block| crate::append(&1u8, block)).unwrap();
        let e = blocks.item(|block| {
            block.push(9);
            Err(Error::other("no"))
        });
        assert_eq!(e.unwrap_err().to_string(), "[1]: no");
        blocks.large_item(|writer| crate::to_writer(&2u16, writer)).unwrap();
        blocks.item(|block| crate::append(&3u8, block)).unwrap();
        assert_eq!(blocks.finish().unwrap(), 3);
        assert_eq!(out, [1, 2, 0, 3]);
    }
}
