//! SciDB's load files and format strings.

mod fixtures;
mod rewriting;
mod text;
mod typed;
