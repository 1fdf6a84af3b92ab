//! Values as one table, where they are flat.

use super::table;
use crate::error::{Error, Result};
use crate::format::Job;
use crate::pick::Pick;
use crate::table::{Column, Head, Rows, Shown, Tables, show};
use crate::tabular;
use binfmt::columns::{self, ColumnData};
use binfmt::formats::futhark::{ElementType, Outline, outlines_from_reader_with};
use binfmt::storage::StorageReader;
use std::sync::Arc;

/// Writes scalars as one row, arrays of one dimension and the same length as columns, or one array of two dimensions as it
/// is.
pub(super) fn write(job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()> {
    let wanted = pick.cover();
    // a stream is read once, and from its place twice
    let (files, name) = tabular::place(job)?;
    let failure = |e: binfmt::Error| tabular::failure(&e);
    let reader = StorageReader::new(Arc::clone(&files), &name, 0..u64::MAX);
    let reader = reader.map_err(|e| failure(e.into()))?;
    let mut list = Vec::new();
    let options = job.limits.within(binfmt::Options::new());
    for (number, outline) in (0..).zip(outlines_from_reader_with(reader, &options)) {
        if wanted.to.is_some_and(|to| number >= to) {
            break;
        }
        let outline = outline.map_err(failure)?;
        if pick.has_page(number) {
            list.push(outline);
        }
        if list.len() > MAX_COLUMNS {
            return Err(too_wide(format_args!("more than {MAX_COLUMNS} values"))
                .tip("say --json, or choose among the values with --pages"));
        }
    }
    if list.is_empty() && pick.pages.is_some() {
        return Ok(());
    }
    let (rows, width) = shape(&list).ok_or_else(|| {
        Error::data("the values do not form a table: scalars do, arrays of the same length, and one array of two dimensions")
            .tip("choose among the values with --pages, or say --json")
    })?;
    if width > MAX_COLUMNS {
        return Err(too_wide(format_args!("{width} columns")).tip("say --json"));
    }
    let names: Vec<String> = (0..width).map(|i| i.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let chosen = pick.columns_of(&names)?;
    let is_number =
        |i: usize| list.get(i).or(list.first()).is_some_and(|o| o.element_type != ElementType::Bool);
    let column = |i: &usize| Column::new(i.to_string(), is_number(*i));
    out.begin(&Head { columns: chosen.iter().map(column).collect(), ..Head::default() })?;
    if rows > 0 && width > 0 {
        job.pages.clone_from(&pick.pages);
        let table = table::of(job, files, &name)?;
        for batch in table.batches(&pick.wanted_rows()).map_err(failure)? {
            let batch = batch.map_err(failure)?;
            let columns: Vec<&columns::Column> = batch.iter().map(|(_, column)| column).collect();
            out.rows(&Batch { columns, chosen: &chosen, rows: batch.num_rows() })?;
        }
    }
    out.end()
}

/// The most columns of a table: each takes memory, regardless of the number of rows.
const MAX_COLUMNS: usize = 1 << 18;

fn too_wide(what: std::fmt::Arguments<'_>) -> Error {
    Error::data(format_args!("{what}: a table has {MAX_COLUMNS} columns at most"))
}

/// Rows and columns of the table; `None` if the values do not form one. Without columns there are no rows: a dimension of an
/// array without elements may be any number.
fn shape(values: &[Outline]) -> Option<(u64, usize)> {
    let (first, rest) = values.split_first()?;
    match first.dims[..] {
        [_, 0] if rest.is_empty() => Some((0, 0)),
        [rows, columns] if rest.is_empty() => Some((rows, usize::try_from(columns).ok()?)),
        [rows] if rest.iter().all(|value| value.dims == [rows]) => Some((rows, values.len())),
        [] if rest.iter().all(|value| value.dims.is_empty()) => Some((1, values.len())),
        _ => None,
    }
}

/// Some rows: of columns, or of one array whose rows they are.
struct Batch<'a> {
    columns: Vec<&'a columns::Column>,
    chosen: &'a [usize],
    rows: usize,
}

impl Rows for Batch<'_> {
    fn num_rows(&self) -> usize {
        self.rows
    }

    fn show<'a>(&'a self, row: usize, column: usize, room: &'a mut Vec<u8>) -> Shown<'a> {
        let Some(column) = self.chosen.get(column).copied() else { return Shown::Missing(None) };
        let value = match self.columns[..] {
            [columns::Column::Array { len, items, .. }] => items.get(row * len + column),
            _ => self.columns.get(column).and_then(|column| column.get(row)),
        };
        value.map_or(Shown::Missing(None), |value| show(value, room))
    }
}
