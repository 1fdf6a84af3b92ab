//! SciDB load files: cells, one after the other, of a layout that only the user knows.

mod from_json;
mod layout;
mod options;

use crate::error::{Error, Result};
use crate::format::{Facts, Format, Job, Selection, Sink, Tally};
use crate::input::Input;
use crate::json::{JsonWriter, Source};
use crate::output::Target;
use crate::pick::Pick;
use crate::place::Start;
use crate::rows;
use crate::settings::{Settings, Text};
use crate::summary::{self, Listing, Summary};
use crate::table::Tables;
use crate::tabular::{self, Row};
use crate::units;
use binfmt::formats::scidb;
use binfmt::table::{Leaf, Logical, Section, Table, TableFormat, keys, plain};
use layout::{Layout, WORDS};
use options::{OF_OUTPUT, Options};
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
    takes: &[Logical::Character, Logical::TimestampWithOffset],
    spreads_arrays: true,
    takes_records: true,
    remakes: OF_OUTPUT,
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
        let options = Options::of(job.settings)?;
        let layout = Layout::of(&options)?;
        let mut summary = Summary::default();
        summary.worded("format", "Format", FACTS.name, FACTS.title.to_owned());
        summary.fact("schema", "Schema", layout.template.to_string());
        summary.worded("byte_order", "Byte order", "little", "little-endian".to_owned());
        let (tally, damage) = layout
            .rows()
            .count(job, |job| Ok(rows::until_damage(&cells(&options, job, &Pick::ALL)?, WORDS, job)))?;
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
        let options = Options::of(job.settings)?;
        let cells = Selection::once(job, pick, |job| table(&options, job).map(|table| plain(table, &[])))?;
        let cells = cells.telling(|e| WORDS.damaged(Start::default(), e));
        let mut head = cells.head();
        let fields = &cells.table.schema().fields;
        let is_bool = |leaf: &Leaf| {
            let native = fields.get(leaf.column).and_then(|field| field.get(keys::NATIVE));
            native.is_some_and(|native| native.starts_with("bool"))
        };
        head.columns
            .iter_mut()
            .zip(&cells.leaves)
            .for_each(|(column, leaf)| column.is_number &= !is_bool(leaf));
        cells.show_below(&head, out).map(|_| ())
    }

    fn json(&self, job: &mut Job<'_>, pick: &Pick, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
        let options = Options::of(job.settings)?;
        let layout = Layout::of(&options)?.select(pick)?;
        let cells = cells(&options, job, pick)?;
        out.object()?;
        out.member("format", FACTS.name)?;
        out.member("schema", &layout.chosen_template().map(|t| t.to_string()))?;
        out.member("fields", &layout.fields().collect::<Vec<_>>())?;
        out.member_list("cells")?;
        cells.each(|columns, rows| {
            (0..rows).try_for_each(|row| out.item(&Row { columns, row }))?;
            out.flush()
        })?;
        out.end()?;
        out.end()
    }

    fn check(&self, job: &mut Job<'_>) -> Result<Tally> {
        let options = Options::of(job.settings)?;
        let layout = Layout::of(&options)?;
        rows::check(&layout.plan, cells(&options, job, &Pick::ALL)?, WORDS, job)
    }

    fn sections(&self, job: &mut Job<'_>) -> Result<Vec<Section>> {
        layout(job)?.rows().sections()
    }

    fn damaged(&self, _: &mut Input, e: &binfmt::Error) -> Error {
        WORDS.damaged(Start::default(), e)
    }

    fn rewrite(&self, job: &mut Job<'_>, out: &Target) -> Result<Tally> {
        let options = Options::of(job.settings)?;
        let layout = Layout::of(&options)?;
        rows::rewrite(&layout.plan, layout.rows(), &cells(&options, job, &Pick::ALL)?, out)
    }

    fn write_json(&self, json: &mut Source, settings: &Settings, out: &Target) -> Result<Tally> {
        from_json::write(json, &Options::of(settings)?, out)
    }

    fn sink(&self, settings: &Settings, _: &Target) -> Result<Sink> {
        let options = Options::of(settings)?;
        let none = binfmt::table::Settings::new();
        let Some(Text(text)) = options.schema.value() else { return Ok((&scidb::Tables, none)) };
        // what is wrong with it is drawn
        layout::check(&options)?;
        Ok((&scidb::Tables, named(none.with("schema", text), &options)))
    }

    fn table(&self, job: &mut Job<'_>) -> Result<Arc<dyn Table>> {
        table(&Options::of(job.settings)?, job)
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

/// The wanted cells of a file.
fn cells(options: &Options, job: &mut Job<'_>, pick: &Pick) -> Result<Selection> {
    let cells = Selection::once(job, pick, |job| table(options, job))?;
    Ok(cells.telling(|e| WORDS.damaged(Start::default(), e)))
}

fn table(options: &Options, job: &mut Job<'_>) -> Result<Arc<dyn Table>> {
    // what is wrong with the schema is drawn here, and not in the table's own error
    layout::check(options)?;
    let schema = options.schema.value().map_or("", |Text(text)| text.as_str());
    let strict = options.strict.is_given().to_string();
    let settings = binfmt::table::Settings::new().with("schema", schema).with("strict", strict);
    let settings = tabular::limited(named(settings, options), job.limits);
    let (storage, name) = tabular::place(job)?;
    scidb::Tables.open(storage, &name, &settings).map_err(|e| tabular::failure(&e))
}

/// The layout that the command line gives.
fn layout(job: &Job<'_>) -> Result<Layout> {
    Layout::of(&Options::of(job.settings)?)
}
