//! Formats and tables: files of the real software, text forms, refusals, damage, and what every format must answer.

mod beat;
mod conformance;
mod futhark;
mod gallery;
mod interop;
mod scidb;
mod sdds;
mod support;
mod table;
mod tiledb;
