//! Where the bytes come from: a file that can be read from anywhere, a stream that only goes forward, or a directory.

use crate::error::{Error, Result};
use crate::progress::Progress;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What a command was told to read.
pub(crate) struct Input {
    path: PathBuf,
    kind: Kind,
    /// The first bytes of a stream, looked at and not yet handed out.
    head: Vec<u8>,
    progress: bool,
}

enum Kind {
    File(File),
    Stream(Box<dyn Read>),
    Directory,
}

impl Input {
    /// Opens a path; `-` is standard input.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let kind = if is_dash(path) {
            Kind::Stream(Box::new(io::stdin()))
        } else {
            Self::kind(path).map_err(|e| Error::input(e).at(path.display()))?
        };
        Ok(Input { path: path.to_owned(), kind, head: Vec::new(), progress: false })
    }

    fn kind(path: &Path) -> io::Result<Kind> {
        if path.is_dir() {
            return Ok(Kind::Directory);
        }
        let file = File::open(path)?;
        // a pipe with a name can be read only once, and forward
        Ok(if file.metadata()?.is_file() { Kind::File(file) } else { Kind::Stream(Box::new(file)) })
    }

    /// Shows how far the reading is, where a person waits for it.
    pub(crate) fn with_progress(mut self, on: bool) -> Self {
        self.progress = on;
        self
    }

    /// As messages call it.
    pub(crate) fn name(&self) -> String {
        if is_dash(&self.path) { "standard input".to_owned() } else { self.path.display().to_string() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn is_directory(&self) -> bool {
        matches!(self.kind, Kind::Directory)
    }

    /// All bytes, where that is known beforehand.
    pub(crate) fn len(&self) -> Option<u64> {
        match &self.kind {
            Kind::File(file) => file.metadata().ok().map(|m| m.len()),
            Kind::Stream(_) | Kind::Directory => None,
        }
    }

    /// Up to `n` bytes from the front; they are read again by what follows.
    pub(crate) fn head(&mut self, n: usize) -> Result<&[u8]> {
        let mut fresh = Vec::new();
        let wanted = n.saturating_sub(self.head.len()) as u64;
        let read = match &mut self.kind {
            Kind::Directory => Ok(0),
            Kind::Stream(stream) => stream.take(wanted).read_to_end(&mut fresh),
            Kind::File(file) => {
                self.head.clear();
                file.seek(SeekFrom::Start(0)).and_then(|_| file.take(n as u64).read_to_end(&mut fresh))
            }
        };
        read.map_err(|e| Error::input(e).at(self.name()))?;
        self.head.append(&mut fresh);
        Ok(self.head.get(..n).unwrap_or(&self.head))
    }

    /// The bytes from `from` on. A stream is read forward to there, and only once.
    pub(crate) fn reader(&mut self, from: u64) -> Result<Reader<'_>> {
        let progress = Progress::new(&self.name(), self.len().map(|n| n.saturating_sub(from)), self.progress);
        let name = self.name();
        let Input { kind, head, .. } = self;
        let opened = match kind {
            Kind::Directory => {
                return Err(Error::data("it is a directory: a file is needed here").at(name));
            }
            Kind::File(file) => file.seek(SeekFrom::Start(from)).map(|_| Source::File(file)),
            Kind::Stream(stream) => {
                let mut source = io::Cursor::new(std::mem::take(head)).chain(stream);
                io::copy(&mut (&mut source).take(from), &mut io::sink()).map(|_| Source::Stream(source))
            }
        };
        match opened {
            Ok(source) => Ok(Reader { source, progress, count: Rc::default() }),
            Err(e) => Err(Error::input(e).at(name)),
        }
    }
}

/// `-`, which stands for standard input or output.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The bytes of an input, counted as they go by.
pub(crate) struct Reader<'a> {
    source: Source<'a>,
    progress: Progress,
    count: Rc<Cell<u64>>,
}

enum Source<'a> {
    File(&'a mut File),
    Stream(io::Chain<io::Cursor<Vec<u8>>, &'a mut Box<dyn Read>>),
}

impl Reader<'_> {
    /// The number of bytes that were read, also after the reader was given away.
    pub(crate) fn counter(&self) -> Rc<Cell<u64>> {
        Rc::clone(&self.count)
    }
}

impl Reader<'_> {
    fn passed(&mut self, n: u64) {
        self.progress.add(n);
        self.count.set(self.count.get().saturating_add(n));
    }
}

impl Read for Reader<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = match &mut self.source {
            Source::File(file) => file.read(buf)?,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(bytes: &'static [u8]) -> Input {
        Input { path: "-".into(), kind: Kind::Stream(Box::new(bytes)), head: Vec::new(), progress: false }
    }

    fn rest(input: &mut Input, from: u64) -> String {
        let mut text = String::new();
        input.reader(from).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn what_was_looked_at_is_read_again() {
        let mut input = stream(b"abcdef");
        assert_eq!(input.head(2).unwrap(), b"ab");
        assert_eq!(input.head(4).unwrap(), b"abcd");
        assert_eq!(input.head(1).unwrap(), b"a");
        assert_eq!(rest(&mut input, 0), "abcdef");
    }

    #[test]
    fn a_stream_goes_forward() {
        let mut input = stream(b"abcdef");
        input.head(2).unwrap();
        assert_eq!(rest(&mut input, 4), "ef");
        assert_eq!(rest(&mut stream(b"ab"), 9), "");
    }

    #[test]
    fn a_file_is_read_from_anywhere() {
        let mut input =
            Input::open(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml").as_path()).unwrap();
        assert_eq!(input.head(9).unwrap(), b"[package]");
        assert_eq!(input.head(4).unwrap(), b"[pac");
        assert!(rest(&mut input, 1).starts_with("package]"));
        assert!(rest(&mut input, 0).starts_with("[package]"));
        assert_eq!(rest(&mut input, u64::from(u32::MAX)), "");
    }

    #[test]
    fn a_directory_has_no_bytes() {
        let mut input = Input::open(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        assert!(input.is_directory());
        assert_eq!(input.head(5).unwrap(), b"");
        assert_eq!(input.reader(0).err().unwrap().status(), 1);
    }
}
