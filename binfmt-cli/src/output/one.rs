//! Whether two paths lead to one file.

use std::path::Path;

/// Whether both lead to the same file, by whatever links.
#[cfg(unix)]
pub(crate) fn is_one(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |path: &Path| path.metadata().ok().map(|about| (about.dev(), about.ino()));
    identity(a).is_some_and(|found| identity(b) == Some(found))
}

/// The same, where hard links are not seen.
#[cfg(not(unix))]
pub(crate) fn is_one(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| std::fs::canonicalize(path).ok();
    place(a).is_some_and(|found| place(b) == Some(found))
}
