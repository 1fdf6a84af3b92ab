//! The rows that are kept of a file, page after page.

use crate::error::{Error, Result};
use crate::format::Selection;
use crate::tabular::PAGE;
use binfmt::columns::{Column, ColumnData, Columns};
use binfmt::formats::sdds::{Elements, Header};
use binfmt::table::{Batches, Fit, Leaf, keys};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The rows, and where each page has its own.
pub(super) struct PageRows<'a> {
    rows: &'a Selection,
    batches: Batches,
    batch: Option<Columns>,
    at: usize,
    /// Which of the leaves have the values, and which has the number of the page.
    places: Vec<usize>,
    page: usize,
    /// The first row of each page, and how many it has.
    counts: BTreeMap<u64, (u64, u64)>,
    none: Vec<Elements>,
}

impl<'a> PageRows<'a> {
    /// Leaves the columns in the header that are kept, under their new names. `None` if the pages have no numbers.
    pub(super) fn of(rows: &'a Selection, header: &mut Header) -> Result<Option<Self>> {
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
        let Some(page) = page else { return Ok(None) };
        header.columns = columns;
        let none = header.columns.iter().map(|column| Elements::empty(column.data_type)).collect();
        let counts = counts(rows, page)?;
        let batches = rows.batches()?;
        Ok(Some(PageRows { rows, batches, batch: None, at: 0, places, page, counts, none }))
    }

    /// How many rows a page has.
    pub(super) fn count(&self, number: u64) -> u64 {
        self.counts.get(&number).map_or(0, |(_, count)| *count)
    }

    /// The columns without rows.
    pub(super) fn none(&self) -> Vec<Elements> {
        self.none.clone()
    }

    /// All rows of a page. Pages are asked for in their order.
    pub(super) fn whole(&mut self, number: u64) -> Result<Vec<Elements>> {
        let mut all = self.none();
        while let Some(block) = self.block(number)? {
            all.iter_mut().zip(block).for_each(|(all, more)| append(all, more));
        }
        Ok(all)
    }

    /// The next rows of a page. Pages are asked for in their order.
    pub(super) fn block(&mut self, number: u64) -> Result<Option<Vec<Elements>>> {
        loop {
            let num_rows = self.batch.as_ref().map_or(0, Columns::num_rows);
            let Some(batch) = self.batch.as_ref().filter(|_| self.at < num_rows) else {
                let Some(batch) = self.batches.next() else { return Ok(None) };
                (self.batch, self.at) = (Some(batch.map_err(|e| self.rows.failure(&e))?), 0);
                continue;
            };
            let columns = self.rows.columns(batch);
            let pages =
                columns.get(self.page).and_then(|column| column.as_slice::<i64>()).unwrap_or_default();
            let page = |row: usize| pages.get(row).and_then(|page| u64::try_from(*page).ok());
            // rows of pages that were not asked for go by
            let start = (self.at..num_rows).find(|row| page(*row) >= Some(number)).unwrap_or(num_rows);
            let end = (start..num_rows).find(|row| page(*row) != Some(number)).unwrap_or(num_rows);
            self.at = end;
            if start < end {
                let part = batch.slice(start..end);
                let columns = self.rows.columns(&part);
                let values = self.places.iter().filter_map(|place| columns.get(*place));
                return values.map(|column| elements(column)).collect::<Result<_>>().map(Some);
            }
            if end < num_rows {
                return Ok(None);
            }
        }
    }

    /// The values of a column in a page, block by block.
    pub(super) fn column(
        &self,
        column: usize,
        number: u64,
        mut take: impl FnMut(&Elements) -> Result<()>,
    ) -> Result<()> {
        let Some((first, count)) = self.counts.get(&number) else { return Ok(()) };
        let leaf = self.places.get(column).and_then(|place| self.rows.leaves.get(*place));
        let Some(leaf) = leaf else { return Ok(()) };
        only(self.rows, leaf, Some((*first, *count))).each(|columns, _| match columns.first() {
            Some(column) => take(&elements(column)?),
            None => Ok(()),
        })
    }
}

/// One column of the rows: of these, counted from the first of all, and how many.
fn only(rows: &Selection, leaf: &Leaf, some: Option<(u64, u64)>) -> Selection {
    let at = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    let begin = rows.wanted.rows.as_ref().map_or(0, |rows| rows.start);
    let wanted = match some {
        Some((first, count)) => {
            let first = begin.saturating_add(at(first));
            rows.wanted.clone().rows(first..first.saturating_add(at(count)))
        }
        None => rows.wanted.clone(),
    };
    Selection {
        table: Arc::clone(&rows.table),
        leaves: vec![leaf.clone()],
        wanted,
        is_chosen: true,
        files: rows.files.clone(),
        skip: rows.skip,
        told: rows.told,
    }
}

/// The first row of each page, and how many it has.
pub(super) fn counts(rows: &Selection, page: usize) -> Result<BTreeMap<u64, (u64, u64)>> {
    let mut found: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
    let Some(leaf) = rows.leaves.get(page) else { return Ok(found) };
    let mut next = 0;
    only(rows, leaf, None).each(|columns, _| {
        for page in columns.first().and_then(|column| column.as_slice::<i64>()).unwrap_or_default() {
            let of_page = found.entry(u64::try_from(*page).unwrap_or_default()).or_insert((next, 0));
            of_page.1 += 1;
            next += 1;
        }
        Ok(())
    })?;
    Ok(found)
}

fn elements(column: &Column) -> Result<Elements> {
    let found = match column {
        // times of numbers that may be none
        Column::Nullable(values) => Fit::convert(column, &values.values().column_type()),
        column => Ok(column.clone()),
    };
    found.and_then(Elements::try_from).map_err(|e| Error::data(e.kind()))
}

/// Adds values to others of the same type.
fn append(all: &mut Elements, more: Elements) {
    match (all, more) {
        (Elements::Numbers(all), Elements::Numbers(more)) => drop(all.append(&more)),
        (Elements::LongDouble(all), Elements::LongDouble(more)) => all.extend(more),
        (Elements::String(all), Elements::String(more)) => {
            (0..more.len()).filter_map(|i| more.get(i)).for_each(|text| all.push(text));
        }
        _ => {}
    }
}
