//! No memory is an error, not the end of the process: an allocator that refuses its n-th call, for each n there is.
//!
//! Each case runs in a process of its own, because an abort is what must not be.

use binfmt::{BinFormat, ErrorKind};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::process::Command;

thread_local! {
    /// Calls until the one that is refused; nothing is refused at 0.
    static LEFT: Cell<u64> = const { Cell::new(0) };
}

struct Refusing;

fn is_refused() -> bool {
    LEFT.try_with(|left| match left.get() {
        0 => false,
        n => {
            left.set(n - 1);
            n == 1
        }
    })
    .unwrap_or(false)
}

#[allow(unsafe_code)]
// SAFETY: all is done by the system's allocator, or refused
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise
        if is_refused() { std::ptr::null_mut() } else { unsafe { System.alloc(layout) } }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise
        if is_refused() { std::ptr::null_mut() } else { unsafe { System.alloc_zeroed(layout) } }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise
        if is_refused() { std::ptr::null_mut() } else { unsafe { System.realloc(at, layout, size) } }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
struct Point {
    x: u32,
    y: u32,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Entry {
    flag: bool,
    #[binfmt(length_prefixed(u8))]
    name: String,
    #[binfmt(length_prefixed(u8), text = latin1)]
    title: String,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Tree {
    Leaf(u8),
    Boxed(Box<Tree>),
    Several(#[binfmt(length_prefixed(u8))] Vec<Tree>),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
struct All {
    #[binfmt(length_prefixed(u32))]
    points: Vec<Point>,
    #[binfmt(length_prefixed(u32))]
    big: Vec<u64>,
    #[binfmt(endian = binfmt::Endian::Big, length_prefixed(u32))]
    turned: Vec<u16>,
    #[binfmt(length_prefixed(u32))]
    bytes: Vec<u8>,
    #[binfmt(length_prefixed(u32))]
    long: String,
    #[binfmt(length_prefixed(u8))]
    flags: Vec<bool>,
    tree: Tree,
    #[binfmt(nul)]
    ended: String,
    #[binfmt(until_eof)]
    entries: Vec<Entry>,
}

fn all() -> All {
    let leaf = || Tree::Boxed(Box::new(Tree::Leaf(1)));
    All {
        points: vec![Point { x: 1, y: 2 }; 9],
        big: vec![7; 40_000],
        turned: vec![3; 300],
        bytes: vec![5; 100_000],
        long: "text ".repeat(20_000),
        flags: vec![true; 40],
        tree: Tree::Several(vec![leaf(), Tree::Several(vec![leaf(); 20])]),
        ended: "ended".into(),
        entries: vec![Entry { flag: true, name: "näme".into(), title: "títle".into() }; 50],
    }
}

/// Whether the call went through; what it says where it did not.
fn done<T: PartialEq + std::fmt::Debug>(result: binfmt::Result<T>, expected: &T) -> bool {
    LEFT.set(0);
    match result {
        Ok(value) => {
            assert!(value == *expected);
            true
        }
        Err(e) => {
            let refused = matches!(e.kind(), ErrorKind::OutOfMemory { .. } | ErrorKind::OutputFull { .. });
            assert!(refused, "{e}");
            false
        }
    }
}

/// Runs a case with each call of the allocator refused in turn; how many there were.
fn refuse_each(case: impl Fn() -> bool) -> u64 {
    for n in 1..10_000 {
        println!("call {n}");
        LEFT.set(n);
        if case() {
            return n - 1;
        }
    }
    panic!("it never goes through");
}

fn run(case: &str) -> u64 {
    let value = all();
    let bytes = binfmt::to_vec(&value).unwrap();
    match case {
        "slice" => refuse_each(|| done(binfmt::from_slice::<All>(&bytes), &value)),
        "stream" => refuse_each(|| done(binfmt::from_reader::<All, _>(&bytes[..]), &value)),
        "vec" => refuse_each(|| done(binfmt::to_vec(&value), &bytes)),
        _ => unreachable!(),
    }
}

fn in_a_process(case: &str) {
    let this = std::env::current_exe().unwrap();
    let child = Command::new(this)
        .args(["--exact", "one_case", "--nocapture", "--test-threads=1"])
        .env("MEMORY_CASE", case)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stdout);
    let last: Vec<&str> = said.lines().rev().take(5).collect();
    assert!(child.status.success(), "{case}: {last:?} {}", String::from_utf8_lossy(&child.stderr));
    assert!(said.contains("call 2"), "nothing was refused");
}

/// The case that the environment names.
#[test]
fn one_case() {
    if let Ok(case) = std::env::var("MEMORY_CASE") {
        println!("{} calls of the allocator", run(&case));
    }
}

#[test]
fn decoding_a_slice() {
    in_a_process("slice");
}

#[test]
fn decoding_a_stream() {
    in_a_process("stream");
}

#[test]
fn encoding_to_a_vector() {
    in_a_process("vec");
}
