//! Where files are: in the file system, or in an object store, which has a URL.

use crate::wrong;
use binfmt::storage::{Folder, Storage};
use datafusion::common::Result;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// A storage, and the name of a file in it; no name where it is the storage itself.
pub(crate) type Place = (Arc<dyn Storage>, String);

/// A path of the file system, of what may be written as its URL.
fn path(name: &str) -> &str {
    name.strip_prefix("file://").unwrap_or(name)
}

/// Whether a name is a URL of something else than a file of this machine.
pub(crate) fn is_url(name: &str) -> bool {
    path(name).contains("://")
}

/// The files, and the folders, that a name or a pattern stands for, in their order.
pub(crate) fn all(pattern: &str) -> Result<Vec<String>> {
    if is_url(pattern) {
        return objects::all(pattern).map_err(|e| wrong(e.to_string()));
    }
    let pattern = path(pattern).trim_end_matches('/');
    if Path::new(pattern).exists() {
        return Ok(vec![pattern.to_owned()]);
    }
    let wrong = |e: &dyn std::fmt::Display| wrong(format!("{pattern}: {e}"));
    let found = glob::glob(pattern).map_err(|e| wrong(&e))?;
    let found = found.map(|path| path.map(|path| path.display().to_string()).map_err(|e| wrong(&e)));
    let mut found = found.collect::<Result<Vec<_>>>()?;
    found.sort();
    Ok(found)
}

/// Where a file or a folder is that is read; `None` if there is none.
pub(crate) fn to_read(name: &str) -> io::Result<Option<Place>> {
    if is_url(name) {
        return objects::to_read(name);
    }
    let name = Path::new(path(name));
    if name.is_dir() {
        return Ok(Some((Arc::new(Folder::new(name)), String::new())));
    }
    if name.exists() { beside(name).map(Some) } else { Ok(None) }
}

/// Where a file or a folder is going to be.
pub(crate) fn to_write(name: &str) -> io::Result<Place> {
    if is_url(name) { objects::to_write(name) } else { beside(&Folder::written(Path::new(path(name)))?) }
}

fn beside(path: &Path) -> io::Result<Place> {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        let text = format!("{} is not the name of a file in UTF-8", path.display());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    };
    Ok((Arc::new(Folder::new(path.parent().unwrap_or(Path::new("")))), name.to_owned()))
}

#[cfg(feature = "objects")]
use crate::objects;

/// What is said of URLs without the feature that reads them.
#[cfg(not(feature = "objects"))]
mod objects {
    use super::Place;
    use std::io;

    fn refused<T>(url: &str) -> io::Result<T> {
        let text = format!("{url}: this program was built without the feature `objects`, which reads URLs");
        Err(io::Error::new(io::ErrorKind::Unsupported, text))
    }

    pub(super) fn all(url: &str) -> io::Result<Vec<String>> {
        refused(url)
    }

    pub(super) fn to_read(url: &str) -> io::Result<Option<Place>> {
        refused(url)
    }

    pub(super) fn to_write(url: &str) -> io::Result<Place> {
        refused(url)
    }
}
