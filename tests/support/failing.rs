//! A reader that fails, and fails again each time it is asked.

use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom};

/// More calls than this after the first error are a loop.
const MOST: usize = 1 << 14;

/// Gives its bytes, at most `step` at a time, then the same error whenever it is asked. Who goes on asking panics in the end.
#[derive(Debug)]
pub(crate) struct Failing {
    bytes: Vec<u8>,
    at: usize,
    step: usize,
    kind: ErrorKind,
    failed: usize,
}

/// One that has not failed.
impl Clone for Failing {
    fn clone(&self) -> Self {
        Failing { bytes: self.bytes.clone(), failed: 0, ..*self }
    }
}

impl Failing {
    pub(crate) fn new(bytes: &[u8], step: usize, kind: ErrorKind) -> Self {
        Failing { bytes: bytes.to_vec(), at: 0, step, kind, failed: 0 }
    }

    /// One for each way to fail after these bytes.
    pub(crate) fn all(bytes: &[u8]) -> impl Iterator<Item = Failing> {
        let kinds =
            [ErrorKind::Other, ErrorKind::UnexpectedEof, ErrorKind::WouldBlock, ErrorKind::Interrupted];
        let bytes = bytes.to_vec();
        kinds.into_iter().flat_map(move |kind| [1, usize::MAX].map(|step| Failing::new(&bytes, step, kind)))
    }
}

impl Read for Failing {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let rest = &self.bytes[self.at.min(self.bytes.len())..];
        let n = out.len().min(rest.len()).min(self.step);
        if n == 0 && !out.is_empty() {
            self.failed += 1;
            // one that is interrupted may be asked again, but not without end
            let most = if self.kind == ErrorKind::Interrupted { MOST } else { 1 };
            assert!(self.failed <= most, "it is asked again");
            return Err(Error::new(self.kind, "the disk is gone"));
        }
        out[..n].copy_from_slice(&rest[..n]);
        self.at += n;
        Ok(n)
    }
}

/// As a file that is a mebibyte longer.
impl Seek for Failing {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let to = match to {
            SeekFrom::Start(n) => Some(n),
            SeekFrom::Current(n) => (self.at as u64).checked_add_signed(n),
            SeekFrom::End(n) => (self.bytes.len() as u64 + (1 << 20)).checked_add_signed(n),
        };
        let to = to.ok_or(ErrorKind::InvalidInput)?;
        self.at = usize::try_from(to).map_err(|_| ErrorKind::InvalidInput)?;
        Ok(to)
    }
}
