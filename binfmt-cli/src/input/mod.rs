//! Where the bytes come from: a file that can be read from anywhere, a stream that only goes forward, or a directory.

mod again;
mod kept;
mod reader;
mod spool;
mod waiting;
mod whole;

use crate::error::{Error, Result};
use crate::limits::{self, Limits};
use crate::probe::{Probe, Recogniser};
use crate::unpack::{self, Compression, Unpacked};
pub(crate) use again::{Again, FromAnywhere};
pub(crate) use reader::Reader;
use reader::Source;
use spool::{Reading, Spool};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a command was told to read.
pub(crate) struct Input {
    path: PathBuf,
    kind: Kind,
    /// How the file is compressed, as soon as that is known; its bytes are here what they become.
    compression: Option<Compression>,
    /// The most bytes that they may become.
    max_unpacked: u64,
    /// The first bytes of a stream, looked at and not yet handed out.
    head: Vec<u8>,
    progress: bool,
    /// Tells whether bytes are those of a format.
    is_known: Recogniser,
}

enum Kind {
    File(File),
    /// A compressed file: it can be read again, but only from its front.
    Packed(File),
    Stream(Box<dyn Read + Send>),
    /// A stream, or what a compressed file becomes, that is put aside as it is read.
    Kept(Arc<Spool>),
    Directory,
}

impl Input {
    /// Opens a path; `-` is standard input. What is compressed is read as what it becomes.
    pub(crate) fn open(path: &Path, limits: Limits, is_known: Recogniser) -> Result<Self> {
        let kind = if is_dash(path) {
            Kind::Stream(Box::new(io::stdin()))
        } else {
            let found = match Self::kind(path) {
                // a path may mean files that have longer names
                Err(e) if e.kind() == ErrorKind::NotFound && is_known(&Probe::of_several(path)) => {
                    Ok(Kind::Directory)
                }
                found => found,
            };
            found.map_err(|e| Error::input(e).at(path.display()))?
        };
        Self::new(path, kind, limits, is_known)
    }

    fn new(path: &Path, kind: Kind, limits: Limits, is_known: Recogniser) -> Result<Self> {
        let mut input = Input {
            path: path.to_owned(),
            kind,
            compression: None,
            max_unpacked: limits.max_unpacked.0,
            head: Vec::new(),
            progress: false,
            is_known,
        };
        // a stream may be slow: nothing waits for its bytes before they are needed
        if !matches!(input.kind, Kind::Stream(_)) {
            input.settle()?;
        }
        Ok(input)
    }

    /// Finds out whether the bytes are compressed, once.
    fn settle(&mut self) -> Result<Compression> {
        if let Some(found) = self.compression {
            return Ok(found);
        }
        let mut head = self.peek(unpack::TELLING)?;
        if Compression::of(head) != Compression::None {
            head = self.peek(Probe::BYTES)?;
        }
        let head = head.to_vec();
        let found = unpack::of(&head, &self.path, &self.is_known);
        self.compression = Some(found);
        if found != Compression::None {
            self.kind = match std::mem::replace(&mut self.kind, Kind::Directory) {
                Kind::File(file) => Kind::Packed(file),
                Kind::Stream(stream) => {
                    self.head.clear();
                    let unpacked = Unpacked::new(io::Cursor::new(head).chain(stream), self.max_unpacked);
                    Kind::Stream(Box::new(unpacked.map_err(|e| Error::input(e).at(self.name()))?))
                }
                other => other,
            };
        }
        Ok(found)
    }

