//! SDDS, self-describing data sets.

mod alike;
mod blocks;
mod choose;
mod chosen;
mod damage;
mod definition;
mod elements;
mod from_json;
mod inspect;
mod json;
mod open;
mod options;
mod page_rows;
mod pages;
mod tables;
mod value;
mod write;

use crate::error::{Error, Result};
use crate::format::{Facts, Format, Job, Jobs, Kept, Selection, Sink, Tally};
use crate::input::Input;
use crate::json::{JsonWriter, Source};
use crate::output::Target;
use crate::pattern::is_pattern;
use crate::pick::Pick;
use crate::probe::Probe;
use crate::settings::{Choice, Settings};
use crate::summary::Summary;
use crate::table::Tables;
use crate::tabular;
use binfmt::formats::sdds::{self, Compression, Contents, Mode};
use binfmt::schema::Type;
use binfmt::table::{Logical, Section, Table, TableFormat};
use open::{UNIT, header, opened};
use options::Options;
use pages::Pages;
use std::io::Write;
use std::sync::Arc;

pub(crate) struct Sdds;

/// What the command knows of the format.
const FACTS: Facts = Facts {
    endings: &["sdds"],
    examples: &[
        "binfmt inspect twiss.sdds.gz",
        "binfmt cat twiss.sdds --columns s,betax --rows ..20 --pages 0",
        "binfmt convert twiss.sdds twiss.sdds.xz --byte-order big --order column",
    ],
    settings: Options::LIST,
    has_pages: true,
    compresses: true,
    takes_tables: true,
    keeps: &["_page"],
    takes: &[Logical::X87, Logical::Character],
    spreads_arrays: true,
    remakes: &["like", "parameters", "arrays", "as-parameters"],
    reads: &["parameters", "arrays", "include", "assume-byte-order"],
    ..Facts::new("sdds", "SDDS file")
};

impl Format for Sdds {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn detect(&self, probe: &Probe<'_>) -> bool {
        tabular::detects(&sdds::Tables, probe)
    }

    fn inspect(&self, job: &mut Job<'_>) -> Result<Summary> {
        inspect::inspect(&whole(job)?, job, FACTS.title)
    }

