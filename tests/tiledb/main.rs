//! Arrays of TileDB: those of libtiledb 1.6.3, damaged ones, and those that are written here.

mod cells;
mod consolidating;
mod damage;
mod facts;
mod filters;
mod fixtures;
mod later;
#[path = "../support/memory.rs"]
mod memory;
mod orders;
mod reading;
mod storage;
#[path = "../support/tiledb.rs"]
mod support;
mod threads;
mod writing;
