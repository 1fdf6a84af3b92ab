//! `binfmt`: look into binary files, check them, convert them.

#![forbid(unsafe_code)]

use std::hint::black_box;
use std::process::ExitCode;

/// More bytes than a column of a batch of rows has.
const COLUMN: usize = 1 << 20;

/// Has the memory of a batch of rows stay with the program for the next one. glibc gives memory of 128 KiB and more back to the system, which
/// zeroes it page by page for who asks again, until a larger piece was freed once (`mallopt(3)`, `M_MMAP_THRESHOLD`); elsewhere it does nothing.
fn keep_memory_of_batches() {
    drop(black_box(Vec::<u8>::with_capacity(COLUMN)));
}

fn main() -> ExitCode {
    keep_memory_of_batches();
    binfmt_cli::run(std::env::args_os())
}
