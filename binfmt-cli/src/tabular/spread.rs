//! Rows that several threads take at once.

use crate::error::Result;
use crate::format::Selection;
use binfmt::columns::Column;
use binfmt::table::Split;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Rows of a part, below which threads are not worth it.
const ROWS: u64 = 1 << 20;

/// Most parts. Their number depends on the rows alone, so that what is found does not depend on the machine.
const PARTS: u64 = 8;

impl Selection {
    /// Takes the batches of the columns, up to the end or the damage, each part of the rows into something of its own, which begins with
    /// the number of parts. What stands for neighbours is merged in the order of the rows; parts after the damage are left out.
    pub(crate) fn spread<S: Send>(
        &self,
        begin: impl Fn(usize) -> S + Sync,
        take: impl Fn(&mut S, &[&Column], usize) + Sync,
        merge: impl Fn(S, S) -> S + Sync,
    ) -> (Option<S>, Result<()>) {
        let wanted = self.wanted.clone().columns(self.needed());
        let rows = self.table.num_rows().guess().unwrap_or_default();
        // a power of two has no last part for which the other threads wait
        let parts = (rows / ROWS).clamp(1, PARTS).next_power_of_two() as usize;
        let splits = match self.table.splits(&wanted, parts) {
            Ok(splits) => splits,
            Err(e) => return (None, Err(self.failure(&e))),
        };
        let read = |split: &Split| -> (S, binfmt::Result<()>) {
            let mut into = begin(splits.len());
            let done = self.table.clone().read(split, &wanted).and_then(|mut batches| {
                batches.try_for_each(|batch| {
                    let batch = batch?;
                    take(&mut into, &self.columns(&batch), batch.num_rows());
                    Ok(())
                })
            });
            (into, done)
        };
        let fold = |(all, _), (more, done)| (merge(all, more), done);
        match in_turn(&splits, read, |(_, done)| done.is_err(), fold) {
            Some((found, done)) => (Some(found), done.map_err(|e| self.failure(&e))),
            None => (None, Ok(())),
        }
    }
}

/// The work on each job, done by as many threads as there are cores, up to the first after which all is over, folded in the order of the jobs.
fn in_turn<J: Sync, R: Send>(
    jobs: &[J],
    work: impl Fn(&J) -> R + Sync,
    is_last: impl Fn(&R) -> bool + Sync,
    fold: impl Fn(R, R) -> R + Sync,
) -> Option<R> {
    let (next, end) = (AtomicUsize::new(0), AtomicUsize::new(jobs.len()));
    let results = Mutex::new(Results { waiting: BTreeMap::new(), next: 0, folded: None, is_folding: false });
    let run = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(i).filter(|_| i < end.load(Ordering::Relaxed)) else { break };
            let result = work(job);
            if is_last(&result) {
                end.fetch_min(i + 1, Ordering::Relaxed);
            }
            put(&results, i, result, &is_last, &fold);
        }
    };
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    thread::scope(|scope| {
        for _ in 1..cores.min(jobs.len()) {
            // without a thread more this one does all
            let _ = thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner).folded
}

/// Results in any order.
struct Results<R> {
    waiting: BTreeMap<usize, R>,
    /// The one that is folded next; none after the last.
    next: usize,
    folded: Option<R>,
    /// One thread folds, and without the lock: meanwhile the others go on.
    is_folding: bool,
}

/// Adds a result and folds those whose turn it is.
fn put<R>(
    results: &Mutex<Results<R>>,
    i: usize,
    result: R,
    is_last: impl Fn(&R) -> bool,
    fold: impl Fn(R, R) -> R,
) {
    let lock = || results.lock().unwrap_or_else(PoisonError::into_inner);
    let mut state = lock();
    state.waiting.insert(i, result);
    while !state.is_folding {
        let turn = state.next;
        let Some(more) = state.waiting.remove(&turn) else { break };
        state.next = if is_last(&more) { usize::MAX } else { turn + 1 };
        let folded = match state.folded.take() {
            None => more,
            Some(all) => {
                state.is_folding = true;
                drop(state);
                let both = fold(all, more);
                state = lock();
                state.is_folding = false;
                both
            }
        };
        state.folded = Some(folded);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_and_end_with_the_last() {
        let jobs: Vec<u32> = (0..100).collect();
        let listed = |n: &u32| vec![*n];
        let joined = |mut all: Vec<u32>, more: Vec<u32>| {
            all.extend(more);
            all
        };
        assert_eq!(in_turn(&jobs, listed, |_| false, joined), Some(jobs.clone()));
        assert_eq!(in_turn(&[], listed, |_| false, joined), None);
        let slow = |n: &u32| {
            // the later ones are done first
            thread::sleep(std::time::Duration::from_micros(u64::from(100 - n)));
            vec![*n]
        };
        let is_last = |n: &Vec<u32>| n == &[30] || n == &[31];
        assert_eq!(in_turn(&jobs, slow, is_last, joined), Some((0..=30).collect()));
    }
}
