//! Data of the BEAT platform: data files, and single objects of a declared format.

mod chunks;
mod declared;
mod flat;
mod from_json;
mod options;
mod set;
mod side_files;
mod write;

use crate::error::{Error, Result};
use crate::format::{Facts, Format, Job, Sink, Tally};
use crate::input::Input;
use crate::json::{JsonWriter, Source};
use crate::output::Target;
use crate::pick::Pick;
use crate::place::Start;
use crate::probe::Probe;
use crate::settings::Settings;
use crate::summary::{Listing, Summary};
use crate::table::Tables;
use crate::tabular;
use crate::units;
use binfmt::formats::beat;
use binfmt::table::{Section, Table, TableFormat};
use chunks::chunks;
use declared::{Declared, type_name};
use options::{Options, REMAKES};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) struct Beat;

/// What the command knows of the format.
const FACTS: Facts = Facts {
    // no ending: `.data` may be anything
    examples: &[
        "binfmt cat scores.0.99.data --prefix ~/beat",
        "binfmt cat scores --start 100 --end 199 --prefix ~/beat",
    ],
    settings: Options::LIST,
    takes_tables: true,
    takes_records: true,
    keeps: &["_start", "_end"],
    shows: &["_start", "_end"],
    remakes: REMAKES,
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
        match probe.is_directory {
            true => !probe.path.is_dir() && set::is_set(probe.path),
            false => tabular::detects(&beat::Tables, probe),
        }
    }

    fn whole_of(&self, path: &Path) -> Option<(&'static str, PathBuf)> {
        set::whole_of(path)
    }

    fn inspect(&self, job: &mut Job<'_>) -> Result<Summary> {
        let options = Options::of(job.settings)?;
        options.join.refused()?;
        let declared = Declared::perhaps(&options, job)?;
        let mut summary = Summary::default();
        summary.worded("format", "Format", FACTS.name, declared.title().to_owned());
        if let Some(name) = &declared.name {
            summary.fact("dataformat", "Data format", name.as_str());
        }
        let mut seen = set::Seen::default();
        let (read, damage) = chunks(&declared, job)?.until_damage(|item| {
            if let Some((start, end)) = item.indices {
                seen.add(start, end);
            }
        });
        if declared.header.is_some() {
            summary.fact("count", "Chunks", read.count);
        }
        if let Some((start, end)) = seen.ends() {
            summary.worded("indices", "Indices", vec![start, end], format!("{start} to {end}"));
        }
        let whole =
            declared.set.as_ref().filter(|_| declared.indices.is_none()).map(set::size).transpose()?;
        let bytes = job.input.len().or(whole).unwrap_or(read.bytes);
        summary.worded("bytes", "Size", bytes, units::bytes(bytes));
        let is_whole = declared.header.is_some() && damage.is_none() && declared.indices.is_none();
        let all = seen.all().filter(|_| is_whole);
        set::tell(job.input.path(), declared.set.as_ref(), all, &mut summary);
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
        let declared = Declared::of(&Options::of(job.settings)?, job)?;
        flat::write(&declared, chunks(&declared, job)?.only(pick.rows), pick, out)
    }

    fn json(&self, job: &mut Job<'_>, pick: &Pick, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
        if pick.columns.is_some() {
            return Err(Error::usage("--columns chooses from a table: objects are shown as wholes here")
                .tip("say --csv, --tsv or --table"));
        }
        let declared = Declared::of(&Options::of(job.settings)?, job)?;
        let chunks = chunks(&declared, job)?.only(pick.rows);
        out.object()?;
        out.member("format", FACTS.name)?;
        if let (Some(name), None) = (&declared.name, &declared.joined) {
            out.member("dataformat", name)?;
        }
        match &declared.joined {
            None => out.member("declaration", &declared.json()?)?,
            Some(beside) => out.member("declarations", &beside.json(&declared)?)?,
        }
        out.member_list("chunks")?;
        for item in chunks {
            out.item(&item?)?;
        }
        out.end()?;
        out.end()
    }

    fn check(&self, job: &mut Job<'_>) -> Result<Tally> {
        let options = Options::of(job.settings)?;
        options.of_whole_set()?;
        let declared = Declared::of(&options, job)?;
        let tally = chunks::check(chunks(&declared, job)?)?;
        let Some(set) = &declared.set else {
            set::check(job.input.path())?;
            return Ok(tally);
        };
        set.files().iter().try_for_each(|file| set::check(&file.path))?;
        Ok(Tally { bytes: set::size(set)?, ..tally })
    }

    fn layout(&self, job: &mut Job<'_>) -> Result<Option<String>> {
        let declared = Declared::of(&Options::of(job.settings)?, job)?;
        Ok(declared.is_known.then(|| declared.declaration.to_string()))
    }

    fn in_vain(&self, job: &mut Job<'_>) -> Option<String> {
        let options = Options::of(job.settings).ok()?;
        let mut declared = Declared::perhaps(&options, job).ok()?;
        let wanted = declared.indices.take()?;
        let (first, last) = match &declared.set {
            Some(set) => (set.files().first()?.start, set.files().last()?.end),
            None => {
                // a stream has been read
                job.input.len()?;
                let mut seen = set::Seen::default();
                declared.is_known = false;
                let _ = chunks(&declared, job).ok()?.until_damage(|item| {
                    item.indices.into_iter().for_each(|(start, end)| seen.add(start, end));
                });
                seen.ends()?
            }
        };
        let end = options.end.value().map(|_| format!(" to {}", wanted.end())).unwrap_or_default();
        Some(format!(
            "no chunk lies wholly within the indices from {}{end}: those of the file are {first} to {last}",
            wanted.start()
        ))
    }

    fn sections(&self, job: &mut Job<'_>) -> Result<Vec<Section>> {
        let options = Options::of(job.settings)?;
        options.of_whole_set()?;
        let declared = Declared::of(&options, job)?;
        if let Some(file) = declared.set.as_ref().and_then(|set| set.files().first()) {
            let text = format!("a file of a set is explained, such as {}", file.path.display());
            return Err(Error::usage(text));
        }
        Ok(beat::sections(declared.declaration, declared.header))
    }

    fn damaged(&self, _: &mut Input, e: &binfmt::Error) -> Error {
        chunks::damaged(Start::default(), e)
    }

    fn rewrite(&self, job: &mut Job<'_>, out: &Target) -> Result<Tally> {
        let options = Options::of(job.settings)?;
        options.join.refused()?;
        let declared = Declared::of(&options, job)?;
        if let (Some(set), Target::Path(path)) = (&declared.set, out) {
            set::spared(set, path)?;
        }
        let mut writer = write::Writer::new(&declared.declaration, declared.header(), out)?;
        for item in chunks(&declared, job)? {
            writer.write(item?)?;
        }
        writer.finish()
    }

    fn table(&self, job: &mut Job<'_>) -> Result<Arc<dyn Table>> {
        let options = Options::of(job.settings)?;
        if options.join.is_given() {
            return Err(Error::usage(
                "joined sets are shown, by cat, and are not a table that is computed with",
            )
            .tip("binfmt cat --csv or --json writes them, and CSV is a table"));
        }
        let declared = Declared::of(&options, job)?;
        let settings = binfmt::table::Settings::new().with("schema", declared.declaration.to_string());
        let settings = tabular::limited(settings, job.limits);
        let table = match &declared.set {
            Some(set) => set::table(set, &settings)?,
            None => {
                let (storage, name) = tabular::place(job)?;
                beat::Tables.open(storage, &name, &settings).map_err(|e| tabular::failure(&e))?
            }
        };
        set::within(table, declared.indices)
    }

    fn sink(&self, settings: &Settings, _: &Target) -> Result<Sink> {
        let options = Options::of(settings)?;
        let mut said = binfmt::table::Settings::new();
        if let Some(format) = options.dataformat.value() {
            said = said.with("dataformat", format.clone());
        }
        if let Some(prefix) = options.prefix.value() {
            said = said.with("prefix", prefix.clone());
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
