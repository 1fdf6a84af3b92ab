//! Work on many tiles, by one thread or several. What comes out does not depend on how many there are: results are taken
//! in order, and the error is that of the first job that has one.

use crate::{Error, Result};
use std::collections::BTreeMap;
use std::iter::Enumerate;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// Runs `work` on every job, each thread with a state of its own.
pub(super) fn each<J: Send, S: Send>(
    threads: NonZeroUsize,
    jobs: Vec<J>,
    state: impl Fn() -> Result<S>,
    work: impl Fn(&mut S, J) -> Result<()> + Sync,
) -> Result<()> {
    let threads = threads.get().min(jobs.len()).max(1);
    let mut states = (0..threads).map(|_| state()).collect::<Result<Vec<S>>>()?;
    let queue = Mutex::new(jobs.into_iter().enumerate());
    let first: Mutex<Option<(usize, Error)>> = Mutex::new(None);
    let run = |mut state: S| {
        while let Some((number, job)) = next_of(&queue) {
            let Err(e) = work(&mut state, job) else { continue };
            // jobs before this one are being done or are done; the others are left
            lock(&queue).by_ref().for_each(drop);
            let mut first = lock(&first);
            if first.as_ref().is_none_or(|(earlier, _)| number < *earlier) {
                *first = Some((number, e));
            }
        }
    };
    let own = states.pop();
    thread::scope(|scope| {
        for state in states {
            // where there can be no thread more, those that there are do all
            let _ = thread::Builder::new().spawn_scoped(scope, || run(state));
        }
        own.into_iter().for_each(run);
    });
    lock(&first).take().map_or(Ok(()), |(_, e)| Err(e))
}

/// A thread that panics ends the work anyway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn next_of<I: Iterator>(queue: &Mutex<I>) -> Option<I::Item> {
    lock(queue).next()
}

/// Runs `work` on every job, and on the calling thread `done` on every result in the order of the jobs. A result is made in
/// the memory of an earlier one; there are never more than two for each thread.
pub(super) fn ordered<J: Send, S: Send, R: Default + Send>(
    threads: NonZeroUsize,
    jobs: Vec<J>,
    state: impl Fn() -> Result<S>,
    work: impl Fn(&mut S, J, &mut R) -> Result<()> + Sync,
    mut done: impl FnMut(&mut R) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let threads = threads.get().min(jobs.len());
    let alone = |jobs: &mut dyn Iterator<Item = J>,
                 done: &mut dyn FnMut(&mut R) -> Result<ControlFlow<()>>| {
        let (mut state, mut result) = (state()?, R::default());
        for job in jobs {
            work(&mut state, job, &mut result)?;
            if done(&mut result)?.is_break() {
                break;
            }
        }
        Ok(())
    };
    if threads <= 1 {
        return alone(&mut jobs.into_iter(), &mut done);
    }
    let states = (0..threads).map(|_| state()).collect::<Result<Vec<S>>>()?;
    let (free, unused) = channel();
    for _ in 0..2 * threads {
        // the receiver lives: it is in the next line
        let _ = free.send(R::default());
    }
    let queue = Mutex::new((jobs.into_iter().enumerate(), unused));
    let (give, take) = channel();
    let is_done = thread::scope(|scope| {
        let mut begun = 0;
        for mut state in states {
            let (queue, work, give) = (&queue, &work, give.clone());
            let run = move || {
                while let Some((number, job, mut result)) = next(queue) {
                    let outcome = catch_unwind(AssertUnwindSafe(|| work(&mut state, job, &mut result)));
                    // nothing listens any more after an error
                    if give.send((number, outcome.map(|outcome| outcome.map(|()| result)))).is_err() {
                        return;
                    }
                }
            };
            begun += usize::from(thread::Builder::new().spawn_scoped(scope, run).is_ok());
        }
        drop(give);
        (begun > 0).then(|| take_all(take, free, &mut done))
    });
    match is_done {
        Some(done) => done,
        // there can be no thread more
        None => {
            let (jobs, _) = queue.into_inner().unwrap_or_else(PoisonError::into_inner);
            alone(&mut jobs.map(|(_, job)| job), &mut done)
        }
    }
}

/// The jobs that are left, and the memory that is free. A thread without free memory waits for some, and the others after
/// it; there are none of either when the work is over.
type Queue<J, R> = Mutex<(Enumerate<std::vec::IntoIter<J>>, Receiver<R>)>;

