//! Files of S3, Google Cloud Storage, Azure and web servers, by their URLs: the feature `objects`.
//!
//! Who may read them, and where the servers are, say the variables of the environment that their own programs know: `AWS_*`, `GOOGLE_*`,
//! `AZURE_*`; keys are never in a query or in a plan.

mod fetched;
mod registry;
mod store;
mod upload;
mod wait;

pub(crate) use registry::with_stores;

use binfmt::storage::Storage;
use futures::TryStreamExt;
use glob::{MatchOptions, Pattern};
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::path::Path;
use object_store::{
    BackoffConfig, ClientOptions, Error, ObjectMeta, ObjectStore, ObjectStoreScheme, Result, RetryConfig,
};
use std::collections::{BTreeSet, HashMap};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use store::{Objects, listed, told};
use url::Url;

/// A server that is busy is asked again, for some ten seconds.
fn retry() -> RetryConfig {
    let backoff = BackoffConfig { max_backoff: Duration::from_secs(4), ..BackoffConfig::default() };
    RetryConfig { backoff, max_retries: 6, retry_timeout: Duration::from_secs(60) }
}

/// A store, the path in it that a URL names, and the URL of the store itself.
struct Found {
    store: Arc<dyn ObjectStore>,
    path: Path,
    base: String,
}

fn wrong(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

/// The store of a URL: one for all URLs of a server or bucket.
fn found(text: &str) -> io::Result<Found> {
    let url = Url::parse(text).map_err(|e| wrong(format!("{text}: {e}")))?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong(format!("{text}: `?` and `#` are not supported in the URL of a file")));
    }
    let unknown = |_| wrong(format!("{text}: expected a URL of s3, gs, az, abfs, http or https"));
    let (scheme, path) = ObjectStoreScheme::parse(&url).map_err(unknown)?;
    let base = url.as_str().strip_suffix(path.as_ref()).unwrap_or(&url[..url::Position::BeforePath]);
    let base = base.trim_end_matches('/').to_owned();

    static STORES: Mutex<Option<HashMap<String, Arc<dyn ObjectStore>>>> = Mutex::new(None);
    // a map is whole after every call
    let mut stores = STORES.lock().unwrap_or_else(PoisonError::into_inner);
    let stores = stores.get_or_insert_default();
    let store = match stores.get(&base) {
        Some(store) => Arc::clone(store),
        None => {
            check(&scheme).map_err(|e| wrong(format!("{text}: {e}")))?;
            let store = build(&url, &base, scheme).map_err(|e| told(text, e))?;
            stores.insert(base.clone(), Arc::clone(&store));
            store
        }
    };
    Ok(Found { store, path, base })
}

