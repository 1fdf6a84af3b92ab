//! What must hold for any bytes. Each target takes some and panics where something does not hold; where the bytes come from
//! is the matter of the fuzzer, or of a test. One file for each target; its head says what must hold.

mod afl;
mod beat;
mod beat_json;
mod columns;
mod command;
mod command_json;
mod description;
mod futhark;
mod futhark_text;
mod layouts;
mod pieces;
mod round;
mod scidb;
mod sdds;
mod sdds_header;
mod shared;
mod tiledb;
mod tiledb_filters;
mod typed;

use std::path::Path;

/// A target: its name and what it does with bytes.
pub type Target = (&'static str, fn(&[u8]));

/// All targets. A file in `bin/` gives each to the fuzzer, a test gives each what was found before.
pub const ALL: &[Target] = &[
    ("afl", afl::run),
    ("beat", beat::run),
    ("beat_json", beat_json::run),
    ("columns", columns::run),
    ("command", command::run),
    ("command_json", command_json::run),
    ("description", description::run),
    ("futhark", futhark::run),
    ("futhark_text", futhark_text::run),
    ("layouts", layouts::run),
    ("pieces", pieces::run),
    ("round", round::run),
    ("scidb", scidb::run),
    ("sdds", sdds::run),
    ("sdds_header", sdds_header::run),
    ("tiledb", tiledb::run),
    ("tiledb_filters", tiledb_filters::run),
    ("typed", typed::run),
];

/// Runs the target of this name, which must exist.
pub fn run(name: &str, data: &[u8]) {
    let target = ALL.iter().find(|(known, _)| *known == name);
    target.unwrap_or_else(|| panic!("no target is called {name}")).1(data);
}

/// The folder that holds `tests/data`.
pub fn repository() -> &'static Path {
    let below = Path::new(env!("CARGO_MANIFEST_DIR"));
    below.ancestors().find(|folder| folder.join("tests/data").is_dir()).expect("the tests' data are there")
}
