//! An allocator that counts what a thread has in use.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    // signed: a thread may free what another one allocated
    static USED: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn grew(n: usize) {
    USED.set(USED.get() + n as isize);
    PEAK.set(PEAK.get().max(USED.get()));
}

// SAFETY: every call goes to the system's allocator unchanged
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, memory: Layout) -> *mut u8 {
        grew(memory.size());
        // SAFETY: the caller's contract
        unsafe { System.alloc(memory) }
    }

    unsafe fn dealloc(&self, p: *mut u8, memory: Layout) {
        USED.set(USED.get() - memory.size() as isize);
        // SAFETY: the caller's contract
        unsafe { System.dealloc(p, memory) }
    }

    unsafe fn realloc(&self, p: *mut u8, memory: Layout, size: usize) -> *mut u8 {
        grew(size);
        USED.set(USED.get() - memory.size() as isize);
        // SAFETY: the caller's contract
        unsafe { System.realloc(p, memory, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The most bytes that a function had in use, above what was there before.
pub(crate) fn peak(f: &mut dyn FnMut()) -> usize {
    let before = USED.get();
    PEAK.set(before);
    f();
    (PEAK.get() - before) as usize
}
