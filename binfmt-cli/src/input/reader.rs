//! The bytes of an input on their way to a format.

use super::spool::Reading;
use crate::progress::Progress;
use crate::unpack::Unpacked;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;

/// The bytes of an input, counted as they go by.
pub(crate) struct Reader<'a> {
    source: Source<'a>,
    progress: Progress,
    count: Rc<Cell<u64>>,
}

/// Where they come from.
pub(super) enum Source<'a> {
    File(&'a mut File),
    Packed(Box<Unpacked<&'a mut File>>),
    Kept(Reading),
    Stream(io::Chain<io::Cursor<Vec<u8>>, &'a mut Box<dyn Read + Send>>),
}

impl<'a> Reader<'a> {
    pub(super) fn new(source: Source<'a>, progress: Progress) -> Self {
        Reader { source, progress, count: Rc::default() }
    }
}

impl Reader<'_> {
    /// The number of bytes that were read, also after the reader was given away.
    pub(crate) fn counter(&self) -> Rc<Cell<u64>> {
        Rc::clone(&self.count)
    }

    fn passed(&mut self, n: u64) {
        self.progress.add(n);
        self.count.set(self.count.get() + n);
    }
}

impl Read for Reader<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = match &mut self.source {
            Source::File(file) => file.read(buf)?,
            Source::Packed(unpacked) => unpacked.read(buf)?,
            Source::Kept(kept) => kept.read(buf)?,
            Source::Stream(stream) => stream.read(buf)?,
        };
        self.passed(n as u64);
        Ok(n)
    }
}

/// A stream cannot be sought. What is stepped over counts as read, but a look at the end does not.
impl Seek for Reader<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let Source::File(file) = &mut self.source else { return Err(io::ErrorKind::Unsupported.into()) };
        let from = file.stream_position()?;
        let at = file.seek(to)?;
        if !matches!(to, SeekFrom::End(_)) {
            self.passed(at.saturating_sub(from));
        }
        Ok(at)
    }
}
