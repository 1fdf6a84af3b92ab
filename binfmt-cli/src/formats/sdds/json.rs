//! The JSON form of a file, written page by page.

use super::definition::Entry;
use super::open::{endian_name, names};
use super::pages::Pages;
use super::value::{Item, List, Shaped, Words, parameters};
use crate::error::Result;
use crate::json::JsonWriter;
use crate::pick::Pick;
use binfmt::formats::sdds::{Column, Header, Mode, Page, PageStart};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::io::Write;

/// Writes the document.
pub(super) fn write(mut pages: Pages<'_>, pick: &Pick, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
    let header = pages.header().clone();
    let order = pick.columns_of(&names(&header))?;
    let columns: Vec<&Column> = order.iter().filter_map(|i| header.columns.get(*i)).collect();
    out.object()?;
    out.member("format", "sdds")?;
    out.member("version", &header.version)?;
    out.member("mode", header.mode.name())?;
    let endian = match header.mode {
        Mode::Binary => Some(header.byte_order()),
        Mode::Ascii => header.endian,
    };
    out.member("byte_order", &endian.map(endian_name))?;
    out.member("column_major", &header.column_major)?;
    rarities(&header, out)?;
    out.member("description", &Description(&header))?;
    out.member("parameters", &header.parameters.iter().map(Entry::new).collect::<Vec<_>>())?;
    out.member("arrays", &header.arrays.iter().map(Entry::array).collect::<Vec<_>>())?;
    out.member("columns", &columns.iter().map(|c| Entry::new(*c)).collect::<Vec<_>>())?;
    out.member_list("pages")?;
    let (mut num_pages, mut rows) = (0u64, 0u64);
    while let Some(start) = pages.begin()? {
        let found = if pages.is_large(&start, false) && pages.has_columns() {
            large(&mut pages, &start, &header, &order, out)?;
            start.rows
        } else {
            let page = pages.rest(start)?;
            out.item(&OnePage { header: &header, page: &page, order: &order })?;
            page.rows()
        };
        (num_pages, rows) = (num_pages + 1, rows.saturating_add(found));
        out.flush()?;
    }
    out.end()?;
    if let Some(text) = pick.in_vain(num_pages, rows).filter(|_| num_pages > 0) {
        crate::report::remark(&text);
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
    let page = OnePage { header, page: &start.content, order };
    out.object()?;
    out.member("rows", &start.rows)?;
    out.member("parameters", &Parameters(&page))?;
    out.member("arrays", &Arrays(&page))?;
    out.member_object("columns")?;
    for i in order {
        out.member_values(header.columns.get(*i).map_or("", |column| &column.name))?;
        pages.column(*i, |values| {
            let mut items = (0..values.len()).map_while(|i| Item::of(values, i));
            items.try_for_each(|item| out.item(&item))
        })?;
        out.end()?;
    }
    out.end()?;
    out.end()
}

/// What a header says only where it is not as usual.
fn rarities(header: &Header, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
    for (name, on) in [("fixed_row_count", header.fixed_row_count), ("no_row_counts", header.no_row_counts)] {
        if on {
            out.member(name, &on)?;
        }
    }
    if header.lines_per_row != 1 {
        out.member("lines_per_row", &header.lines_per_row)?;
    }
    Ok(())
}

struct Description<'a>(&'a Header);

impl Serialize for Description<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("text", &self.0.text.as_ref().map(Words))?;
        map.serialize_entry("contents", &self.0.contents.as_ref().map(Words))?;
        map.end()
    }
}

struct OnePage<'a> {
    header: &'a Header,
    page: &'a Page,
    /// The places of the wanted columns.
    order: &'a [usize],
}

impl Serialize for OnePage<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("rows", &self.page.rows())?;
        map.serialize_entry("parameters", &Parameters(self))?;
        map.serialize_entry("arrays", &Arrays(self))?;
        map.serialize_entry("columns", &Columns(self))?;
        map.end()
    }
}

struct Parameters<'a>(&'a OnePage<'a>);

impl Serialize for Parameters<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let OnePage { header, page, .. } = self.0;
        let mut map = serializer.serialize_map(Some(header.parameters.len()))?;
        for (p, value) in parameters(header, page) {
            map.serialize_entry(&p.name, &Item::single(&value))?;
        }
        map.end()
    }
}

struct Arrays<'a>(&'a OnePage<'a>);

impl Serialize for Arrays<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let OnePage { header, page, .. } = self.0;
        serializer
            .collect_map(header.arrays.iter().zip(page.arrays()).map(|(a, value)| (&a.name, Shaped(value))))
    }
}

struct Columns<'a>(&'a OnePage<'a>);

impl Serialize for Columns<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let OnePage { header, page, order } = self.0;
        let column = |i: &usize| Some((&header.columns.get(*i)?.name, List(page.columns().get(*i)?)));
        serializer.collect_map(order.iter().filter_map(column))
    }
}
