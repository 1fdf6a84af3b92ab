//! Futhark values: what compiled Futhark programs read and print, binary and text.

mod flat;
mod make;
mod options;
mod table;
mod values;
mod write;

use crate::error::Result;
use crate::format::{Facts, Format, Job, Making, NamedTable, Parts, Sink, Tally};
use crate::json::{JsonWriter, Source};
use crate::output::Target;
use crate::pick::Pick;
use crate::probe::Probe;
use crate::settings::{Choice, Settings};
use crate::summary::{Listing, Summary};
use crate::table::Tables;
use crate::tabular;
use crate::units;
use binfmt::formats::futhark::{self, Contents, Form, Outline, OutputStyle};
use binfmt::table::{Section, Table};
use options::Options;
use std::io::Write;
use std::marker::PhantomData;
use std::sync::Arc;
use values::{Pieces, headers, outlines};
use write::{unwritten, written};

pub(crate) struct Futhark;

/// The most values that `inspect` lists.
const LISTED: usize = 1 << 16;

/// What the command knows of the format.
const FACTS: Facts = Facts {
    endings: &["futhark"],
    examples: &[
        "binfmt convert values.in values.txt",
        "binfmt make futhark --generate '[10][20]f32' --bounds 0:1",
    ],
    settings: Options::LIST,
    undetected: Some(
        "Futhark values are recognised when the first one is binary, an array or names its type, and plain numbers\n       \
         in files named .in, .out or .futhark: else say --format futhark",
    ),
    has_pages: true,
    has_text: true,
    takes_tables: true,
    makes: true,
    ..Facts::new("futhark", "file of Futhark values")
};

impl Format for Futhark {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn detect(&self, probe: &Probe<'_>) -> bool {
        tabular::detects(&futhark::Tables, probe)
    }

    fn inspect(&self, job: &mut Job<'_>) -> Result<Summary> {
        let only_types = Options::of(job.settings)?.types.is_given();
        let (mut rows, mut types) = (Vec::new(), Vec::new());
        let (read, damage) = headers(job)?.until_damage(|Outline { form, element_type, dims, .. }| {
            if rows.len() < LISTED {
                let form = if form == Form::Binary { "binary" } else { "text" };
                let of = element_type.name();
                types.push(dims.iter().map(|n| format!("[{n}]")).collect::<String>() + of);
                rows.push(vec![rows.len().into(), form.into(), of.into(), dims.into()]);
            }
        });
        let damage = match damage {
            // nothing is known of the file
            Some(e) if rows.is_empty() => return Err(e),
            damage => damage,
        };
        let mut summary = Summary::default();
        summary.worded("format", "Format", FACTS.name, "Futhark values".to_owned());
        summary.fact("count", "Number of values", read.count);
        if read.count > LISTED as u64 {
            summary.worded("listed", "Listed", LISTED, format!("the first {LISTED} values"));
        }
        let bytes = job.input.len().unwrap_or(read.bytes);
        summary.worded("bytes", "Size", bytes, units::bytes(bytes));
        summary.lines = only_types.then_some(types);
        let columns = &["value", "form", "type", "shape"];
        summary.table("values", Listing { title: "Values", columns, rows });
        summary.damage = damage;
        Ok(summary)
    }

    fn tables(&self, job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()> {
        flat::write(job, pick, out)
    }

    fn json(&self, job: &mut Job<'_>, pick: &Pick, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
        values::whole(pick)?;
        let mut values = Pieces::open(job, pick.pages.clone())?;
        out.object()?;
        out.member("format", FACTS.name)?;
        out.member_list("values")?;
        while let Some(first) = values.next()? {
            values.json(first, out)?;
        }
        out.end()?;
        out.end()
    }

    fn text(&self, job: &mut Job<'_>, pick: &Pick, out: &mut dyn Write) -> Result<()> {
        values::whole(pick)?;
        let style = Options::of(job.settings)?.style.value().copied().unwrap_or(OutputStyle::Text);
        let mut values = Pieces::open(job, pick.pages.clone())?;
        let mut writer = futhark::Writer::new(out);
        let done = loop {
            match values.next() {
                Ok(Some(piece)) => writer.write_piece(&piece, style).map_err(|e| unwritten(&e))?,
                Ok(None) => break Ok(()),
                Err(e) => break Err(e),
            };
        };
        // what was read before the damage is shown
        writer.finish().map_err(|e| unwritten(&e))?;
        done
    }

    fn check(&self, job: &mut Job<'_>) -> Result<Tally> {
        outlines(job)?.check()
    }

    fn sections(&self, _: &mut Job<'_>) -> Result<Vec<Section>> {
        Ok(vec![Section::of::<Contents>()])
    }

    fn parts(&self, job: &mut Job<'_>) -> Result<Option<Parts>> {
        let (mut count, mut lengths) = (0, Vec::new());
        for outline in headers(job)? {
            count += 1;
            lengths.push(outline?.dims.first().copied());
            lengths.dedup();
        }
        Ok(Some(Parts { count, unit: values::UNIT.0, is_one_table: lengths.len() == 1 }))
    }

    fn rewrite(&self, job: &mut Job<'_>, out: &Target) -> Result<Tally> {
        write::rewrite(&Options::of(job.settings)?, job, out)
    }

    fn table(&self, job: &mut Job<'_>) -> Result<Arc<dyn Table>> {
        let (files, name) = tabular::place(job)?;
        table::of(job, files, &name)
    }

    fn apart(&self, job: &mut Job<'_>) -> Result<Option<Vec<NamedTable>>> {
        let (files, name) = tabular::place(job)?;
        let values = table::each(job, Arc::clone(&files), &name)?;
        Ok((values.len() > 1 && table::of(job, files, &name).is_err()).then_some(values))
    }

    fn sink(&self, settings: &Settings, out: &Target) -> Result<Sink> {
        let style = write::style(&Options::of(settings)?, out);
        Ok((&futhark::Tables, binfmt::table::Settings::new().with("style", style.word())))
    }

    fn write_json(&self, json: &mut Source, settings: &Settings, out: &Target) -> Result<Tally> {
        let style = write::style(&Options::of(settings)?, out);
        written(out, |writer| {
            let put = |value| writer.write(&value, style).map_err(|e| unwritten(&e));
            json.each("values", PhantomData::<futhark::Value>, put)
        })
    }

    fn make(&self, making: &Making<'_>, settings: &Settings, out: &Target) -> Result<Tally> {
        make::write(making, &Options::of(settings)?, out)
    }
}
