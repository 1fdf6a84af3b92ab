//! Rows and pages after those of a file: a copy of it that has more takes its place, or nothing does.

use crate::failure::{Failure, Result};
use binfmt::formats::sdds::{Compression, Header, Options};
use binfmt::storage::{Folder, NewFile, Storage};
use binfmt::table::{Settings, TableSchema, TableSink};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a sink writes before the first row, which the file has already; `None` after that.
type Head = Arc<Mutex<Option<Vec<u8>>>>;

fn locked(head: &Head) -> MutexGuard<'_, Option<Vec<u8>>> {
    head.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A folder in which a file begins with what is in it.
struct Appending {
    folder: Folder,
    head: Head,
    /// Whether the file consists of lines, the last of which is to be whole.
    has_lines: bool,
}

impl Storage for Appending {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.folder.list(folder)
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        self.folder.size(path)
    }

    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.folder.read(path, offset, out)
    }

    fn write(&self, _: &str, _: &[u8]) -> io::Result<()> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "this format is not written from its beginning to its end",
        ))
    }

    fn begin(&self, path: &str) -> io::Result<Option<Box<dyn NewFile>>> {
        let Some(mut file) = self.folder.begin(path)? else { return Ok(None) };
        let mut old = File::open(self.folder.path().join(path))?;
        io::copy(&mut old, &mut file)?;
        if self.has_lines && !ends_line(&mut old)? {
            file.write_all(b"\n")?;
        }
        Ok(Some(Box::new(Longer { file, head: Arc::clone(&self.head) })))
    }
}

fn ends_line(file: &mut File) -> io::Result<bool> {
    let mut last = [b'\n'];
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    Ok(last == *b"\n")
}

/// The copy.
struct Longer {
    file: Box<dyn NewFile>,
    head: Head,
}

impl Write for Longer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut *locked(&self.head) {
            Some(head) => head.write(bytes),
            None => self.file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl NewFile for Longer {
    fn commit(self: Box<Self>) -> io::Result<()> {
        self.file.commit()
    }
}

/// A sink whose rows come after those of the file.
pub(crate) fn sink(
    path: &Path,
    format: &str,
    schema: &TableSchema,
    settings: &Settings,
) -> Result<Box<dyn TableSink>> {
    let path = &Folder::written(path).map_err(binfmt::Error::from)?;
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| Failure::other("this is not the name of a file in UTF-8"))?;
    let header = (format == "sdds").then(|| header(path)).transpose()?;
    let is_text = header.as_ref().is_some_and(|header| header.mode == binfmt::formats::sdds::Mode::Ascii);
    let head: Head = Arc::new(Mutex::new(Some(Vec::new())));
    let storage = Appending {
        folder: Folder::new(path.parent().unwrap_or(Path::new(""))),
        head: Arc::clone(&head),
        has_lines: is_text || matches!(format, "csv" | "jsonl"),
    };
    let sink = binfmt::create_in(binfmt::FORMATS, Arc::new(storage), name, format, schema, settings)?;
    let written = locked(&head).take().unwrap_or_default();
    match header {
        Some(header) => has_header(header, &written)?,
        None if written.is_empty() => {}
        None => return Err(Failure::other(format!("files of format {format} cannot be appended to"))),
    }
    Ok(sink)
}

fn header(path: &Path) -> Result<Header> {
    let mut first = Vec::new();
    File::open(path).and_then(|file| file.take(16).read_to_end(&mut first)).map_err(binfmt::Error::from)?;
    if Compression::of(&first) != Compression::None {
        return Err(Failure::other("pages cannot be appended to a compressed file"));
    }
    Ok(Options::new().any_names(true).file(path)?.file_header().clone())
}

/// Whether pages of the one header are pages of the other.
fn has_header(mut file: Header, written: &[u8]) -> Result<()> {
    let written = Options::new().any_names(true).slice(written)?.file_header().clone();
    file.version = written.version;
    match file == written {
        true => Ok(()),
        false => Err(Failure::other(
            "pages of a table cannot be appended to this file: it has arrays, no row counts, rows of several lines, or declares no byte order",
        )),
    }
}
