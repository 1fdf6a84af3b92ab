//! Memory of large vectors of numbers that are gone, kept for the next ones.
//!
//! Memory that is new to the process comes from the system page by page, which takes longer than to fill it. So a program that reads one
//! file after the other gives the vectors back that it does not need any more, and the next ones of about the same size take theirs.
//! Where nothing was given back nothing is looked for.

use super::bulk::NoMemory;
use super::facts::Facts;
use super::grow::allocated;
use crate::wire::amount::{plus, times};
use alloc::alloc::{Layout, dealloc};
use alloc::vec::Vec;
use core::mem::ManuallyDrop;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Fewer bytes are not kept: the allocator has room for them.
pub(super) const LEAST: usize = 128 << 10;

/// Bytes that are kept in all; the oldest go first.
const MOST: usize = 128 << 20;

/// Memory of an allocation, of which the first bytes are set.
struct Block {
    start: *mut u8,
    layout: Layout,
    set: usize,
}

// SAFETY: the block owns its memory, which nobody else has
unsafe impl Send for Block {}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: the memory of a vector, whose allocation had this layout
        unsafe { dealloc(self.start, self.layout) }
    }
}

static KEPT: Mutex<Vec<Block>> = Mutex::new(Vec::new());

/// How many there are: while there is none, nobody looks.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// What is kept, unless another thread is at it: one that is not there in a process that was forked from this never ends.
fn kept() -> Option<MutexGuard<'static, Vec<Block>>> {
    match KEPT.try_lock() {
        Ok(kept) => Some(kept),
        Err(TryLockError::Poisoned(e)) => Some(e.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Takes the memory of a vector.
pub(crate) fn keep<T: Copy>(facts: Facts<T>, v: Vec<T>) {
    // values without bytes between them
    put(v, facts.sizes().min == size_of::<T>());
}

/// The same of values whose bytes are all set, or not.
fn put<T: Copy>(v: Vec<T>, is_set: bool) {
    let Ok(layout) = Layout::array::<T>(v.capacity()) else { return };
    if !(LEAST..=MOST).contains(&layout.size()) {
        return;
    }
    let mut v = ManuallyDrop::new(v);
    let set = if is_set { times(v.len(), size_of::<T>()) } else { 0 };
    let block = Block { start: v.as_mut_ptr().cast(), layout, set };
    let Some(mut kept) = kept() else { return };
    if kept.try_reserve(1).is_err() {
        return;
    }
    kept.push(block);
    let mut all: usize = kept.iter().map(|one| one.layout.size()).fold(0, plus);
    let mut too_many = 0;
    while let Some(oldest) = kept.get(too_many).filter(|_| all > MOST) {
        (all, too_many) = (all.saturating_sub(oldest.layout.size()), plus(too_many, 1));
    }
    let rest = kept.split_off(too_many);
    // the system takes a while: others need not wait
    let gone = core::mem::replace(&mut *kept, rest);
    COUNT.store(kept.len(), Ordering::Relaxed);
    drop(kept);
    drop(gone);
}

/// Gives all of it back to the system; whether there was some.
pub(super) fn clear() -> bool {
    let gone = match (COUNT.load(Ordering::Relaxed), kept()) {
        (1.., Some(mut kept)) => core::mem::take(&mut *kept),
        _ => Vec::new(),
    };
    COUNT.store(0, Ordering::Relaxed);
    !gone.is_empty()
}

/// A vector with room for `n` values and for not many more, and how many bytes of that are set.
pub(super) fn taken<T>(n: usize) -> Option<(Vec<T>, usize)> {
    let wanted = Layout::array::<T>(n).ok().filter(|wanted| wanted.size() >= LEAST)?;
    if COUNT.load(Ordering::Relaxed) == 0 {
        return None;
    }
    let fits = |one: &Block| {
        let size = one.layout.size();
        let spare = size.checked_sub(wanted.size());
        one.layout.align() == wanted.align()
            && size.checked_rem(size_of::<T>()) == Some(0)
            && spare.is_some_and(|spare| spare <= wanted.size() / 8)
    };
    let mut kept = kept()?;
    let place = kept.iter().rposition(fits)?;
    let block = ManuallyDrop::new(kept.remove(place));
    COUNT.store(kept.len(), Ordering::Relaxed);
    let capacity = block.layout.size().checked_div(size_of::<T>())?;
    // SAFETY: the memory of a vector, from the allocator of vectors; its layout is that of `capacity` values of T, as `fits` has made sure
    Some((unsafe { Vec::from_raw_parts(block.start.cast::<T>(), 0, capacity) }, block.set))
}

/// Memory for `n` values that have a size, all bytes of it set where that is wanted: to what, nobody knows.
pub(super) fn room<T>(n: usize, is_set: bool) -> Result<Vec<T>, NoMemory> {
    if let Some((mut v, set)) = taken::<T>(n) {
        let all = times(n, size_of::<T>());
        if is_set && set < all {
            // SAFETY: there is room for `n` values
            unsafe { v.as_mut_ptr().cast::<u8>().add(set).write_bytes(0, all.wrapping_sub(set)) };
        }
        return Ok(v);
    }
    allocated(n, is_set)
}

#[cfg(test)]
mod tests {
    use super::{LEAST, clear, put, room, taken};
    use alloc::vec::Vec;

    /// One test, as there is one memory for all.
    #[test]
    fn memory_comes_back_once_to_what_has_its_size() {
        const N: usize = LEAST;
        put(alloc::vec![7u32; N], true);
        assert!(taken::<u64>(N).is_none() && taken::<u32>(N / 2).is_none() && taken::<u32>(N + 1).is_none());
        let (v, set) = taken::<i32>(N - N / 16).unwrap();
        assert_eq!((v.len(), v.capacity(), set), (0, N, 4 * N));
        assert!(taken::<i32>(N).is_none());
        put(v, true);
        // none of its bytes is set any more
        let mut v: Vec<u32> = room(N, true).unwrap();
        assert_eq!(v.capacity(), N);
        v.resize(N, 1);
        assert!(v.iter().all(|n| *n == 1));
        put(v, true);
        assert!(clear() && !clear());
        assert!(taken::<u32>(N).is_none());
    }
}
