//! An allocator that counts, and that refuses a call on request: for each thread, so that tests do not disturb each other.

use std::alloc::{GlobalAlloc, Layout as Memory, System};
use std::cell::Cell;

/// The system's allocator with a count of the bytes that are in use.
struct Counting;

thread_local! {
    /// Calls until the one that is refused; nothing is refused at 0.
    pub(crate) static LEFT: Cell<u64> = const { Cell::new(0) };
    /// Calls for fewer bytes are neither counted nor refused: what takes them is not decided by the input.
    pub(crate) static LEAST: Cell<usize> = const { Cell::new(0) };
}

fn is_refused(size: usize) -> bool {
    if size < LEAST.get() {
        return false;
    }
    let left = LEFT.get();
    LEFT.set(left.saturating_sub(1));
    left == 1
}

thread_local! {
    // signed: a thread may free what another one allocated
    static USED: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
    static TOTAL: Cell<usize> = const { Cell::new(0) };
}

/// Counts what was allocated, if it was.
fn grew(p: *mut u8, n: usize) -> *mut u8 {
    if !p.is_null() {
        USED.set(USED.get() + n as isize);
        PEAK.set(PEAK.get().max(USED.get()));
        TOTAL.set(TOTAL.get() + n);
    }
    p
}

fn shrank(n: usize) {
    USED.set(USED.get() - n as isize);
}

// SAFETY: every call goes to the system's allocator unchanged, or is refused
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, memory: Memory) -> *mut u8 {
        if is_refused(memory.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's contract
        grew(unsafe { System.alloc(memory) }, memory.size())
    }

    unsafe fn dealloc(&self, p: *mut u8, memory: Memory) {
        shrank(memory.size());
        // SAFETY: the caller's contract
        unsafe { System.dealloc(p, memory) }
    }

    unsafe fn alloc_zeroed(&self, memory: Memory) -> *mut u8 {
        if is_refused(memory.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's contract
        grew(unsafe { System.alloc_zeroed(memory) }, memory.size())
    }

    unsafe fn realloc(&self, p: *mut u8, memory: Memory, size: usize) -> *mut u8 {
        // what becomes smaller has its memory
        if size > memory.size() && is_refused(size) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's contract
        let to = grew(unsafe { System.realloc(p, memory, size) }, size);
        if !to.is_null() {
            shrank(memory.size());
        }
        to
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// What one run of `f` allocates: the peak above what was there before, and the sum.
pub(crate) fn memory_of<R>(f: impl FnOnce() -> R) -> (R, usize, usize) {
    let (before, total) = (USED.get(), TOTAL.get());
    PEAK.set(before);
    let result = f();
    (result, (PEAK.get() - before) as usize, TOTAL.get() - total)
}
