//! A small format for tests of what SciDB files do not have: they are recognised, and have pages.
//!
//! `SMPL`, then pages: a count of rows, then as many bytes.

use crate::error::{Error, Result};
use crate::format::{Facts, Format, Job, Tally, Window};
use crate::json::{JsonWriter, Source};
use crate::output::Target;
use crate::pick::Pick;
use crate::probe::Probe;
use crate::settings::{Setting, Settings};
use crate::summary::{Listing, Summary};
use crate::table::{Column, Head, Rows, Shown, Tables};
use std::io::{Read, Write};

pub(crate) struct Sample;

struct Page(Vec<u8>);

impl Rows for Page {
    fn num_rows(&self) -> usize {
        self.0.len()
    }

    fn show<'a>(&'a self, row: usize, _: usize, room: &'a mut Vec<u8>) -> Shown<'a> {
        *room = self.0[row].to_string().into_bytes();
        Shown::Plain(room)
    }
}

fn pages(job: &mut Job<'_>) -> Result<Vec<Page>> {
    let mut bytes = Vec::new();
    job.input.reader(4)?.read_to_end(&mut bytes).map_err(Error::input)?;
    let mut rest = bytes.as_slice();
    let mut pages = Vec::new();
    while let Some((&n, tail)) = rest.split_first() {
        let Some((rows, tail)) = tail.split_at_checked(n.into()) else {
            return Err(Error::data(format_args!("pages[{}] is cut short", pages.len())));
        };
        pages.push(Page(rows.to_vec()));
        rest = tail;
    }
    Ok(pages)
}

/// What the command knows of the format.
const FACTS: Facts = Facts {
    endings: &["smpl"],
    settings: &[
        Setting::new("sample-key", "KEY", "opens it").env("BINFMT_SAMPLE_KEY"),
        Setting::new("schema", "TEXT", "ignored"),
    ],
    has_pages: true,
    ..Facts::new("sample", "sample file")
};

impl Format for Sample {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn detect(&self, probe: &Probe<'_>) -> bool {
        !probe.is_directory && probe.head.starts_with(b"SMPL")
    }

    fn inspect(&self, job: &mut Job<'_>) -> Result<Summary> {
        let mut summary = Summary::default();
        summary.fact("format", "Format", "sample");
        let rows = pages(job)?.iter().map(|page| vec![page.0.len().into()]).collect();
        summary.table("pages", Listing { title: "Pages", columns: &["rows"], rows });
        Ok(summary)
    }

    fn tables(&self, job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()> {
        for (i, page) in pages(job)?.iter().enumerate() {
            if pick.has_page(i as u64) {
                let columns = vec![Column::new("v", true)];
                out.begin(&Head { title: format!("page {i}"), notes: Vec::new(), columns })?;
                out.rows(page)?;
                out.end()?;
            }
        }
        Ok(())
    }

    fn json(&self, job: &mut Job<'_>, _: &Pick, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
        out.object()?;
        out.member("format", FACTS.name)?;
        out.member_list("pages")?;
        for page in pages(job)? {
            out.item(&page.0)?;
        }
        out.end()?;
        out.end()
    }

    fn check(&self, job: &mut Job<'_>) -> Result<Tally> {
        let count = pages(job)?.len() as u64;
        Ok(Tally { count, unit: ("page", "pages"), bytes: job.input.len().unwrap_or(0) })
    }

    fn dump(&self, _: &mut Job<'_>, _: &Window, _: &mut dyn Write) -> Result<()> {
        Ok(())
    }

    fn rewrite(&self, _: &mut Job<'_>, _: &Target) -> Result<Tally> {
        Err(Error::data("not in this sample"))
    }

    fn write_json(&self, _: &mut Source, _: &Settings, _: &Target) -> Result<Tally> {
        Err(Error::data("not in this sample"))
    }
}
