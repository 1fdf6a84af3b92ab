//! The command, run on files.

mod alike;
mod answers;
#[cfg(feature = "arrow")]
mod arrow;
mod beat;
mod bounded;
mod choose;
mod compared;
mod compressed;
mod convert;
mod daily;
mod damaged;
mod diagram;
mod dump;
mod elements;
mod fixtures;
mod follow;
mod found;
mod futhark;
mod headers;
mod html;
mod instruments;
mod layout;
mod left_out;
mod manual;
mod mended;
mod npy;
mod once;
mod output;
mod pages;
mod plot;
mod retyped;
mod scidb;
mod sdds;
mod sources;
#[path = "../support/mod.rs"]
mod support;
mod terminal;
mod tiledb;
mod tiledb_refused;
mod times;
mod together;
mod tools;
mod units;
mod users;
mod words;
