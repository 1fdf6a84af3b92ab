//! What is cleaned up when the program is stopped: files and folders that are not complete.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

/// Ended by a signal, as shells count it: 128 and its number.
const STATUS: i32 = 128;

/// How often a folder is looked through in which something may come.
const TRIES: u32 = 10;

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static HANDLER: Once = Once::new();

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    // it is whole after every call
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

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
    let mut unfinished = unfinished();
    let (made, path) = create()?;
    unfinished.push(path.clone());
    Ok((made, path))
}

/// Who writes in folders that are not complete, and whether anyone still may.
static WRITERS: Mutex<Writers> = Mutex::new(Writers { at_work: 0, may: true });
static CHANGED: Condvar = Condvar::new();

/// How long writers are waited for that are at work when the program is told to stop.
const PATIENCE: Duration = Duration::from_millis(500);

struct Writers {
    at_work: usize,
    may: bool,
}

fn writers() -> MutexGuard<'static, Writers> {
    WRITERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// That something is made in a folder.
pub(super) struct Writing(());

/// Begins to make something in a folder. Once the program is told to stop, no thread begins any more: it waits for the end.
pub(super) fn writing() -> Writing {
    let is_over = |writers: &mut Writers| !writers.may;
    let mut writers = CHANGED.wait_while(writers(), is_over).unwrap_or_else(PoisonError::into_inner);
    writers.at_work += 1;
    Writing(())
}

impl Drop for Writing {
    fn drop(&mut self) {
        writers().at_work -= 1;
        CHANGED.notify_all();
    }
}

/// Lets no thread begin any more, and waits for a while for those that have begun.
fn end_writing() {
    let mut writers = writers();
    writers.may = false;
    let _ = CHANGED.wait_timeout_while(writers, PATIENCE, |writers| writers.at_work > 0);
}

/// Gives what is complete its name: `rename` tells whether it has it, and what went wrong. A signal that comes meanwhile waits; what was
/// withdrawn before has nothing more that could be given a name.
pub(super) fn publish(
    path: &Path,
    rename: impl FnOnce() -> (bool, io::Result<()>),
) -> (bool, io::Result<()>) {
    let mut unfinished = unfinished();
    let Some(at) = unfinished.iter().position(|known| known == path) else {
        return (false, Err(io::Error::other("the program was told to stop")));
    };
    let (is_there, done) = rename();
    if is_there {
        unfinished.swap_remove(at);
    }
    (is_there, done)
}

/// These are complete, or gone: all of them at once.
pub(super) fn forget(paths: &[PathBuf]) {
    unfinished().retain(|known| !paths.contains(known));
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
    end_writing();
    // held to the end, so that no further file is begun, and none takes its place
    let mut unfinished = unfinished();
    for path in withdraw_all(&mut unfinished, |_| true) {
        let _ = fs::remove_file(path);
    }
    std::process::exit(STATUS + signal);
}

/// Removes what is not complete of these names; in whose place there is a file then.
fn withdraw_all(unfinished: &mut Vec<PathBuf>, is_meant: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let (gone, others) = std::mem::take(unfinished).into_iter().partition(|path| is_meant(path));
    *unfinished = others;
    Vec::into_iter(gone).filter(|path| withdraw(path)).collect()
}

/// What a signal does to one of the names; whether it is not complete.
#[cfg(test)]
pub(super) fn stop(path: &Path) -> bool {
    let mut unfinished = unfinished();
    let before = unfinished.len();
    withdraw_all(&mut unfinished, |known| known == path);
    unfinished.len() < before
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
