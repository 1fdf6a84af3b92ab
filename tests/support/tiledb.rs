//! The arrays that libtiledb 1.6.3 wrote.

use binfmt::formats::tiledb::{Memory, Storage};
use std::path::{Path, PathBuf};

/// The folder of an array.
pub(crate) fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tiledb").join(name)
}

/// The files of an array in memory, and their paths in order. Not every test that takes this file needs them.
#[allow(dead_code)]
pub(crate) fn load(name: &str) -> (Memory, Vec<String>) {
    fn add(root: &Path, folder: &Path, out: &Memory, paths: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                add(root, &path, out, paths);
            } else {
                let below = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                out.write(&below, &std::fs::read(&path).unwrap()).unwrap();
                paths.push(below);
            }
        }
    }
    let (memory, mut paths) = (Memory::new(), Vec::new());
    add(&path(name), &path(name), &memory, &mut paths);
    paths.sort();
    (memory, paths)
}
