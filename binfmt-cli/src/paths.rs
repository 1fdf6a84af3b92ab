//! Names of files that are patterns: where the shell has not replaced them, this does.

use crate::error::{Error, Result};
use crate::pattern::{self, is_meant};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// The files that are meant: names as they are, patterns replaced by what they match, in the order of the names.
pub(crate) fn meant(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for path in paths {
        if !is_pattern(path) || path.symlink_metadata().is_ok() {
            all.push(path.clone());
            continue;
        }
        let found = matching(path);
        if found.is_empty() {
            return Err(Error::data("no file has a name like that").at(path.display()));
        }
        all.extend(found);
    }
    Ok(all)
}

/// A path as it is typed: `file:///` before one is not part of it, and `%20` after it is a blank.
pub(crate) fn typed(path: PathBuf) -> PathBuf {
    let rest = path.to_str().and_then(|text| text.strip_prefix("file://"));
    match rest.map(|rest| rest.strip_prefix("localhost").unwrap_or(rest)) {
        Some(rest) if rest.starts_with('/') => unescaped(rest).unwrap_or_else(|| rest.into()),
        _ => path,
    }
}

/// The path with the bytes that its escapes mean; a `%` without two digits is itself. `None` if it cannot be a path.
fn unescaped(text: &str) -> Option<PathBuf> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend(part.bytes().skip(2));
            }
            None => bytes.extend([b"%", part.as_bytes()].concat()),
        }
    }
    path_of(bytes)
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    Some(<OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    Some(String::from_utf8(bytes).ok()?.into())
}

fn is_pattern(path: &Path) -> bool {
    path.to_str().is_some_and(pattern::is_pattern)
}

/// Follows the parts of a pattern from folder to folder. As in a shell, names that begin with a point are not meant.
fn matching(pattern: &Path) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    for part in pattern.components() {
        let wanted = match part {
            Component::Normal(name) => name.to_str().filter(|name| pattern::is_pattern(name)),
            _ => None,
        };
        found = match wanted {
            None => found.into_iter().map(|path| path.join(part)).collect(),
            Some(wanted) => found.iter().flat_map(|folder| names(folder, wanted)).collect(),
        };
    }
    found.retain(|path| path.symlink_metadata().is_ok());
    found
}

/// What in a folder has a name that is meant.
fn names(folder: &Path, wanted: &str) -> Vec<PathBuf> {
    let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    let is_wanted = |name: &str| !name.starts_with('.') && is_meant(wanted, name);
    let mut names: Vec<OsString> =
        entries.map(|entry| entry.file_name()).filter(|name| is_wanted(&name.to_string_lossy())).collect();
    names.sort_unstable();
    names.into_iter().map(|name| folder.join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_those_of_urls() {
        let path = |text: &str| typed(text.into());
        assert_eq!(path("file:///a%20b/%C3%a9.csv"), Path::new("/a b/é.csv"));
        assert_eq!(path("file:///100%/5%2/%zz%é%"), Path::new("/100%/5%2/%zz%é%"));
        assert_eq!(path("/a%20b"), Path::new("/a%20b"));
        assert_eq!(path("file:a%20b"), Path::new("file:a%20b"));
    }
}
