//! Where results go: standard output, or a file that appears only when it is complete.

mod atomic;
mod disk;
mod folder;
mod gated;
mod growth;
mod interrupt;
mod leftover;
mod one;
mod storage;

use crate::error::{Error, Result};
use crate::input::is_dash;
use crate::style;
use crate::terminal::Screen;
use atomic::NewFile;
pub(crate) use folder::NewFolder;
pub(crate) use gated::Gated;
pub(crate) use one::is_one;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::path::{Path, PathBuf};
pub(crate) use storage::Place;

/// What a command was told to write.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    Stdout,
    Path(PathBuf),
}

impl Target {
    /// `-` is standard output, and so are the names that the system has for it: a file that it leads to is not replaced.
    pub(crate) fn new(path: &Path) -> Self {
        if is_dash(path) || is_stdout(path) { Target::Stdout } else { Target::Path(path.to_owned()) }
    }

    /// As messages call it.
    pub(crate) fn name(&self) -> String {
        match self {
            Target::Stdout => STDOUT.to_owned(),
            Target::Path(path) => path.display().to_string(),
        }
    }

    /// Begins to write one file.
    pub(crate) fn create(&self) -> Result<Output> {
        self.begin().map_err(|e| Error::output(e).writing(self.name()))
    }

    fn begin(&self) -> io::Result<Output> {
        let sink = match self {
            Target::Stdout if style::is_terminal() => Ok(Sink::Screen(Screen::new(Box::new(stdout())))),
            Target::Stdout => Ok(Sink::Stdout(stdout())),
            Target::Path(path) if is_special(path) => File::options().write(true).open(path).map(|file| {
                let is_terminal = file.is_terminal();
                let file: Box<dyn Write + Send> = Box::new(BufWriter::new(file));
                if is_terminal { Sink::Screen(Screen::new(file)) } else { Sink::Special(file) }
            }),
            Target::Path(path) => NewFile::beside(path).map(Sink::File),
        };
        sink.map(Output)
    }

    /// Begins to write a folder of files.
    pub(crate) fn create_folder(&self) -> Result<NewFolder> {
        match self {
            Target::Stdout => Err(Error::usage(NO_FOLDER)),
            Target::Path(_) => self.begin_folder().map_err(|e| Error::output(e).writing(self.name())),
        }
    }

    fn begin_folder(&self) -> io::Result<NewFolder> {
        match self {
            Target::Stdout => Err(io::Error::new(io::ErrorKind::Unsupported, NO_FOLDER)),
            Target::Path(path) => NewFolder::beside(path),
        }
    }
}

const NO_FOLDER: &str = "a folder of files cannot be written to standard output";

/// As messages call standard output.
pub(crate) const STDOUT: &str = "standard output";

fn is_stdout(path: &Path) -> bool {
    ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name))
}

/// A device or a pipe: written as it is, for it cannot be replaced.
fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir())
}

/// Writes a text to standard output.
pub(crate) fn text(text: &str) -> Result<()> {
    let mut out = stdout();
    let done = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    done.map_err(|e| Error::output(e).writing(STDOUT))
}

/// Standard output in blocks: the library's own would be flushed at every line.
pub(crate) fn stdout() -> BufWriter<Stdout> {
    BufWriter::with_capacity(64 << 10, io::stdout())
}

/// A file that is being written. Without [`Output::finish`] it never was.
pub(crate) struct Output(Sink);

enum Sink {
    Stdout(BufWriter<Stdout>),
    Screen(Screen<Box<dyn Write + Send>>),
    Special(Box<dyn Write + Send>),
    File(NewFile),
}

impl Output {
    /// Everything is written: the file takes its place.
    pub(crate) fn finish(self) -> Result<()> {
        self.commit().map_err(Error::output)
    }

    /// Puts other bytes in the place of some that were written, in a file; whether this is one.
    fn patch(&mut self, at: u64, bytes: &[u8]) -> io::Result<bool> {
        match &mut self.0 {
            Sink::File(file) => file.patch(at, bytes).map(|()| true),
            Sink::Stdout(_) | Sink::Screen(_) | Sink::Special(_) => Ok(false),
        }
    }

    fn commit(self) -> io::Result<()> {
        match self.0 {
            Sink::Stdout(mut out) => out.flush(),
            Sink::Screen(mut out) => out.flush(),
            Sink::Special(mut out) => out.flush(),
            Sink::File(file) => file.commit(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Sink::Stdout(out) => out.write(buf),
            Sink::Screen(out) => out.write(buf),
            Sink::Special(out) => out.write(buf),
            Sink::File(out) => out.write(buf),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Sink::Stdout(out) => out.flush(),
            // what is not complete may become so
            Sink::Screen(_) => Ok(()),
            Sink::Special(out) => out.flush(),
            Sink::File(out) => out.flush(),
        }
    }
}

/// An output of which it is known whether it could be written.
#[derive(Debug)]
pub(crate) struct Watched<W> {
    pub(crate) inner: W,
    pub(crate) has_failed: bool,
}

impl<W> Watched<W> {
    pub(crate) fn new(inner: W) -> Self {
        Watched { inner, has_failed: false }
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.inner.write(bytes);
        self.has_failed |= done.is_err();
        done
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.inner.flush();
        self.has_failed |= done.is_err();
        done
    }
}

/// An output whose bytes are counted.
#[derive(Debug)]
pub(crate) struct Counted<W> {
    pub(crate) inner: W,
    pub(crate) bytes: u64,
}

impl<W> Counted<W> {
    pub(crate) fn new(inner: W) -> Self {
        Counted { inner, bytes: 0 }
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.inner.write(bytes)?;
        self.bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
