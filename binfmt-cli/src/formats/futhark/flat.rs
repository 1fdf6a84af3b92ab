//! Values as one table, where they are flat.

use super::values::Values;
use crate::error::{Error, Result};
use crate::format::Job;
use crate::pick::Pick;
use crate::span::Span;
use crate::table::{Column, Head, Rows, Shown, Tables, show};
use binfmt::formats::futhark::{ElementType, Value};

/// Writes scalars as one row, arrays of one dimension and the same length as columns, or one array of two dimensions as it
/// is.
pub(super) fn write(job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()> {
    let mut values = Values::open(job, pick.pages.unwrap_or(Span::ALL))?;
    let mut list = Vec::new();
    while let Some((_, value)) = values.next()? {
        if list.len() == MAX_COLUMNS {
            return Err(too_wide(format_args!("more than {MAX_COLUMNS} values"))
                .tip("say --json, or choose among the values with --pages"));
        }
        list.push(value);
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
    let is_number = |i: usize| {
        let value = list.get(i).or(list.first());
        value.is_some_and(|value| value.element_type() != ElementType::Bool)
    };
    let column = |i: &usize| Column::new(i.to_string(), is_number(*i));
    out.begin(&Head { columns: chosen.iter().map(column).collect(), ..Head::default() })?;
    let from = usize::try_from(pick.rows.from).unwrap_or(usize::MAX).min(rows);
    let rows = usize::try_from(pick.rows.count_of(rows as u64)).unwrap_or(usize::MAX);
    out.rows(&Table { values: &list, chosen, width, from, rows })?;
    out.end()
}

/// The most columns of a table: each takes memory, regardless of the number of rows.
const MAX_COLUMNS: usize = 1 << 18;

fn too_wide(what: std::fmt::Arguments<'_>) -> Error {
    Error::data(format_args!("{what}: a table has {MAX_COLUMNS} columns at most"))
}

/// Rows and columns of the table; `None` if the values do not form one. Without columns there are no rows: a dimension of an
/// array without elements may be any number.
fn shape(values: &[Value]) -> Option<(usize, usize)> {
    let (first, rest) = values.split_first()?;
    let size = |n: &u64| usize::try_from(*n).ok();
    match first.dims() {
        [_, 0] if rest.is_empty() => Some((0, 0)),
        [rows, columns] if rest.is_empty() => Some((size(rows)?, size(columns)?)),
        [rows] if rest.iter().all(|value| value.dims() == [*rows]) => Some((size(rows)?, values.len())),
        [] if rest.iter().all(|value| value.dims().is_empty()) => Some((1, values.len())),
        _ => None,
    }
}

struct Table<'a> {
    values: &'a [Value],
    chosen: Vec<usize>,
    width: usize,
    from: usize,
    rows: usize,
}

impl Rows for Table<'_> {
    fn num_rows(&self) -> usize {
        self.rows
    }

    fn show<'a>(&'a self, row: usize, column: usize, room: &'a mut Vec<u8>) -> Shown<'a> {
        let row = row + self.from;
        let Some(column) = self.chosen.get(column).copied() else { return Shown::Missing(None) };
        let shown = match self.values {
            [value] if value.dims().len() == 2 => element(value, row * self.width + column, room),
            values => values.get(column).and_then(|value| element(value, row, room)),
        };
        shown.unwrap_or(Shown::Missing(None))
    }
}

/// The element at a place.
fn element<'a>(value: &'a Value, at: usize, room: &'a mut Vec<u8>) -> Option<Shown<'a>> {
    Some(show(value.elements().get(at)?.into(), room))
}
