//! What fails on purpose, at the call that is asked for: a function of the user, a reader, a writer, an allocation.

use super::panics::Struck;
use std::cell::Cell;
use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};

/// What fails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum What {
    Function,
    FunctionPanics,
    Allocation,
    Call,
    CallPanics,
}

/// What fails, and at which call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub(crate) what: What,
    pub(crate) at: u32,
}

thread_local! {
    static ARMED: Cell<Option<What>> = const { Cell::new(None) };
    /// Calls until the one that fails.
    static LEFT: Cell<u32> = const { Cell::new(0) };
    /// What new memory is full of.
    static FILL: Cell<Option<u8>> = const { Cell::new(None) };
}

/// Smaller allocations are not refused: what takes them is not decided by the input.
const LEAST: usize = 1 << 10;

/// How a call ended.
#[derive(Debug, PartialEq)]
pub(crate) enum Ended<T> {
    With(T),
    ByPanic,
}

impl Fault {
    /// Calls something, in which it fails; tells how that ended, and whether it failed.
    pub(crate) fn during<T>(self, f: impl FnOnce() -> T) -> (Ended<T>, bool) {
        LEFT.set(self.at);
        ARMED.set(Some(self.what));
        let ended = catch_unwind(AssertUnwindSafe(f));
        let has_failed = ARMED.take().is_none();
        match ended {
            Ok(value) => (Ended::With(value), has_failed),
            Err(what) => {
                assert!(what.is::<Struck>(), "another panic");
                (Ended::ByPanic, has_failed)
            }
        }
    }
}

/// Calls something in memory that is full of a byte.
pub(crate) fn in_memory_of<T>(fill: u8, f: impl FnOnce() -> T) -> T {
    let before = FILL.replace(Some(fill));
    let value = f();
    FILL.set(before);
    value
}

/// Whether it is this call that fails.
fn is_struck(what: What) -> bool {
    if ARMED.get() != Some(what) {
        return false;
    }
    let left = LEFT.get();
    LEFT.set(left.saturating_sub(1));
    if left == 0 {
        ARMED.set(None);
    }
    left == 0
}

/// Calls something in which nothing fails: what a function, reader or writer does itself is not looked at.
pub(crate) fn spared<T>(f: impl FnOnce() -> T) -> T {
    let armed = ARMED.take();
    let value = f();
    ARMED.set(armed);
    value
}

/// A function of a struct was called.
pub(crate) fn called() {
    if is_struck(What::FunctionPanics) {
        panic_any(Struck);
    }
}

/// The same of a function that may fail.
pub(crate) fn tried() -> Result<(), &'static str> {
    called();
    if is_struck(What::Function) { Err("struck") } else { Ok(()) }
}

/// Whether an allocation is refused.
#[allow(dead_code, reason = "asked by the allocator of the fuzzer's programs")]
pub(crate) fn is_refused(bytes: usize) -> bool {
    bytes >= LEAST && is_struck(What::Allocation)
}

/// What new memory is to be full of.
#[allow(dead_code, reason = "asked by the allocator of the fuzzer's programs")]
pub(crate) fn fill() -> Option<u8> {
    FILL.get()
}

/// A reader or writer whose call fails, in pieces of at most so many bytes.
pub(crate) struct Failing<T> {
    pub(crate) inner: T,
    pub(crate) most: usize,
}

impl<T> Failing<T> {
    fn call(&self) -> io::Result<()> {
        if is_struck(What::CallPanics) {
            panic_any(Struck);
        }
        if is_struck(What::Call) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        Ok(())
    }
}

impl<T: Read> Read for Failing<T> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.call()?;
        let most = self.most.max(1).min(buf.len());
        spared(|| self.inner.read(&mut buf[..most]))
    }
}

impl<T: Write> Write for Failing<T> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.call()?;
        let most = self.most.max(1).min(buf.len());
        spared(|| self.inner.write(&buf[..most]))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.call()?;
        self.inner.flush()
    }
}
