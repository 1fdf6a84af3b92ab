//! Pages as tables, below their parameters and arrays.

use super::chosen::{self, Chosen, PageTable};
use super::options::Options;
use super::pages::Pages;
use super::value;
use crate::error::Result;
use crate::format::Job;
use crate::pick::Pick;
use crate::table::{Head, Tables};
use binfmt::formats::sdds::{Header, Page, Text};
use binfmt::table::TimeUnit;

/// Writes the wanted pages, block by block.
pub(super) fn write(options: &Options, job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()> {
    let mut pages = Pages::open_again(options, job, pick, Header::is_column_major)?.in_blocks()?;
    let header = pages.header().clone();
    let order = chosen::of(pick, &header)?;
    chosen::left_out(pick, &header).into_iter().for_each(|what| out.leaves_out(what));
    let times: Vec<Option<TimeUnit>> =
        chosen::heads(&order, &header).iter().map(|column| column.time).collect();
    let mut is_any = false;
    while let Some(start) = pages.begin()? {
        let mut block = pages.block();
        // of a page that is damaged there are the whole rows before the damage
        if let Err(damage) = block {
            return Err(damage.error);
        }
        let (content, number) = (&start.content, pages.number());
        is_any = true;
        out.begin(&head(&header, &order, content, number, has_notes(options, out)))?;
        let constants = chosen::constants(&order, &header, content, number);
        loop {
            match block {
                Ok(Some(page)) => {
                    out.rows(&PageTable {
                        page: &page,
                        order: &order,
                        times: &times,
                        constants: &constants,
                    })?;
                }
                Ok(None) => break,
                Err(damage) => return out.end().and(Err(damage.error)),
            }
            block = pages.block();
        }
        out.end()?;
    }
    if is_any {
        return Ok(());
    }
    out.none(&Head { columns: chosen::heads(&order, &header), ..Head::default() })
}

/// Whether parameters and arrays stand above the columns.
fn has_notes(options: &Options, out: &dyn Tables) -> bool {
    out.has_notes() && !options.no_parameters.is_given()
}

/// What stands above a table.
fn head(header: &Header, order: &[Chosen], page: &Page, number: u64, has_notes: bool) -> Head {
    let notes = if has_notes { notes(header, page) } else { Vec::new() };
    Head { title: format!("page {number}"), notes, columns: chosen::heads(order, header) }
}

/// Parameters and arrays.
fn notes(header: &Header, page: &Page) -> Vec<(String, String)> {
    let named = |name: &str, units: &Option<Text>| match units {
        Some(units) if !units.as_bytes().is_empty() => format!("{name} [{}]", units.lossy()),
        _ => name.to_owned(),
    };
    let parameters = page.named_parameters(header).map(|(p, value)| {
        (named(&p.name, &p.units), value::line(&value, value::time(p.data_type, &p.units)))
    });
    let arrays = header.arrays.iter().zip(page.arrays());
    let arrays = arrays.map(|(a, value)| {
        (named(&a.name, &a.units), value::array_line(value, value::time(a.data_type, &a.units)))
    });
    parameters.chain(arrays).collect()
}