    fn kind(path: &Path) -> io::Result<Kind> {
        if path.is_dir() {
            return Ok(Kind::Directory);
        }
        let file = File::open(path)?;
        // a pipe with a name can be read only once, and forward
        Ok(if file.metadata()?.is_file() { Kind::File(file) } else { Kind::Stream(Box::new(file)) })
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

    /// How the file is compressed. All bytes, places and lengths but [`Input::stored`] are those of what it becomes.
    pub(crate) fn compression(&mut self) -> Result<Compression> {
        self.settle()
    }

    /// All bytes, where that is known beforehand: of a file that is not compressed.
    pub(crate) fn len(&self) -> Option<u64> {
        match &self.kind {
            Kind::File(file) => file.metadata().ok().map(|m| m.len()),
            Kind::Packed(_) | Kind::Stream(_) | Kind::Kept(_) | Kind::Directory => None,
        }
    }

    /// The bytes of the file as it is stored.
    pub(crate) fn stored(&self) -> Option<u64> {
        match &self.kind {
            Kind::File(file) | Kind::Packed(file) => file.metadata().ok().map(|m| m.len()),
            Kind::Stream(_) | Kind::Kept(_) | Kind::Directory => None,
        }
    }

    /// Names this input where an error in the data is about it, and says of which bytes it speaks.
    pub(crate) fn blamed(&self, e: Error) -> Error {
        let e = e.at(self.name());
        let Some(message) = e.message().filter(|_| e.status() == 1) else { return e };
        let is_packed = self.compression.is_some_and(|found| found != Compression::None);
        let counts = is_packed && message.text.contains("at byte ");
        match limits::tip(&message.text) {
            Some(tip) => e.tip(tip),
            None if counts && message.tip.is_none() => e.tip("bytes are counted in the decompressed file"),
            None => e,
        }
    }

    /// Up to `n` bytes from the front; they are read again by what follows.
    pub(crate) fn head(&mut self, n: usize) -> Result<&[u8]> {
        self.settle()?;
        self.peek(n)
    }

    fn peek(&mut self, n: usize) -> Result<&[u8]> {
        let mut fresh = Vec::new();
        let wanted = n.saturating_sub(self.head.len()) as u64;
        let read = match &mut self.kind {
            Kind::Directory => Ok(0),
            Kind::Stream(stream) => stream.take(wanted).read_to_end(&mut fresh),
            Kind::Kept(files) => {
                self.head.clear();
                Reading::new(files, 0).take(n as u64).read_to_end(&mut fresh)
            }
            Kind::Packed(file) => {
                self.head.clear();
                let unpacked =
                    file.seek(SeekFrom::Start(0)).and_then(|_| Unpacked::new(file, self.max_unpacked));
                unpacked.and_then(|unpacked| unpacked.take(n as u64).read_to_end(&mut fresh))
            }
            Kind::File(file) => {
                self.head.clear();
                file.seek(SeekFrom::Start(0)).and_then(|_| file.take(n as u64).read_to_end(&mut fresh))
            }
        };
        match read {
            // who reads on is told of it
            Err(e)
                if e.kind() == ErrorKind::UnexpectedEof
                    || (matches!(self.kind, Kind::Packed(_)) && !fresh.is_empty()) => {}
            Err(e) => return Err(self.blamed(Error::input(e))),
            Ok(_) => {}
        }
        self.head.append(&mut fresh);
        Ok(self.head.get(..n).unwrap_or(&self.head))
    }

    /// The bytes from `from` on. A stream is read forward to there, and only once.
    pub(crate) fn reader(&mut self, from: u64) -> Result<Reader<'_>> {
        self.settle()?;
        let progress = self.progress(self.len().map(|n| n.saturating_sub(from)));
        let name = self.name();
        let Input { kind, head, max_unpacked, .. } = self;
        let opened = match kind {
            Kind::Directory => {
                return Err(Error::data("it is a directory: a file is needed here").at(name));
            }
            Kind::File(file) => file.seek(SeekFrom::Start(from)).map(|_| Source::File(file)),
            Kind::Packed(file) => {
                let unpacked = file.seek(SeekFrom::Start(0)).and_then(|_| Unpacked::new(file, *max_unpacked));
                unpacked.and_then(|mut source| {
                    io::copy(&mut (&mut source).take(from), &mut io::sink())?;
                    Ok(Source::Packed(Box::new(source)))
                })
            }
            Kind::Kept(files) => Ok(Source::Kept(Reading::new(files, from))),
            Kind::Stream(stream) => {
                let mut source = io::Cursor::new(std::mem::take(head)).chain(stream);
                io::copy(&mut (&mut source).take(from), &mut io::sink()).map(|_| Source::Stream(source))
            }
        };
        match opened {
            Ok(source) => Ok(Reader::new(source, progress)),
            Err(e) => Err(Error::input(e).at(name)),
        }
    }
}

/// `-`, which stands for standard input or output.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(name: &str) -> Input {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        Input::open(&path, Limits::default(), Box::new(|_| false)).unwrap()
    }

    fn stream(bytes: &'static [u8]) -> Input {
        Input::new(Path::new("-"), Kind::Stream(Box::new(bytes)), Limits::default(), Box::new(|_| false))
            .unwrap()
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
        let mut input = open("Cargo.toml");
        assert_eq!(input.head(9).unwrap(), b"[package]");
        assert_eq!(input.head(4).unwrap(), b"[pac");
        assert!(rest(&mut input, 1).starts_with("package]"));
        assert!(rest(&mut input, 0).starts_with("[package]"));
        assert_eq!(rest(&mut input, u64::from(u32::MAX)), "");
    }

    #[test]
    fn a_directory_has_no_bytes() {
        let mut input = open(".");
        assert!(input.is_directory());
        assert_eq!(input.head(5).unwrap(), b"");
        assert_eq!(input.reader(0).err().unwrap().status(), 1);
    }
}
