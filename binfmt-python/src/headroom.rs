//! Memory for what is made in many small pieces, of which none can say that there is no more.

use binfmt::{Error, ErrorKind, Options, Result};
use std::sync::atomic::{AtomicUsize, Ordering};

/// More than is made between two questions, and than the 128 MiB that an allocator may ask for at once for the small pieces of a thread.
const HEADROOM: usize = 160 << 20;

/// Items that are made between two questions.
const ITEMS: usize = 4096;

/// Bytes of which no value takes as much as there is headroom.
const SMALL: usize = 64 << 10;

/// Whether so many bytes are to be had and some beside them: asked of the system, and given back.
pub(crate) fn check(bytes: usize) -> Result<()> {
    let requested = bytes.saturating_add(HEADROOM);
    match has(requested) {
        true => Ok(()),
        false => Err(Error::from(ErrorKind::OutOfMemory { requested })),
    }
}

/// The same in a loop: after every so many items.
pub(crate) fn every(item: usize) -> Result<()> {
    if item % ITEMS == ITEMS - 1 { check(0) } else { Ok(()) }
}

/// The same where loops are in others: after every so many items of all of them.
pub(crate) fn one_more() -> Result<()> {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    every(MADE.fetch_add(1, Ordering::Relaxed))
}

/// Lets a value of so many bytes take a quarter of the memory that is to be had: what it is made of is counted without what the allocator takes
/// beside each piece, and a list that grows is there twice. It is half for one of large pieces, which takes about its bytes.
pub(crate) fn options<C>(options: Options<C>, bytes: usize) -> Options<C> {
    if bytes < SMALL {
        return options;
    }
    let left = left();
    options.max_memory((left / 2).min(bytes.saturating_mul(2)).max(left / 4))
}

/// An error of that limit as what it is, that of the system; others as they are.
pub(crate) fn told(e: Error) -> Error {
    refused(&e).unwrap_or(e)
}

/// The error of the system that an error of memory is.
pub(crate) fn refused(e: &Error) -> Option<Error> {
    let (ErrorKind::MemoryLimit { requested, .. } | ErrorKind::OutOfMemory { requested }) = *e.kind() else {
        return None;
    };
    let kind = ErrorKind::OutOfMemory { requested };
    let made = match e.offset() {
        Some(at) => Error::new(kind, at),
        None => Error::from(kind),
    };
    let steps: Vec<_> = e.path().steps().cloned().collect();
    Some(steps.into_iter().rev().fold(made, Error::within))
}

fn has(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

/// About how many bytes are to be had at once.
fn left() -> usize {
    let mut found = 1usize << (usize::BITS - 2);
    while found > SMALL && !has(found) {
        found /= 2;
    }
    for part in [2, 4, 8] {
        let more = found + (1 << found.ilog2()) / part;
        if has(more) {
            found = more;
        }
    }
    found
}
