//! Memory for what is made in many small pieces, of which none can say that there is no more.

use binfmt::{Error, ErrorKind, Result};

/// More than is made between two questions, and than the 128 MiB that an allocator may ask for at once for the small pieces of a thread.
const HEADROOM: usize = 160 << 20;

/// Whether so many bytes are to be had and some beside them: asked of the system, and given back.
pub(crate) fn check(bytes: usize) -> Result<()> {
    let requested = bytes.saturating_add(HEADROOM);
    match Vec::<u8>::new().try_reserve_exact(requested) {
        Ok(()) => Ok(()),
        Err(_) => Err(Error::from(ErrorKind::OutOfMemory { requested })),
    }
}

/// The same in a loop: after every so many items.
pub(crate) fn every(item: usize) -> Result<()> {
    if item % 4096 == 4095 { check(0) } else { Ok(()) }
}
