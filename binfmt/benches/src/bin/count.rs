//! For callgrind, see count.py: runs every contender once outside and once inside `bench_roi`, and prints the order.

use binfmt_benches::{Registry, bench_roi};

fn main() {
    let r = Registry::all();
    for group in r.groups() {
        for b in r.of(&group) {
            let mut f = (b.make)();
            f();
            bench_roi(&mut f);
            println!("{}", b.row());
        }
    }
}
