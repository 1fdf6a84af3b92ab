//! Threads for one piece of work, and what they share.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// How many threads may run at once.
pub(super) fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Memory that a thread may take for itself. Where there is less, more threads would end the program: what a program takes in small pieces it
/// cannot be refused.
const ROOM: usize = 64 << 20;

/// Whether there is memory for one thread more.
fn has_room() -> bool {
    Vec::<u8>::new().try_reserve_exact(ROOM).is_ok()
}

/// The same work on that many threads, or as many as there are cores.
pub(super) fn on_threads(most: usize, run: impl Fn() + Sync) {
    thread::scope(|scope| {
        for _ in 1..cores().min(most) {
            // without a thread more this one does all
            if !has_room() {
                break;
            }
            let _ = thread::Builder::new().spawn_scoped(scope, &run);
        }
        run();
    });
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something if the thread panics: others wait for it.
pub(super) struct EndsInPanic<F: Fn()>(pub(super) F);

impl<F: Fn()> Drop for EndsInPanic<F> {
    fn drop(&mut self) {
        if thread::panicking() {
            (self.0)();
        }
    }
}

/// Something that takes what threads make, in the order of its numbers. Who comes before its turn does not wait: who takes what is before it
/// takes that, too.
pub(super) struct InTurn<C, M> {
    state: Mutex<State<C, M>>,
    changed: Condvar,
}

struct State<C, M> {
    /// The number that is taken next: one that nothing has after the last.
    next: usize,
    /// What was made, and whether it is the last.
    waiting: BTreeMap<usize, (M, bool)>,
    /// Not here while a thread takes something into it: meanwhile the others have the lock.
    into: Option<C>,
    /// Threads that wait for a change: to wake nobody is a call of the system, too.
    sleeping: usize,
}

impl<C, M> InTurn<C, M> {
    pub(super) fn new(into: C) -> Self {
        let state = State { next: 0, waiting: BTreeMap::new(), into: Some(into), sleeping: 0 };
        InTurn { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Adds what was made, and takes all whose turn it is.
    pub(super) fn put(&self, number: usize, made: M, is_last: bool, take: impl Fn(&mut C, M)) {
        let mut state = locked(&self.state);
        state.waiting.insert(number, (made, is_last));
        while let Some(mut into) = state.into.take() {
            let turn = state.next;
            let Some((made, is_last)) = state.waiting.remove(&turn) else {
                state.into = Some(into);
                break;
            };
            state.next = if is_last { usize::MAX } else { turn + 1 };
            drop(state);
            take(&mut into, made);
            state = locked(&self.state);
            state.into = Some(into);
            if state.sleeping > 0 {
                self.changed.notify_all();
            }
        }
    }

    /// Waits until no more than so many wait for their turn.
    pub(super) fn wait_for_all_but(&self, most: usize) {
        let mut state = locked(&self.state);
        while state.waiting.len() > most && state.next != usize::MAX {
            state.sleeping += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.sleeping -= 1;
        }
    }

    /// Nothing is taken any more.
    pub(super) fn end(&self) {
        locked(&self.state).next = usize::MAX;
        self.changed.notify_all();
    }

    pub(super) fn into_inner(self) -> Option<C> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).into
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_before_its_turn_waits_and_nobody_waits_for_it() {
        let listed = |all: &mut Vec<usize>, n| all.push(n);
        let all = InTurn::new(Vec::new());
        all.put(2, 2, false, listed);
        all.put(1, 1, false, listed);
        assert_eq!(locked(&all.state).waiting.len(), 2);
        all.wait_for_all_but(2);
        all.put(0, 0, false, listed);
        all.wait_for_all_but(0);
        all.put(4, 4, false, listed);
        all.put(3, 3, true, listed);
        assert_eq!(all.into_inner(), Some(vec![0, 1, 2, 3]));
    }

    #[test]
    fn who_takes_something_takes_what_comes_meanwhile() {
        let all = InTurn::new(Vec::new());
        all.put(0, 0, false, |list: &mut Vec<usize>, n| {
            if n == 0 {
                all.put(1, 1, false, |_, _| unreachable!("another one takes it"));
            }
            list.push(n);
        });
        assert_eq!(all.into_inner(), Some(vec![0, 1]));
    }
}
