//! What a file is: its header, and where its pages are.

use super::definition;
use super::options::Options;
use super::pages::Pages;
use crate::error::Result;
use crate::format::Job;
use crate::pick::Pick;
use crate::settings::Choice;
use crate::summary::{Listing, Summary};
use crate::units;
use crate::unpack;
use binfmt::formats::sdds::{Compression, Header, Mode};

/// That many pages are told of one by one: there may be millions of a few bytes.
const MOST_LISTED: usize = 10_000;

/// What is said of a page, and of one with arrays.
const PAGE: &[&str] = &["page", "offset", "bytes", "rows"];
const PAGE_OF_ARRAYS: &[&str] = &["page", "offset", "bytes", "rows", "elements"];

/// Tells it.
pub(super) fn inspect(options: &Options, job: &mut Job<'_>, title: &str) -> Result<Summary> {
    let size = job.input.stored();
    let mut pages = Pages::open(options, job, &Pick::ALL)?.stepping()?;
    let mut summary = Summary::default();
    summary.worded("format", "Format", "sdds", title.to_owned());
    let header = pages.file_header().clone();
    facts(&header, pages.compression, &mut summary);
    let header_bytes = pages.offset();
    let columns = if header.arrays.is_empty() { PAGE } else { PAGE_OF_ARRAYS };
    let (mut listed, mut count, mut rows, mut elements) = (Vec::new(), 0_u64, 0_u64, 0_u64);
    let damage = loop {
        let offset = pages.offset();
        match pages.step() {
            Ok(Some([of_page, of_arrays])) => {
                rows = rows.saturating_add(of_page);
                elements = elements.saturating_add(of_arrays);
                let bytes = pages.offset() - offset;
                if listed.len() < MOST_LISTED {
                    let all = [count, offset, bytes, of_page, of_arrays];
                    listed.push(all.into_iter().take(columns.len()).map(Into::into).collect::<Vec<_>>());
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
    if !header.arrays.is_empty() {
        let text = format!("{elements} in the longest array of each page");
        summary.worded("elements", "Elements", elements, text);
    }
    if let Some((stated, text)) = pages.stated_rows().zip(pages.unclosed()) {
        summary.fact("last_page_incomplete", "Last page incomplete", true);
        summary.worded("stated_rows", "Rows stated", stated, text);
    }
    let bytes = size.unwrap_or(pages.offset());
    summary.worded("bytes", "Size", bytes, units::bytes(bytes));
    if pages.compression != Compression::None {
        let unpacked = pages.offset();
        summary.worded("unpacked_bytes", "Decompressed", unpacked, units::bytes(unpacked));
    }
    summary.worded("header_bytes", "Header", header_bytes, units::bytes(header_bytes));
    for (key, title, columns, rows) in definition::tables(&header) {
        if !rows.is_empty() || key == "columns" {
            summary.table(key, Listing { title, columns, rows });
        }
    }
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
        let name = header.byte_order().word();
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
        let names: Vec<String> = header.dialect_names().into_iter().map(String::from).collect();
        let text = format!("CERN's: {}", names.join(", "));
        summary.worded("dialect", "Dialect", names, text);
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
