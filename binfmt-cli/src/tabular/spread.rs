//! Rows that several threads take at once.

use super::threads::{EndsInPanic, cores, locked, on_threads};
use crate::error::Result;
use crate::format::Selection;
use binfmt::columns::{Column, Columns};
use binfmt::table::{Split, Task, Tasks, Wanted};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

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

/// What is known of each column, and how many rows there are.
pub(crate) type Found<C> = (Vec<C>, u64);

impl Selection {
    /// Takes the batches of the columns, up to the end or the damage, each column of each part of the rows into something of its own. What
    /// stands for neighbours is merged in the order of the rows; parts after the damage are left out. Of rows that cannot be cut several threads
    /// decode batches, and take each column of them in the order of the rows.
    pub(crate) fn spread<C: Send>(
        &self,
        begin: impl Fn(Part) -> Vec<C> + Sync,
        take: impl Fn(&mut C, &Column) + Sync,
        merge: impl Fn(Found<C>, Found<C>) -> Found<C> + Sync,
    ) -> (Option<Found<C>>, Result<()>) {
        let wanted = self.wanted.clone().columns(self.needed());
        let rows = self.table.num_rows().guess().unwrap_or_default();
        // a power of two has no last part for which the other threads wait
        let parts = (rows / ROWS).clamp(1, PARTS).next_power_of_two() as usize;
        let splits = match self.table.splits(&wanted, parts) {
            Ok(splits) => splits,
            Err(e) => return (None, Err(self.failure(&e))),
        };
        let threads_each = if splits.len() == 1 { PARTS as usize } else { 1 };
        let read = |number: usize, split: &Split| -> (Found<C>, binfmt::Result<()>) {
            let into = begin(Part { number, of: splits.len() });
            match self.tasks(split, &wanted, cores().min(threads_each)) {
                Ok(tasks) => in_order(tasks, threads_each, into, |column, into, batch| {
                    self.columns(batch).get(column).iter().for_each(|found| take(into, found));
                }),
                Err(e) => ((into, 0), Err(e)),
            }
        };
        let fold = |(all, _), (more, done)| (merge(all, more), done);
        match in_turn(&splits, read, |(_, done)| done.is_err(), fold) {
            Some((found, done)) => (Some(found), done.map_err(|e| self.failure(&e))),
            None => (None, Ok(())),
        }
    }

    /// The rows of a part for so many threads. One reads on where it has decoded, which takes less than to find rows first.
    fn tasks(&self, split: &Split, wanted: &Wanted, threads: usize) -> binfmt::Result<Tasks> {
        let table = self.table.clone();
        match threads {
            1 => Ok(Box::new(table.read(split, wanted)?.map(|batch| Box::new(|| vec![batch]) as Task))),
            _ => table.tasks(split, wanted),
        }
    }
}

/// Batches of one part, made by some threads. Each column is taken in the order of the batches: while one thread takes the second column of
/// a batch, another one may take the first of the next. None is taken after the damage.
fn in_order<C: Send>(
    tasks: Tasks,
    threads: usize,
    columns: Vec<C>,
    take: impl Fn(usize, &mut C, &Columns) + Sync,
) -> (Found<C>, binfmt::Result<()>) {
    let tasks = Mutex::new(Some((0..).zip(tasks.fuse())));
    let columns: Vec<Turns<C>> = columns.into_iter().map(Turns::new).collect();
    let all = Turns::new((0, Ok(())));
    on_threads(threads, || {
        let _ends = EndsInPanic(|| {
            all.end();
            columns.iter().for_each(Turns::end);
        });
        loop {
            let next = locked(&tasks).as_mut().and_then(Iterator::next);
            let Some((number, task)) = next else { break };
            let mut batches: Vec<Columns> = Vec::new();
            let damage = task().into_iter().find_map(|batch| batch.map(|batch| batches.push(batch)).err());
            let is_last = damage.is_some();
            if is_last {
                // what comes after it is not asked for
                *locked(&tasks) = None;
            }
            let is_taken = all.take(number, is_last, |(rows, done)| {
                *rows += batches.iter().map(|batch| batch.num_rows() as u64).sum::<u64>();
                *done = damage.map_or(Ok(()), Err);
            });
            if !is_taken {
                break;
            }
            for (i, column) in columns.iter().enumerate() {
                column.take(number, is_last, |into| batches.iter().for_each(|batch| take(i, into, batch)));
            }
        }
    });
    let (rows, done) = all.into_inner();
    ((columns.into_iter().map(Turns::into_inner).collect(), rows), done)
}

/// Something that threads take batches into, in the order of their numbers.
struct Turns<C> {
    /// The number of the next batch; one that no batch has after the last.
    state: Mutex<(usize, C)>,
    changed: Condvar,
}

impl<C> Turns<C> {
    fn new(into: C) -> Self {
        Turns { state: Mutex::new((0, into)), changed: Condvar::new() }
    }

    /// Waits for the turn of a batch and takes it; `false` if none comes.
    fn take(&self, number: usize, is_last: bool, take: impl FnOnce(&mut C)) -> bool {
        let mut state = locked(&self.state);
        while state.0 != number && state.0 != usize::MAX {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.0 == usize::MAX {
            return false;
        }
        take(&mut state.1);
        state.0 = if is_last { usize::MAX } else { number + 1 };
        self.changed.notify_all();
        true
    }

    fn end(&self) {
        locked(&self.state).0 = usize::MAX;
        self.changed.notify_all();
    }

    fn into_inner(self) -> C {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).1
    }
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
    use std::thread;

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
        fn batch(n: usize) -> binfmt::Result<Columns> {
            match n {
                50 => Err(binfmt::ErrorKind::MissingFile { consequence: "" }.into()),
                n => Columns::with_rows(n, Vec::new()),
            }
        }
        for (threads, count) in [(1, 1), (1, 3), (2, 0), (2, 1), (2, 3), (5, 3), (5, 8)] {
            let task = |n: usize| {
                let made = move || {
                    // the later ones are made first
                    thread::sleep(std::time::Duration::from_micros(60 - n as u64));
                    if n == 50 { vec![batch(7), batch(50)] } else { vec![batch(n)] }
                };
                Box::new(made) as binfmt::table::Task
            };
            let tasks = Box::new((0..=60).map(task));
            let take = |column, rows: &mut Vec<usize>, batch: &Columns| {
                thread::sleep(std::time::Duration::from_micros(60 - batch.num_rows() as u64));
                rows.push(batch.num_rows() + column);
            };
            let ((columns, rows), done) = in_order(tasks, threads, vec![Vec::new(); count], take);
            let expected = || (0..50).chain([7]);
            for (i, column) in columns.into_iter().enumerate() {
                assert_eq!(column, expected().map(|n| n + i).collect::<Vec<_>>(), "{threads} threads");
            }
            assert_eq!(rows, expected().sum::<usize>() as u64);
            assert!(done.is_err());
        }
    }

    #[test]
    fn a_panic_ends_all_threads() {
        let task =
            |n: usize| Box::new(move || vec![Columns::with_rows(n, Vec::new())]) as binfmt::table::Task;
        let take = |_, _: &mut (), batch: &Columns| assert_ne!(batch.num_rows(), 5);
        let run = || in_order(Box::new((0..100).map(task)), 4, vec![(), ()], take);
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
    }
}
