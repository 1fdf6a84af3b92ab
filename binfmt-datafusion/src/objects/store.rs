//! Objects as the files of a storage.

use super::fetched::{Fetched, MOST};
use super::upload::Upload;
use super::wait::{Waiting, begin, wait};
use crate::refusal::{NO_BUCKET, reason};
use binfmt::storage::{NewFile, Storage};
use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};
use object_store::client::{HttpError, HttpErrorKind};
use object_store::path::Path;
use object_store::{
    Error, GetOptions, OBJECT_STORE_COALESCE_DEFAULT, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode,
    PutOptions, Result, coalesce_ranges,
};
use std::collections::HashMap;
use std::error::Error as _;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::sleep;

/// How many requests for one range are on their way at a time.
const TOGETHER: usize = 4;
/// How often bytes are asked for again whose answer was cut.
const AGAIN: u32 = 5;
/// Who has read so much on end reads on, and does not wait for what comes next.
const SOME: u64 = 256 << 10;
/// How long nothing is asked before the second time, and so much longer each time.
const PAUSE: Duration = Duration::from_millis(50);

/// The objects below a path. What is fetched is seen as it was first: an object that changes in the meantime is an error.
pub(crate) struct Objects {
    store: Arc<dyn ObjectStore>,
    root: Path,
    /// The URL of the root.
    url: String,
    known: Mutex<HashMap<String, ObjectMeta>>,
    fetched: Mutex<Fetched>,
}

impl Objects {
    pub(super) fn new(store: Arc<dyn ObjectStore>, root: Path, url: String) -> Self {
        Objects { store, root, url, known: Mutex::default(), fetched: Mutex::default() }
    }

    fn url(&self, path: &str) -> String {
        if path.is_empty() { self.url.clone() } else { format!("{}/{path}", self.url) }
    }

    fn at(&self, path: &str) -> io::Result<Path> {
        let joined = [self.root.as_ref(), path].join("/");
        Path::parse(joined).map_err(|e| io::Error::new(io::ErrorKind::InvalidInput, e))
    }

    fn fetched(&self) -> MutexGuard<'_, Fetched> {
        // what was fetched is whole after every call
        self.fetched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, ObjectMeta>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a request to the store answers.
    fn ask<T: Send + 'static, F: Future<Output = Result<T>> + Send + 'static>(
        &self,
        path: &str,
        ask: impl FnOnce(Arc<dyn ObjectStore>, Path) -> F,
    ) -> io::Result<T> {
        let asked = ask(Arc::clone(&self.store), self.at(path)?);
        wait(asked)?.map_err(|e| told(&self.url(path), e))
    }

    /// What is known of an object, if there is one.
    fn meta(&self, path: &str) -> io::Result<Option<ObjectMeta>> {
        if let Some(meta) = self.known().get(path) {
            return Ok(Some(meta.clone()));
        }
        if path.is_empty() && self.root.as_ref().is_empty() {
            return Ok(None);
        }
        match self.ask(path, |store, at| async move { store.head(&at).await }) {
            Ok(meta) => {
                self.known().insert(path.to_owned(), meta.clone());
                Ok(Some(meta))
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }

    fn there(&self, path: &str) -> io::Result<ObjectMeta> {
        self.meta(path)?.ok_or_else(|| absent(&self.url(path)))
    }

    /// Begins to fetch bytes of an object.
    fn fetch(&self, meta: &ObjectMeta, range: Range<u64>) -> io::Result<Waiting<Result<Bytes>>> {
        begin(get(Arc::clone(&self.store), meta.clone(), range))
    }

    /// Fetches what is wanted of an object from `offset` on, and, where reading goes on, begins with what comes after.
    fn fill(&self, path: &str, offset: u64, wanted: u64) -> io::Result<()> {
        let meta = self.there(path)?;
        if offset.saturating_add(wanted) > meta.size {
            let text = format!("{}: ends after {} bytes", self.url(path), meta.size);
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, text));
        }
        let next = self.fetched().next(&meta, path, offset, wanted);
        let arriving = self.fetched().arriving(path, offset);
        let (range, waiting) = match arriving {
            Some(arriving) => arriving,
            None => (next.range.clone(), self.fetch(&meta, next.range)?),
        };
        let length = range.end.saturating_sub(range.start).saturating_mul(2).min(MOST);
        let free = self.fetched().end(path, range.end.saturating_sub(1), meta.size);
        let after = range.end..range.end.saturating_add(length).min(free);
        if next.goes_on && length > SOME && !after.is_empty() {
            let waiting = self.fetch(&meta, after.clone())?;
            self.fetched().expect(path, after, waiting);
        }
        let bytes = waiting.get()?.map_err(|e| told(&self.url(path), e))?;
        self.fetched().put(path, range.start, bytes);
        Ok(())
    }