/// Whether the variables of the environment that say a server do so: what asks it takes them as they are.
fn check(scheme: &ObjectStoreScheme) -> std::result::Result<(), String> {
    let names: &[&str] = match scheme {
        ObjectStoreScheme::AmazonS3 => &["AWS_ENDPOINT", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"],
        ObjectStoreScheme::GoogleCloudStorage => &["GOOGLE_BASE_URL"],
        ObjectStoreScheme::MicrosoftAzure => &["AZURE_ENDPOINT", "AZURE_STORAGE_ENDPOINT"],
        _ => &[],
    };
    for name in names {
        let Some(said) = std::env::var_os(name) else { continue };
        let said = said.to_string_lossy();
        if !is_server(&said) {
            return Err(format!(
                "the variable {name} is `{said}`, and no URL of a server, such as http://127.0.0.1:9000"
            ));
        }
    }
    Ok(())
}

fn is_server(said: &str) -> bool {
    // without slashes what comes first is the name of a server
    let has_scheme = ["http://", "https://"].iter().any(|scheme| said.starts_with(scheme));
    has_scheme && Url::parse(said).is_ok_and(|url| url.has_host())
}

fn build(url: &Url, base: &str, scheme: ObjectStoreScheme) -> Result<Arc<dyn ObjectStore>> {
    let store: Arc<dyn ObjectStore> = match scheme {
        ObjectStoreScheme::AmazonS3 => {
            Arc::new(AmazonS3Builder::from_env().with_url(url.as_str()).with_retry(retry()).build()?)
        }
        ObjectStoreScheme::GoogleCloudStorage => Arc::new(
            GoogleCloudStorageBuilder::from_env().with_url(url.as_str()).with_retry(retry()).build()?,
        ),
        ObjectStoreScheme::MicrosoftAzure => {
            Arc::new(MicrosoftAzureBuilder::from_env().with_url(url.as_str()).with_retry(retry()).build()?)
        }
        ObjectStoreScheme::Http => {
            let options = ClientOptions::new().with_allow_http(true);
            Arc::new(
                HttpBuilder::new().with_url(base).with_client_options(options).with_retry(retry()).build()?,
            )
        }
        _ => {
            let source = format!("no objects are in {}", url.scheme()).into();
            return Err(Error::NotSupported { source });
        }
    };
    Ok(store)
}

/// The folder that a URL is in as a storage, and the name in it.
fn beside(text: &str) -> io::Result<(Objects, String)> {
    let Found { store, path, base } = found(text)?;
    let (folder, name) = path.as_ref().rsplit_once('/').unwrap_or(("", path.as_ref()));
    let url = if folder.is_empty() { base } else { format!("{base}/{folder}") };
    Ok((Objects::new(store, Path::parse(folder).map_err(|e| told(text, e.into()))?, url), name.to_owned()))
}

/// The storage of an object that is read, and its name there; of a folder that folder and no name. `None` if there is neither.
pub(crate) fn to_read(text: &str) -> io::Result<Option<(Arc<dyn Storage>, String)>> {
    let (storage, name) = beside(text)?;
    if storage.size(&name)?.is_some() {
        return Ok(Some((Arc::new(storage), name)));
    }
    let Found { store, path, base } = found(text)?;
    let folder = Objects::new(store, path.clone(), format!("{base}/{path}"));
    match folder.list("") {
        Ok(names) if !names.is_empty() => Ok(Some((Arc::new(folder), String::new()))),
        // most web servers list nothing
        Err(_) if is_web(&base) => Ok(None),
        listed => listed.map(|_| None),
    }
}

/// The storage that an object is written into, and its name there.
pub(crate) fn to_write(text: &str) -> io::Result<(Arc<dyn Storage>, String)> {
    let (storage, name) = beside(text)?;
    if name.is_empty() {
        return Err(wrong(format!("{text} is not the name of an object")));
    }
    Ok((Arc::new(storage), name))
}

fn is_web(base: &str) -> bool {
    base.starts_with("http")
}

/// The URLs of the objects, and of the folders, that a URL with `*` and `[..]` stands for.
pub(crate) fn all(text: &str) -> io::Result<Vec<String>> {
    let Found { store, path: pattern, base } = found(text)?;
    if !pattern.as_ref().contains(['*', '[']) {
        return Ok(vec![text.to_owned()]);
    }
    if is_web(&base) {
        return Err(wrong(format!("{text}: a web server does not list its files; name each")));
    }
    let depth = pattern.as_ref().split('/').count();
    let plain = pattern.as_ref().split('/').take_while(|part| !part.contains(['*', '[']));
    let folder = Path::parse(plain.collect::<Vec<_>>().join("/")).map_err(|e| told(text, e.into()))?;
    let compiled = Pattern::new(pattern.as_ref()).map_err(|e| wrong(format!("{text}: {e}")))?;
    let listed =
        wait::wait(
            async move { listed(|| store.list(Some(&folder)).try_collect::<Vec<ObjectMeta>>()).await },
        )?;
    let how = MatchOptions { require_literal_separator: true, ..MatchOptions::default() };
    let mut names = BTreeSet::new();
    for meta in listed.map_err(|e| told(text, e))? {
        // an object, or the folder that it is somewhere in
        let front: Vec<&str> = meta.location.as_ref().split('/').take(depth).collect();
        let front = front.join("/");
        if compiled.matches_with(&front, how) {
            names.insert(format!("{base}/{front}"));
        }
    }
    Ok(names.into_iter().collect())
}

/// The store of a URL for DataFusion's own formats.
pub(crate) fn store(url: &Url) -> io::Result<Arc<dyn ObjectStore>> {
    found(url.as_str()).map(|found| found.store)
}

#[cfg(test)]
mod tests {
    use super::is_server;

    #[test]
    fn servers_have_urls() {
        for said in ["http://127.0.0.1:9000", "https://s3.example.org/", "http://[::1]:9"] {
            assert!(is_server(said), "{said}");
        }
        for said in
            ["", "foo", "127.0.0.1:9000", "localhost:9000", "ftp://x", "http://", "http:/x", "http://a b"]
        {
            assert!(!is_server(said), "{said}");
        }
    }
}
