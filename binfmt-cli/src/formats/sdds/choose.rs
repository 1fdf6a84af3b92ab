//! The same file with some of its pages, rows and columns: parameters and arrays stay.

use super::elements;
use super::open::UNIT;
use super::options::Options;
use super::pages::Pages;
use super::write::Writer;
use crate::error::{Error, Result};
use crate::format::{Job, Kept, Selection, Tally};
use crate::output::Target;
use crate::pick::Pick;
use crate::span;
use crate::tabular::PAGE;
use binfmt::columns::{Column, ColumnData, Columns};
use binfmt::formats::sdds::{Elements, Header, Mode, Page};
use binfmt::table::{Batches, keys};
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
    let mut rows = PageRows::of(&rows, &mut header)?;
    let keeps_rows = has_rows && !header.columns.is_empty();
    let mut writer = Writer::new(header, options, out)?;
    let cover = kept.pages.map(span::Pages::cover);
    let none = Pick { columns: Some(Vec::new()), pages: cover, ..Pick::ALL };
    let mut number = cover.map_or(0, |pages| pages.from);
    let mut pages = Pages::open_again(options, job, &none, |_| true)?;
    while let Some(page) = pages.next()? {
        let (columns, count) = rows.of_page(number)?;
        let is_kept = kept.pages.is_none_or(|pages| pages.has(number));
        number += 1;
        // without columns rows are pages
        if !is_kept {
            continue;
        }
        if keeps_rows || count > 0 || !kept.selects_rows {
            let (parameters, arrays) = (page.parameters().to_vec(), page.arrays().to_vec());
            let page = Page::new(writer.header(), parameters, arrays, columns);
            writer.put(&page.map_err(|e| Error::data(e.kind()))?)?;
        }
    }
    writer.finish().map(|tally| Some(Tally { unit: UNIT, ..tally }))
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

/// The rows that are kept, page after page.
struct PageRows<'a> {
    rows: &'a Selection,
    batches: Batches,
    batch: Option<Columns>,
    at: usize,
    /// Which of the leaves have the values, and which has the number of the page.
    places: Vec<usize>,
    page: Option<usize>,
    none: Vec<Elements>,
}

impl<'a> PageRows<'a> {
    /// Leaves the columns in the header that are kept, under their new names.
    fn of(rows: &'a Selection, header: &mut Header) -> Result<Self> {
        let fields = &rows.table.schema().fields;
        let all: HashMap<&str, _> =
            header.columns.iter().map(|column| (column.name.as_str(), column)).collect();
        let (mut places, mut columns) = (Vec::new(), Vec::new());
        let mut page = None;
        for (place, leaf) in rows.leaves.iter().enumerate() {
            let Some(field) = fields.get(leaf.column) else { continue };
            match all.get(&*field.name) {
                _ if field.name == PAGE && field.get(keys::ADDED).is_some() => page = Some(place),
                Some(column) if !field.constant => {
                    let mut column = (*column).clone();
                    column.name.clone_from(&leaf.name);
                    columns.push(column);
                    places.push(place);
                }
                _ => {}
            }
        }
        header.columns = columns;
        let none = header.columns.iter().map(|column| Elements::empty(column.data_type)).collect();
        Ok(PageRows { rows, batches: rows.batches()?, batch: None, at: 0, places, page, none })
    }

    /// The rows of a page, and how many there are. Pages are asked for in their order.
    fn of_page(&mut self, number: u64) -> Result<(Vec<Elements>, usize)> {
        let (mut found, mut count) = (self.none.clone(), 0);
        loop {
            let num_rows = self.batch.as_ref().map_or(0, Columns::num_rows);
            if self.at >= num_rows {
                let Some(batch) = self.batches.next() else { return Ok((found, count)) };
                (self.batch, self.at) = (Some(batch.map_err(|e| self.rows.failure(&e))?), 0);
                continue;
            }
            let Some(batch) = &self.batch else { return Ok((found, count)) };
            let columns = self.rows.columns(batch);
            let pages =
                self.page.and_then(|place| columns.get(place)).and_then(|column| column.as_slice::<i64>());
            let is_of_page = |row: usize| {
                pages.and_then(|pages| pages.get(row)).is_none_or(|page| u64::try_from(*page) == Ok(number))
            };
            let end = (self.at..num_rows).find(|row| !is_of_page(*row)).unwrap_or(num_rows);
            let part = batch.slice(self.at..end);
            let columns = self.rows.columns(&part);
            for (all, place) in found.iter_mut().zip(&self.places) {
                append(all, columns.get(*place).map(|column| (*column).clone()))?;
            }
            count += end - self.at;
            self.at = end;
            if end < num_rows {
                return Ok((found, count));
            }
        }
    }
}

/// Adds values to others of the same type.
fn append(all: &mut Elements, more: Option<Column>) -> Result<()> {
    let more = more.map(Elements::try_from).transpose().map_err(|e| Error::data(e.kind()))?;
    match (all, more) {
        (Elements::Numbers(all), Some(Elements::Numbers(more))) => drop(all.append(&more)),
        (Elements::LongDouble(all), Some(Elements::LongDouble(more))) => all.extend(more),
        (Elements::String(all), Some(Elements::String(more))) => {
            (0..more.len()).filter_map(|i| more.get(i)).for_each(|text| all.push(text));
        }
        _ => {}
    }
    Ok(())
}
