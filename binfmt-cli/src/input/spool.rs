//! A stream, or what a compressed file becomes, as a file of a storage: what has come is kept on the disk, and is read again from
//! there. Memory does not grow with it.

use super::{Input, Kind};
use crate::error::{Error, Result};
use crate::unpack::Unpacked;
use binfmt::storage::Storage;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes that are taken at once.
const BLOCK: usize = 64 << 10;

/// A stream, and the file with what has come of it.
struct Spool(Mutex<Inner>);

struct Inner {
    /// None after its end.
    source: Option<Box<dyn Read + Send>>,
    file: File,
    bytes: u64,
}

impl Input {
    /// The bytes of a stream that nothing was read of, or of a compressed file; `None` of any other input.
    pub(crate) fn spooled(&mut self) -> Result<Option<impl Storage + use<>>> {
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
            Kind::File(_) | Kind::Directory => return Ok(None),
        };
        let file = unnamed().map_err(|e| Error::input(e).at(std::env::temp_dir().display()))?;
        Ok(Some(Spool(Mutex::new(Inner { source: Some(source), file, bytes: 0 }))))
    }
}

/// A file that no other program finds, and of which nothing stays.
fn unnamed() -> io::Result<File> {
    loop {
        let id = RandomState::new().hash_one(std::process::id());
        let path = std::env::temp_dir().join(format!("binfmt-{id:016x}"));
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(&path) {
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
            Ok(file) => {
                // where a file that is open keeps its name it stays until the system clears it away
                let _ = fs::remove_file(&path);
                return Ok(file);
            }
        }
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
            self.file.seek(SeekFrom::Start(self.bytes))?;
            self.file.write_all(&block)?;
            self.bytes += read as u64;
        }
        Ok(())
    }
}

impl Spool {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
        inner.file.seek(SeekFrom::Start(offset))?;
        inner.file.read_exact(out)
    }

    fn is_arriving(&self, _: &str) -> bool {
        self.inner().source.is_some()
    }

    fn read_some(&self, _: &str, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        let mut inner = self.inner();
        inner.fill(offset.saturating_add(1))?;
        inner.file.seek(SeekFrom::Start(offset))?;
        inner.file.read(out)
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
        let bytes: Vec<u8> = (0..200_000u32).map(|n| n as u8).collect();
        let (stream, to) = (Kind::Stream(Box::new(io::Cursor::new(bytes.clone()))), bytes.len() as u64);
        let mut input = Input::new(Path::new("-"), stream, Limits::default(), Box::new(|_| false)).unwrap();
        input.head(10).unwrap();
        let files = input.spooled().unwrap().unwrap();
        let mut some = [0; 100];
        assert!(files.is_arriving("input"));
        let some_bytes = files.read_some("input", 5, &mut some).unwrap();
        assert!(some_bytes > 0 && some[..some_bytes] == bytes[5..5 + some_bytes]);
        assert!(files.is_arriving("input"));
        files.read("input", 199_950, &mut some[..50]).unwrap();
        assert_eq!(some[..50], bytes[199_950..]);
        assert_eq!((files.size("input").unwrap(), files.is_arriving("input")), (Some(to), false));
        assert_eq!(files.read_some("input", to, &mut some).unwrap(), 0);
        files.read("input", 0, &mut some).unwrap();
        assert_eq!(some, bytes[..100]);
        assert!(files.read("input", to - 1, &mut some).is_err() && files.write("input", b"").is_err());
    }
}
