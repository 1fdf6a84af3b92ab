//! Data of the BEAT platform: data files, and single objects of a declared format.

mod chunks;
mod declared;
mod dump;
mod from_json;
mod options;
mod set;
mod side_files;
mod write;

use crate::error::{Error, Result};
use crate::format::{Facts, Format, Job, Selection, Tally, Window};
use crate::json::{JsonWriter, Source};
use crate::output::Target;
use crate::pick::Pick;
use crate::probe::Probe;
use crate::settings::Settings;
use crate::summary::{Listing, Summary};
use crate::table::Tables;
use crate::tabular;
use crate::units;
use binfmt::formats::beat;
use binfmt::table::{Table, TableFormat};
use chunks::{Chunks, Item};
use declared::{Declared, FIRST_LINE, type_name};
use options::Options;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) struct Beat;

/// What the command knows of the format.
const FACTS: Facts = Facts {
    // no ending: `.data` may be anything
    examples: &[
        "binfmt cat scores.0.99.data --prefix ~/beat",
        "binfmt check scores.*.data --prefix ~/beat",
        "binfmt cat scores --start 20 --end 120 --prefix ~/beat",
    ],
    settings: Options::LIST,
    takes_tables: true,
    takes_records: true,
    keeps: &["_start", "_end"],
    undetected: Some(
        "a single BEAT object cannot be recognised: say --format beat and --schema with its declaration",
    ),
    ..Facts::new("beat", "BEAT data file")
};

impl Format for Beat {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn detect(&self, probe: &Probe<'_>) -> bool {
        !probe.is_directory && probe.head.starts_with(FIRST_LINE)
    }

    fn inspect(&self, job: &mut Job<'_>) -> Result<Summary> {
        let declared = Declared::perhaps(&whole(job)?, job)?;
        let mut summary = Summary::default();
        summary.worded("format", "Format", FACTS.name, declared.title().to_owned());
        if let Some(name) = &declared.name {
            summary.fact("dataformat", "Data format", name.as_str());
        }
        let mut chunks = Chunks::open(&declared, job)?;
        let mut seen = set::Seen::default();
        let damage = loop {
            match chunks.next() {
                Ok(Some(Item { indices: Some((start, end)), .. })) => seen.add(start, end),
                Ok(Some(_)) => {}
                Ok(None) => break None,
                Err(e) => break Some(e),
            }
        };
        let read = chunks.tally();
        if declared.header.is_some() {
            summary.fact("count", "Chunks", read.count);
        }
        if let Some((start, end)) = seen.ends() {
            summary.worded("indices", "Indices", vec![start, end], format!("{start} to {end}"));
        }
        let bytes = job.input.len().unwrap_or(read.bytes);
        summary.worded("bytes", "Size", bytes, units::bytes(bytes));
        let all = seen.all().filter(|_| declared.header.is_some() && damage.is_none());
        set::tell(job.input.path(), all, &mut summary);
        if !declared.is_known {
            let text = "not given: --prefix or --schema would tell the fields".to_owned();
            summary.worded("declaration", "Declaration", serde_json::Value::Null, text);
            summary.damage = damage;
            return Ok(summary);
        }
        let fields = declared.declaration.format().fields().iter();
        let rows = fields.map(|(name, ty)| vec![name.as_str().into(), type_name(ty).into()]).collect();
        summary.table("fields", Listing { title: "Fields", columns: &["name", "type"], rows });
        summary.damage = damage;
        Ok(summary)
    }

    fn tables(&self, job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()> {
        Selection::kept(self.table(job)?, pick, FACTS.keeps)?.show(out).map(|_| ())
    }

    fn json(&self, job: &mut Job<'_>, pick: &Pick, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
        if pick.columns.is_some() {
            return Err(Error::usage("--columns chooses from a table: objects are shown as wholes here")
                .tip("say --csv, --tsv or --table"));
        }
        let options = Options::of(job.settings)?;
        let declared = Declared::of(&options, job)?;
        let mut chunks = Chunks::open(&declared, job)?.within(options.indices()).only(pick.rows);
        out.object()?;
        out.member("format", FACTS.name)?;
        if let Some(name) = &declared.name {
            out.member("dataformat", name)?;
        }
        out.member("declaration", &declared.json()?)?;
        out.member_list("chunks")?;
        while let Some(item) = chunks.next()? {
            out.item(&item)?;
        }
        out.end()?;
        out.end()
    }

    fn check(&self, job: &mut Job<'_>) -> Result<Tally> {
        let declared = Declared::of(&whole(job)?, job)?;
        let mut chunks = Chunks::open(&declared, job)?;
        while chunks.next()?.is_some() {}
        chunks.newlines()?;
        let tally = chunks.tally();
        set::check(job.input.path())?;
        Ok(tally)
    }

    fn layout(&self, job: &mut Job<'_>) -> Result<Option<String>> {
        let declared = Declared::of(&Options::of(job.settings)?, job)?;
        Ok(declared.is_known.then(|| declared.declaration.to_string()))
    }

    fn dump(&self, job: &mut Job<'_>, window: &Window, out: &mut dyn Write) -> Result<()> {
        dump::dump(&Declared::of(&whole(job)?, job)?, job, window, out)
    }

    fn rewrite(&self, job: &mut Job<'_>, out: &Target) -> Result<Tally> {
        let options = Options::of(job.settings)?;
        let declared = Declared::of(&options, job)?;
        let mut writer = write::Writer::new(&declared.declaration, declared.header(), out)?;
        let mut chunks = Chunks::open(&declared, job)?.within(options.indices());
        while let Some(item) = chunks.next()? {
            writer.write(item)?;
        }
        writer.finish()
    }

    fn table(&self, job: &mut Job<'_>) -> Result<Arc<dyn Table>> {
        let options = Options::of(job.settings)?;
        let declared = Declared::of(&options, job)?;
        let settings = binfmt::table::Settings::new().with("schema", declared.declaration.to_string());
        let settings = tabular::limited(settings, job.limits);
        let (storage, name) = tabular::place(job)?;
        let table = beat::Tables.open(storage, &name, &settings).map_err(|e| tabular::failure(&e))?;
        set::within(table, options.indices().filter(|_| declared.header.is_some()))
    }

    /// A base is all files of its set.
    fn members(&self, path: &Path) -> Option<Vec<PathBuf>> {
        let set = beat::DataSet::open(path).ok()?;
        Some(set.files().iter().map(|file| file.path.clone()).collect())
    }

    fn sink(
        &self,
        settings: &Settings,
        _: &Target,
    ) -> Result<(&'static dyn TableFormat, binfmt::table::Settings)> {
        let options = Options::of(settings)?;
        let mut said = binfmt::table::Settings::new();
        if let Some(format) = options.dataformat.value() {
            said = said.with("dataformat", format.clone());
        }
        if let Some((declaration, name)) = declared::given(&options)? {
            said = said.with("schema", declaration.to_string());
            if let (None, Some(name)) = (options.dataformat.value(), name) {
                said = said.with("dataformat", name);
            }
        }
        Ok((&beat::Tables, said))
    }

    fn write_json(&self, json: &mut Source, settings: &Settings, out: &Target) -> Result<Tally> {
        from_json::write(json, &Options::of(settings)?, out)
    }
}

/// The options where a file is looked at as a whole.
fn whole(job: &Job<'_>) -> Result<Options> {
    let options = Options::of(job.settings)?;
    options.of_whole_file()?;
    Ok(options)
}
