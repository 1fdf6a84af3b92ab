//! The system's allocator, which refuses a call or fills new memory where a target asks for it.

use crate::targets::shared::faults::{fill, is_refused};
use std::alloc::{GlobalAlloc, Layout, System};

struct Refusing;

#[global_allocator]
static REFUSING: Refusing = Refusing;

/// Fills bytes from one place on.
///
/// # Safety
/// If `p` is not null, `from..to` of it is memory that nobody else uses.
unsafe fn filled(p: *mut u8, from: usize, to: usize) -> *mut u8 {
    if let Some(byte) = fill()
        && !p.is_null()
        && from < to
    {
        // SAFETY: the caller's contract
        unsafe { p.add(from).write_bytes(byte, to - from) };
    }
    p
}

// SAFETY: every call goes to the system's allocator unchanged, or is refused; what is filled is not yet anybody's
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_refused(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's contract, and the memory is new
        unsafe { filled(System.alloc(layout), 0, layout.size()) }
    }

    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract
        unsafe { System.dealloc(p, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_refused(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's contract
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // what becomes smaller has its memory
        if size > layout.size() && is_refused(size) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's contract, and what it grew by is new
        unsafe { filled(System.realloc(p, layout, size), layout.size(), size) }
    }
}
