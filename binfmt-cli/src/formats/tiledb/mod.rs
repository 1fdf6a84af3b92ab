//! TileDB arrays, format version 3: folders of files.

mod blocks;
mod cells;
mod check;
mod content;
mod dump;
mod dump_cells;
mod dump_writer;
mod fragment;
mod from_json;
mod inspect;
mod json;
mod number;
mod open;
mod place;
mod schema;
mod subarray;
mod survey;
mod value;
mod write;

use crate::error::Result;
use crate::format::{Format, Job, Pick, Tally, Window};
use crate::json::{JsonWriter, Source};
use crate::output::Target;
use crate::probe::Probe;
use crate::settings::{Setting, Settings};
use crate::summary::Summary;
use crate::table::Tables;
use std::io::Write;

pub(crate) struct Tiledb;

const SETTINGS: &[Setting] = &[
    open::KEY,
    open::AT,
    subarray::SUBARRAY,
    subarray::ORDER,
    Setting {
        name: "strict",
        value: None,
        help: "check: fragments without metadata and unknown files are errors",
        env: None,
    },
];

impl Format for Tiledb {
    fn name(&self) -> &'static str {
        "tiledb"
    }

    fn title(&self) -> &'static str {
        "TileDB array"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["tiledb", "tdb"]
    }

    fn examples(&self) -> &'static [&'static str] {
        &[
            "binfmt inspect temperatures",
            "binfmt cat temperatures --subarray '10..20, -5..=5' --columns day,celsius",
            "binfmt convert temperatures temperatures.json --key @key.txt",
        ]
    }

    fn settings(&self) -> &'static [Setting] {
        SETTINGS
    }

    fn detect(&self, probe: &Probe<'_>) -> bool {
        place::is_ours(probe)
    }

    fn undetected_folder(&self) -> Option<&'static str> {
        Some("folders are read where they are TileDB arrays: one has a file __array_schema.tdb")
    }

    fn inspect(&self, job: &mut Job<'_>) -> Result<Summary> {
        open::without(job.settings, &["subarray", "order", "strict"])?;
        inspect::inspect(job, self.title())
    }

    fn tables(&self, job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()> {
        open::without(job.settings, &["strict"])?;
        cells::table(job, pick, out)
    }

    fn json(&self, job: &mut Job<'_>, pick: &Pick, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
        open::without(job.settings, &["strict"])?;
        json::cells(job, pick, out)
    }

    fn document(&self, job: &mut Job<'_>, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
        open::without(job.settings, &["strict"])?;
        json::document(job, out)
    }

    fn check(&self, job: &mut Job<'_>) -> Result<Tally> {
        open::without(job.settings, &["subarray", "order"])?;
        check::check(job)
    }

    fn dump(&self, job: &mut Job<'_>, window: &Window, out: &mut dyn Write) -> Result<()> {
        open::without(job.settings, &["subarray", "order", "strict", "at"])?;
        dump::dump(job, window, out)
    }

    fn rewrite(&self, job: &mut Job<'_>, out: &Target) -> Result<Tally> {
        write::rewrite(job, out)
    }

    fn write_json(&self, json: &mut Source, settings: &Settings, out: &Target) -> Result<Tally> {
        from_json::write(json, settings, out)
    }
}
