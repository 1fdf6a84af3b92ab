//! The same file with some of its pages, rows and columns: parameters and arrays stay.

use super::blocks::{LARGE, row_bytes};
use super::elements;
use super::open::UNIT;
use super::options::Options;
use super::page_rows::PageRows;
use super::pages::Pages;
use super::write::Writer;
use crate::error::{Error, Result};
use crate::format::{Job, Kept, Selection, Tally};
use crate::output::Target;
use crate::pick::Pick;
use binfmt::formats::sdds::{Elements, Header, Mode, Page};
use std::collections::HashMap;

/// Writes it; `None` where values become those of other types, or rows are elements of arrays: a table has these.
pub(super) fn rewrite(
    options: &Options,
    job: &mut Job<'_>,
    kept: &Kept<'_>,
    out: &Target,
) -> Result<Option<Tally>> {
    if kept.changes_types {
        return Ok(None);
    }
    let mut header = Pages::open_again(options, job, &Pick::ALL, |_| true)?.header().clone();
    let has_rows = !header.columns.is_empty();
    let (of_arrays, of_rows): (Vec<String>, Vec<String>) =
        kept.rename.iter().cloned().partition(|pair| is_of(pair, &header));
    let rows = (kept.rows)(job, of_rows)?;
    if elements::asked(kept.columns, rows.table.schema())?.is_some() {
        return Ok(None);
    }
    if !has_rows && !header.arrays.is_empty() && kept.selects_rows {
        return Err(Error::usage("an array stays whole: --rows, --where and --sample choose rows")
            .tip("--columns NAME makes columns of arrays, whose elements are rows"));
    }
    rename(&mut header, &rows, &of_arrays)?;
    header.no_row_counts = false;
    if header.mode == Mode::Binary {
        header.endian = Some(header.byte_order());
    }
    let Some(mut rows) = PageRows::of(&rows, &mut header)? else { return Ok(None) };
    let keeps_rows = has_rows && !header.columns.is_empty();
    let mut writer = Writer::new(header, options, out)?;
    let none = Pick { columns: Some(Vec::new()), pages: kept.pages.cloned(), ..Pick::ALL };
    let mut pages = Pages::open_again(options, job, &none, |_| true)?.in_blocks()?;
    while let Some(start) = pages.begin()? {
        let number = pages.number();
        let count = rows.count(number);
        // without columns rows are pages
        let is_kept = keeps_rows || count > 0 || !kept.selects_rows;
        if is_kept {
            put(&mut writer, &start.content, &mut rows, number)?;
        }
        // the next page begins after these rows
        while pages.block()?.is_some() {}
    }
    writer.finish().map(|tally| Some(Tally { unit: UNIT, ..tally }))
}

/// Writes what is kept of a page: rows in blocks, and columns so if they are large.
fn put(writer: &mut Writer, page: &Page, rows: &mut PageRows<'_>, number: u64) -> Result<()> {
    let of = |writer: &Writer, columns: Vec<Elements>| {
        let (parameters, arrays) = (page.parameters().to_vec(), page.arrays().to_vec());
        Page::new(writer.header(), parameters, arrays, columns).map_err(|e| Error::data(e.kind()))
    };
    let count = rows.count(number);
    let is_small = count.saturating_mul(row_bytes(writer.header())) <= LARGE;
    if writer.header().columns.is_empty() || (writer.header().is_column_major() && is_small) {
        let page = of(writer, rows.whole(number)?)?;
        return writer.put(&page);
    }
    let start = of(writer, rows.none())?;
    writer.begin(&start, count)?;
    match writer.header().is_column_major() {
        true => {
            for column in 0..writer.header().columns.len() {
                rows.column(column, number, |values| writer.values(values))?;
            }
        }
        false => {
            while let Some(block) = rows.block(number)? {
                let block = of(writer, block)?;
                writer.rows(&block)?;
            }
        }
    }
    writer.end();
    Ok(())
}

/// Whether a new name is that of an array.
fn is_of(pair: &str, header: &Header) -> bool {
    let old = pair.split_once('=').map_or(pair, |(old, _)| old);
    header.arrays.iter().any(|array| array.name == old)
        && header.columns.iter().all(|column| column.name != old)
}

/// Gives parameters and arrays their new names.
fn rename(header: &mut Header, rows: &Selection, of_arrays: &[String]) -> Result<()> {
    let fields = &rows.table.schema().fields;
    let plain = |name: &str| name.strip_prefix("parameter:").unwrap_or(name).to_owned();
    let renamed =
        rows.leaves.iter().filter_map(|leaf| Some((plain(&fields.get(leaf.column)?.name), &leaf.name)));
    let new: HashMap<String, &String> = renamed.collect();
    for parameter in &mut header.parameters {
        if let Some(name) = new.get(&parameter.name) {
            parameter.name = plain(name);
        }
    }
    for (old, name) in of_arrays.iter().filter_map(|pair| pair.split_once('=')) {
        header
            .arrays
            .iter_mut()
            .filter(|array| array.name == old)
            .for_each(|array| name.clone_into(&mut array.name));
    }
    Ok(())
}
