//! What every format of `binfmt/src/formats/mod.rs` has beside its code: a format that is new is not done without it.

use super::root;
use std::fs;
use std::path::{Path, PathBuf};

fn file(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_default()
}

/// The formats: the folders in which they are.
pub(super) fn formats() -> Vec<String> {
    let entries = fs::read_dir(root().join("binfmt/src/formats")).unwrap().map(|entry| entry.unwrap().path());
    let folders = entries.filter(|path| path.is_dir());
    let mut names: Vec<String> =
        folders.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    assert!(names.len() >= 5, "the formats are not found: {names:?}");
    names
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// Whether a test answers the conformance kit for types of this format.
fn answers_the_kit(format: &str) -> bool {
    let mut files = Vec::new();
    sources(&root().join("tests"), &mut files);
    let uses = format!("use binfmt::formats::{format}::");
    // by an impl, or by the macro of tests/conformance/typed.rs
    let answers = |text: &str| text.contains("impl Conformance for ") || text.contains("\ntyped!(");
    files
        .iter()
        .map(|path| fs::read_to_string(path).unwrap())
        .any(|text| text.contains(&uses) && answers(&text))
}

/// The golden cases that `tests/dump/golden.rs` knows, there or elsewhere.
fn golden(format: &str) -> bool {
    let data = root().join("tests/data").join(format);
    let has_cases =
        data.read_dir().is_ok_and(|mut entries| entries.any(|entry| entry.unwrap().path().is_dir()));
    has_cases && file("tests/dump/golden.rs").contains(&format!("\"{format}\""))
}

/// What a format lacks, in words that say what to do.
fn lacks(format: &str) -> Vec<String> {
    let cargo = file("binfmt/Cargo.toml");
    let readme = file("README.md");
    let ci = file(".ci/run");
    let full = cargo.lines().find(|line| line.starts_with("full = ")).unwrap_or_default();
    let features = file("binfmt/docs/features.md");
    let head = file(&format!("binfmt/src/formats/{format}/mod.rs"));
    let has = [
        (cargo.contains(&format!("\n{format} = [")), "a feature in binfmt/Cargo.toml"),
        (full.contains(&format!("\"{format}\"")), "its feature in `full` in binfmt/Cargo.toml"),
        (
            file("binfmt/src/formats/mod.rs")
                .contains(&format!("#[cfg(feature = \"{format}\")]\npub mod {format};")),
            "its `cfg(feature)` in binfmt/src/formats/mod.rs",
        ),
        (
            head.starts_with("//!") && head.contains("//! # What is supported"),
            "a first page that tells what is supported",
        ),
        (
            readme.contains(&format!("| `{format}` | `binfmt::formats::{format}` |")),
            "a row in README.md, Formats",
        ),
        (features.contains(&format!("`{format}`")), "its feature in binfmt/docs/features.md"),
        (root().join(format!("examples/{format}.rs")).is_file(), "an example in examples/"),
        (ci.contains(&format!(" {format}")), "its example in .ci/run"),
        (golden(format), "golden cases in tests/data and their arm in tests/dump/golden.rs"),
        (answers_the_kit(format), "answers to the conformance kit in tests/conformance/"),
        (
            root().join(format!("tests/interop/{format}.py")).is_file(),
            "a test with the real software in tests/interop/",
        ),
        (
            file("binfmt/src/formats/mod.rs").contains(&format!(" &{format}::Tables,")),
            "a line in `TABLES` of binfmt/src/formats/mod.rs, of which the command takes it, too",
        ),
        (
            file(&format!("binfmt-cli/docs/formats/{format}.md"))
                .lines()
                .next()
                .is_some_and(|head| head.to_lowercase().contains(format)),
            "a page in binfmt-cli/docs/formats/",
        ),
        (
            root().join(format!("binfmt/fuzz/src/targets/{format}.rs")).is_file(),
            "a target in binfmt/fuzz/src/targets/",
        ),
    ];
    has.into_iter().filter(|(has, _)| !has).map(|(_, what)| format!("{format} lacks {what}")).collect()
}

#[test]
fn every_format_is_complete() {
    let lacking: Vec<String> = formats().iter().flat_map(|format| lacks(format)).collect();
    assert!(lacking.is_empty(), "{}", lacking.join("\n"));
}

#[test]
fn a_format_that_is_only_begun_is_not() {
    assert_eq!(lacks("not_there").len(), 14, "{:?}", lacks("not_there"));
}
