//! What is cleaned up when the program is stopped: files and folders that are not complete.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

/// Ended by a signal, as shells count it: 128 and its number.
const STATUS: i32 = 128;

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static HANDLER: Once = Once::new();

/// Makes a file or folder that is removed if the program is told to stop (Ctrl-C, SIGTERM, SIGHUP), from its first moment
/// on.
pub(super) fn make<T>(create: impl FnOnce() -> io::Result<(T, PathBuf)>) -> io::Result<(T, PathBuf)> {
    // without a handler the program works just as well, and leaves the file when it is stopped
    HANDLER.call_once(watch);
    // whoever stops the program now is answered when the name is known
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    let (made, path) = create()?;
    unfinished.push(path.clone());
    Ok((made, path))
}

/// The file is complete, or gone.
pub(super) fn forget(path: &Path) {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|known| known != path);
}

/// Lets a thread wait for the signals, which no other one gets: those that come later have the same mask.
#[cfg(unix)]
fn watch() {
    use nix::sys::signal::{SigSet, Signal};
    let signals: SigSet = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter().collect();
    if signals.thread_block().is_err() {
        return;
    }
    let wait = move || {
        if let Ok(signal) = signals.wait() {
            ended(signal as i32);
        }
    };
    if std::thread::Builder::new().spawn(wait).is_err() {
        let _ = signals.thread_unblock();
    }
}

#[cfg(not(unix))]
fn watch() {
    let _ = ctrlc::set_handler(|| ended(2));
}

/// Removes what is not complete, and ends the program.
fn ended(signal: i32) {
    // held to the end, so that no further file is begun
    let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    for path in unfinished.iter() {
        let _ = std::fs::remove_file(path).or_else(|_| std::fs::remove_dir_all(path));
    }
    std::process::exit(STATUS + signal);
}
