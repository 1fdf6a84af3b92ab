//! The Rust half of the interop tests: the scripts beside this file run it with `BINFMT_INTEROP_DIR` set.

mod beat;
mod futhark;
mod scidb;
mod sdds;
mod tiledb;
mod tiledb_random;

/// Where the two halves meet; without the script, nothing is read or written.
fn folder(name: &str) -> Option<std::path::PathBuf> {
    let base = std::path::PathBuf::from(std::env::var_os("BINFMT_INTEROP_DIR")?).join(name);
    std::fs::create_dir_all(&base).unwrap();
    Some(base)
}