    fn tables(&self, job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()> {
        let options = reading(job)?;
        (job.pages, job.asked) = (pick.pages.clone(), pick.columns.clone().unwrap_or_default());
        if options.parameters.is_given()
            || options.arrays.is_given()
            || shows_other_rows(&options, job, out.has_notes())?
        {
            return Selection::of(self.table(job)?, pick)?.show(out).map(|_| ());
        }
        tables::write(&options, job, pick, out)
    }

    fn json(&self, job: &mut Job<'_>, pick: &Pick, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
        let options = reading(job)?;
        options.all_is_in_a_document()?;
        json::write(Pages::open_again(&options, job, pick, |_| true)?.in_blocks()?, pick, out)
    }

    fn check(&self, job: &mut Job<'_>) -> Result<Tally> {
        let options = whole(job)?;
        let size = job.input.stored();
        let verified = Pages::open(&options, job, &Pick::ALL)?.verify()?;
        if let Some(unclosed) = verified.unclosed {
            crate::report::remark(&format!("{}: {unclosed}", job.input.name()));
        }
        if let Some(partial) = verified.partial {
            let text = damage::partial(&partial);
            if options.strict.is_given() {
                return Err(Error::data(text));
            }
            crate::report::remark(&format!("{}: {text}", job.input.name()));
        }
        Ok(Tally { count: verified.pages, unit: UNIT, bytes: size.unwrap_or(verified.bytes) })
    }

    fn sections(&self, job: &mut Job<'_>) -> Result<Vec<Section>> {
        whole(job)?.nothing_is_assumed()?;
        Ok(vec![Section::of::<Contents>()])
    }

    /// What a row of a page is: one of text has no layout.
    fn layout(&self, job: &mut Job<'_>) -> Result<Option<String>> {
        let options = whole(job)?;
        job.input.kept()?;
        // what is wrong with the header is told where it is explained
        let Ok(pages) = Pages::open(&options, job, &Pick::ALL) else { return Ok(None) };
        let header = pages.file_header();
        if header.mode != Mode::Binary || header.columns.is_empty() {
            return Ok(None);
        }
        let mut row = header.description();
        if let Type::Record(record) = &mut row.root {
            for (field, column) in record.fields.iter_mut().zip(&header.columns) {
                let units = column.units.as_ref().map(|units| format!("in {}", units.lossy()));
                let about = column.description.as_ref().map(|text| text.lossy().into_owned());
                field.doc = about.into_iter().chain(units).collect::<Vec<_>>().join(", ");
            }
        }
        Ok(Some(row.to_string()))
    }

    fn damaged(&self, input: &mut Input, e: &binfmt::Error) -> Error {
        open::damaged(input.compression().unwrap_or(Compression::None), e)
    }

    fn rewrite(&self, job: &mut Job<'_>, out: &Target) -> Result<Tally> {
        write::rewrite(&Options::of(job.settings)?, job, out)
    }

    fn rewrite_chosen(
        &self,
        jobs: &mut Jobs<'_, '_, '_>,
        kept: &Kept<'_>,
        out: &Target,
    ) -> Result<Option<Tally>> {
        let options = Options::of(kept.settings)?;
        if options.parameters.is_given() || options.arrays.is_given() {
            return Ok(None);
        }
        let has_said = alike::have_parameters(&options, jobs)?;
        let said = options.as_parameters.name().filter(|_| !has_said);
        match options.like.name().or(said).or(kept.of_all) {
            Some(option) => {
                alike::are_rows(&options, jobs, &format!("--{option} is about a table"))?;
                Ok(None)
            }
            None => choose::rewrite(&options, jobs, kept, out),
        }
    }

    fn write_json(&self, json: &mut Source, settings: &Settings, out: &Target) -> Result<Tally> {
        from_json::write(json, &Options::of(settings)?, out)
    }

    fn table(&self, job: &mut Job<'_>) -> Result<Arc<dyn Table>> {
        let is_own = job.to == Some(FACTS.name);
        let options = if is_own { Options::of(job.settings)? } else { reading(job)? };
        if options.include.is_given() {
            return Err(Error::usage("--include is not for a file that is written as one table"));
        }
        if let Some(names) = options.parameters.value() {
            if options.arrays.is_given() {
                let text =
                    "--parameters is a table with a row for each page, and --arrays one for each element";
                return Err(Error::usage(text).tip("--arrays NAME --columns '*' has the parameters, too"));
            }
            return chosen::pages(
                opened(&options, job, &[("pages", "true")])?,
                names,
                (job.pages.clone(), is_own),
            );
        }
        if let Some(names) = options.arrays.value() {
            let names = elements::named(names, job)?;
            return opened(&options, job, &[("arrays", &names)]);
        }
        let table = opened(&options, job, &[])?;
        match elements::asked(&job.asked, table.schema())? {
            Some(arrays) => opened(&options, job, &[("arrays", &arrays)]),
            None => Ok(table),
        }
    }

    fn rest(&self, job: &mut Job<'_>) -> Result<Option<Arc<dyn Table>>> {
        opened(&reading(job)?, job, &[("pages", "true"), ("arrays", "*")]).map(Some)
    }

    fn sink(&self, settings: &Settings, out: &Target) -> Result<Sink> {
        let options = Options::of(settings)?;
        let compression = write::compression(&options, out)?;
        let said = settings.said(Options::LIST, sdds::Tables.write_settings());
        Ok((&sdds::Tables, said.with("compression", compression.word())))
    }
}

/// Whether what is shown is no rows of pages: elements of arrays, or parameters where nothing stands above a table.
fn shows_other_rows(options: &Options, job: &mut Job<'_>, has_notes: bool) -> Result<bool> {
    let Some(header) = header(job)? else { return Ok(false) };
    let has_columns = !header.columns.is_empty();
    let names_array = || job.asked.iter().any(|word| header.arrays.iter().any(|array| array.name == *word));
    let is_column = |word: &String| header.columns.iter().any(|column| column.name == *word);
    Ok(match has_columns {
        true => names_array() && !job.asked.iter().all(is_column),
        // where there are no columns a pattern means something else
        false => {
            (!has_notes || names_array() || job.asked.iter().any(|word| is_pattern(word)))
                && !options.include.is_given()
        }
    })
}

/// The options where no SDDS file is written.
fn reading(job: &Job<'_>) -> Result<Options> {
    let options = Options::of(job.settings)?;
    options.nothing_is_written()?;
    Ok(options)
}

/// The same where the file is not shown as a table.
fn whole(job: &Job<'_>) -> Result<Options> {
    let options = reading(job)?;
    options.parameters.refused()?;
    options.arrays.refused()?;
    options.no_parameters.refused()?;
    Ok(options)
}
