//! What a job took.

use std::time::Instant;

/// Seconds of all threads of the process, seconds on the clock, bytes of decoded data, and the most memory that the process
/// has held (KiB, `ru_maxrss`).
#[derive(Clone, Copy, Debug)]
pub struct Took {
    pub cpu: f64,
    pub wall: f64,
    pub bytes: usize,
    pub peak: i64,
}

fn usage() -> (f64, i64) {
    // SAFETY: `rusage` is plain numbers, for which zeros are valid, and the call fills the one that it is given.
    let usage = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    (seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss)
}

fn cpu() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call fills the one `timespec` that it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Runs `work` and drops its result outside of the clock; `bytes` is how much data it handled.
pub fn took<T>(bytes: usize, work: impl FnOnce() -> T) -> Took {
    let (cpu_before, before) = (cpu(), Instant::now());
    let result = std::hint::black_box(work());
    let (cpu, wall) = (cpu() - cpu_before, before.elapsed().as_secs_f64());
    drop(result);
    Took { cpu, wall, bytes, peak: usage().1 }
}
