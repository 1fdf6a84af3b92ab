//! The reader of a stream: how it is read, stepped over and sought, without its type.

use super::steady::Steady;
use std::io::{Read, Result};

/// Steps over that many bytes of a reader, or as many as it has.
pub(crate) type Leap<R> = fn(&mut R, u64) -> Result<Option<u64>>;

/// Goes to that many bytes from the beginning of a reader.
pub(crate) type Seek<R> = fn(&mut R, u64) -> Result<()>;

/// What a stream asks of its reader: a block at a time.
pub trait Input {
    /// Reads some of the bytes that come next; 0 at the end.
    fn read(&mut self, out: &mut [u8]) -> Result<usize>;

    /// Steps over that many bytes without reading them: how many there were, or `None` where the reader cannot.
    fn leap(&mut self, n: u64) -> Result<Option<u64>>;

    /// Goes to that many bytes from the beginning of the reader, if it can.
    fn seek(&mut self, to: u64) -> Result<()>;
}

/// A reader, and what it can do beside reading.
#[derive(Debug)]
pub(super) struct Reading<R> {
    pub(super) reader: Steady<R>,
    pub(super) leap: Option<Leap<R>>,
    pub(super) seek: Option<Seek<R>>,
}

impl<R: Read> Input for Reading<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        self.reader.read(out)
    }

    fn leap(&mut self, n: u64) -> Result<Option<u64>> {
        match self.leap {
            Some(leap) => self.reader.run(|reader| leap(reader, n)),
            None => Ok(None),
        }
    }

    fn seek(&mut self, to: u64) -> Result<()> {
        if let Some(seek) = self.seek {
            seek(self.reader.get_mut(), to)?;
            self.reader.moved();
        }
        Ok(())
    }
}
