//! Layouts as data: descriptions, values and columns of them, dumps.

mod dump;
mod dynamic;
mod schema;
mod support;
