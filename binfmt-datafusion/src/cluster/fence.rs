//! The file system of the formats that DataFusion reads and writes itself, kept within a folder.

use crate::root::Root;
use crate::wrong;
use async_trait::async_trait;
use datafusion::common::Result;
use datafusion::execution::object_store::ObjectStoreRegistry;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::object_store::local::LocalFileSystem;
use datafusion::object_store::path::Path;
use datafusion::object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result as Stored,
};
use futures::StreamExt;
use futures::stream::{BoxStream, once};
use std::fmt;
use std::sync::Arc;
use url::Url;

/// What runs queries with files of that folder only, and puts aside what memory cannot hold.
pub(super) fn runtime(root: &Root, aside: Option<&str>) -> Result<Arc<RuntimeEnv>> {
    let files = Files { inner: LocalFileSystem::new(), root: root.clone() };
    let stores = Stores { files: Arc::new(files), root: root.clone() };
    let builder = RuntimeEnvBuilder::new().with_object_store_registry(Arc::new(stores));
    match aside {
        Some(folder) => builder.with_temp_file_path(folder).build_arc(),
        None => builder.build_arc(),
    }
}

/// The one store that there is.
#[derive(Debug)]
struct Stores {
    files: Arc<dyn ObjectStore>,
    root: Root,
}

impl ObjectStoreRegistry for Stores {
    fn register_store(&self, _: &Url, _: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        None
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        match url.scheme() {
            "file" => Ok(Arc::clone(&self.files)),
            _ => Err(wrong(self.root.refused(url.as_str()))),
        }
    }
}

/// The file system, as far as the folder goes.
#[derive(Debug)]
struct Files {
    inner: LocalFileSystem,
    root: Root,
}

fn admitted(inner: &LocalFileSystem, root: &Root, location: &Path) -> Stored<()> {
    let place = inner.path_to_filesystem(location)?;
    root.admits_path(&place)
        .map_err(|text| Error::PermissionDenied { path: location.to_string(), source: text.into() })
}

impl Files {
    fn admitted(&self, location: &Path) -> Stored<()> {
        admitted(&self.inner, &self.root, location)
    }
}

impl fmt::Display for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

#[async_trait]
impl ObjectStore for Files {
    async fn put_opts(&self, location: &Path, payload: PutPayload, how: PutOptions) -> Stored<PutResult> {
        self.admitted(location)?;
        self.inner.put_opts(location, payload, how).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        how: PutMultipartOptions,
    ) -> Stored<Box<dyn MultipartUpload>> {
        self.admitted(location)?;
        self.inner.put_multipart_opts(location, how).await
    }

    async fn get_opts(&self, location: &Path, how: GetOptions) -> Stored<GetResult> {
        self.admitted(location)?;
        self.inner.get_opts(location, how).await
    }

    fn delete_stream(&self, locations: BoxStream<'static, Stored<Path>>) -> BoxStream<'static, Stored<Path>> {
        let (files, root) = (self.inner.clone(), self.root.clone());
        let admitted = move |location: Stored<Path>| {
            location.and_then(|location| admitted(&files, &root, &location).map(|()| location))
        };
        self.inner.delete_stream(locations.map(admitted).boxed())
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Stored<ObjectMeta>> {
        match self.admitted(prefix.unwrap_or(&Path::ROOT)) {
            Ok(()) => self.inner.list(prefix),
            Err(e) => once(async { Err(e) }).boxed(),
        }
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Stored<ListResult> {
        self.admitted(prefix.unwrap_or(&Path::ROOT))?;
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, how: CopyOptions) -> Stored<()> {
        self.admitted(from)?;
        self.admitted(to)?;
        self.inner.copy_opts(from, to, how).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::object_store::ObjectStoreExt;

    #[tokio::test]
    async fn other_files_are_neither_read_nor_written() {
        let folder = std::env::temp_dir().join(format!("binfmt-fence-{}", std::process::id()));
        let root = folder.join("data");
        std::fs::create_dir_all(&root).unwrap();
        std::fs::write(root.join("a.csv"), "x\n1\n").unwrap();
        std::fs::write(folder.join("b.csv"), "x\n1\n").unwrap();
        let runtime = runtime(&Root::new(&root).unwrap(), None).unwrap();
        let store = |url: &str| runtime.object_store_registry.get_store(&Url::parse(url).unwrap());
        let files = store("file:///").unwrap();
        let at = |path: &std::path::Path| Path::from_absolute_path(path).unwrap();
        assert!(files.get(&at(&root.join("a.csv"))).await.is_ok());
        files.put(&at(&root.join("new.csv")), "x".into()).await.unwrap();
        assert!(files.get(&at(&folder.join("b.csv"))).await.is_err());
        assert!(files.put(&at(&folder.join("new.csv")), "x".into()).await.is_err());
        assert!(files.list_with_delimiter(None).await.is_err());
        assert!(files.delete(&at(&folder.join("b.csv"))).await.is_err());
        assert!(folder.join("b.csv").exists() && !folder.join("new.csv").exists());
        assert!(store("s3://bucket/x").is_err() && store("http://127.0.0.1/x").is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
