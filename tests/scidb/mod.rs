//! SciDB's load files and format strings.

mod fixtures;
mod layout;
mod rewriting;
mod text;
mod typed;
