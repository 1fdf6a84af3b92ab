//! Formats that are tables of the library and nothing else: NPY, CSV, JSON lines.

mod delimiter;
mod foreign;
mod known;

#[cfg(feature = "arrow")]
pub(crate) use self::known::{ARROW, PARQUET};
pub(crate) use self::known::{CSV, LINES, NPY};

use crate::error::{Error, Result};
use crate::format::{Aim, Facts, Format, Job, Selection, Sink, Tally, Window};
use crate::input::Input;
use crate::json::{JsonWriter, Source};
use crate::needle::Needle;
use crate::output::Target;
use crate::pick::Pick;
use crate::probe::Probe;
use crate::sections;
use crate::settings::Settings;
use crate::summary::{Listing, Summary};
use crate::table::Tables;
use crate::tabular::{self, Row};
use crate::units;
use binfmt::columns::{Column, ColumnData, ValueRef};
use binfmt::table::{Section, Table, TableFormat, Wanted, as_written, keys};
use std::io::Write;
use std::sync::Arc;

/// A format of the library, and what the command knows of it besides.
pub(crate) struct TableFile {
    pub(super) facts: &'static Facts,
    pub(super) format: &'static dyn TableFormat,
}

/// What is counted.
const UNIT: (&str, &str) = ("row", "rows");

impl Format for TableFile {
    fn facts(&self) -> &'static Facts {
        self.facts
    }

    fn detect(&self, probe: &Probe<'_>) -> bool {
        tabular::detects(self.format, probe)
    }

    fn inspect(&self, job: &mut Job<'_>) -> Result<Summary> {
        let table = self.table(job)?;
        let schema = table.schema();
        let mut summary = Summary::default();
        summary.worded("format", "Format", self.facts.name, self.facts.title.to_owned());
        match table.count_rows() {
            Ok(rows) => summary.fact("rows", "Rows", rows),
            Err(e) => summary.damage = Some(tabular::failure(&e)),
        }
        if let Some(bytes) = job.input.len() {
            summary.worded("bytes", "Size", bytes, units::bytes(bytes));
        }
        // of text the types are inferred, and there are no other words for them
        let has_own = schema.fields.iter().any(|field| field.get(keys::NATIVE).is_some());
        let rows = schema.fields.iter().map(|field| {
            let native = has_own.then(|| field.get(keys::NATIVE).unwrap_or_default().into());
            let name = Some(field.name.as_str().into());
            name.into_iter().chain(native).chain([field.type_name().into()]).collect()
        });
        let columns: &[&str] = if has_own { &["name", "dtype", "type"] } else { &["name", "type"] };
        summary.table("fields", Listing { title: "Fields", columns, rows: rows.collect() });
        Ok(summary)
    }

    fn tables(&self, job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()> {
        Selection::of(self.table(job)?, pick)?.show(out).map(|_| ())
    }

    fn json(&self, job: &mut Job<'_>, pick: &Pick, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
        let selection = Selection::of(self.table(job)?, pick)?;
        out.object()?;
        out.member("format", self.facts.name)?;
        out.member("fields", &selection.leaves.iter().map(|leaf| leaf.name.as_str()).collect::<Vec<_>>())?;
        out.member_list("rows")?;
        let rows = selection.as_written();
        rows.each(|columns, rows| (0..rows).try_for_each(|row| out.item(&Row { columns, row })))?;
        out.end()?;
        out.end()
    }

    fn check(&self, job: &mut Job<'_>) -> Result<Tally> {
        // how many bytes a stream has is known when it was read
        job.input.kept()?;
        let selection = Selection::of(self.table(job)?, &Pick::ALL)?;
        let mut count = 0;
        selection.each(|_, rows| {
            count += rows as u64;
            Ok(())
        })?;
        Ok(Tally { count, unit: UNIT, bytes: job.input.bytes()? })
    }

    /// What the format says of its bytes. Of text and of a stream that is not kept nothing is said.
    fn sections(&self, job: &mut Job<'_>) -> Result<Vec<Section>> {
        if job.input.is_read_once() || job.input.is_directory() || self.takes("offsets") {
            return Ok(Vec::new());
        }
        let (storage, name) = tabular::place(job)?;
        let settings =
            tabular::limited(job.settings.said(self.facts.settings, self.format.settings()), job.limits);
        self.format.sections(storage, &name, &settings).map_err(|e| unopened(&e))
    }

    fn damaged(&self, _: &mut Input, e: &binfmt::Error) -> Error {
        tabular::failure(e)
    }

    /// What has no sections has its bytes, and values are found in the rows of text.
    fn dump(&self, job: &mut Job<'_>, window: &Window, out: &mut dyn Write) -> Result<()> {
        let title = self.facts.title;
        if let (Aim::Find(needle), true) = (&window.aim, self.takes("offsets")) {
            return self.find(job, needle, out);
        }
        if let Aim::Find(_) = window.aim {
            job.input.keep_stream()?;
        }
        let sections = match (&window.aim, self.sections(job)) {
            (Aim::Find(_), Err(e)) => return Err(e),
            // a file that is damaged has its bytes
            (_, sections) => sections.unwrap_or_default(),
        };
        match sections.is_empty() {
            true => window.plain(&mut job.input, title, out),
            false => {
                let input = (&mut job.input, job.limits);
                sections::dump(&sections, input, (window, title), |input, e| self.damaged(input, e), out)
            }
        }
    }

    fn rewrite(&self, job: &mut Job<'_>, out: &Target) -> Result<Tally> {
        let mut selection = Selection::of(self.table(job)?, &Pick::ALL)?;
        if self.facts.takes_records {
            selection = selection.with_records(self.facts.takes_all);
        }
        selection.write(self, job.settings, out)
    }

    fn write_json(&self, _: &mut Source, _: &Settings, _: &Target) -> Result<Tally> {
        let text = format!("{} is not written from JSON", self.facts.one());
        Err(Error::usage(text).tip("write a file of another format first"))
    }

    fn table(&self, job: &mut Job<'_>) -> Result<Arc<dyn Table>> {
        let table = self.open(job, job.settings.said(self.facts.settings, self.format.settings()))?;
        if self.takes("delimiter") {
            delimiter::tell(&table, job.settings);
        }
        Ok(table)
    }

    fn sink(&self, settings: &Settings, _: &Target) -> Result<Sink> {
        Ok((self.format, settings.said(self.facts.settings, self.format.write_settings())))
    }
}

