//! Memory of large columns that is kept for the next file.
//!
//! Memory that is new to the process comes from the system page by page, which takes longer than to fill it. So the vectors of arrays
//! that Python has let go of are kept, as many as [`MOST`] says, and a column of as many rows of the same type takes one.

use binfmt::numbers::{Element, NumberType, Numbers};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Vectors of fewer bytes are not kept: the allocator has room for them.
const LEAST: usize = 128 << 10;

/// Bytes that are kept in all; the oldest go first.
const MOST: usize = 64 << 20;

/// A vector, and for how many numbers and bytes it has room.
pub(crate) struct Kept {
    numbers: Numbers,
    room: usize,
    bytes: usize,
}

impl Kept {
    pub(crate) const NONE: Kept = Kept { numbers: Numbers::U8(Vec::new()), room: 0, bytes: 0 };

    pub(crate) fn of<T: Element>(v: Vec<T>) -> Self {
        let room = v.capacity();
        Kept { numbers: v.into(), room, bytes: room.saturating_mul(size_of::<T>()) }
    }
}

static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

/// What is kept, unless another thread is at it: one that is not there in a process that was forked from this never ends.
fn kept() -> Option<MutexGuard<'static, Vec<Kept>>> {
    match KEPT.try_lock() {
        Ok(kept) => Some(kept),
        Err(TryLockError::Poisoned(e)) => Some(e.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Takes back the vector of an array that nobody has any more.
pub(crate) fn keep(mut one: Kept) {
    if !(LEAST..=MOST).contains(&one.bytes) {
        return;
    }
    one.numbers.truncate(0);
    let Some(mut kept) = kept() else { return };
    kept.push(one);
    let mut all: usize = kept.iter().map(|one| one.bytes).sum();
    let mut too_many = 0;
    while let Some(oldest) = kept.get(too_many).filter(|_| all > MOST) {
        (all, too_many) = (all - oldest.bytes, too_many + 1);
    }
    // the system takes a while: others need not wait
    let gone: Vec<Kept> = kept.drain(..too_many).collect();
    drop(kept);
    drop(gone);
}

/// One with room for so many numbers, and not for many more.
fn taken(kind: NumberType, rows: usize) -> Option<Numbers> {
    let fits =
        |one: &Kept| one.numbers.number_type() == kind && one.room >= rows && one.room - rows <= rows / 8;
    let mut kept = kept()?;
    let place = kept.iter().rposition(fits)?;
    Some(kept.remove(place).numbers)
}

/// The same numbers with room for so many in all.
pub(crate) fn with_room(mut numbers: Numbers, all: usize) -> Numbers {
    if all <= numbers.len() {
        return numbers;
    }
    if let Some(mut kept) = taken(numbers.number_type(), all) {
        kept.append(&numbers);
        return kept;
    }
    numbers.reserve_exact(all - numbers.len());
    numbers
}
