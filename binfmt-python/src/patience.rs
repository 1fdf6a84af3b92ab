//! Ctrl-C in calls that take long.

use crate::failure::{Failure, Result};
use binfmt::columns::Columns;
use binfmt::table::Batches;
use pyo3::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long Ctrl-C waits until it is heard.
const PATIENCE: Duration = Duration::from_millis(50);

/// Bytes for which a call may take so long that somebody loses patience.
const MANY: u64 = 4 << 20;

/// The stack of a thread that does what the caller's would have done.
const STACK: usize = 8 << 20;

/// Whether a call that depends on so many bytes may take long.
pub(crate) fn is_much(bytes: u64) -> bool {
    bytes >= MANY
}

/// Does what depends on so many bytes, without the lock of the interpreter. Much of it is done in another thread, so that Ctrl-C ends the
/// call at once; that thread ends when it is done.
pub(crate) fn patiently<T: Send + 'static>(
    py: Python<'_>,
    bytes: u64,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    py.detach(|| if is_much(bytes) { in_thread(work)? } else { work() })
}

/// What another thread does, while this one, which does not have the lock of the interpreter, hears Ctrl-C. It is done here where there is no memory for
/// a thread.
fn in_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let (done, waits) = channel();
    let work = Arc::new(Mutex::new(Some(work)));
    let theirs = Arc::clone(&work);
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        if let Some(work) = taken(&theirs) {
            // nobody waits any more after Ctrl-C
            let _ = done.send(work());
        }
    });
    if worker.is_err()
        && let Some(work) = taken(&work)
    {
        return Ok(work());
    }
    loop {
        match waits.recv_timeout(PATIENCE) {
            Ok(found) => return Ok(found),
            Err(RecvTimeoutError::Timeout) => heard()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::other("the thread that did it has ended"));
            }
        }
    }
}

fn taken<T>(from: &Mutex<Option<T>>) -> Option<T> {
    from.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// The exception of Ctrl-C, for a thread without the lock of the interpreter.
fn heard() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

/// Batches between which Ctrl-C is heard, and while one is read that takes long: such as a page of text.
pub(crate) struct Patient {
    /// `None` after an error.
    batches: Option<Arc<Mutex<Batches>>>,
    is_slow: bool,
}

impl Patient {
    /// Of a table whose file has so many bytes.
    pub(crate) fn new(batches: Batches, bytes: u64) -> Self {
        Patient { batches: Some(Arc::new(Mutex::new(batches))), is_slow: is_much(bytes) }
    }
}

impl Iterator for Patient {
    type Item = binfmt::Result<Columns>;

    fn next(&mut self) -> Option<Self::Item> {
        let batches = Arc::clone(self.batches.as_ref()?);
        let begun = Instant::now();
        let next = move || batches.lock().unwrap_or_else(PoisonError::into_inner).next();
        // also before those in a thread that are done before anybody listens
        let found = match (heard(), self.is_slow) {
            (Err(e), _) => Err(e.into()),
            (Ok(()), true) => in_thread(next),
            (Ok(()), false) => Ok(next()),
        };
        self.is_slow = begun.elapsed() > PATIENCE / 4;
        found.unwrap_or_else(|e| {
            self.batches = None;
            Some(Err(match e {
                Failure::Format(e) | Failure::In(e, _) => e,
                Failure::Python(e) => binfmt::Error::caused_by(e, 0),
            }))
        })
    }
}

/// Hears Ctrl-C in a loop without the lock of the interpreter, when some time has gone by.
pub(crate) struct Ear {
    heard: Instant,
}

impl Ear {
    pub(crate) fn new() -> Self {
        Ear { heard: Instant::now() }
    }

    /// The exception of Ctrl-C.
    pub(crate) fn listen(&mut self) -> PyResult<()> {
        if self.heard.elapsed() < PATIENCE {
            return Ok(());
        }
        self.heard = Instant::now();
        heard()
    }
}

/// The same with the lock: after every so many items of a loop.
pub(crate) fn every(py: Python<'_>, item: usize) -> PyResult<()> {
    if item % 4096 == 4095 { py.check_signals() } else { Ok(()) }
}
