//! Rows that several threads take at once.

use super::threads::{EndsInPanic, InTurn, cores, locked, on_threads};
use crate::error::Result;
use crate::format::Selection;
use binfmt::columns::{Column, Columns};
use binfmt::table::{Split, Table, Task, Tasks, Wanted};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

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

/// What takes batches.
type Take<'a> = dyn FnMut(Columns) -> binfmt::Result<()> + Send + 'a;

/// Takes the wanted rows of a table in their order; several threads make batches of them.
pub(super) fn each(table: &Arc<dyn Table>, wanted: &Wanted, take: &mut Take<'_>) -> binfmt::Result<()> {
    if cores() == 1 || wanted.limit.is_some() {
        return Arc::clone(table).batches(wanted)?.try_for_each(|batch| take(batch?));
    }
    let splits = table.splits(wanted, 1)?;
    splits.iter().try_for_each(|split| take_in_order(Arc::clone(table).tasks(split, wanted)?, take))
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
        let needed = self.needed();
        let wanted = self.wanted.clone().columns(needed.iter().copied());
        let splits = match self.parts(&wanted) {
            Ok(splits) => splits,
            Err(e) => return (None, Err(self.failure(&e))),
        };
        let threads_each = if splits.len() == 1 { PARTS as usize } else { 1 };
        let read = |number: usize, split: &Split| -> (Found<C>, binfmt::Result<()>) {
            let into = begin(Part { number, of: splits.len() });
            match self.tasks(split, &wanted, cores().min(threads_each)) {
                Ok(tasks) => in_order(tasks, threads_each, into, |column, into, batch| {
                    self.column(column, &needed, batch).into_iter().for_each(|found| take(into, found));
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

    /// The leaf with a number, in a batch of the columns that are needed.
    fn column<'a>(&self, number: usize, needed: &[usize], batch: &'a Columns) -> Option<&'a Column> {
        let leaf = self.leaves.get(number)?;
        leaf.of(batch.at(needed.binary_search(&leaf.column).ok()?)?)
    }

    /// The parts: one, if it is not known without a look at all of the file how many rows there are.
    fn parts(&self, wanted: &Wanted) -> binfmt::Result<Vec<Split>> {
        let whole = self.table.splits(wanted, 1)?;
        let rows = whole.iter().filter_map(|split| split.num_rows.guess()).sum::<u64>();
        // a power of two has no last part for which the other threads wait
        match (rows / ROWS).clamp(1, PARTS).next_power_of_two() {
            1 => Ok(whole),
            parts => self.table.splits(wanted, parts as usize),
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

/// Batches that wait for who takes the ones before them: each is memory.
const WAITING: usize = 4;

/// Those that wait where one thread takes whole batches.
const AHEAD: usize = 1;

/// Batches of one part, made by some threads. Each column is taken in the order of the batches: while one thread takes the second column of
/// a batch, another one may take the first of the next. None is taken after the damage.
fn in_order<C: Send>(
    tasks: Tasks,
    threads: usize,
    columns: Vec<C>,
    take: impl Fn(usize, &mut C, &Columns) + Sync,
) -> (Found<C>, binfmt::Result<()>) {
    let columns: Vec<InTurn<C, Arc<Vec<Columns>>>> = columns.into_iter().map(InTurn::new).collect();
    let all = InTurn::new((0, Ok(())));
    let hand_on = |number: usize, batches: Vec<Columns>, damage: Option<binfmt::Error>| {
        let is_last = damage.is_some();
        let rows: u64 = batches.iter().map(|batch| batch.num_rows() as u64).sum();
        all.put(number, (rows, damage), is_last, |(rows, done), (more, damage)| {
            *rows += more;
            *done = damage.map_or(Ok(()), Err);
        });
        let batches = Arc::new(batches);
        for (i, column) in columns.iter().enumerate() {
            column.put(number, Arc::clone(&batches), is_last, |into, batches| {
                batches.iter().for_each(|batch| take(i, into, batch));
            });
        }
        drop(batches);
        columns.iter().for_each(|column| column.wait_for_all_but(WAITING));
        !is_last
    };
    make(tasks, threads, || columns.iter().for_each(InTurn::end), hand_on);
    let (rows, done) = all.into_inner().unwrap_or((0, Ok(())));
    ((columns.into_iter().filter_map(InTurn::into_inner).collect(), rows), done)
}

/// Takes the batches of a part in their order, whichever thread made them, up to the damage or the first that cannot be taken.
fn take_in_order(tasks: Tasks, take: &mut Take<'_>) -> binfmt::Result<()> {
    let taken = InTurn::new((take, Ok(())));
    let is_over = AtomicBool::new(false);
    let hand_on = |number: usize, batches: Vec<Columns>, damage: Option<binfmt::Error>| {
        let is_last = damage.is_some();
        taken.put(number, (batches, damage), is_last, |(take, done), (batches, damage)| {
            if done.is_ok() {
                *done = batches.into_iter().try_for_each(&mut **take).and(damage.map_or(Ok(()), Err));
                is_over.fetch_or(done.is_err(), Ordering::Relaxed);
            }
        });
        taken.wait_for_all_but(AHEAD);
        !is_over.load(Ordering::Relaxed)
    };
    make(tasks, cores(), || taken.end(), hand_on);
    taken.into_inner().map_or(Ok(()), |(_, done)| done)
}

/// The batches of tasks, made by some threads and handed on with the number of the task, and with what is wrong with the next row. Then,
/// or when they are not wanted any more, no task is begun. At a panic others must not wait for what comes before.
fn make(
    tasks: Tasks,
    threads: usize,
    end: impl Fn() + Sync,
    hand_on: impl Fn(usize, Vec<Columns>, Option<binfmt::Error>) -> bool + Sync,
) {
    let tasks = Mutex::new(Some((0..).zip(tasks.fuse())));
    on_threads(threads, || {
        let _ends = EndsInPanic(&end);
        loop {
            let next = locked(&tasks).as_mut().and_then(Iterator::next);
            let Some((number, task)) = next else { break };
            let mut batches: Vec<Columns> = Vec::new();
            let damage = task().into_iter().find_map(|batch| batch.map(|batch| batches.push(batch)).err());
            if damage.is_some() {
                // what comes after it is not asked for
                *locked(&tasks) = None;
            }
            if !hand_on(number, batches, damage) {
                *locked(&tasks) = None;
            }
        }
    });
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
    let folded = InTurn::new(None);
    on_threads(jobs.len(), || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(i).filter(|_| i < end.load(Ordering::Relaxed)) else { break };
            let result = work(i, job);
            let is_last = is_last(&result);
            if is_last {
                end.fetch_min(i + 1, Ordering::Relaxed);
            }
            folded.put(i, result, is_last, |all: &mut Option<R>, more| {
                *all = Some(match all.take() {
                    None => more,
                    Some(all) => fold(all, more),
                });
            });
        }
    });
    folded.into_inner().flatten()
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
