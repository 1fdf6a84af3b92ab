//! Ctrl-C in calls that take long.

use crate::failure::{Failure, Result};
use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long Ctrl-C waits until it is heard.
const PATIENCE: Duration = Duration::from_millis(50);

/// Bytes for which a call may take so long that somebody loses patience.
const MANY: u64 = 4 << 20;

/// The stack of a thread that does what the caller's would have done.
const STACK: usize = 8 << 20;

/// Does what depends on so many bytes, without the lock of the interpreter. Much of it is done in another thread, so that Ctrl-C ends the
/// call at once; that thread ends when it is done.
pub(crate) fn patiently<T: Send + 'static>(
    py: Python<'_>,
    bytes: u64,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    if bytes < MANY {
        return py.detach(work);
    }
    let (done, waits) = channel();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        // nobody waits any more after Ctrl-C
        let _ = done.send(work());
    });
    worker.map_err(|e| Failure::from(binfmt::Error::from(e)))?;
    let waits = Mutex::new(waits);
    loop {
        let found = py.detach(|| match waits.lock() {
            Ok(waits) => waits.recv_timeout(PATIENCE),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        });
        match found {
            Ok(found) => return found,
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::other("the thread that did it has ended"));
            }
        }
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
        Python::attach(|py| py.check_signals())
    }
}

/// The same with the lock: after every so many items of a loop.
pub(crate) fn every(py: Python<'_>, item: usize) -> PyResult<()> {
    if item % 4096 == 4095 { py.check_signals() } else { Ok(()) }
}
