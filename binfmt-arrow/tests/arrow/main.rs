//! Columns become record batches and come back; streams; what others have in theirs.

mod damaged;
mod files;
#[path = "../support/fixtures.rs"]
mod fixtures;
mod foreign;
mod formats;
mod moved;
#[path = "../../../tests/support/random.rs"]
#[allow(dead_code)]
mod random;
mod random_layouts;
mod streams;
mod support;
mod types;
mod written;
