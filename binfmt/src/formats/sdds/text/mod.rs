//! What is text: the header of every file, and pages in ascii.

pub(super) mod ascii;
pub(super) mod header;
mod lines;
