//! Streams, and what compressed files become, put aside as they are read.

use super::again::Again;
use super::spool::Spool;
use super::{Input, Kind};
use crate::error::{Error, Result};
use crate::unpack::Unpacked;
use binfmt::storage::Storage;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

impl Input {
    /// The bytes of a stream that nothing was read of, or of a compressed file; `None` of any other input. A stream is one that is kept from
    /// now on: whoever asks once more finds what has come of it.
    pub(crate) fn spooled(&mut self) -> Result<Option<Arc<dyn Storage>>> {
        self.keep_stream()?;
        Ok(self.spool()?.map(|files| files as Arc<dyn Storage>))
    }

    /// From now on, a stream or a compressed file is one that is read from anywhere, and as often as is wanted.
    pub(crate) fn kept(&mut self) -> Result<()> {
        if let Some(files) = self.spool()? {
            self.kind = Kind::Kept(files);
        }
        Ok(())
    }

    /// The same of a stream alone, which can be read once.
    pub(crate) fn keep_stream(&mut self) -> Result<()> {
        self.settle()?;
        if matches!(self.kind, Kind::Stream(_)) { self.kept() } else { Ok(()) }
    }

    /// Whether its bytes come once, and are not kept.
    pub(crate) fn is_read_once(&self) -> bool {
        matches!(self.kind, Kind::Stream(_))
    }

    /// A file that can be opened once more.
    pub(crate) fn again(&self) -> Option<Again> {
        match &self.kind {
            Kind::File(_) => Some(Again::Path(self.path.clone())),
            Kind::Kept(files) => Some(Again::Kept(Arc::clone(files))),
            Kind::Packed(_) | Kind::Stream(_) | Kind::Directory => None,
        }
    }

    /// All bytes of a file, or of what is kept of a stream, which is read to its end.
    pub(crate) fn bytes(&self) -> Result<u64> {
        let found = match &self.kind {
            Kind::File(file) => file.metadata().map(|about| about.len()),
            Kind::Kept(files) => files.size("").map(|bytes| bytes.unwrap_or(0)),
            Kind::Packed(_) | Kind::Stream(_) | Kind::Directory => Ok(0),
        };
        found.map_err(Error::input)
    }

    /// How many bytes of it have come by, where that is kept.
    pub(crate) fn passed(&self) -> u64 {
        match &self.kind {
            Kind::Kept(files) => files.passed(),
            Kind::File(_) | Kind::Packed(_) | Kind::Stream(_) | Kind::Directory => 0,
        }
    }

    fn spool(&mut self) -> Result<Option<Arc<Spool>>> {
        self.settle()?;
        let source: Box<dyn Read + Send> = match &mut self.kind {
            Kind::Stream(stream) => {
                let stream = std::mem::replace(stream, Box::new(io::empty()));
                Box::new(io::Cursor::new(std::mem::take(&mut self.head)).chain(stream))
            }
            // a place of its own, as the file may be read otherwise, too
            Kind::Packed(_) => {
                let file = File::open(&self.path).map_err(Error::input)?;
                Box::new(Unpacked::new(file, self.max_unpacked).map_err(Error::input)?)
            }
            Kind::Kept(files) => return Ok(Some(Arc::clone(files))),
            Kind::File(_) | Kind::Directory => return Ok(None),
        };
        Ok(Some(Arc::new(Spool::new(source))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use std::path::Path;

    #[test]
    fn a_stream_is_read_as_far_as_is_asked_for_and_again() {
        for len in [200_000, (1 << 20) + 200_000] {
            is_read_as_far_as_is_asked_for_and_again(len);
        }
    }

    fn is_read_as_far_as_is_asked_for_and_again(len: u32) {
        let bytes: Vec<u8> = (0..len).map(|n| (n / 7) as u8).collect();
        let (stream, to) = (Kind::Stream(Box::new(io::Cursor::new(bytes.clone()))), bytes.len() as u64);
        let mut input = Input::new(Path::new("-"), stream, Limits::default(), Box::new(|_| false)).unwrap();
        input.head(10).unwrap();
        let files = input.spooled().unwrap().unwrap();
        let mut some = [0; 100];
        assert!(files.is_arriving("input"));
        let some_bytes = files.read_some("input", 5, &mut some).unwrap();
        assert!(some_bytes > 0 && some[..some_bytes] == bytes[5..5 + some_bytes]);
        assert!(files.is_arriving("input"));
        files.read("input", to - 50, &mut some[..50]).unwrap();
        assert_eq!(some[..50], bytes[bytes.len() - 50..]);
        // one part of them is in memory, and the other in the file
        let mut all = vec![0; bytes.len()];
        files.read("input", 0, &mut all).unwrap();
        assert!(all == bytes);
        assert_eq!((files.size("input").unwrap(), files.is_arriving("input")), (Some(to), false));
        assert_eq!(files.read_some("input", to, &mut some).unwrap(), 0);
        files.read("input", 0, &mut some).unwrap();
        assert_eq!(some, bytes[..100]);
        assert!(files.read("input", to - 1, &mut some).is_err() && files.write("input", b"").is_err());
    }
}
