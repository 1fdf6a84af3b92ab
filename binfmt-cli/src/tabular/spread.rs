//! Rows that several threads take at once.

use crate::error::Result;
use crate::format::Selection;
use binfmt::columns::Column;
use binfmt::table::Split;
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
    /// the number of parts. These come back in the order of the parts, without those after the damage.
    pub(crate) fn spread<S: Send>(
        &self,
        begin: impl Fn(usize) -> S + Sync,
        take: impl Fn(&mut S, &[&Column], usize) + Sync,
    ) -> (Vec<S>, Result<()>) {
        let wanted = self.wanted.clone().columns(self.needed());
        let rows = self.table.num_rows().guess().unwrap_or_default();
        // a power of two has no last part for which the other threads wait
        let parts = (rows / ROWS).clamp(1, PARTS).next_power_of_two() as usize;
        let splits = match self.table.splits(&wanted, parts) {
            Ok(splits) => splits,
            Err(e) => return (Vec::new(), Err(self.failure(&e))),
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
        let all = in_turn(&splits, read, |(_, done)| done.is_err());
        let mut found = Vec::new();
        for (into, done) in all {
            found.push(into);
            if let Err(e) = done {
                return (found, Err(self.failure(&e)));
            }
        }
        (found, Ok(()))
    }
}

/// The work on each job, done by as many threads as there are cores, up to the first after which all is over.
fn in_turn<J: Sync, R: Send>(
    jobs: &[J],
    work: impl Fn(&J) -> R + Sync,
    is_last: impl Fn(&R) -> bool + Sync,
) -> Vec<R> {
    let (next, end) = (AtomicUsize::new(0), AtomicUsize::new(jobs.len()));
    let done = Mutex::new(Vec::new());
    let run = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(i).filter(|_| i < end.load(Ordering::Relaxed)) else { break };
            let result = work(job);
            if is_last(&result) {
                end.fetch_min(i + 1, Ordering::Relaxed);
            }
            done.lock().unwrap_or_else(PoisonError::into_inner).push((i, result));
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
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(i, _)| *i);
    let end = end.into_inner();
    done.into_iter().filter(|(i, _)| *i < end).map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_and_end_with_the_last() {
        let jobs: Vec<u32> = (0..100).collect();
        assert_eq!(in_turn(&jobs, |n| n * 2, |_| false), jobs.iter().map(|n| n * 2).collect::<Vec<_>>());
        let slow = |n: &u32| {
            // the later ones are done first
            thread::sleep(std::time::Duration::from_micros(u64::from(100 - n)));
            *n
        };
        assert_eq!(in_turn(&jobs, slow, |n| *n == 30 || *n == 31), (0..=30).collect::<Vec<_>>());
    }
}
