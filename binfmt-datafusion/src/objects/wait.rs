//! Requests run on threads of their own; whoever asks waits for the answer.
//!
//! A decoder asks for bytes and goes on when it has them, on whichever thread it is: that of a partition, which an async engine may
//! own. Waiting there for a future of the same engine could wait for itself.

use std::future::Future;
use std::io;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, sync_channel};
use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};
use tokio::task::block_in_place;

fn threads() -> io::Result<&'static Runtime> {
    static THREADS: OnceLock<Option<Runtime>> = OnceLock::new();
    let begin =
        || Builder::new_multi_thread().worker_threads(2).thread_name("objects").enable_all().build().ok();
    THREADS.get_or_init(begin).as_ref().ok_or_else(|| io::Error::other("there are no threads for requests"))
}

/// What was asked for and is on its way.
pub(super) struct Waiting<T>(Receiver<T>);

impl<T> Waiting<T> {
    /// The answer, when it is there.
    pub(super) fn get(self) -> io::Result<T> {
        let threads = Handle::try_current().map(|threads| threads.runtime_flavor());
        let answer = match threads {
            // other tasks of the thread go to another one in the meantime
            Ok(RuntimeFlavor::MultiThread) => block_in_place(|| self.0.recv()),
            _ => self.0.recv(),
        };
        answer.map_err(|_| io::Error::other("a request ended without an answer"))
    }
}

/// Begins a request.
pub(super) fn begin<T: Send + 'static>(
    asked: impl Future<Output = T> + Send + 'static,
) -> io::Result<Waiting<T>> {
    let (answer, waiting) = sync_channel(1);
    threads()?.spawn(async move {
        // whoever asked may have gone
        let _ = answer.send(asked.await);
    });
    Ok(Waiting(waiting))
}

/// The answer to a request.
pub(super) fn wait<T: Send + 'static>(asked: impl Future<Output = T> + Send + 'static) -> io::Result<T> {
    begin(asked)?.get()
}
