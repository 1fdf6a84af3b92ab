//! Files that are written beside their place and get its name when they are complete.

use crate::error::Result;
use crate::formats::beat::read::files::of_file;
use alloc::format;
use alloc::string::String;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A file under a name that no other program has; dropped before [`Unfinished::place`], it is removed.
#[derive(Debug)]
pub(super) struct Unfinished {
    out: BufWriter<File>,
    path: PathBuf,
    /// Where it will stand.
    place: PathBuf,
    is_placed: bool,
}

impl Unfinished {
    /// Begins the file that will be at `place`.
    pub(super) fn beside(place: &Path) -> Result<Self> {
        let (file, path) = create(place).map_err(|e| of_file(place)(e.into()))?;
        let out = BufWriter::with_capacity(256 << 10, file);
        Ok(Unfinished { out, path, place: place.to_owned(), is_placed: false })
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.write_all(bytes).map_err(|e| of_file(&self.place)(e.into()))
    }

    /// Hands everything to the disk: a name must not be durable before its bytes are.
    pub(super) fn sync(&mut self) -> Result<()> {
        let done = self.out.flush().and_then(|()| self.out.get_ref().sync_all());
        done.map_err(|e| of_file(&self.place)(e.into()))
    }

    /// Gives the file its name.
    pub(super) fn place(mut self) -> Result<()> {
        std::fs::rename(&self.path, &self.place).map_err(|e| of_file(&self.place)(e.into()))?;
        self.is_placed = true;
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_placed {
            // an error can no longer be returned here
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// A new file in the same folder. What is there already, a link for example, is never opened.
fn create(place: &Path) -> std::io::Result<(File, PathBuf)> {
    const TRIES: u32 = 1000;
    /// A name may be as long as the system lets names be: a part of it is enough.
    const SHOWN: usize = 32;
    let name = place.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    for attempt in 0..TRIES {
        let mut hidden = OsString::from(".");
        hidden.push(name.chars().take(SHOWN).collect::<String>());
        hidden.push(format!(".{}-{attempt}.part", std::process::id()));
        let path = place.with_file_name(hidden);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    Err(Error::new(ErrorKind::AlreadyExists, "no free name for a file that is not complete"))
}

/// Hands the names in the folder of a file to the disk, where the system has that.
pub(super) fn sync_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(e) if !matches!(e.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
            Err(of_file(folder)(e.into()))
        }
        _ => Ok(()),
    }
}
