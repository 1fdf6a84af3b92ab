//! SDDS files of the official library, and hand-made ones, against what that library says of them.

mod blocks;
mod content;
mod damage;
mod dumps;
mod fixtures;
mod large;
mod leniency;
mod lines;
#[path = "../support/memory.rs"]
mod memory;
mod parts;
