//! Threads for one piece of work, and what they share.

use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// How many threads may run at once.
pub(super) fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// The same work on that many threads, or as many as there are cores.
pub(super) fn on_threads(most: usize, run: impl Fn() + Sync) {
    thread::scope(|scope| {
        for _ in 1..cores().min(most) {
            // without a thread more this one does all
            let _ = thread::Builder::new().spawn_scoped(scope, &run);
        }
        run();
    });
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something if the thread panics: others wait for it.
pub(super) struct EndsInPanic<F: Fn()>(pub(super) F);

impl<F: Fn()> Drop for EndsInPanic<F> {
    fn drop(&mut self) {
        if thread::panicking() {
            (self.0)();
        }
    }
}
