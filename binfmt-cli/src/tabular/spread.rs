//! Rows that several threads take at once.

use crate::error::Result;
use crate::format::Selection;
use binfmt::columns::{Column, Columns};
use binfmt::table::{Batches, Split};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// Rows of a part, below which threads are not worth it.
const ROWS: u64 = 1 << 20;

/// Most parts. Their number depends on the rows alone, so that what is found does not depend on the machine.
const PARTS: u64 = 8;

/// One of the parts that rows are taken in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) number: usize,
    /// How many there are.
    pub(crate) of: usize,
}

impl Selection {
    /// Takes the batches of the columns, up to the end or the damage, each part of the rows into something of its own. What stands for
    /// neighbours is merged in the order of the rows; parts after the damage are left out. Of rows that cannot be cut one thread reads the
    /// next batch while another one takes the last.
    pub(crate) fn spread<S: Send>(
        &self,
        begin: impl Fn(Part) -> S + Sync,
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
        let threads_each = if splits.len() == 1 { 2 } else { 1 };
        let read = |number: usize, split: &Split| -> (S, binfmt::Result<()>) {
            let into = begin(Part { number, of: splits.len() });
            match self.table.clone().read(split, &wanted) {
                Ok(batches) => in_order(batches, threads_each, into, |into, batch| {
                    take(into, &self.columns(batch), batch.num_rows());
                }),
                Err(e) => (into, Err(e)),
            }
        };
        let fold = |(all, _), (more, done)| (merge(all, more), done);
        match in_turn(&splits, read, |(_, done)| done.is_err(), fold) {
            Some((found, done)) => (Some(found), done.map_err(|e| self.failure(&e))),
            None => (None, Ok(())),
        }
    }
}

/// Batches of one part, taken in their order: while one thread takes a batch, another one reads the next.
fn in_order<S: Send>(
    batches: Batches,
    threads: usize,
    into: S,
    take: impl Fn(&mut S, &Columns) + Sync,
) -> (S, binfmt::Result<()>) {
    let (batches, into) = (Mutex::new(Some(batches.fuse())), Mutex::new((into, Ok(()))));
    on_threads(threads, || {
        loop {
            let mut reading = locked(&batches);
            let Some(batch) = reading.as_mut().and_then(Iterator::next) else { break };
            if batch.is_err() {
                // what comes after damage is not asked for
                *reading = None;
            }
            // none overtakes: who has read waits here, and who will read the next one waits for that
            let mut taking = locked(&into);
            drop(reading);
            match batch {
                Ok(batch) => take(&mut taking.0, &batch),
                Err(e) => taking.1 = Err(e),
            }
        }
    });
    into.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The work on each job by its number, done by as many threads as there are cores, up to the first after which all is over, folded in the
/// order of the jobs.
fn in_turn<J: Sync, R: Send>(
    jobs: &[J],
    work: impl Fn(usize, &J) -> R + Sync,
    is_last: impl Fn(&R) -> bool + Sync,
    fold: impl Fn(R, R) -> R + Sync,
) -> Option<R> {
    let (next, end) = (AtomicUsize::new(0), AtomicUsize::new(jobs.len()));
    let results = Mutex::new(Results { waiting: BTreeMap::new(), next: 0, folded: None, is_folding: false });
    on_threads(jobs.len(), || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(i).filter(|_| i < end.load(Ordering::Relaxed)) else { break };
            let result = work(i, job);
            if is_last(&result) {
                end.fetch_min(i + 1, Ordering::Relaxed);
            }
            put(&results, i, result, &is_last, &fold);
        }
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner).folded
}

/// The same work on that many threads, or as many as there are cores.
fn on_threads(most: usize, run: impl Fn() + Sync) {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    thread::scope(|scope| {
        for _ in 1..cores.min(most) {
            // without a thread more this one does all
            let _ = thread::Builder::new().spawn_scoped(scope, &run);
        }
        run();
    });
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
    let mut state = locked(results);
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
                state = locked(results);
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
        let listed = |_, n: &u32| vec![*n];
        let joined = |mut all: Vec<u32>, more: Vec<u32>| {
            all.extend(more);
            all
        };
        assert_eq!(in_turn(&jobs, listed, |_| false, joined), Some(jobs.clone()));
        assert_eq!(in_turn(&[], listed, |_| false, joined), None);
        let slow = |_, n: &u32| {
            // the later ones are done first
            thread::sleep(std::time::Duration::from_micros(u64::from(100 - n)));
            vec![*n]
        };
        let is_last = |n: &Vec<u32>| n == &[30] || n == &[31];
        assert_eq!(in_turn(&jobs, slow, is_last, joined), Some((0..=30).collect()));
    }

    #[test]
    fn batches_are_in_order_up_to_the_error() {
        let batch = |n: usize| match n {
            50 => Err(binfmt::ErrorKind::MissingFile { consequence: "" }.into()),
            n => Columns::with_rows(n, Vec::new()),
        };
        for threads in [1, 2, 5] {
            let batches: Batches = Box::new((0..=60).map(batch));
            let (rows, done) = in_order(batches, threads, Vec::new(), |rows: &mut Vec<usize>, batch| {
                // others come meanwhile
                thread::sleep(std::time::Duration::from_micros(60 - batch.num_rows() as u64));
                rows.push(batch.num_rows());
            });
            assert_eq!(rows, (0..50).collect::<Vec<_>>());
            assert!(done.is_err());
        }
    }
}
