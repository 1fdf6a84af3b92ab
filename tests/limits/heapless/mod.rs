//! Without a heap: a program that has no allocator links, reads, writes, and says what is wrong.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const PACKAGE: &str = r#"
[package]
name = "{name}"
version = "0.0.0"
edition = "2024"
publish = false

[[bin]]
name = "{name}"
path = "{program}"

[dependencies]
binfmt = { path = "{binfmt}", default-features = false, features = ["derive"] }

# the handler of panics is the program's own
[profile.dev]
panic = "abort"
opt-level = 1

[workspace]
"#;

/// What cargo says of a program in this folder.
fn cargo(command: &str, name: &str) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("heapless");
    let folder = all.join(name);
    fs::create_dir_all(&folder).unwrap();
    let package = PACKAGE
        .replace("{name}", name)
        .replace("{program}", &root.join(format!("tests/limits/heapless/{name}.rs")).display().to_string())
        .replace("{binfmt}", &root.join("binfmt").display().to_string());
    fs::write(folder.join("Cargo.toml"), package).unwrap();
    // not a copy of the file: that of a checkout that cannot be written could not be, either
    fs::write(folder.join("Cargo.lock"), fs::read(root.join("Cargo.lock")).unwrap()).unwrap();
    Command::new(env::var_os("CARGO").unwrap_or("cargo".into()))
        .args([command, "--quiet", "--offline", "--target-dir"])
        .arg(all.join("target"))
        .current_dir(&folder)
        // what the tests themselves are built with is not for this program
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap()
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "the program is linked as on Linux")]
fn a_program_without_an_allocator_reads_and_writes() {
    let built = cargo("build", "program");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("heapless/target/debug/program");
    let ran = Command::new(program).status().unwrap();
    assert_eq!(ran.code(), Some(0), "the step that went wrong, as `program.rs` numbers them");
}

#[test]
fn words_that_need_a_heap_say_so() {
    let built = cargo("check", "words");
    let said = String::from_utf8_lossy(&built.stderr);
    let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("error")).collect();
    let needs = |what: &str| format!("error: {what} needs the feature `alloc` of binfmt");
    let words = ["at", "each", "gaps", "offset_of", "peek", "process", "shape", "until"];
    let mut expected: Vec<String> = words.iter().map(|word| needs(&format!("the word `{word}`"))).collect();
    expected.extend([needs("`rest = keep`"), needs("a checksum that covers itself")]);
    expected.push(needs("a region up to a terminator"));
    expected.push(needs("text that is not UTF-8, Latin-1 or ASCII"));
    expected.push("error: the word `columns` needs the feature `columns` of binfmt".into());
    let mut found: Vec<&str> =
        errors.iter().copied().filter(|line| line.contains("needs the feature")).collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected, "{said}");
    assert!(said.contains("features = [\"alloc\", \"derive\"]"), "{said}");
}
