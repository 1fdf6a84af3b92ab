//! Arrays of TileDB: those of libtiledb 1.6.3, damaged ones, and those that are written here.

mod cells;
mod consolidating;
mod damage;
mod facts;
mod filters;
mod fixtures;
mod later;
mod orders;
mod reading;
mod storage;
mod threads;
mod writing;
