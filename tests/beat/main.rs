//! Objects, data files and sets of the BEAT platform, which its own backend packed and wrote.

mod dataset;
mod files;
#[path = "../support/memory.rs"]
mod memory;
mod objects;
mod refusals;
#[path = "../support/beat.rs"]
mod support;
