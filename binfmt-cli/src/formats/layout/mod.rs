//! Files of any layout: records, one after the other, which a description that the user gives explains.

mod from_json;
mod json;
mod options;
mod records;
mod values;

use crate::error::{Error, Result};
use crate::format::{Facts, Format, Job, Selection, Sink, Tally};
use crate::input::Input;
use crate::json::{JsonWriter, Source};
use crate::output::Target;
use crate::pick::Pick;
use crate::place::Start;
use crate::rows;
use crate::settings::Settings;
use crate::summary::{Listing, Summary};
use crate::table::Tables;
use crate::tabular;
use crate::units;
use binfmt::table::{RowsTable, Section, Table};
use options::{Options, TO_LAYOUT};
use records::{Layout, WORDS};
use std::io::Write;
use std::sync::Arc;
use values::values;

pub(crate) struct AnyLayout;

/// What the command knows of such files.
const FACTS: Facts = Facts {
    examples: &[
        "binfmt dump log.bin --layout log.layout",
        "binfmt cat log.bin --layout log.layout --columns time,celsius --csv",
        "binfmt convert log.bin log.json --layout log.layout",
        "binfmt convert old.bin new.bin --layout old.layout --to-layout new.layout",
    ],
    settings: Options::LIST,
    takes_tables: true,
    takes_records: true,
    implied_by: Some("layout"),
    aimed_by: Some(TO_LAYOUT),
    remakes: &[TO_LAYOUT],
    undetected: Some(
        "a file of a layout of your own can be read with --layout and a description of its records",
    ),
    ..Facts::new("layout", "file of a given layout")
};

impl Format for AnyLayout {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn inspect(&self, job: &mut Job<'_>) -> Result<Summary> {
        let layout = layout(job)?;
        let mut summary = Summary::default();
        summary.worded("format", "Format", FACTS.name, FACTS.title.to_owned());
        if !layout.name().is_empty() {
            summary.fact("layout", "Layout", layout.name());
        }
        summary.fact("fingerprint", "Fingerprint", layout.fingerprint());
        let (order, text) = layout.order_facts();
        summary.worded("byte_order", "Byte order", order, text);
        let (tally, damage) = layout.rows().count(job, |job| match undamaged(&layout, job) {
            Some(tally) => Ok((tally, None)),
            None => Ok(values(&layout, job)?.until_damage(drop)),
        })?;
        summary.fact("records", "Records", tally.count);
        summary.worded("bytes", "Size", tally.bytes, units::bytes(tally.bytes));
        if let Some(each) = layout.rows().row_size() {
            summary.fact("record_bytes", "Bytes per record", each);
        }
        let rows = layout.fields().into_iter().map(|(name, ty)| vec![name.into(), ty.into()]);
        summary
            .table("fields", Listing { title: "Fields", columns: &["name", "type"], rows: rows.collect() });
        summary.damage = damage;
        Ok(summary)
    }

    fn tables(&self, job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()> {
        chosen(&layout(job)?, job, pick)?.show(out).map(|_| ())
    }

    fn json(&self, job: &mut Job<'_>, pick: &Pick, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
        let layout = layout(job)?;
        match layout.has_named_columns() {
            true => json::rows(&layout, &chosen(&layout, job, pick)?, pick, out),
            false => json::records(&layout, job, pick, out),
        }
    }

    fn check(&self, job: &mut Job<'_>) -> Result<Tally> {
        let layout = layout(job)?;
        undamaged(&layout, job).map_or_else(|| values(&layout, job)?.check(), Ok)
    }

    fn sections(&self, job: &mut Job<'_>) -> Result<Vec<Section>> {
        layout(job)?.rows().sections()
    }

    fn damaged(&self, _: &mut Input, e: &binfmt::Error) -> Error {
        WORDS.damaged(Start::default(), e)
    }

    fn rewrite(&self, job: &mut Job<'_>, out: &Target) -> Result<Tally> {
        let layout = layout(job)?;
        values::rewrite(&layout, values(&layout, job)?, out)
    }

    fn write_json(&self, json: &mut Source, settings: &Settings, out: &Target) -> Result<Tally> {
        let options = Options::of(settings)?;
        options.has_no_second()?;
        from_json::write(json, &options, out)
    }

    fn sink(&self, settings: &Settings, _: &Target) -> Result<Sink> {
        let layout = Layout::of(&Options::of(settings)?.written())?;
        let text = layout.plan()?.description().to_string();
        Ok((&binfmt::table::AnyLayout, layout.written().with("layout", text)))
    }

    fn table(&self, job: &mut Job<'_>) -> Result<Arc<dyn Table>> {
        table(&layout(job)?, job)
    }
}

/// What a file without damage has, by its columns: they are much faster than values, which tell better what is wrong.
fn undamaged(layout: &Layout, job: &mut Job<'_>) -> Option<Tally> {
    let file = layout.rows();
    let plan = file.plan.filter(|_| !file.is_one_value() && job.input.len().is_some())?;
    let rows = chosen(layout, job, &Pick::ALL).ok()?;
    rows::check(plan, rows, WORDS, job).ok()
}

/// The wanted records of a file.
fn chosen(layout: &Layout, job: &mut Job<'_>, pick: &Pick) -> Result<Selection> {
    let chosen = Selection::once(job, pick, |job| table(layout, job))?;
    Ok(chosen.telling(|e| WORDS.damaged(Start::default(), e)))
}

fn table(layout: &Layout, job: &mut Job<'_>) -> Result<Arc<dyn Table>> {
    let (storage, name) = tabular::place(job)?;
    let options = job.limits.within(layout.rows().options);
    let table = RowsTable::open(storage, &name, layout.plan()?.description(), &options);
    Ok(Arc::new(table.map_err(|e| tabular::failure(&e))?))
}

/// The layout that the command line gives.
fn layout(job: &Job<'_>) -> Result<Layout> {
    let options = Options::of(job.settings)?;
    if job.to != Some(FACTS.name) {
        options.no_layout_is_written()?;
    }
    Layout::of(&options.read())
}
