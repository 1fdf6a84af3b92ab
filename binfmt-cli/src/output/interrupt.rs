//! What is cleaned up when the program is stopped: files and folders that are not complete.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

/// Ended by a signal, as shells count it: 128 and its number.
const STATUS: i32 = 128;

/// How often a folder is looked through in which something may come.
const TRIES: u32 = 10;

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static HANDLER: Once = Once::new();

/// Waits for who may stop the program. Threads that were begun before would be ended by a signal themselves, and the program with them.
pub(super) fn await_signals() {
    // without a handler the program works just as well, and leaves what is not complete when it is stopped
    HANDLER.call_once(watch);
}

/// Makes a file or folder that is removed if the program is told to stop (Ctrl-C, SIGTERM, SIGHUP), from its first moment
/// on.
pub(super) fn make<T>(create: impl FnOnce() -> io::Result<(T, PathBuf)>) -> io::Result<(T, PathBuf)> {
    await_signals();
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
    let held: Vec<&PathBuf> = unfinished.iter().filter(|path| withdraw(path)).collect();
    for path in held {
        let _ = fs::remove_file(path);
    }
    std::process::exit(STATUS + signal);
}

/// Removes a file, or a folder in which threads are at work: they miss it, and cannot make it again, as there is a file in its place
/// then. Whether there is.
fn withdraw(path: &Path) -> bool {
    if fs::remove_file(path).is_ok() {
        return false;
    }
    let aside = path.with_extension("gone");
    for _ in 0..TRIES {
        if fs::rename(path, &aside).is_err() {
            let _ = fs::remove_dir_all(path);
            return false;
        }
        let is_held = File::create_new(path).is_ok();
        // names may come as long as a thread is within a call
        let _ = (0..TRIES).any(|_| fs::remove_dir_all(&aside).is_ok());
        if is_held {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_removed_while_files_are_written_in_it() {
        let root = std::env::temp_dir().join(format!("binfmt-cli-{}-at-work", std::process::id()));
        for _ in 0..3 {
            let folder = root.join(".array.1-0.tmp");
            fs::create_dir_all(&folder).unwrap();
            let write = || {
                let file = |n: u32| folder.join(format!("part{}", n / 4)).join(n.to_string());
                let made = |path: &Path| {
                    fs::create_dir_all(path.parent().unwrap()).and_then(|()| fs::write(path, "x"))
                };
                (0..).map(file).take_while(|path| made(path).is_ok()).count()
            };
            std::thread::scope(|scope| {
                let writers = [scope.spawn(write), scope.spawn(write)];
                while fs::read_dir(&folder).unwrap().count() < 20 {}
                assert!(withdraw(&folder));
                // one of them may begin when all is over
                assert!(writers.into_iter().map(|writer| writer.join().unwrap()).sum::<usize>() > 0);
            });
            assert!(folder.is_file());
            assert_eq!(fs::read_dir(&root).unwrap().count(), 1);
            fs::remove_file(&folder).unwrap();
        }
        fs::remove_dir(root).unwrap();
    }
}
