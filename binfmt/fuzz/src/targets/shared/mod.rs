//! What several targets use.

pub(crate) mod agree;
pub(crate) mod arrays;
pub(crate) mod command;
pub(crate) mod condition;
pub(crate) mod faults;
pub(crate) mod gzip;
pub(crate) mod input;
pub(crate) mod layout;
pub(crate) mod panics;
pub(crate) mod parts;
pub(crate) mod runs;
pub(crate) mod structs;
mod tables;
