//! SciDB load files: cells, one after the other, of a layout that only the user knows.

mod from_json;
mod json;
mod layout;
mod options;

use crate::error::{Error, Result};
use crate::format::{Facts, Format, Job, Sink, Tally};
use crate::input::Input;
use crate::json::{JsonWriter, Source};
use crate::output::Target;
use crate::pick::Pick;
use crate::place::Start;
use crate::rows::{self, Batches};
use crate::settings::{Settings, Text};
use crate::span::Span;
use crate::summary::{self, Listing, Summary};
use crate::table::Tables;
use crate::tabular;
use crate::units;
use binfmt::formats::scidb;
use binfmt::table::{Section, Table, TableFormat};
use layout::{Layout, WORDS};
use options::Options;
use std::io::Write;
use std::sync::Arc;

pub(crate) struct Scidb;

/// What the command knows of the format.
const FACTS: Facts = Facts {
    endings: &["scidb"],
    examples: &[
        "binfmt inspect flights.bin --format scidb --schema '(int64, string null, double)'",
        "binfmt cat flights.bin --format scidb --schema @flights.afl --rows 10..20",
        "binfmt convert flights.bin flights.json --format scidb --schema @flights.afl",
        "binfmt convert flights.json flights.bin",
    ],
    settings: Options::LIST,
    takes_tables: true,
    takes_records: true,
    undetected: Some(
        "SciDB load files cannot be recognised by their bytes: say --format scidb and what a cell is, for example \
         --schema '(int8, string null)'",
    ),
    ..Facts::new("scidb", "SciDB load file")
};

impl Format for Scidb {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn inspect(&self, job: &mut Job<'_>) -> Result<Summary> {
        let layout = layout(job)?;
        let mut summary = Summary::default();
        summary.worded("format", "Format", FACTS.name, FACTS.title.to_owned());
        summary.fact("schema", "Schema", layout.template.to_string());
        summary.worded("byte_order", "Byte order", "little", "little-endian".to_owned());
        let (tally, damage) = layout.rows().count(job, |job| {
            Ok(Batches::open(&layout.plan, layout.rows(), job, Span::ALL)?.until_damage())
        })?;
        summary.fact("cells", "Cells", tally.count);
        summary.worded("bytes", "Size", tally.bytes, units::bytes(tally.bytes));
        let len = layout.template.cell_len();
        summary.fact("cell_bytes", "Bytes per cell", summary::bytes(len.min(), len.max()));
        let rows = layout.fields().map(|f| vec![f.name.into(), f.ty.into(), f.nullable.into(), f.bytes]);
        let columns = &["name", "type", "nullable", "bytes"];
        summary.table("fields", Listing { title: "Columns", columns, rows: rows.collect() });
        summary.damage = damage;
        Ok(summary)
    }

    fn tables(&self, job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()> {
        let layout = layout(job)?.select(pick)?;
        Batches::open(&layout.plan, layout.rows(), job, pick.rows)?.show(layout.headings(), out)
    }

    fn json(&self, job: &mut Job<'_>, pick: &Pick, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
        let layout = layout(job)?.select(pick)?;
        json::write(&layout, Batches::open(&layout.plan, layout.rows(), job, pick.rows)?, out)
    }

    fn check(&self, job: &mut Job<'_>) -> Result<Tally> {
        let layout = layout(job)?;
        rows::check(&layout.plan, layout.rows(), job)
    }

    fn sections(&self, job: &mut Job<'_>) -> Result<Vec<Section>> {
        layout(job)?.rows().sections()
    }

    fn damaged(&self, _: &mut Input, e: &binfmt::Error) -> Error {
        WORDS.damaged(Start::default(), e)
    }

    fn rewrite(&self, job: &mut Job<'_>, out: &Target) -> Result<Tally> {
        let layout = layout(job)?;
        rows::rewrite(
            &layout.plan,
            layout.rows(),
            Batches::open(&layout.plan, layout.rows(), job, Span::ALL)?,
            out,
        )
    }

    fn write_json(&self, json: &mut Source, settings: &Settings, out: &Target) -> Result<Tally> {
        from_json::write(json, &Options::of(settings)?, out)
    }

    fn sink(&self, settings: &Settings, _: &Target) -> Result<Sink> {
        let options = Options::of(settings)?;
        let none = binfmt::table::Settings::new();
        let Some(Text(text)) = options.schema.value() else { return Ok((&scidb::Tables, none)) };
        // what is wrong with it is drawn
        Layout::of(&options)?;
        Ok((&scidb::Tables, named(none.with("schema", text), &options)))
    }

    fn table(&self, job: &mut Job<'_>) -> Result<Arc<dyn Table>> {
        let options = Options::of(job.settings)?;
        // what is wrong with it is drawn
        Layout::of(&options)?;
        let schema = options.schema.value().map_or("", |Text(text)| text.as_str());
        let strict = options.strict.is_given().to_string();
        let settings = binfmt::table::Settings::new().with("schema", schema).with("strict", strict);
        let settings = tabular::limited(named(settings, &options), job.limits);
        let (storage, name) = tabular::place(job)?;
        scidb::Tables.open(storage, &name, &settings).map_err(|e| tabular::failure(&e))
    }
}

/// What is said beside the schema.
fn named(mut settings: binfmt::table::Settings, options: &Options) -> binfmt::table::Settings {
    if let Some(Text(text)) = options.template.value() {
        settings = settings.with("template", text);
    }
    match options.user_types.value() {
        Some(text) => settings.with("user_types", text),
        None => settings,
    }
}

/// The layout that the command line gives.
fn layout(job: &Job<'_>) -> Result<Layout> {
    Layout::of(&Options::of(job.settings)?)
}
