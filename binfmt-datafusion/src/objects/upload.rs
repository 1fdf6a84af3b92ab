//! An object that is written piece by piece.

use super::store::told;
use super::wait::wait;
use binfmt::storage::NewFile;
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt};
use std::io::{self, Write};
use std::mem::take;
use std::sync::Arc;

/// A part of an object; stores refuse smaller ones before the last than 5 MiB.
const PART: usize = 8 << 20;

/// What was written and not sent, and the parts that were. One that is not committed is taken back.
pub(super) struct Upload {
    store: Arc<dyn ObjectStore>,
    at: Path,
    url: String,
    bytes: Vec<u8>,
    parts: Option<Box<dyn MultipartUpload>>,
}

impl Upload {
    pub(super) fn new(store: Arc<dyn ObjectStore>, at: Path, url: String) -> Self {
        Upload { store, at, url, bytes: Vec::new(), parts: None }
    }

    /// Sends a part.
    fn send(&mut self) -> io::Result<()> {
        let mut parts = match self.parts.take() {
            Some(parts) => parts,
            None => {
                let (store, at) = (Arc::clone(&self.store), self.at.clone());
                wait(async move { store.put_multipart(&at).await })?.map_err(|e| told(&self.url, e))?
            }
        };
        let sent = parts.put_part(take(&mut self.bytes).into());
        self.parts = Some(parts);
        wait(sent)?.map_err(|e| told(&self.url, e))
    }
}

impl Write for Upload {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() >= PART {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl NewFile for Upload {
    fn commit(mut self: Box<Self>) -> io::Result<()> {
        if self.parts.is_some() && !self.bytes.is_empty() {
            self.send()?;
        }
        let done = match self.parts.take() {
            Some(mut parts) => wait(async move { parts.complete().await })?,
            None => {
                let (store, at, bytes) = (Arc::clone(&self.store), self.at.clone(), take(&mut self.bytes));
                wait(async move { store.put(&at, bytes.into()).await })?
            }
        };
        done.map(|_| ()).map_err(|e| told(&self.url, e))
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if let Some(mut parts) = self.parts.take() {
            // another error tells what went wrong
            let _ = wait(async move { parts.abort().await });
        }
    }
}