    fn forget(&self, path: &str) {
        self.known().remove(path);
        self.fetched().forget(path);
    }

    fn put(&self, path: &str, bytes: &[u8], mode: PutMode) -> io::Result<()> {
        self.forget(path);
        let bytes = Bytes::copy_from_slice(bytes);
        let options = PutOptions { mode, ..PutOptions::default() };
        self.ask(path, |store, at| async move { store.put_opts(&at, bytes.into(), options).await })?;
        Ok(())
    }
}

/// Bytes of an object, by several requests where they are many.
async fn get(store: Arc<dyn ObjectStore>, meta: ObjectMeta, range: Range<u64>) -> Result<Bytes> {
    let step = usize::try_from(MOST).unwrap_or(usize::MAX);
    let parts = range.clone().step_by(step).map(|start| start..start.saturating_add(MOST).min(range.end));
    let parts = futures::stream::iter(parts).map(|part| piece(&*store, &meta, part)).buffered(TOGETHER);
    let parts: Vec<Bytes> = parts.try_collect().await?;
    Ok(match <[Bytes; 1]>::try_from(parts) {
        Ok([one]) => one,
        Err(parts) => parts.concat().into(),
    })
}

/// Bytes of an object by one request, which is made again if its answer is cut. What the server refuses, the store asks for again.
async fn piece(store: &dyn ObjectStore, meta: &ObjectMeta, range: Range<u64>) -> Result<Bytes> {
    let length = range.end.saturating_sub(range.start);
    // a weak tag is never equal
    let if_match = meta.e_tag.clone().filter(|tag| !tag.starts_with("W/"));
    let mut tries = 0;
    loop {
        let options = GetOptions {
            range: Some(range.clone().into()),
            if_match: if_match.clone(),
            ..GetOptions::default()
        };
        let found = store.get_opts(&meta.location, options).await?.bytes().await;
        tries += 1;
        match found {
            Ok(bytes) if bytes.len() as u64 == length => return Ok(bytes),
            Err(e) if tries == AGAIN => return Err(e),
            Ok(bytes) if tries == AGAIN => {
                let source = format!("{} of {length} bytes were sent", bytes.len()).into();
                return Err(Error::Generic { store: "object store", source });
            }
            _ => sleep(PAUSE * tries).await,
        }
    }
}

/// What a store lists, which is asked for again if the answer is cut.
pub(super) async fn listed<T, F: Future<Output = Result<T>>>(ask: impl Fn() -> F) -> Result<T> {
    let mut tries = 0;
    loop {
        let found = ask().await;
        tries += 1;
        match found {
            Err(e) if tries < AGAIN && is_cut(&e) => sleep(PAUSE * tries).await,
            found => return found,
        }
    }
}

/// Whether the connection broke while an answer was sent; others are asked for again by the store.
fn is_cut(e: &Error) -> bool {
    let mut reason = e.source();
    while let Some(e) = reason {
        if let Some(e) = e.downcast_ref::<HttpError>() {
            return !matches!(e.kind(), HttpErrorKind::Connect | HttpErrorKind::Timeout);
        }
        reason = e.source();
    }
    false
}

