//! Short runs of bytes: names, options, one line of text.
//!
//! The idea: for a few bytes the way costs more than the bytes. A call of `memcpy` with a length that is not known, and a vector
//! that grows from nothing, take longer than two moves of whole words, which cover any length in between; so texts and bytes that
//! are usually short go through here.

use super::bulk::{NoMemory, spare, try_room, try_room_exact};
use super::facts::Facts;
use super::input::InputBytes;
use super::words::copy_short;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::endian::Order;
use alloc::alloc::{Layout, alloc};
use alloc::string::String;
use alloc::vec::Vec;

/// Appends values of one byte each, which are usually few.
///
/// # Panics
/// When the memory of a `T` is not its one byte on the wire: a mistake in this crate, folded away where there is none.
#[inline(always)]
pub(crate) fn extend_short<O: Order, T>(
    facts: Facts<T>,
    bytes: &[u8],
    out: &mut Vec<T>,
) -> Result<(), NoMemory> {
    assert!(facts.is_plain::<O>() && facts.sizes().min == 1 && size_of::<T>() == 1);
    try_room_exact(out, bytes.len())?;
    // SAFETY: room for that many values of one byte was made, and any byte is a valid T
    unsafe {
        let len = out.len();
        copy_short(bytes.as_ptr(), out.as_mut_ptr().add(len).cast::<u8>(), bytes.len());
        out.set_len(len.unchecked_add(bytes.len()));
    }
    Ok(())
}

/// Appends the first `n` bytes of `b`: short ones as two moves of whole words, whatever their length, where there is so much to
/// read and to write.
#[inline(always)]
pub(crate) fn append_front(b: &[u8], n: usize, out: &mut Vec<u8>) -> Result<(), NoMemory> {
    const WIDE: usize = 32;
    if n <= WIDE && b.len() >= WIDE && spare(out) >= WIDE {
        // SAFETY: there are that many bytes to read and to write, of which the first `n <= WIDE` count
        unsafe {
            let len = out.len();
            let to = out.as_mut_ptr().add(len);
            to.cast::<[u8; WIDE]>().write(b.as_ptr().cast::<[u8; WIDE]>().read());
            out.set_len(len.unchecked_add(n));
        }
        return Ok(());
    }
    append_long(b.get(..n).unwrap_or(b), out)
}

/// A call, because two copies side by side are compiled to one, of a length that is not known.
#[inline(never)]
fn append_long(b: &[u8], out: &mut Vec<u8>) -> Result<(), NoMemory> {
    try_room(out, b.len())?;
    out.extend_from_slice(b);
    Ok(())
}

/// A `Vec` of exactly these bytes; `None` where there is no memory. To grow one that is empty would cost a short text as much
/// as its copy.
#[inline(always)]
fn copy(bytes: &[u8]) -> Option<Vec<u8>> {
    let n = bytes.len();
    if n == 0 {
        return Some(Vec::new());
    }
    // SAFETY: no slice is longer than a layout may be, and this one has a size; what the layout gives is memory for n bytes,
    // from the allocator of vectors, which the copy sets
    unsafe {
        // no capacity in this range can be confused with the code of an error, so that callers need no second test
        core::hint::assert_unchecked(n <= isize::MAX as usize);
        let to = alloc(Layout::from_size_align_unchecked(n, 1));
        if to.is_null() {
            return None;
        }
        copy_short(bytes.as_ptr(), to, n);
        Some(Vec::from_raw_parts(to, n, n))
    }
}

/// A `Vec` of exactly these bytes, which are at `at`.
#[inline(always)]
pub(crate) fn to_vec(bytes: &[u8], at: u64) -> Result<Vec<u8>> {
    match copy(bytes) {
        Some(copy) => Ok(copy),
        None => Err(NoMemory::of::<u8>(bytes.len()).at(at)),
    }
}

/// A `String` of text that was checked; `None` where there is no memory.
#[inline(always)]
pub(super) fn copy_text(text: &str) -> Option<String> {
    // SAFETY: the bytes are those of a str
    copy(text.as_bytes()).map(|bytes| unsafe { String::from_utf8_unchecked(bytes) })
}

/// A `String` of text that was checked; an error counts from its first byte.
#[inline(always)]
pub(crate) fn to_string(text: &str) -> Result<String> {
    match copy_text(text) {
        Some(copy) => Ok(copy),
        None => Err(NoMemory::of::<u8>(text.len()).at(0)),
    }
}

impl InputBytes<'_> {
    /// Appends the first `len` bytes as UTF-8 text; the outer error says how many of them are valid.
    #[inline(always)]
    pub(crate) fn append_text(self, len: usize, out: &mut String) -> Result<Result<(), NoMemory>, usize> {
        let n = self.text(len)?.len();
        // SAFETY: the first `n` bytes were found to be text just now, so the string stays text
        let out = unsafe { out.as_mut_vec() };
        Ok(append_front(self.rest(), n, out))
    }

    /// The first `len` bytes as an owned UTF-8 text; an error counts from its first byte.
    ///
    /// Whatever is wrong (no text, no memory), one function off the path finds out what: so the caller of a text that is well
    /// has one test for its error, and not one for each.
    #[inline(always)]
    pub(crate) fn to_text(self, len: usize) -> Result<String> {
        match self.text(len).ok().and_then(copy_text) {
            Some(text) => Ok(text),
            None => Err(no_text(self.bytes(), len)),
        }
    }
}

/// Why the first `len` of these bytes became no text.
#[cold]
#[inline(never)]
fn no_text(bytes: &[u8], len: usize) -> Error {
    match core::str::from_utf8(bytes.get(..len).unwrap_or(bytes)) {
        Ok(_) => Error::new(ErrorKind::OutOfMemory { requested: len }, 0),
        Err(e) => {
            let valid_up_to = e.valid_up_to();
            Error::new(ErrorKind::InvalidText { encoding: "UTF-8", valid_up_to }, valid_up_to as u64)
        }
    }
}
