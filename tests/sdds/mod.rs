//! SDDS files of the official library, and hand-made ones, against what that library says of them.

mod blocks;
pub(crate) mod content;
mod damage;
mod dumps;
mod fixtures;
mod large;
mod leniency;
mod lines;
mod parts;