fn absent(url: &str) -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, format!("{url}: there is no such object"))
}

/// An error with the URL that it is about, in one line.
pub(super) fn told(url: &str, e: Error) -> io::Error {
    use io::ErrorKind::{AlreadyExists, NotFound, Other, PermissionDenied, Unsupported};
    let (kind, text) = match &e {
        Error::NotFound { .. } => match reason(&e) {
            text if text == NO_BUCKET => (NotFound, text),
            _ => return absent(url),
        },
        Error::AlreadyExists { .. } => (AlreadyExists, "there is such an object".to_owned()),
        Error::Precondition { .. } => (Other, "the object changed while it was read".to_owned()),
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
            (PermissionDenied, format!("access is refused: {}", reason(&e)))
        }
        Error::NotSupported { .. } | Error::NotImplemented { .. } => (Unsupported, reason(&e)),
        e => (Other, reason(e)),
    };
    io::Error::new(kind, format!("{url}: {text}"))
}

impl Storage for Objects {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let found = self
            .ask(folder, |store, at| async move { listed(|| store.list_with_delimiter(Some(&at))).await })?;
        let mut names = Vec::new();
        for meta in found.objects {
            let Some(name) = meta.location.filename().map(str::to_owned) else { continue };
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            self.known().insert(path, meta);
            names.push(name);
        }
        names.extend(found.common_prefixes.iter().filter_map(|path| path.filename()).map(str::to_owned));
        Ok(names)
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        Ok(self.meta(path)?.map(|meta| meta.size))
    }

    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let mut done = 0;
        while done < out.len() {
            let (at, rest) = (offset.saturating_add(done as u64), &mut out[done..]);
            let n = self.fetched().copy(path, at, rest);
            if n == 0 {
                self.fill(path, at, rest.len() as u64)?;
            }
            done += n;
        }
        Ok(())
    }

    fn read_ranges(&self, path: &str, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        let total: usize = ranges.iter().map(|(_, out)| out.len()).fold(0, usize::saturating_add);
        let meta = self.there(path)?;
        if ranges.len() < 2 || total as u64 >= meta.size {
            return ranges.iter_mut().try_for_each(|(offset, out)| self.read(path, *offset, out));
        }
        let mut missing = Vec::new();
        for (offset, out) in ranges.iter_mut() {
            if self.fetched().copy(path, *offset, out) < out.len() {
                missing.push((*offset, &mut **out));
            }
        }
        let wanted: Vec<Range<u64>> =
            missing.iter().map(|(offset, out)| *offset..offset.saturating_add(out.len() as u64)).collect();
        let store = Arc::clone(&self.store);
        let found = wait(async move {
            let fetch = |range| get(Arc::clone(&store), meta.clone(), range);
            coalesce_ranges(&wanted, fetch, OBJECT_STORE_COALESCE_DEFAULT).await
        });
        let found = found?.map_err(|e| told(&self.url(path), e))?;
        for ((_, out), bytes) in missing.iter_mut().zip(found) {
            let short = || {
                io::Error::new(io::ErrorKind::UnexpectedEof, format!("{}: ends too early", self.url(path)))
            };
            out.copy_from_slice(bytes.get(..out.len()).ok_or_else(short)?);
        }
        Ok(())
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.put(path, bytes, PutMode::Overwrite)
    }

    fn begin(&self, path: &str) -> io::Result<Option<Box<dyn NewFile>>> {
        self.forget(path);
        Ok(Some(Box::new(Upload::new(Arc::clone(&self.store), self.at(path)?, self.url(path)))))
    }

    fn create_new(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.put(path, bytes, PutMode::Create)
    }

    fn delete(&self, path: &str) -> io::Result<()> {
        self.forget(path);
        match self.ask(path, |store, at| async move { store.delete(&at).await }) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
            done => done,
        }
    }
}
