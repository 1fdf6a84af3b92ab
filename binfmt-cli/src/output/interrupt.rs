//! What is cleaned up when the program is stopped: files and folders that are not complete.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

/// Ended by a signal, as shells count it: 128 and the number of SIGINT.
const STATUS: i32 = 130;

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static HANDLER: Once = Once::new();

/// Makes a file or folder that is removed if the program is told to stop (Ctrl-C, SIGTERM, SIGHUP), from its first moment
/// on.
pub(super) fn make<T>(create: impl FnOnce() -> io::Result<(T, PathBuf)>) -> io::Result<(T, PathBuf)> {
    HANDLER.call_once(|| {
        // without a handler the program works just as well, and leaves the file when it is stopped
        let _ = ctrlc::set_handler(|| {
            // held to the end, so that no further file is begun
            let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
            for path in unfinished.iter() {
                let _ = std::fs::remove_file(path).or_else(|_| std::fs::remove_dir_all(path));
            }
            std::process::exit(STATUS);
        });
    });
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
