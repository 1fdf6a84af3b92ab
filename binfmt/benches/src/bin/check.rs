//! Runs every contender once. Each proves its decoded data or its bytes before it may be timed.

use binfmt_benches::Registry;
use std::panic::{AssertUnwindSafe, catch_unwind};

fn main() {
    let r = Registry::all();
    let mut failed = 0;
    for b in &r.benches {
        if catch_unwind(AssertUnwindSafe(|| (b.make)()())).is_err() {
            println!("FAIL {}/{}", b.group(), b.name);
            failed += 1;
        }
    }
    println!("{} passed, {failed} failed", r.benches.len() - failed);
    std::process::exit((failed > 0) as i32);
}
