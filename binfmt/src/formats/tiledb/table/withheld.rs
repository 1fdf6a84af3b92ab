//! An array that no caller sees before all its cells are written.

use crate::formats::tiledb::array::SCHEMA_FILE;
use crate::storage::{Fill, Storage};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A storage that has the file of the schema in memory until all else is written: without it there is no array. Dropped before, it
/// removes what was written.
pub(super) struct Withheld {
    inner: Arc<dyn Storage>,
    schema: Mutex<Option<Vec<u8>>>,
    written: Mutex<Vec<String>>,
    bytes: AtomicU64,
}

/// What is in it is whole after every call.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Withheld {
    pub(super) fn new(inner: Arc<dyn Storage>) -> Arc<Self> {
        let (schema, written) = (Mutex::new(None), Mutex::new(Vec::new()));
        Arc::new(Withheld { inner, schema, written, bytes: AtomicU64::new(0) })
    }

    /// Makes the array, and tells how many bytes all files have.
    pub(super) fn reveal(&self) -> io::Result<u64> {
        if let Some(schema) = locked(&self.schema).take() {
            self.inner.create_new(SCHEMA_FILE, &schema)?;
            self.bytes.fetch_add(schema.len() as u64, Ordering::Relaxed);
        }
        locked(&self.written).clear();
        Ok(self.bytes.load(Ordering::Relaxed))
    }

    fn noted(&self, path: &str, bytes: u64) {
        locked(&self.written).push(path.to_owned());
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}

impl Drop for Withheld {
    fn drop(&mut self) {
        for path in locked(&self.written).drain(..) {
            // what cannot be removed is not an array
            let _ = self.inner.delete(&path);
        }
    }
}

impl Storage for Withheld {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.inner.list(folder)
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        match &*locked(&self.schema) {
            Some(bytes) if path == SCHEMA_FILE => Ok(Some(bytes.len() as u64)),
            _ => self.inner.size(path),
        }
    }

    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        match &*locked(&self.schema) {
            Some(bytes) if path == SCHEMA_FILE => {
                let from = usize::try_from(offset).unwrap_or(usize::MAX);
                let found = bytes.get(from..).and_then(|rest| rest.get(..out.len()));
                out.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
            _ => self.inner.read(path, offset, out),
        }
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.noted(path, bytes.len() as u64);
        self.inner.write(path, bytes)
    }

    fn write_with(&self, path: &str, fill: Fill<'_>) -> io::Result<()> {
        self.noted(path, 0);
        self.inner.write_with(path, fill)?;
        let size = self.inner.size(path)?.unwrap_or(0);
        self.bytes.fetch_add(size, Ordering::Relaxed);
        Ok(())
    }

    fn create_new(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        if path != SCHEMA_FILE {
            self.noted(path, bytes.len() as u64);
            return self.inner.create_new(path, bytes);
        }
        if self.inner.size(path)?.is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        *locked(&self.schema) = Some(bytes.to_vec());
        Ok(())
    }

    fn delete(&self, path: &str) -> io::Result<()> {
        self.inner.delete(path)
    }

    fn delete_folder(&self, folder: &str) -> io::Result<()> {
        self.inner.delete_folder(folder)
    }
}
