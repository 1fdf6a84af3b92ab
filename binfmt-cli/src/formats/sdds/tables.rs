//! Pages as tables, below their parameters and arrays.

use super::open::{Damage, Pages, names};
use super::ranges::Ranges;
use super::value::{self, Table};
use crate::args::range::Span;
use crate::error::Result;
use crate::format::{Job, Pick};
use crate::table::{Column, Head, Tables};
use binfmt::formats::sdds::{DataType, Header, Page};

/// Writes the wanted pages.
pub(super) fn write(job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()> {
    // a stream can be opened only once
    if job.input.len().is_none() {
        return whole(job, pick, out);
    }
    let (header, compression) = {
        let pages = Pages::open(job, &Pick { columns: None, ..pick.clone() })?;
        (pages.header().clone(), pages.compression)
    };
    match Ranges::of(job, &header, compression)? {
        Some(mut ranges) => match in_ranges(job, pick, &header, &mut ranges, out)? {
            Some(next) => whole(job, &Pick { pages: Some(next), ..pick.clone() }, out),
            None => Ok(()),
        },
        None => whole(job, pick, out),
    }
}

/// Page by page.
fn whole(job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()> {
    let mut pages = Pages::open(job, pick)?;
    let header = pages.header().clone();
    let order = pick.columns_of(&names(&header))?;
    let mut show = |page: &Page, number: u64| {
        out.begin(&head(&header, &order, &header, page, number))?;
        out.rows(&Table { page, order: &order })?;
        out.end()
    };
    loop {
        match pages.next() {
            Ok(Some(page)) => show(&page, pages.num_read().saturating_sub(1))?,
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

/// Range by range; the pages that must be read otherwise, because the first of them is damaged.
fn in_ranges(
    job: &mut Job<'_>,
    pick: &Pick,
    header: &Header,
    ranges: &mut Ranges,
    out: &mut dyn Tables,
) -> Result<Option<Span>> {
    let order = pick.columns_of(&names(header))?;
    let stepping = Pick { columns: None, rows: Span::ALL, pages: pick.pages };
    let mut pages = Pages::open(job, &stepping)?.stepping()?;
    loop {
        let page = match pages.next() {
            Ok(Some(page)) => page,
            Ok(None) => return Ok(None),
            Err(_) => {
                return Ok(Some(Span { from: pages.num_read(), to: pick.pages.and_then(|span| span.to) }));
            }
        };
        let number = pages.num_read().saturating_sub(1);
        out.begin(&head(pages.header(), &order, header, &page, number))?;
        let last = pick.rows.to.map_or(page.rows(), |to| to.min(page.rows()));
        let mut from = pick.rows.from;
        while from < last {
            let n = (last - from).min(ranges.rows_at_once());
            let rows = ranges.read(pages.offset(), page.rows(), from, n)?;
            out.rows(&Table { page: &rows, order: &order })?;
            from += n;
        }
        out.end()?;
    }
}

/// What stands above a table: the page is one of `header`, the columns are those of `columns`.
fn head(header: &Header, order: &[usize], columns: &Header, page: &Page, number: u64) -> Head {
    let mut notes = Vec::new();
    let named = |name: &str, units: Option<String>| match units {
        Some(units) if !units.is_empty() => format!("{name} [{units}]"),
        _ => name.to_owned(),
    };
    for p in &header.parameters {
        if let Some(value) = page.parameter(header, &p.name) {
            notes.push((
                named(&p.name, p.units.as_ref().map(|u| u.lossy().into_owned())),
                value::line(&value),
            ));
        }
    }
    for (a, value) in header.arrays.iter().zip(page.arrays()) {
        let name = named(&a.name, a.units.as_ref().map(|u| u.lossy().into_owned()));
        notes.push((name, value::array_line(value)));
    }
    let shown = order
        .iter()
        .filter_map(|i| columns.columns.get(*i))
        .map(|c| Column { name: c.name.clone(), is_number: !matches!(c.data_type, DataType::String) });
    Head { title: format!("page {number}"), notes, columns: shown.collect() }
}
