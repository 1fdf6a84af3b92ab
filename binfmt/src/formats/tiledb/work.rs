//! Work on many tiles, by one thread or several. What comes out does not depend on how many there are: results are taken
//! in order, and the error is that of the first job that has one.
//!
//! Threads know jobs, states and results by their numbers: so what hands them out is compiled once, and not for each kind of job.

use crate::{Error, Result};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
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
    let (states, jobs) = (states(threads, state)?, Shelf::of(jobs));
    run_each(threads, jobs.0.len(), &|thread, number| match (states.get(thread), jobs.take(number)) {
        (Some(state), Some(job)) => work(&mut lock(state), job),
        _ => Ok(()),
    })
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
    let threads = threads.get().min(jobs.len()).max(1);
    let (states, jobs) = (states(threads, state)?, Shelf::of(jobs));
    let places: Vec<Mutex<R>> = (0..2 * threads).map(|_| Mutex::default()).collect();
    let work = |Numbers { thread, job, place }: Numbers| match (
        states.get(thread),
        jobs.take(job),
        places.get(place),
    ) {
        (Some(state), Some(job), Some(place)) => work(&mut lock(state), job, &mut lock(place)),
        _ => Ok(()),
    };
    let mut done =
        |place: usize| places.get(place).map_or(Ok(ControlFlow::Break(())), |place| done(&mut lock(place)));
    run_ordered(threads, jobs.0.len(), &work, &mut done)
}

fn states<S>(threads: usize, state: impl Fn() -> Result<S>) -> Result<Vec<Mutex<S>>> {
    (0..threads).map(|_| state().map(Mutex::new)).collect()
}

/// A thread that panics ends the work anyway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Jobs, each of which is taken once.
struct Shelf<J>(Vec<Mutex<Option<J>>>);

impl<J> Shelf<J> {
    fn of(jobs: Vec<J>) -> Self {
        Shelf(jobs.into_iter().map(|job| Mutex::new(Some(job))).collect())
    }

    fn take(&self, number: usize) -> Option<J> {
        lock(self.0.get(number)?).take()
    }
}

/// Runs `work` on the numbers of a thread and a job.
fn run_each(threads: usize, jobs: usize, work: &(dyn Fn(usize, usize) -> Result<()> + Sync)) -> Result<()> {
    let next = AtomicUsize::new(0);
    let first: Mutex<Option<(usize, Error)>> = Mutex::new(None);
    let run = |thread: usize| {
        while let Some(job) = next_of(&next, jobs) {
            let Err(e) = work(thread, job) else { continue };
            // jobs before this one are being done or are done; the others are left
            next.store(jobs, Ordering::Relaxed);
            let mut first = lock(&first);
            if first.as_ref().is_none_or(|(earlier, _)| job < *earlier) {
                *first = Some((job, e));
            }
        }
    };
    let run = &run;
    thread::scope(|scope| {
        for thread in 1..threads {
            // where there can be no thread more, those that there are do all
            let _ = thread::Builder::new().spawn_scoped(scope, move || run(thread));
        }
        run(0);
    });
    lock(&first).take().map_or(Ok(()), |(_, e)| Err(e))
}

/// The number of the next job.
fn next_of(next: &AtomicUsize, jobs: usize) -> Option<usize> {
    Some(next.fetch_add(1, Ordering::Relaxed)).filter(|job| *job < jobs)
}

/// Who does which job, and where its result is made.
#[derive(Clone, Copy)]
struct Numbers {
    thread: usize,
    job: usize,
    place: usize,
}

type Work<'a> = &'a (dyn Fn(Numbers) -> Result<()> + Sync);

/// Is called with the place of a result.
type Done<'a> = &'a mut dyn FnMut(usize) -> Result<ControlFlow<()>>;

fn run_ordered(threads: usize, jobs: usize, work: Work<'_>, done: Done<'_>) -> Result<()> {
    if threads <= 1 {
        return run_alone(jobs, work, done);
    }
    let (free, unused) = channel();
    for place in 0..2 * threads {
        // the receiver lives: it is in the next line
        let _ = free.send(place);
    }
    let (unused, next) = (Mutex::new(unused), AtomicUsize::new(0));
    let (give, take) = channel();
    let is_done = thread::scope(|scope| {
        let mut begun = 0;
        for thread in 0..threads {
            let (unused, next, give) = (&unused, &next, give.clone());
            let run = move || {
                while let Some((job, place)) = next_with_place(next, jobs, unused) {
                    let outcome = catch_unwind(AssertUnwindSafe(|| work(Numbers { thread, job, place })));
                    // nothing listens any more after an error
                    if give.send((job, outcome.map(|outcome| outcome.map(|()| place)))).is_err() {
                        return;
                    }
                }
            };
            begun += usize::from(thread::Builder::new().spawn_scoped(scope, run).is_ok());
        }
        drop(give);
        (begun > 0).then(|| take_all(take, free, done))
    });
    match is_done {
        Some(end) => end,
        // there can be no thread more
        None => run_alone(jobs, work, done),
    }
}

/// All jobs one after the other, each in the same place.
fn run_alone(jobs: usize, work: Work<'_>, done: Done<'_>) -> Result<()> {
    for job in 0..jobs {
        work(Numbers { thread: 0, job, place: 0 })?;
        if done(0)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// The next job and a free place. A thread without a free place waits for one, and the others after it; there is none when the work is
/// over.
fn next_with_place(
    next: &AtomicUsize,
    jobs: usize,
    unused: &Mutex<Receiver<usize>>,
) -> Option<(usize, usize)> {
    let unused = lock(unused);
    let place = unused.recv().ok()?;
    Some((next_of(next, jobs)?, place))
}

/// What a thread says of a job: where its result is.
type Outcome = (usize, thread::Result<Result<usize>>);

/// The results in their order. Leaving drops `free`, which ends the threads.
fn take_all(results: Receiver<Outcome>, free: Sender<usize>, done: Done<'_>) -> Result<()> {
    let (mut early, mut next) = (BTreeMap::new(), 0);
    for (number, outcome) in results {
        early.insert(number, outcome);
        while let Some(outcome) = early.remove(&next) {
            let place = outcome.unwrap_or_else(|panic| resume_unwind(panic))?;
            if done(place)?.is_break() {
                return Ok(());
            }
            next += 1;
            // at the end there is no thread that wants it
            let _ = free.send(place);
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
