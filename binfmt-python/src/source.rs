//! Where the bytes are: a path, or an object of Python that is lent to the library as a storage with one file.

use crate::failure::{Failure, Result};
use binfmt::storage::{Folder, Storage};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is opened.
#[derive(FromPyObject)]
pub(crate) enum Source {
    Bytes(PyBackedBytes),
    Path(PathBuf),
}

impl Source {
    /// The storage, and the name of the file there; of a folder the folder itself.
    pub(crate) fn place(self, name: &str) -> Result<(Arc<dyn Storage>, String)> {
        match self {
            Source::Bytes(bytes) => {
                let name = name.to_owned();
                Ok((Arc::new(Held { name: name.clone(), bytes }), name))
            }
            Source::Path(path) => of_path(&path),
        }
    }
}

fn of_path(path: &Path) -> Result<(Arc<dyn Storage>, String)> {
    if path.is_dir() {
        return Ok((Arc::new(Folder::new(path)), String::new()));
    }
    // whoever asks for a file that is not there wants to read just this
    std::fs::metadata(path).map_err(|e| {
        let text = format!("{}: {e}", path.display());
        match e.raw_os_error() {
            Some(_) => {
                Failure::from(binfmt::Error::from(e).within(binfmt::Step::Name(path.display().to_string())))
            }
            None => Failure::other(text),
        }
    })?;
    let name = path.file_name().and_then(|name| name.to_str());
    let Some(name) = name else {
        return Err(Failure::other(format!("{} is not the name of a file in UTF-8", path.display())));
    };
    Ok((Arc::new(Folder::new(path.parent().unwrap_or(Path::new("")))), name.to_owned()))
}

/// The bytes of Python as a storage with one file.
struct Held {
    name: String,
    bytes: PyBackedBytes,
}

impl Storage for Held {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        Ok(if folder.is_empty() { vec![self.name.clone()] } else { Vec::new() })
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        Ok((path == self.name).then_some(self.bytes.len() as u64))
    }

    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        if path != self.name {
            return Err(io::ErrorKind::NotFound.into());
        }
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let found = self.bytes.get(from..).and_then(|rest| rest.get(..out.len()));
        out.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn write(&self, _: &str, _: &[u8]) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "bytes of Python cannot be written"))
    }
}