fn next<J, R>(queue: &Queue<J, R>) -> Option<(usize, J, R)> {
    let mut queue = lock(queue);
    let free = queue.1.recv().ok()?;
    let (number, job) = queue.0.next()?;
    Some((number, job, free))
}

/// What a thread says of a job.
type Outcome<R> = (usize, thread::Result<Result<R>>);

/// The results in their order. Leaving drops `free`, which ends the threads.
fn take_all<R>(
    results: Receiver<Outcome<R>>,
    free: Sender<R>,
    mut done: impl FnMut(&mut R) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let (mut early, mut next) = (BTreeMap::new(), 0);
    for (number, outcome) in results {
        early.insert(number, outcome);
        while let Some(outcome) = early.remove(&next) {
            let mut result = outcome.unwrap_or_else(|panic| resume_unwind(panic))?;
            if done(&mut result)?.is_break() {
                return Ok(());
            }
            next += 1;
            // at the end there is no thread that wants it
            let _ = free.send(result);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{each, ordered};
    use crate::{Error, Result};
    use std::num::NonZeroUsize;
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn run(threads: usize, jobs: usize, bad: &[usize]) -> (Vec<usize>, Result<()>) {
        let mut found = Vec::new();
        let work = |seen: &mut usize, job: usize, result: &mut usize| {
            *seen += 1;
            // the first jobs take longest
            std::thread::sleep(std::time::Duration::from_micros(10 * (jobs - job) as u64));
            *result = job;
            if bad.contains(&job) { Err(Error::other(format!("job {job}"))) } else { Ok(()) }
        };
        let threads = NonZeroUsize::new(threads).unwrap();
        let end = ordered(
            threads,
            (0..jobs).collect(),
            || Ok(0),
            work,
            |result| {
                found.push(*result);
                Ok(ControlFlow::Continue(()))
            },
        );
        (found, end)
    }

    #[test]
    fn results_are_in_order() {
        for threads in 1..6 {
            for jobs in [0, 1, 2, 50] {
                let (found, end) = run(threads, jobs, &[]);
                assert_eq!(found, (0..jobs).collect::<Vec<_>>());
                end.unwrap();
            }
        }
    }

    #[test]
    fn the_first_error_counts() {
        for threads in 1..6 {
            let (found, end) = run(threads, 40, &[11, 12, 30]);
            assert_eq!(found, (0..11).collect::<Vec<_>>());
            assert_eq!(end.unwrap_err().to_string(), "job 11");
        }
    }

    #[test]
    fn each_job_is_done_and_the_first_error_counts() {
        for threads in 1..6 {
            let threads = NonZeroUsize::new(threads).unwrap();
            let done = AtomicUsize::new(0);
            let run = |bad: &[usize]| {
                each(
                    threads,
                    (0..60).collect(),
                    || Ok(()),
                    |(), job: usize| {
                        std::thread::sleep(std::time::Duration::from_micros(10 * (60 - job) as u64));
                        done.fetch_add(1, Ordering::Relaxed);
                        if bad.contains(&job) { Err(Error::other(format!("job {job}"))) } else { Ok(()) }
                    },
                )
            };
            run(&[]).unwrap();
            assert_eq!(done.load(Ordering::Relaxed), 60);
            assert_eq!(run(&[11, 12, 30]).unwrap_err().to_string(), "job 11");
        }
    }

    #[test]
    fn an_error_of_the_taker_ends_the_work() {
        for threads in 1..4 {
            let threads = NonZeroUsize::new(threads).unwrap();
            let full = |_: &mut ()| Err(Error::other("full"));
            let end = ordered(threads, vec![(); 100], || Ok(()), |(), (), ()| Ok(()), full);
            assert_eq!(end.unwrap_err().to_string(), "full");
        }
    }

    #[test]
    fn a_panic_is_one_of_the_caller() {
        let threads = NonZeroUsize::new(3).unwrap();
        let work = |(): &mut (), job: usize, (): &mut ()| {
            assert!(job != 7, "job 7");
            Ok(())
        };
        let run = || ordered(threads, (0..50).collect(), || Ok(()), work, |()| Ok(ControlFlow::Continue(())));
        assert!(std::panic::catch_unwind(run).is_err());
    }
}
