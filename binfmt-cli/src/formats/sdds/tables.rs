//! Pages as tables, below their parameters and arrays.

use super::chosen::{self, Chosen, PageTable};
use super::open::{Damage, Pages};
use super::options::Options;
use super::ranges::Ranges;
use super::value;
use crate::error::Result;
use crate::format::Job;
use crate::pick::Pick;
use crate::span::Span;
use crate::table::{Head, Tables};
use binfmt::formats::sdds::{Header, Page, Text};

/// Writes the wanted pages.
pub(super) fn write(options: &Options, job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()> {
    // a stream can be opened only once
    if job.input.len().is_none() {
        return whole(options, job, pick, out);
    }
    let (header, compression) = {
        let pages = Pages::open(options, job, &Pick { columns: None, ..pick.clone() })?;
        (pages.header().clone(), pages.compression)
    };
    match Ranges::of(job, &header, compression)? {
        Some(mut ranges) => match in_ranges(options, job, pick, &header, &mut ranges, out)? {
            Some(next) => whole(options, job, &Pick { pages: Some(next), ..pick.clone() }, out),
            None => Ok(()),
        },
        None => whole(options, job, pick, out),
    }
}

/// Page by page.
fn whole(options: &Options, job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()> {
    let mut pages = Pages::open(options, job, pick)?;
    let header = pages.header().clone();
    let order = chosen::of(pick, &header)?;
    chosen::left_out(pick, &header).into_iter().for_each(|what| out.leaves_out(what));
    let mut show = |page: &Page, number: u64| {
        out.begin(&head(&header, &order, &header, page, number, has_notes(options, out)))?;
        let constants = chosen::constants(&order, &header, page, number);
        out.rows(&PageTable { page, order: &order, constants: &constants })?;
        out.end()
    };
    loop {
        match pages.next() {
            Ok(Some(page)) => show(&page, pages.num_read() - 1)?,
            Ok(None) => return Ok(()),
            Err(Damage { error, page }) => {
                // the whole rows before the damage
                if let Some(page) = page.filter(|page| page.rows() > 0) {
                    show(&page, pages.num_read())?;
                }
                return Err(error);
            }
        }
    }
}

/// Whether parameters and arrays stand above the columns.
fn has_notes(options: &Options, out: &dyn Tables) -> bool {
    out.has_notes() && !options.no_parameters.is_given()
}

/// Range by range; the pages that must be read otherwise, because the first of them is damaged.
fn in_ranges(
    options: &Options,
    job: &mut Job<'_>,
    pick: &Pick,
    header: &Header,
    ranges: &mut Ranges,
    out: &mut dyn Tables,
) -> Result<Option<Span>> {
    let order = chosen::of(pick, header)?;
    chosen::left_out(pick, header).into_iter().for_each(|what| out.leaves_out(what));
    let stepping = Pick { columns: None, rows: Span::ALL, pages: pick.pages };
    let mut pages = Pages::open(options, job, &stepping)?.stepping()?;
    loop {
        let page = match pages.next() {
            Ok(Some(page)) => page,
            Ok(None) => return Ok(None),
            Err(_) => {
                return Ok(Some(Span { from: pages.num_read(), to: pick.pages.and_then(|span| span.to) }));
            }
        };
        let number = pages.num_read() - 1;
        out.begin(&head(pages.header(), &order, header, &page, number, has_notes(options, out)))?;
        let constants = chosen::constants(&order, pages.header(), &page, number);
        let last = pick.rows.to.map_or(page.rows(), |to| to.min(page.rows()));
        let mut from = pick.rows.from;
        while from < last {
            let n = (last - from).min(ranges.rows_at_once());
            let rows = ranges.read(pages.offset(), page.rows(), from, n)?;
            out.rows(&PageTable { page: &rows, order: &order, constants: &constants })?;
            from += n;
        }
        out.end()?;
    }
}

/// What stands above a table: the page is one of `header`, the columns are those of `columns`.
fn head(
    header: &Header,
    order: &[Chosen],
    columns: &Header,
    page: &Page,
    number: u64,
    has_notes: bool,
) -> Head {
    let notes = if has_notes { notes(header, page) } else { Vec::new() };
    Head { title: format!("page {number}"), notes, columns: chosen::heads(order, columns) }
}

/// Parameters and arrays.
fn notes(header: &Header, page: &Page) -> Vec<(String, String)> {
    let named = |name: &str, units: &Option<Text>| match units {
        Some(units) if !units.as_bytes().is_empty() => format!("{name} [{}]", units.lossy()),
        _ => name.to_owned(),
    };
    let parameters =
        value::parameters(header, page).map(|(p, value)| (named(&p.name, &p.units), value::line(&value)));
    let arrays = header.arrays.iter().zip(page.arrays());
    let arrays = arrays.map(|(a, value)| (named(&a.name, &a.units), value::array_line(value)));
    parameters.chain(arrays).collect()
}
