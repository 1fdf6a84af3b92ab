//! What sources are as files.

use super::{file, root};
use std::fs;
use std::path::{Path, PathBuf};

/// All that is below a folder, without what tools have built.
fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (kind, path) = (entry.file_type().unwrap(), entry.path());
        let is_built = matches!(entry.file_name().to_str(), Some("target" | "wip" | ".venv" | "__pycache__"));
        if kind.is_dir() && !is_built {
            walk(&path, found);
        } else if !kind.is_dir() {
            found.push(path);
        }
    }
}

/// A checkout on Windows has the text of a link in its place.
#[test]
fn no_source_is_a_link() {
    let mut files = Vec::new();
    for folder in fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path()) {
        if folder.join("Cargo.toml").is_file() {
            walk(&folder, &mut files);
        }
    }
    walk(&root().join("tests"), &mut files);
    assert!(files.len() > 1000, "the sources are not found: {}", files.len());
    for folder in [".ci", ".github"] {
        walk(&root().join(folder), &mut files);
    }
    let links: Vec<_> = files.iter().filter(|path| path.is_symlink()).collect();
    assert!(links.is_empty(), "{links:?}");
}

/// The macro cannot use the library, and the library cannot use the macro's: both have the file that cuts texts of layouts.
#[test]
fn both_halves_cut_texts_alike() {
    let (library, macros) =
        ("binfmt/src/codec/fingerprint/pieces.rs", "binfmt-derive/src/model/described/pieces.rs");
    assert!(file(library) == file(macros), "{library} and {macros} differ");
}

#[test]
fn packages_have_the_licences_of_the_repository() {
    for package in ["binfmt", "binfmt-cli", "binfmt-derive", "binfmt-python"] {
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            assert!(file(licence) == file(&format!("{package}/{licence}")), "{package}/{licence}");
        }
    }
}
