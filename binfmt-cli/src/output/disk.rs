//! What makes a new file or folder durable, in the order in which that holds: its bytes, its name, the folder of its name.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// The steps towards a complete file. Another one than [`System`] can tell what was done, and fail.
pub(super) trait Disk {
    /// The bytes are where a power cut leaves them. What the system could not write is told here at the latest.
    fn sync(&self, file: &File) -> io::Result<()>;

    /// One name takes the place of another.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// The names in a folder are where a power cut leaves them.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// The file system.
#[derive(Clone, Copy, Debug)]
pub(super) struct System;

impl Disk for System {
    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        if cfg!(not(unix)) {
            // a folder is not a file there
            return Ok(());
        }
        match File::open(folder)?.sync_all() {
            // not every file system can do that for a folder
            Err(e) if matches!(e.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
            done => done,
        }
    }
}

/// Gives what is complete its name; whether it has that name, and what went wrong.
pub(super) fn publish(disk: &impl Disk, from: &Path, to: &Path) -> (bool, io::Result<()>) {
    match disk.rename(from, to) {
        Ok(()) => (true, disk.sync_folder(folder_of(to))),
        Err(e) => (false, Err(e)),
    }
}

/// The folder in which a name stands.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
pub(super) mod tests;
