//! What one run costs, and how that grows with what it is given.

use crate::support::memory::memory_of;
use std::time::Duration;

/// How much larger the larger input is than the smaller one.
const TIMES: usize = 8;
/// What costs in proportion is below: bytes that were allocated, which are the same in each run, and the time of the processor, which
/// is not.
const MEMORY: f64 = 1.3;
const TIME: f64 = 1.5;
/// Less than this is not told apart from nothing.
const LEAST: Duration = Duration::from_millis(1);

/// The time of the processor that this thread has had: what others do meanwhile is not counted.
#[cfg(unix)]
fn now() -> Duration {
    use nix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap().into()
}

#[cfg(not(unix))]
fn now() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

fn run_once<I, R>(run: &impl Fn(&I) -> R, input: &I) -> (Duration, usize) {
    let start = now();
    let ((), _, total) = memory_of(|| drop(run(input)));
    (now() - start, total)
}

/// Runs something with an input of `size`, and with one that is eight times smaller: it takes neither time nor memory that grow faster
/// than the input.
#[track_caller]
pub(super) fn in_proportion<I, R>(what: &str, size: usize, make: impl Fn(usize) -> I, run: impl Fn(&I) -> R) {
    let (small, large) = (make(size / TIMES), make(size));
    // what is made once
    run_once(&run, &small);
    let (mut time_small, bytes_small) = run_once(&run, &small);
    let (mut time_large, bytes_large) = run_once(&run, &large);
    let most = |exponent: f64| (TIMES as f64).powf(exponent);
    let ratio = bytes_large as f64 / bytes_small.max(1 << 10) as f64;
    assert!(ratio < most(MEMORY), "{what}: {bytes_small} bytes of {}, {bytes_large} of {size}", size / TIMES);
    for _ in 0..4 {
        if time_large.as_secs_f64() < time_small.max(LEAST).as_secs_f64() * most(TIME) {
            return;
        }
        // the best of several runs
        time_small = time_small.min(run_once(&run, &small).0);
        time_large = time_large.min(run_once(&run, &large).0);
    }
    panic!("{what}: {time_small:?} of {}, {time_large:?} of {size}", size / TIMES);
}
