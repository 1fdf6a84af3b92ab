//! Object stores in which files appear only after the last row.

use crate::refusal::reason;
use crate::wrong;
use async_trait::async_trait;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::object_store::ObjectStoreRegistry;
use datafusion::object_store::path::Path;
use datafusion::object_store::{
    self, CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    ObjectStoreExt, PutMultipartOptions, PutOptions, PutPayload, PutResult, UploadPart,
};
use futures::stream::BoxStream;
use std::fmt;
use std::sync::{Arc, Mutex};
use tokio::sync::watch::Receiver;
use url::Url;

/// When the files of one statement appear, and what became of them.
#[derive(Debug)]
pub(super) struct Commit {
    end: Receiver<bool>,
    made: Mutex<Vec<(Arc<dyn ObjectStore>, Path)>>,
    failure: Mutex<Option<String>>,
}

impl Commit {
    /// `end` becomes true after the last row, and is dropped where the rows end otherwise.
    pub(super) fn new(end: Receiver<bool>) -> Self {
        Commit { end, made: Mutex::default(), failure: Mutex::default() }
    }

    /// Waits for the last row; an error where it does not come.
    async fn last_row(&self) -> object_store::Result<()> {
        match self.end.clone().wait_for(|end| *end).await {
            Ok(_) => Ok(()),
            Err(e) => Err(object_store::Error::Generic { store: "rows", source: Box::new(e) }),
        }
    }

    /// Remembers the first thing that a store refused: not every sink passes on what it was.
    fn tried<T>(&self, done: object_store::Result<T>) -> object_store::Result<T> {
        if let (Err(e), Ok(mut failure)) = (&done, self.failure.lock()) {
            failure.get_or_insert_with(|| reason(e));
        }
        done
    }

    /// Remembers a file that is there now.
    fn made(&self, store: &Arc<dyn ObjectStore>, at: &Path) {
        if let Ok(mut made) = self.made.lock() {
            made.push((Arc::clone(store), at.clone()));
        }
    }

    /// What a store refused.
    pub(super) fn failure(&self) -> Option<DataFusionError> {
        self.failure.lock().ok()?.take().map(wrong)
    }

    /// Deletes the files of a statement of which others could not be written. Where there is more than one, their names are new.
    pub(super) async fn take_back(&self) {
        let made = self.made.lock().map(|mut made| std::mem::take(&mut *made)).unwrap_or_default();
        for (store, at) in made {
            // that it cannot be deleted is the lesser news
            let _ = store.delete(&at).await;
        }
    }
}

/// The stores of a session, for the files of one statement.
#[derive(Debug)]
pub(super) struct Stores {
    inner: Arc<dyn ObjectStoreRegistry>,
    commit: Arc<Commit>,
}

impl Stores {
    pub(super) fn new(inner: Arc<dyn ObjectStoreRegistry>, commit: Arc<Commit>) -> Self {
        Stores { inner, commit }
    }
}

impl ObjectStoreRegistry for Stores {
    fn register_store(&self, url: &Url, store: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        self.inner.register_store(url, store)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        Ok(Arc::new(Store { inner: self.inner.get_store(url)?, commit: Arc::clone(&self.commit) }))
    }
}

#[derive(Debug)]
struct Store {
    inner: Arc<dyn ObjectStore>,
    commit: Arc<Commit>,
}

impl fmt::Display for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

#[async_trait]
impl ObjectStore for Store {
    async fn put_opts(
        &self,
        at: &Path,
        bytes: PutPayload,
        how: PutOptions,
    ) -> object_store::Result<PutResult> {
        self.commit.last_row().await?;
        let put = self.commit.tried(self.inner.put_opts(at, bytes, how).await)?;
        self.commit.made(&self.inner, at);
        Ok(put)
    }

    async fn put_multipart_opts(
        &self,
        at: &Path,
        how: PutMultipartOptions,
    ) -> object_store::Result<Box<dyn MultipartUpload>> {
        let inner = self.commit.tried(self.inner.put_multipart_opts(at, how).await)?;
        let (store, commit) = (Arc::clone(&self.inner), Arc::clone(&self.commit));
        Ok(Box::new(Upload { inner, store, at: at.clone(), commit }))
    }

    async fn get_opts(&self, at: &Path, how: GetOptions) -> object_store::Result<GetResult> {
        self.inner.get_opts(at, how).await
    }

    fn delete_stream(
        &self,
        files: BoxStream<'static, object_store::Result<Path>>,
    ) -> BoxStream<'static, object_store::Result<Path>> {
        self.inner.delete_stream(files)
    }

    fn list(&self, folder: Option<&Path>) -> BoxStream<'static, object_store::Result<ObjectMeta>> {
        self.inner.list(folder)
    }

    async fn list_with_delimiter(&self, folder: Option<&Path>) -> object_store::Result<ListResult> {
        self.inner.list_with_delimiter(folder).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, how: CopyOptions) -> object_store::Result<()> {
        self.inner.copy_opts(from, to, how).await
    }
}

#[derive(Debug)]
struct Upload {
    inner: Box<dyn MultipartUpload>,
    store: Arc<dyn ObjectStore>,
    at: Path,
    commit: Arc<Commit>,
}

#[async_trait]
impl MultipartUpload for Upload {
    fn put_part(&mut self, bytes: PutPayload) -> UploadPart {
        let (part, commit) = (self.inner.put_part(bytes), Arc::clone(&self.commit));
        Box::pin(async move { commit.tried(part.await) })
    }

    async fn complete(&mut self) -> object_store::Result<PutResult> {
        if let Err(e) = self.commit.last_row().await {
            // what came so far is of no use; that it cannot be taken back is the lesser news
            let _ = self.inner.abort().await;
            return Err(e);
        }
        let done = self.commit.tried(self.inner.complete().await)?;
        self.commit.made(&self.store, &self.at);
        Ok(done)
    }

    async fn abort(&mut self) -> object_store::Result<()> {
        self.inner.abort().await
    }
}
