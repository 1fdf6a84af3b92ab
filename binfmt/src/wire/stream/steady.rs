//! A reader that stays failed.

use crate::wire::amount::plus;
use alloc::string::{String, ToString as _};
use std::io::{Error, ErrorKind, Read, Result};

/// Interruptions in a row that are tried again: a signal makes one, and a reader with nothing else to say has failed.
const PATIENCE: usize = 1 << 10;

/// A reader that is never asked again once it has failed: what comes after an error is not defined, and with some decoders it is a loop without
/// end. Each later call returns the same error. A read that was interrupted is tried again.
#[derive(Debug)]
pub(crate) struct Steady<R> {
    inner: R,
    failed: Option<(ErrorKind, String)>,
}

impl<R> Steady<R> {
    pub(crate) fn new(inner: R) -> Self {
        Steady { inner, failed: None }
    }

    /// The reader, to take it to another place, or to do something that cannot fail halfway.
    pub(crate) fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// The same, taken to another place: what failed where it was is over.
    pub(crate) fn moved(&mut self) {
        self.failed = None;
    }

    /// Does something with the reader, unless it has failed; remembers it if that fails.
    pub(crate) fn run<T>(&mut self, mut run: impl FnMut(&mut R) -> Result<T>) -> Result<T> {
        if let Some((kind, text)) = &self.failed {
            return Err(Error::new(*kind, text.clone()));
        }
        let mut tried = 0;
        loop {
            match run(&mut self.inner) {
                Err(e) if e.kind() == ErrorKind::Interrupted && tried < PATIENCE => tried = plus(tried, 1),
                Err(e) => {
                    // what still says `Interrupted` would be asked again by whoever reads all
                    let kind = match e.kind() {
                        ErrorKind::Interrupted => ErrorKind::Other,
                        kind => kind,
                    };
                    self.failed = Some((kind, e.to_string()));
                    return Err(if kind == e.kind() { e } else { Error::new(kind, e) });
                }
                done => return done,
            }
        }
    }
}

impl<R: Read> Read for Steady<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        self.run(|inner| inner.read(out))
    }
}
