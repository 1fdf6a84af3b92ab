//! What must hold for any bytes. Each target takes some and panics where something does not hold; where the bytes come from
//! is the matter of the fuzzer, or of a test. One file for each target; its head says what must hold.

pub mod afl;
pub mod arrow;
pub mod beat;
pub mod beat_json;
pub mod columns;
pub mod command;
pub mod command_json;
pub mod cross;
pub mod description;
pub mod faults;
pub mod futhark;
pub mod futhark_text;
pub mod layout_run;
pub mod layout_text;
pub mod layouts;
pub mod pieces;
pub mod round;
pub mod scidb;
pub mod sdds;
pub mod sdds_header;
pub(crate) mod shared;
pub mod tables;
pub mod tiledb;
pub mod tiledb_filters;
pub mod tiledb_many;
pub mod typed;
pub mod r#where;

use std::path::Path;

/// A target: its name and what it does with bytes.
pub type Target = (&'static str, fn(&[u8]));

/// All targets. A file in `bin/` gives one to the fuzzer, a test gives each what was found before.
pub const ALL: &[Target] = &[
    ("afl", afl::run),
    ("arrow", arrow::run),
    ("beat", beat::run),
    ("beat_json", beat_json::run),
    ("columns", columns::run),
    ("command", command::run),
    ("command_json", command_json::run),
    ("cross", cross::run),
    ("description", description::run),
    ("faults", faults::run),
    ("futhark", futhark::run),
    ("futhark_text", futhark_text::run),
    ("layout_run", layout_run::run),
    ("layout_text", layout_text::run),
    ("layouts", layouts::run),
    ("pieces", pieces::run),
    ("round", round::run),
    ("scidb", scidb::run),
    ("sdds", sdds::run),
    ("sdds_header", sdds_header::run),
    ("tables", tables::run),
    ("tiledb", tiledb::run),
    ("tiledb_filters", tiledb_filters::run),
    ("tiledb_many", tiledb_many::run),
    ("typed", typed::run),
    ("where", r#where::run),
];

/// The folder that holds `tests/data`.
pub fn repository() -> &'static Path {
    let below = Path::new(env!("CARGO_MANIFEST_DIR"));
    below.ancestors().find(|folder| folder.join("tests/data").is_dir()).expect("the tests' data are there")
}
