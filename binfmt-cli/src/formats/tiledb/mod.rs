//! TileDB arrays, format version 3: folders of files.

mod cells;
mod check;
mod dump;
mod fragment;
mod from_json;
mod inspect;
mod json;
mod open;
mod options;
mod part;
mod place;
mod subarray;
mod survey;
mod tend;
mod value;
mod write;

use crate::error::Result;
use crate::format::{Aim, Facts, Format, Job, Sink, Tally, Vacuum, Window, Written};
use crate::json::{JsonWriter, Source};
use crate::output::Target;
use crate::pick::Pick;
use crate::probe::Probe;
use crate::region::Region;
use crate::settings::Settings;
use crate::summary::Summary;
use crate::table::Tables;
use crate::tabular;
use binfmt::formats::tiledb::{self, Array, Folder, Key};
use binfmt::storage::Storage;
use binfmt::table::{Logical, Table, TableFormat};
use options::Options;
use std::io::Write;
use std::sync::Arc;

pub(crate) struct Tiledb;

/// What the command knows of the format.
const FACTS: Facts = Facts {
    endings: &["tiledb", "tdb"],
    examples: &[
        "binfmt inspect temperatures",
        "binfmt cat temperatures --subarray '10..20, -5..=5' --columns day,celsius",
        "binfmt convert temperatures temperatures.json --key @key.txt",
        "binfmt consolidate temperatures",
    ],
    settings: Options::LIST,
    takes_tables: true,
    takes: &[Logical::Character, Logical::CodeUnits],
    remakes: &["dimensions", "array", "append"],
    undetected_folder: Some("a folder is read if it is a TileDB array: it has a file __array_schema.tdb"),
    ..Facts::new("tiledb", "TileDB array")
};

impl Format for Tiledb {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn detect(&self, probe: &Probe<'_>) -> bool {
        place::is_ours(probe)
    }

    fn inspect(&self, job: &mut Job<'_>) -> Result<Summary> {
        let options = reading(job)?;
        options.of_whole_array()?;
        inspect::inspect(&options, job, FACTS.title)
    }

    fn tables(&self, job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()> {
        cells::table(&reading(job)?, job, pick, out)
    }

    fn json(&self, job: &mut Job<'_>, pick: &Pick, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
        json::cells(&reading(job)?, job, pick, out)
    }

    fn document(&self, job: &mut Job<'_>, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
        json::document(&reading(job)?, job, out)
    }

    fn check(&self, job: &mut Job<'_>) -> Result<Tally> {
        let options = Options::of(job.settings)?;
        options.of_whole_array()?;
        check::check(&options, job)
    }

    fn dump(&self, job: &mut Job<'_>, window: &Window, out: &mut dyn Write) -> Result<()> {
        let options = reading(job)?;
        options.of_whole_array().map_err(|e| match window.aim {
            Aim::Find(_) => e.tip(dump::CELLS),
            _ => e,
        })?;
        options.at.refused()?;
        dump::dump(&options, job, window, out)
    }

    fn rewrite(&self, job: &mut Job<'_>, out: &Target) -> Result<Tally> {
        write::rewrite((&Options::of(job.settings)?, &Options::of(job.out)?), job, out)
    }

    fn write_json(&self, json: &mut Source, settings: &Settings, out: &Target) -> Result<Tally> {
        from_json::write(json, &Options::of(settings)?, out)
    }

    fn consolidate(&self, job: &mut Job<'_>) -> Result<String> {
        tend::consolidate(&tending(job)?, job)
    }

    fn vacuum(&self, job: &mut Job<'_>, how: Vacuum) -> Result<Tally> {
        let options = tending(job)?;
        options.amplification.refused()?;
        tend::vacuum(&options, job, how)
    }

    fn table(&self, job: &mut Job<'_>) -> Result<Arc<dyn Table>> {
        let options = reading(job)?;
        options.order.refused()?;
        let array = opened(&options, job)?;
        let parts = match &job.written {
            _ if options.subarray.is_given() => Some(vec![part::asked(&options, array.schema())?]),
            Written::All => None,
            Written::Own => part::written(&array).and_then(|parts| part::told(job, array.schema(), &parts)),
            Written::In(parts) => part::told(job, array.schema(), parts),
        };
        part::within(array.into_table(), parts)
    }

    fn written(&self, job: &mut Job<'_>) -> Result<Option<Vec<Region>>> {
        let options = reading(job)?;
        // a part that is named is looked at as a whole
        if options.subarray.is_given() {
            return Ok(None);
        }
        Ok(part::written(&opened(&options, job)?))
    }

    fn sink(&self, settings: &Settings, _: &Target) -> Result<Sink> {
        let options = Options::of(settings)?;
        let said = settings.said(Options::LIST, tiledb::Tables.write_settings());
        let digits = |key: Key| key.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let said = match open::key(&options)? {
            Some(key) => said.with("key", digits(key)),
            None => said,
        };
        Ok((&tiledb::Tables, said))
    }
}

/// The array, as it was at the time that is wanted.
fn opened(options: &Options, job: &mut Job<'_>) -> Result<Array<Arc<dyn Storage>>> {
    let folder = Folder::new(open::place(job)?.root);
    let open = open::open_options(&folder, options, job)?;
    let bytes = survey::size_of(folder.path());
    open.open(tabular::watched(job, Arc::new(folder), Some(bytes))).map_err(|e| open::failure(&e))
}

/// The options of all commands but check.
fn reading(job: &Job<'_>) -> Result<Options> {
    let options = Options::of(job.settings)?;
    options.strict.refused()?;
    options.amplification.refused()?;
    if job.to != Some(FACTS.name) {
        options.nothing_is_written()?;
    }
    Ok(options)
}

/// The options of commands that change the array itself.
fn tending(job: &Job<'_>) -> Result<Options> {
    let options = Options::of(job.settings)?;
    options.strict.refused()?;
    options.at.refused()?;
    options.of_whole_array()?;
    options.nothing_is_written()?;
    Ok(options)
}
