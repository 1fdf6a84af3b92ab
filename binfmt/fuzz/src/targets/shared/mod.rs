//! What several targets use.

pub(crate) mod agree;
pub(crate) mod command;
pub(crate) mod input;
pub(crate) mod layout;
pub(crate) mod runs;
pub(crate) mod structs;
mod tables;
