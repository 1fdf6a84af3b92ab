//! The Rust half of the interop tests: the scripts beside this file run it with `BINFMT_INTEROP_DIR` set.

mod scidb;
