//! What a file is: its header, and where its pages are.

use super::open::{Pages, endian_name};
use crate::error::Result;
use crate::format::{Job, Pick};
use crate::summary::{Listing, Summary};
use crate::units;
use crate::unpack;
use binfmt::formats::sdds::{Compression, Header, Mode, Text};
use serde_json::Value as Json;

/// So many pages are told of one by one: there may be millions of a few bytes.
const MOST_LISTED: usize = 10_000;

/// Tells it.
pub(super) fn inspect(job: &mut Job<'_>, title: &str) -> Result<Summary> {
    let size = job.input.stored();
    let mut pages = Pages::open(job, &Pick::ALL)?.stepping()?;
    let mut summary = Summary::default();
    summary.worded("format", "Format", "sdds", title.to_owned());
    let header = pages.file_header().clone();
    facts(&header, pages.compression, &mut summary);
    let header_bytes = pages.offset();
    let (mut listed, mut count, mut rows) = (Vec::new(), 0_u64, 0_u64);
    let damage = loop {
        let offset = pages.offset();
        match pages.next() {
            Ok(Some(page)) => {
                rows = rows.saturating_add(page.rows());
                let bytes = pages.offset().saturating_sub(offset);
                if listed.len() < MOST_LISTED {
                    listed.push(vec![count.into(), offset.into(), bytes.into(), page.rows().into()]);
                }
                count += 1;
            }
            Ok(None) => break None,
            Err(e) => break Some(e.error),
        }
    };
    summary.fact("pages", "Pages", count);
    let num_listed = listed.len() as u64;
    summary.fact("rows", "Rows", rows);
    if let Some(stated) = pages.stated_rows() {
        summary.fact("last_page_incomplete", "Last page incomplete", true);
        let text = pages.unclosed().unwrap_or_default();
        summary.worded("stated_rows", "Rows stated", stated, text);
    }
    let bytes = size.unwrap_or(pages.offset());
    summary.worded("bytes", "Size", bytes, units::bytes(bytes));
    if pages.compression != Compression::None {
        let unpacked = pages.offset();
        summary.worded("unpacked_bytes", "Decompressed", unpacked, units::bytes(unpacked));
    }
    summary.worded("header_bytes", "Header", header_bytes, units::bytes(header_bytes));
    definitions(&header, &mut summary);
    let columns = &["page", "offset", "bytes", "rows"];
    summary.table("page_list", Listing { title: "Pages", columns, rows: listed });
    if num_listed < count {
        summary.worded("listed", "Listed", num_listed, format!("the first {num_listed} pages"));
    }
    summary.damage = damage;
    Ok(summary)
}

fn facts(header: &Header, compression: Compression, summary: &mut Summary) {
    summary.fact("version", "Version", header.version);
    summary.fact("mode", "Mode", header.mode.name());
    if header.mode == Mode::Binary {
        let name = endian_name(header.byte_order());
        let how = if header.endian.is_some() { "" } else { " (assumed: the header declares none)" };
        summary.worded("byte_order", "Byte order", name, format!("{name}-endian{how}"));
        let order = if header.column_major { "column-major" } else { "row-major" };
        summary.worded("column_major", "Order", header.column_major, order.to_owned());
    }
    if let Some(packed) = unpack::name(compression) {
        summary.fact("compression", "Compression", packed);
    }
    if let Some(text) = &header.text {
        summary.fact("text", "Description", text.lossy());
    }
    if let Some(contents) = &header.contents {
        summary.fact("contents", "Contents", contents.lossy());
    }
    if !header.dialect.is_empty() {
        let text = format!("CERN's: {}", header.dialect.join(", "));
        summary.worded("dialect", "Dialect", header.dialect.clone(), text);
    }
    if header.fixed_row_count {
        summary.fact("fixed_row_count", "Fixed row count", true);
    }
    if header.no_row_counts {
        summary.fact("no_row_counts", "Without row counts", true);
    }
    if header.lines_per_row != 1 {
        summary.fact("lines_per_row", "Lines per row", header.lines_per_row);
    }
}

fn text(text: &Option<Text>) -> Json {
    text.as_ref().map_or(Json::Null, |text| text.lossy().into())
}

fn definitions(header: &Header, summary: &mut Summary) {
    let rows = header.parameters.iter().map(|p| {
        let texts = [&p.units, &p.symbol, &p.description, &p.format_string, &p.fixed_value];
        row(&p.name, p.data_type.name(), None, &texts)
    });
    let rows: Vec<_> = rows.collect();
    if !rows.is_empty() {
        let columns = &["name", "type", "units", "symbol", "description", "format_string", "fixed_value"];
        summary.table("parameters", Listing { title: "Parameters", columns, rows });
    }
    let rows = header.arrays.iter().map(|a| {
        let texts = [&a.units, &a.symbol, &a.description, &a.format_string, &a.group_name];
        row(&a.name, a.data_type.name(), Some(a.dimensions), &texts)
    });
    let rows: Vec<_> = rows.collect();
    if !rows.is_empty() {
        let columns =
            &["name", "type", "dimensions", "units", "symbol", "description", "format_string", "group_name"];
        summary.table("arrays", Listing { title: "Arrays", columns, rows });
    }
    let rows = header.columns.iter().map(|c| {
        let texts = [&c.units, &c.symbol, &c.description, &c.format_string];
        row(&c.name, c.data_type.name(), None, &texts)
    });
    let columns = &["name", "type", "units", "symbol", "description", "format_string"];
    summary.table("columns", Listing { title: "Columns", columns, rows: rows.collect() });
}

fn row(name: &str, kind: &str, dimensions: Option<u32>, texts: &[&Option<Text>]) -> Vec<Json> {
    let front = [Json::from(name), Json::from(kind)];
    let dimensions = dimensions.map(Json::from);
    front.into_iter().chain(dimensions).chain(texts.iter().map(|t| text(t))).collect()
}
