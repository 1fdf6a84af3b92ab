//! Object stores in which files appear only after the last row.

use async_trait::async_trait;
use datafusion::common::Result;
use datafusion::execution::object_store::ObjectStoreRegistry;
use datafusion::object_store::path::Path;
use datafusion::object_store::{
    self, CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, UploadPart,
};
use futures::stream::BoxStream;
use std::fmt;
use std::sync::Arc;
use tokio::sync::watch::Receiver;
use url::Url;

/// The stores of a session, for the files of one statement.
#[derive(Debug)]
pub(super) struct Stores {
    inner: Arc<dyn ObjectStoreRegistry>,
    end: Receiver<bool>,
}

impl Stores {
    /// `end` becomes true after the last row, and is dropped where the rows end otherwise.
    pub(super) fn new(inner: Arc<dyn ObjectStoreRegistry>, end: Receiver<bool>) -> Self {
        Stores { inner, end }
    }
}

impl ObjectStoreRegistry for Stores {
    fn register_store(&self, url: &Url, store: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        self.inner.register_store(url, store)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        Ok(Arc::new(Store { inner: self.inner.get_store(url)?, end: self.end.clone() }))
    }
}

#[derive(Debug)]
struct Store {
    inner: Arc<dyn ObjectStore>,
    end: Receiver<bool>,
}

impl fmt::Display for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

/// Waits for the last row; an error where it does not come.
async fn last_row(end: &Receiver<bool>) -> object_store::Result<()> {
    match end.clone().wait_for(|end| *end).await {
        Ok(_) => Ok(()),
        Err(e) => Err(object_store::Error::Generic { store: "rows", source: Box::new(e) }),
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
        last_row(&self.end).await?;
        self.inner.put_opts(at, bytes, how).await
    }

    async fn put_multipart_opts(
        &self,
        at: &Path,
        how: PutMultipartOptions,
    ) -> object_store::Result<Box<dyn MultipartUpload>> {
        let inner = self.inner.put_multipart_opts(at, how).await?;
        Ok(Box::new(Upload { inner, end: self.end.clone() }))
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
    end: Receiver<bool>,
}

#[async_trait]
impl MultipartUpload for Upload {
    fn put_part(&mut self, bytes: PutPayload) -> UploadPart {
        self.inner.put_part(bytes)
    }

    async fn complete(&mut self) -> object_store::Result<PutResult> {
        if let Err(e) = last_row(&self.end).await {
            // what came so far is of no use; that it cannot be taken back is the lesser news
            let _ = self.inner.abort().await;
            return Err(e);
        }
        self.inner.complete().await
    }

    async fn abort(&mut self) -> object_store::Result<()> {
        self.inner.abort().await
    }
}
