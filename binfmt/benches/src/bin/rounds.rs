//! Interleaved rounds: in each round every contender of a group runs in turn, so that a drift of the machine hits all
//! alike. Prints lines of tab-separated fields: those of `Bench::row`, median nanoseconds, least nanoseconds.
//!
//! `BENCH_ROUNDS`: how many rounds (15). `BENCH_MS`: a contender runs at least so many milliseconds in a round (4).

use binfmt_benches::{Registry, cpu_ns, warm_heap};

fn setting(name: &str, default: f64) -> f64 {
    std::env::var(name).ok().and_then(|s| s.parse().ok()).unwrap_or(default)
}

fn main() {
    warm_heap();
    let (rounds, ms) = (setting("BENCH_ROUNDS", 15.0) as usize, setting("BENCH_MS", 4.0));
    let r = Registry::all();
    for group in r.groups() {
        let benches = r.of(&group);
        let mut runs: Vec<_> = benches.iter().map(|b| (b.make)()).collect();
        let repeats: Vec<usize> = runs
            .iter_mut()
            .map(|f| {
                f();
                let t = cpu_ns();
                f();
                (ms * 1e6 / (cpu_ns() - t) as f64).clamp(1.0, 10_000.0) as usize
            })
            .collect();
        let mut times = vec![Vec::with_capacity(rounds); runs.len()];
        for _ in 0..rounds {
            for (i, f) in runs.iter_mut().enumerate() {
                let t = cpu_ns();
                (0..repeats[i]).for_each(|_| f());
                times[i].push((cpu_ns() - t) as f64 / repeats[i] as f64);
            }
        }
        for (b, t) in benches.iter().zip(&mut times) {
            t.sort_by(f64::total_cmp);
            println!("{}\t{:.0}\t{:.0}", b.row(), t[rounds / 2], t[0]);
        }
    }
}