impl TableFile {
    fn open(&self, job: &mut Job<'_>, settings: binfmt::table::Settings) -> Result<Arc<dyn Table>> {
        if self.takes("offsets") {
            foreign::refused(&mut job.input, !self.takes("delimiter"))?;
        }
        let (storage, name) = tabular::place(job)?;
        let settings = tabular::limited(settings, job.limits);
        let opened = self.format.open(storage, &name, &settings);
        opened.map_err(|e| unopened(&e))
    }

    /// Looks for a value in all rows; its place is where its row begins.
    fn find(&self, job: &mut Job<'_>, needle: &Needle, out: &mut dyn Write) -> Result<()> {
        let settings = job.settings.said(self.facts.settings, self.format.settings()).with("offsets", "true");
        let table = as_written(&self.open(job, settings)?);
        let names: Vec<String> = table.schema().fields.iter().map(|field| field.name.to_string()).collect();
        let mut first = 0;
        for batch in table.batches(&Wanted::new()).map_err(|e| tabular::failure(&e))? {
            let batch = batch.map_err(|e| tabular::failure(&e))?;
            let columns: Vec<&Column> = batch.iter().map(|(_, column)| column).collect();
            let Some((offsets, columns)) = columns.split_last() else { continue };
            for row in 0..batch.num_rows() {
                let at = offsets.get(row).and_then(|n| match n {
                    ValueRef::Number(n) => n.as_i128().and_then(|n| u64::try_from(n).ok()),
                    _ => None,
                });
                for (name, column) in names.iter().zip(columns) {
                    let Some(value) = column.get(row) else { continue };
                    let (at, row) = (at.unwrap_or(0), first + row);
                    needle.find_value(at, &format_args!("[{row}].{name}"), &value, out)?;
                }
                if !needle.wants_more() {
                    return Ok(());
                }
            }
            first += batch.num_rows();
        }
        Ok(())
    }

    /// Whether the format has a setting of this name for files that are read.
    fn takes(&self, name: &str) -> bool {
        self.format.settings().iter().any(|setting| setting.name == name)
    }
}

/// Why a file cannot be opened: it, or what is said of it, is wrong.
fn unopened(e: &binfmt::Error) -> Error {
    let misused = e.offset().is_none().then(|| tabular::misused(&e.kind().to_string())).flatten();
    misused.unwrap_or_else(|| tabular::failure(e))
}
