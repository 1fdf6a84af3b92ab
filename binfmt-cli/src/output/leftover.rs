//! Temporary names, and what runs that were killed have left under them.
//!
//! Who writes under a temporary name holds a lock on it, which the system takes away when the program ends, however it ends:
//! a temporary file without a lock belongs to no program. Where there are no locks, nothing is taken away.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// As much of a name as a temporary one has of it: a name may be as long as the system lets names be.
const SHOWN: usize = 32;
const ENDING: &str = ".tmp";

/// Held as long as a temporary file or folder is written.
#[derive(Debug)]
pub(super) struct Lock {
    #[cfg(unix)]
    _held: Option<nix::fcntl::Flock<File>>,
}

/// `.name.PID-0.tmp`: what it begins with, for every program that writes `place`.
fn front(place: &Path) -> io::Result<OsString> {
    let Some(name) = place.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"));
    };
    let mut front = OsString::from(".");
    front.push(name.to_string_lossy().chars().take(SHOWN).collect::<String>());
    front.push(".");
    Ok(front)
}

/// Makes something new in the same folder, under a hidden name that nothing else has, and locks it.
pub(super) fn create<T>(
    place: &Path,
    make: impl Fn(&Path) -> io::Result<T>,
) -> io::Result<((T, Lock), PathBuf)> {
    const TRIES: u32 = 1000;
    let front = front(place)?;
    clean(place, &front);
    for attempt in 0..TRIES {
        let mut hidden = front.clone();
        hidden.push(format!("{}-{attempt}{ENDING}", std::process::id()));
        let path = place.with_file_name(hidden);
        match make(&path) {
            Ok(made) => {
                // who cleans up between the making and the locking has taken it away
                if let Some(lock) = lock(&path) {
                    return Ok(((made, lock), path));
                }
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "no free name for a temporary file"))
}

/// Takes away what runs that wrote the same place have left.
fn clean(place: &Path, front: &OsStr) {
    let Ok(entries) = fs::read_dir(super::disk::folder_of(place)) else { return };
    for entry in entries.flatten() {
        if is_temporary(&entry.file_name(), front) {
            remove_if_free(&entry.path());
        }
    }
}

/// Whether a name is `front`, numbers and the ending.
fn is_temporary(name: &OsStr, front: &OsStr) -> bool {
    let (Some(name), Some(front)) = (name.to_str(), front.to_str()) else { return false };
    let Some(numbers) = name.strip_prefix(front).and_then(|rest| rest.strip_suffix(ENDING)) else {
        return false;
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    numbers.split_once('-').is_some_and(|(process, attempt)| is_number(process) && is_number(attempt))
}

/// Locks what was just made; `None` if it is there no more.
#[cfg(unix)]
fn lock(path: &Path) -> Option<Lock> {
    use nix::fcntl::{Flock, FlockArg};
    use std::os::unix::fs::MetadataExt;
    let file = match File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return None,
        // no one else may read what is made here, so that no one else can lock it
        Err(_) => return Some(Lock { _held: None }),
    };
    // a file system without locks: then no one cleans up there either
    let Ok(held) = Flock::lock(file, FlockArg::LockExclusiveNonblock) else {
        return Some(Lock { _held: None });
    };
    let is_there = match (held.metadata(), fs::symlink_metadata(path)) {
        (Ok(held), Ok(named)) => held.ino() == named.ino() && held.dev() == named.dev(),
        _ => false,
    };
    is_there.then_some(Lock { _held: Some(held) })
}

#[cfg(not(unix))]
fn lock(_: &Path) -> Option<Lock> {
    Some(Lock {})
}

/// Removes a temporary file or folder that no program writes.
#[cfg(unix)]
fn remove_if_free(path: &Path) {
    use nix::fcntl::{Flock, FlockArg};
    // a link or a pipe was not made here
    let Ok(kind) = fs::symlink_metadata(path).map(|m| m.file_type()) else { return };
    if !kind.is_file() && !kind.is_dir() {
        return;
    }
    let Ok(file) = File::open(path) else { return };
    let Ok(held) = Flock::lock(file, FlockArg::LockExclusiveNonblock) else { return };
    let _ = if kind.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    drop(held);
}

#[cfg(not(unix))]
fn remove_if_free(_: &Path) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn what_nobody_writes_any_more_goes() {
        let folder = std::env::temp_dir().join(format!("binfmt-cli-{}-leftover", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let place = folder.join("out.json");
        let make = |path: &Path| File::options().write(true).create_new(true).open(path);
        let ((_, living), written) = create(&place, make).unwrap();
        // of runs that were killed, and what only looks like it
        let dead = [".out.json.1-0.tmp", ".out.json.4194304-17.tmp"];
        let others = [".out.json.bak.tmp", ".out.json.1-x.tmp", ".other.1-0.tmp", "out.json.1-0.tmp"];
        for name in dead.iter().chain(&others) {
            fs::write(folder.join(name), "x").unwrap();
        }
        fs::create_dir(folder.join(".out.json.2-0.tmp")).unwrap();
        fs::write(folder.join(".out.json.2-0.tmp/a"), "x").unwrap();
        std::os::unix::fs::symlink("/nowhere", folder.join(".out.json.3-0.tmp")).unwrap();
        let ((_, second), other) = create(&place, make).unwrap();
        assert!(written.exists() && other.exists() && written != other);
        for name in dead.iter().chain(&[".out.json.2-0.tmp"]) {
            assert!(!folder.join(name).exists(), "{name}");
        }
        for name in others.iter().chain(&[".out.json.3-0.tmp"]) {
            assert!(folder.join(name).symlink_metadata().is_ok(), "{name}");
        }
        drop((living, second));
        drop(create(&place, make).unwrap());
        // the name of the first was free again
        assert!(!other.exists());
        fs::remove_dir_all(folder).unwrap();
    }
}
