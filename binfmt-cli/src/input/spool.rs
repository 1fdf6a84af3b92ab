//! A stream, or what a compressed file becomes, as a file of a storage: what has come is kept on the disk, and is read again from
//! there. Memory does not grow with it.

use super::{Again, Input, Kind};
use crate::error::{Error, Result};
use crate::unpack::Unpacked;
use binfmt::storage::{Storage, unnamed_file};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes that are taken at once.
const BLOCK: usize = 64 << 10;
/// The first bytes, which are in memory: a small file needs no other.
const HELD: usize = 4 << 20;

/// A stream, and what has come of it.
pub(crate) struct Spool(Mutex<Inner>);

struct Inner {
    /// None after its end.
    source: Option<Box<dyn Read + Send>>,
    head: Vec<u8>,
    /// What comes after the head.
    file: Option<File>,
    bytes: u64,
    /// Whether nobody comes back to what is read from now on.
    is_passed: bool,
}

/// The bytes of a spool, from any of them on.
pub(super) struct Reading {
    spool: Arc<Spool>,
    at: u64,
}

impl Reading {
    pub(super) fn new(spool: &Arc<Spool>, at: u64) -> Self {
        Reading { spool: Arc::clone(spool), at }
    }
}

impl Read for Reading {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.spool.read_some("", self.at, out)?;
        self.at += n as u64;
        Ok(n)
    }
}

/// Where it ends is not known before.
impl Seek for Reading {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::Current(by) => self.at.checked_add_signed(by).ok_or(ErrorKind::InvalidInput)?,
            SeekFrom::End(_) => return Err(ErrorKind::Unsupported.into()),
        };
        Ok(self.at)
    }
}

impl Input {
    /// The bytes of a stream that nothing was read of, or of a compressed file; `None` of any other input.
    pub(crate) fn spooled(&mut self) -> Result<Option<Arc<dyn Storage>>> {
        Ok(self.spool()?.map(|files| files as Arc<dyn Storage>))
    }

    /// From now on, a stream or a compressed file is one that is read from anywhere, and as often as is wanted.
    pub(crate) fn kept(&mut self) -> Result<()> {
        if let Some(files) = self.spool()? {
            self.kind = Kind::Kept(files);
        }
        Ok(())
    }

    /// A file that can be opened once more.
    pub(crate) fn again(&self) -> Option<Again> {
        match &self.kind {
            Kind::File(_) => Some(Again::Path(self.path.clone())),
            Kind::Kept(files) => Some(Again::Kept(Arc::clone(files))),
            Kind::Packed(_) | Kind::Stream(_) | Kind::Directory => None,
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
        let inner = Inner { source: Some(source), head: Vec::new(), file: None, bytes: 0, is_passed: false };
        Ok(Some(Arc::new(Spool(Mutex::new(inner)))))
    }
}

impl Inner {
    /// Waits until there are that many bytes, or no more.
    fn fill(&mut self, wanted: u64) -> io::Result<()> {
        let mut block = Vec::new();
        while let (true, Some(source)) = (self.bytes < wanted, &mut self.source) {
            block.resize(BLOCK, 0);
            let read = match source.read(&mut block) {
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                read => read?,
            };
            block.truncate(read);
            if read == 0 {
                self.source = None;
            }
            self.put(&block)?;
            self.bytes += read as u64;
        }
        Ok(())
    }

    fn put(&mut self, block: &[u8]) -> io::Result<()> {
        if self.file.is_none() && self.head.len() + block.len() <= HELD {
            self.head.extend_from_slice(block);
            return Ok(());
        }
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(unnamed_file()?),
        };
        file.seek(SeekFrom::Start(self.bytes - self.head.len() as u64))?;
        file.write_all(block)
    }

    /// Bytes from this one on, at least one of those that have come.
    fn get(&mut self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        let head = usize::try_from(offset).ok().and_then(|at| self.head.get(at..)).unwrap_or_default();
        match (head, &mut self.file) {
            ([], Some(file)) => {
                file.seek(SeekFrom::Start(offset - self.head.len() as u64))?;
                file.read(out)
            }
            (mut head, _) => head.read(out),
        }
    }
}

impl Spool {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is read from now on is read once, and put nowhere.
    pub(super) fn pass(&self) {
        self.inner().is_passed = true;
    }
}

impl Storage for Spool {
    fn list(&self, _: &str) -> io::Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn size(&self, _: &str) -> io::Result<Option<u64>> {
        let mut inner = self.inner();
        inner.fill(u64::MAX)?;
        Ok(Some(inner.bytes))
    }

    fn read(&self, _: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let mut inner = self.inner();
        inner.fill(offset.saturating_add(out.len() as u64))?;
        let mut done = 0;
        while let Some(rest) = out.get_mut(done..).filter(|rest| !rest.is_empty()) {
            match inner.get(offset + done as u64, rest)? {
                0 => return Err(ErrorKind::UnexpectedEof.into()),
                n => done += n,
            }
        }
        Ok(())
    }

    fn is_arriving(&self, _: &str) -> bool {
        self.inner().source.is_some()
    }

    fn read_some(&self, _: &str, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        let mut inner = self.inner();
        if let Inner { is_passed: true, source: Some(source), bytes, .. } = &mut *inner
            && offset >= *bytes
        {
            let n = source.read(out)?;
            *bytes += n as u64;
            return Ok(n);
        }
        inner.fill(offset.saturating_add(1))?;
        inner.get(offset, out)
    }

    fn write(&self, path: &str, _: &[u8]) -> io::Result<()> {
        Err(io::Error::new(ErrorKind::Unsupported, format!("{path} is only read")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use std::path::Path;

    #[test]
    fn a_stream_is_read_as_far_as_is_asked_for_and_again() {
        for len in [200_000, HELD as u32 + 200_000] {
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
