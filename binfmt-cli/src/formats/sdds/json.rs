//! The JSON form of a file, written page by page.

use super::open::names;
use super::pages::Pages;
use crate::error::Result;
use crate::json::JsonWriter;
use crate::pick::Pick;
use crate::span::Span;
use binfmt::formats::sdds::{Header, PageStart};
use std::io::Write;

/// Writes the document.
pub(super) fn write(mut pages: Pages<'_>, pick: &Pick, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
    let header = pages.header().clone();
    let order = pick.columns_of(&names(&header))?;
    let mut chosen = header.clone();
    chosen.columns = order.iter().filter_map(|i| header.columns.get(*i).cloned()).collect();
    out.object()?;
    out.member("format", "sdds")?;
    out.members(&chosen)?;
    out.member_list("pages")?;
    let (mut num_pages, mut rows) = (0u64, 0u64);
    while let Some(start) = pages.begin()? {
        let start = pages.counted(start)?;
        let can_be_cut = pages.has_columns();
        let is_large = can_be_cut && pages.is_large(&start, false);
        let short = match can_be_cut && !is_large && pages.has_texts(&start) {
            true => Some(pages.short(&start)?),
            false => None,
        };
        let page = match short {
            Some(Some(rows)) => start.with_rows(rows),
            None if !is_large => pages.rest(start)?,
            _ => {
                large(&mut pages, &start, &header, &order, out)?;
                (num_pages, rows) = (num_pages + 1, rows.saturating_add(start.rows));
                out.flush()?;
                continue;
            }
        };
        out.item(&page.named(&header).columns(&order))?;
        let found = page.rows();
        (num_pages, rows) = (num_pages + 1, rows.saturating_add(found));
        out.flush()?;
    }
    out.end()?;
    if num_pages > 0 && rows == 0 && pick.rows != Span::ALL && !pick.rows.is_empty() {
        crate::report::remark(&format!("--rows {} chooses nothing that is there", pick.rows));
    }
    out.end()
}

/// Writes a page of which a block is in memory.
fn large(
    pages: &mut Pages<'_>,
    start: &PageStart,
    header: &Header,
    order: &[usize],
    out: &mut JsonWriter<&mut dyn Write>,
) -> Result<()> {
    let page = start.content.named(header);
    out.object()?;
    out.member("rows", &start.rows)?;
    out.member("parameters", &page.parameters())?;
    out.member("arrays", &page.arrays())?;
    out.member_object("columns")?;
    for i in order {
        out.member_values(header.columns.get(*i).map_or("", |column| &column.name))?;
        pages.column(*i, |values| out.items(values))?;
        out.end()?;
    }
    out.end()?;
    out.end()
}
