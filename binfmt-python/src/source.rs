//! Where the bytes are: a path, or an object of Python that is lent to the library as a storage with one file.

use crate::failure::{Failure, Result};
use binfmt::storage::{Folder, Storage};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What errors call a source.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// The name of the storage's file.
    stored: String,
    pub(crate) shown: String,
    /// The path, if it is a file.
    pub(crate) file: Option<String>,
}

impl Named {
    pub(crate) fn path(path: &Path) -> Self {
        let shown = path.display().to_string();
        let stored = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        Named { stored, file: Some(shown.clone()), shown }
    }

    pub(crate) fn bytes(name: &str) -> Self {
        Named { stored: name.to_owned(), shown: name.to_owned(), file: None }
    }

    /// Whether a name in an error is this one.
    pub(crate) fn is(&self, name: &str) -> bool {
        name == self.stored || name == self.shown
    }
}

/// What is opened.
pub(crate) enum Source {
    Bytes(PyBackedBytes),
    Path(PathBuf),
}

// derived it would try the one, and make an exception of what the other is
impl<'py> FromPyObject<'_, 'py> for Source {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(match object.is_instance_of::<PyBytes>() {
            true => Source::Bytes(object.extract()?),
            false => Source::Path(object.extract()?),
        })
    }
}

impl Source {
    pub(crate) fn name(&self, name: &str) -> Named {
        match self {
            Source::Bytes(_) => Named::bytes(name),
            Source::Path(path) => Named::path(path),
        }
    }

    /// What the system says of a path.
    pub(crate) fn about(&self) -> Option<io::Result<Metadata>> {
        match self {
            Source::Bytes(_) => None,
            Source::Path(path) => Some(std::fs::metadata(path)),
        }
    }

    /// How many bytes there are: in a folder any number, 0 if nothing is there.
    pub(crate) fn size(&self, about: Option<&io::Result<Metadata>>) -> u64 {
        match (self, about) {
            (Source::Bytes(bytes), _) => bytes.len() as u64,
            (Source::Path(_), Some(Ok(about))) => {
                if about.is_dir() {
                    u64::MAX
                } else {
                    about.len()
                }
            }
            (Source::Path(_), _) => 0,
        }
    }

    /// The storage, and the name of the file there; of a folder the folder itself.
    pub(crate) fn place(
        self,
        name: &str,
        about: Option<io::Result<Metadata>>,
    ) -> Result<(Arc<dyn Storage>, String)> {
        match self {
            Source::Bytes(bytes) => {
                let name = name.to_owned();
                Ok((Arc::new(Held { name: name.clone(), bytes, beside: None }), name))
            }
            Source::Path(path) => {
                // whoever asks for a file that is not there wants to read just this
                let about = about.unwrap_or_else(|| std::fs::metadata(&path)).map_err(binfmt::Error::from)?;
                of_path(&path, &about)
            }
        }
    }
}

/// Up to so many bytes, a file is read when it is opened: that takes less time than to ask the system for it again and again.
const SMALL: u64 = 64 << 10;

fn of_path(path: &Path, about: &Metadata) -> Result<(Arc<dyn Storage>, String)> {
    if about.is_dir() {
        return Ok((Arc::new(Folder::new(path)), String::new()));
    }
    let name = path.file_name().and_then(|name| name.to_str());
    let Some(name) = name else {
        return Err(Failure::other("this is not the name of a file in UTF-8"));
    };
    let (name, folder) = (name.to_owned(), Folder::new(path.parent().unwrap_or(Path::new(""))));
    if !about.is_file() || about.len() > SMALL {
        return Ok((Arc::new(folder), name));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(about.len()).unwrap_or_default());
    let file = File::open(path).map_err(binfmt::Error::from)?;
    file.take(about.len()).read_to_end(&mut bytes).map_err(binfmt::Error::from)?;
    Ok((Arc::new(Held { name: name.clone(), bytes, beside: Some(folder) }), name))
}

/// Bytes as a file, alone in its storage or among those of a folder.
struct Held<B> {
    name: String,
    bytes: B,
    beside: Option<Folder>,
}

impl<B: AsRef<[u8]> + Send + Sync> Storage for Held<B> {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        match &self.beside {
            Some(beside) => beside.list(folder),
            None => Ok(if folder.is_empty() { vec![self.name.clone()] } else { Vec::new() }),
        }
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        match &self.beside {
            _ if path == self.name => Ok(Some(self.bytes.as_ref().len() as u64)),
            Some(beside) => beside.size(path),
            None => Ok(None),
        }
    }

    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        if path != self.name {
            let beside = self.beside.as_ref().ok_or(io::ErrorKind::NotFound)?;
            return beside.read(path, offset, out);
        }
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let found = self.bytes.as_ref().get(from..).and_then(|rest| rest.get(..out.len()));
        out.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn write(&self, _: &str, _: &[u8]) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "what is read is not written"))
    }
}
