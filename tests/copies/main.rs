//! What a file decides is compiled once: a program and the command are built as users have them, and their symbols are read.
//!
//! Nothing else notices when a function gets a type parameter that it does not need: all that it calls is then compiled again for every
//! reader, in every crate, and works as before.
#![cfg(target_os = "linux")]

mod names;
mod symbols;

use names::{head, without_arguments};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use symbols::{Function, functions};

/// The modules whose code a file decides.
const ONCE: &[&str] =
    &["binfmt::value", "binfmt::columns::dynamic", "binfmt::dump", "binfmt::numbers", "binfmt::formats"];

/// Readers over other readers, which are what they are for each of them.
const READERS: &[&str] = &["binfmt::formats::sdds::pack", "binfmt::formats::sdds::members"];

/// Sources, and what the program has instead of them. Code of the modules above has `Erased` in their place.
const SOURCES: &[&str] = &[
    "binfmt::wire::raw::slice::Slice",
    "binfmt::wire::stream::Stream<",
    "binfmt::wire::trace::Tracer",
    "program::Tap",
    "program::Shelf",
];

/// A public function that is generic over its reader may be there for each, as it makes a source, calls another function, and drops the
/// reader: so large, and all of them together.
const SHIM: u64 = 768;
const SHIMS: u64 = 8 << 10;

/// So many functions of one name are copies, and so large may all copies in the command be.
const COPIES: usize = 6;
const MOST: u64 = 2_000_000;

/// The program and the command, with names that tell types.
fn built() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        // beside what others build, with other flags
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("copies");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--release", "--quiet", "--target-dir"]).arg(&target);
        cargo.args(["-p", "binfmt-copies", "--features", "binfmt-copies/program", "--example", "program"]);
        cargo.args(["-p", "binfmt-cli", "--bin", "binfmt"]);
        cargo.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
        cargo.env_remove("CARGO_ENCODED_RUSTFLAGS").env("RUSTFLAGS", "-C symbol-mangling-version=v0");
        assert!(cargo.status().unwrap().success(), "{cargo:?}");
        target.join("release")
    })
}

fn program() -> Vec<Function> {
    functions(&built().join("examples/program"))
}

fn command() -> Vec<Function> {
    functions(&built().join("binfmt"))
}

/// The largest ones, a line each, for messages.
fn largest<'f>(functions: impl IntoIterator<Item = (u64, usize, &'f str)>) -> String {
    let mut all: Vec<_> = functions.into_iter().collect();
    all.sort_by(|a, b| b.cmp(a));
    let mut text = String::new();
    for (size, copies, name) in all.iter().take(40) {
        writeln!(text, "{size:>8} bytes in {copies}: {name}").unwrap();
    }
    text
}

/// Functions of the modules above that name a source.
fn again(functions: &[Function]) -> Vec<&Function> {
    let is_in = |path: &str, modules: &[&str]| {
        modules.iter().any(|module| path.strip_prefix(module).is_some_and(|rest| rest.starts_with("::")))
    };
    let is_inside = |function: &&Function| {
        let path = head(&function.name);
        // annotated structs of the formats are code that a type decides
        let is_typed =
            is_in(path, &["binfmt::formats"]) && function.name.contains(" as binfmt::codec::Decode");
        is_in(path, ONCE) && !is_in(path, READERS) && !is_typed
    };
    let names_source = |function: &&Function| SOURCES.iter().any(|source| function.name.contains(source));
    functions.iter().filter(is_inside).filter(names_source).collect()
}

fn check_once(functions: &[Function]) {
    let list = |found: &[&Function]| largest(found.iter().map(|f| (f.size, 1, f.name.as_str())));
    let all = again(functions);
    let (shims, large): (Vec<&Function>, Vec<&Function>) = all.iter().partition(|f| f.size <= SHIM);
    assert!(
        large.is_empty(),
        "{} functions are compiled for a source, and are no shims of up to {SHIM} bytes: they are to call one without type \
         parameters, with `erase()`:\n{}",
        large.len(),
        list(&large),
    );
    let size: u64 = shims.iter().map(|f| f.size).sum();
    assert!(size <= SHIMS, "{} shims have {size} bytes, at most {SHIMS}:\n{}", shims.len(), list(&shims));
}

#[test]
fn a_program_has_what_a_file_decides_once() {
    let functions = program();
    let is_there = |name: &str| functions.iter().any(|f| f.name.contains(name));
    assert!(is_there("binfmt::wire::erased::Erased") && is_there("program::Tap"), "the names are not found");
    check_once(&functions);
}

#[test]
fn the_command_has_what_a_file_decides_once() {
    check_once(&command());
}

#[test]
fn the_command_has_few_copies() {
    let functions = command();
    let mut by_name: BTreeMap<String, (u64, usize)> = BTreeMap::new();
    for function in functions.iter().filter(|f| head(&f.name).starts_with("binfmt::")) {
        let (size, copies) = by_name.entry(without_arguments(&function.name)).or_default();
        *size += function.size;
        *copies += 1;
    }
    assert!(by_name.len() > 1000, "the functions are not found: {}", by_name.len());
    by_name.retain(|_, (_, copies)| *copies >= COPIES);
    let size: u64 = by_name.values().map(|(size, _)| size).sum();
    assert!(
        size < MOST,
        "{} functions are in the command {COPIES} times or more, which takes {size} bytes; at most {MOST}:\n{}",
        by_name.len(),
        largest(by_name.iter().map(|(name, (size, copies))| (*size, *copies, name.as_str()))),
    );
}

/// The figures, to compare two states of the library: `cargo test -p binfmt-copies -- --ignored --nocapture`.
#[test]
#[ignore = "prints, and checks nothing"]
fn figures() {
    for (name, functions) in [("program", program()), ("command", command())] {
        let text: u64 = functions.iter().map(|f| f.size).sum();
        let again = again(&functions);
        let size: u64 = again.iter().map(|f| f.size).sum();
        println!("{name}: {text} bytes of functions; {size} in {} of them name a source", again.len());
        println!("{}", largest(again.iter().map(|f| (f.size, 1, f.name.as_str()))));
    }
}
