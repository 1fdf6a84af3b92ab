//! Parts of a file: runs of rows of pages that may be wanted.

use super::file::SddsTable;
use super::index::{Index, PagePlace, scalar};
use crate::error::Result;
use crate::table::{Pruned, Scalar, Split, Wanted};
use crate::wire::amount::{inside, known, row_after};
use std::ops::Range;

/// Whether a page may have wanted rows, as its constants say.
pub(super) fn is_wanted(
    wanted: &Wanted,
    numbers: usize,
    page: usize,
    values: impl IntoIterator<Item = Option<Scalar>>,
) -> bool {
    let number = Scalar::from(page as i64);
    let fits = |column: usize, value: &Scalar| wanted.may_be(column, value, value);
    let mut values = values.into_iter().enumerate();
    (numbers == 0 || fits(0, &number))
        && values.all(|(i, value)| value.is_none_or(|value| fits(numbers + i, &value)))
}

/// Whether a page of the index may have wanted rows.
pub(super) fn is_page_wanted(wanted: &Wanted, numbers: usize, page: usize, place: &PagePlace) -> bool {
    wanted.ranges.is_empty() || is_wanted(wanted, numbers, page, place.parameters.iter().map(scalar))
}

/// The wanted rows of each page that has some, with its number.
fn wanted_pages<'a>(
    index: &'a Index,
    numbers: usize,
    wanted: &'a Wanted,
) -> impl Iterator<Item = (usize, Range<i64>)> + 'a {
    let rows = wanted.rows_of(Some(index.rows()));
    index.pages.iter().enumerate().filter_map(move |(number, page)| {
        let of_page = page.rows.start.max(rows.start)..page.rows.end.min(rows.end);
        (!of_page.is_empty() && is_page_wanted(wanted, numbers, number, page)).then_some((number, of_page))
    })
}

/// The pages with wanted rows, of all; `None` where the file was not looked through.
pub(super) fn pruned(table: &SddsTable, wanted: &Wanted) -> Option<Pruned> {
    let index = table.index()?;
    let all = index.pages.len() as u64;
    // what is in the last page is not known while it grows
    let open = index.open.map(|_| all);
    let pages = wanted_pages(index, table.numbers, wanted).map(|(page, _)| page as u64);
    Some(Pruned::new("pages", pages.chain(open), all + u64::from(open.is_some())))
}

/// Rows that come one after the other, from a page on.
struct Run {
    page: usize,
    rows: Range<i64>,
}

/// The runs of wanted rows, in order.
fn runs(index: &Index, numbers: usize, wanted: &Wanted) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (page, rows) in wanted_pages(index, numbers, wanted) {
        match runs.last_mut() {
            Some(run) if run.rows.end == rows.start => run.rows.end = rows.end,
            _ => runs.push(Run { page, rows }),
        }
    }
    runs
}

/// A part of these rows, which begin in this page or in one after it.
fn split(index: &Index, page: usize, rows: Range<i64>) -> Split {
    let later = inside(&index.pages, page..);
    let page = page + later.partition_point(|page| page.rows.end <= rows.start);
    let last = index.pages.partition_point(|page| page.rows.start < rows.end);
    let begin = |page: usize| index.pages.get(page).map(|page| (page.rows.start, page.offset));
    let end = begin(last).or(index.open.map(|(offset, _)| (0, offset)));
    let (first, offset) = known(begin(page));
    Split {
        part: page as u64,
        first,
        bytes: offset..end.map_or(u64::MAX, |(_, offset)| offset),
        ..Split::of_rows(rows)
    }
}

pub(super) fn of(table: &SddsTable, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
    let rows = wanted.rows_of(None);
    let all_in_one = parts <= 1 && rows.start == 0 && wanted.ranges.is_empty();
    let index = if all_in_one { table.index_in_front() } else { table.index() };
    let Some(index) = index else {
        // pages come one after the other
        let bytes = 0..table.storage.size(&table.path)?.unwrap_or(u64::MAX);
        let all = Split { rows, bytes, ..Split::default() };
        return Ok(if all.rows.is_empty() { Vec::new() } else { vec![all] });
    };
    let runs = runs(index, table.numbers, wanted);
    let all: i64 = runs.iter().map(|run| run.rows.end - run.rows.start).sum();
    let each = all.max(1).unsigned_abs().div_ceil(parts.max(1) as u64).max(1);
    let anywhere = table.stride().is_some();
    let mut splits = Vec::new();
    for Run { page, rows } in runs {
        let mut at = rows.start;
        while at < rows.end {
            let end = row_after(at, each).min(rows.end);
            let end = match anywhere {
                true => end,
                // where the page ends that has the last of them
                false => {
                    let last = index.pages.partition_point(|page| page.rows.end < end);
                    index.pages.get(last).map_or(rows.end, |page| page.rows.end.min(rows.end))
                }
            };
            splits.push(split(index, page, at..end));
            at = end;
        }
    }
    if let Some((offset, _)) = index.open {
        // its rows begin after those that are known
        let first = index.rows();
        let rows = rows.start.max(first)..rows.end;
        if !rows.is_empty() {
            let part = index.pages.len() as u64;
            splits.push(Split { part, first, rows, bytes: offset..u64::MAX, ..Split::default() });
        }
    }
    Ok(splits)
}
