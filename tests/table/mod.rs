//! Any file as a table: all parts together are what the format's own reader gives, ranges leave out only what cannot match,
//! damage is told with its place in the file.

mod beat;
mod chosen;
mod crafted;
mod csv;
mod futhark;
mod jsonl;
mod memory;
mod npy;
mod rows;
mod scidb;
mod sdds;
mod sections;
mod sinks;
mod sinks_random;
mod sinks_sdds;
mod sinks_tiledb;
mod support;
mod tiledb;
