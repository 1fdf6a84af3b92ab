//! A stream as a file of a storage: what has come is kept on the disk, and is read again from there. Memory does not grow with it.

use binfmt::storage::{Storage, unnamed_file};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes that are taken at once.
const BLOCK: usize = 64 << 10;
/// The first bytes, which are in memory: a small file needs no other.
const HELD: usize = 1 << 20;

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

impl Spool {
    /// What comes of this source.
    pub(super) fn new(source: Box<dyn Read + Send>) -> Self {
        let (head, source) = (Vec::new(), Some(source));
        Spool(Mutex::new(Inner { source, head, file: None, bytes: 0, is_passed: false }))
    }
}

/// What comes after bytes that could not be kept.
struct Lost;

impl Read for Lost {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("what was read before could not be kept"))
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
            if let Err(e) = self.put(&block) {
                self.source = Some(Box::new(Lost));
                return Err(e);
            }
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

    /// How many bytes have come.
    pub(super) fn passed(&self) -> u64 {
        self.inner().bytes
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
