//! What the compiler says: mistakes, with the exact message that each gets. Programs that must build stand in `programs/`.
//!
//! The expected messages are those of one compiler version, because rustc's own share of the text changes. After
//! a deliberate change of a message: `TRYBUILD=overwrite cargo test -p binfmt-ui`, then read the difference.

use std::process::Command;

/// The version that the `.stderr` files were made with.
const PINNED: &str = "rustc 1.95.";

fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}

#[test]
fn messages() {
    let found = compiler();
    if found.starts_with(PINNED) {
        // without one that must build, they are checked all at once
        let cases = trybuild::TestCases::new();
        layouts_beside_cases();
        for folder in folders() {
            cases.compile_fail(format!("{folder}/*.rs"));
        }
    } else {
        eprintln!(
            "LEFT OUT: the compile-fail cases, because their messages are those of {PINNED}x and this is {found}"
        );
    }
}

/// The files that `schema` names: paths begin at a manifest, which is that of the crate that trybuild makes of the cases.
fn layouts_beside_cases() {
    let exe = std::env::current_exe().unwrap();
    let target = exe.ancestors().nth(3).unwrap();
    let beside = target.join("tests/trybuild").join(env!("CARGO_PKG_NAME")).join("schema");
    std::fs::create_dir_all(&beside).unwrap();
    for entry in std::fs::read_dir("schema").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "txt" || end == "json") {
            std::fs::write(beside.join(path.file_name().unwrap()), std::fs::read(&path).unwrap()).unwrap();
        }
    }
}

/// The folders of mistakes, one for each rule.
fn folders() -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(".") else { return Vec::new() };
    let mut folders: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|path| std::path::Path::new(path).is_dir())
        .collect();
    folders.sort();
    folders
}
