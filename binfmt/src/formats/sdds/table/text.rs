//! Rows with strings.

use super::texts::{at_hand, foresee, push_text, text_at};
use super::values::step_over;
use super::{Chosen, Table, reserve};
use crate::error::{Error, Result, Step};
use crate::formats::sdds::header::Header;
use crate::formats::sdds::types::DataType;
use crate::formats::sdds::value::{Elements, push_string};
use crate::formats::sdds::x87::X87;
use crate::numbers::{Element, with_numbers};
use crate::wire::raw::bulk::{NoMemory, try_room};
use crate::wire::{Order, Source};
use alloc::vec::Vec;
use core::ops::Range;

/// What stands side by side in a row that has strings.
enum Run {
    /// Values of fixed size: how many bytes, and where in them each column that is kept has its value.
    Fixed { size: usize, values: Vec<(usize, usize)> },
    /// A string, and its column if that is kept.
    Text(Option<usize>),
}

fn runs(header: &Header, chosen: &Chosen) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut kept = 0usize;
    for (i, kind) in header.column_types().enumerate() {
        let column = chosen.keeps(i).then_some(kept);
        kept = kept.saturating_add(usize::from(column.is_some()));
        match (kind.size(), runs.last_mut()) {
            (None, _) => runs.push(Run::Text(column)),
            (Some(bytes), Some(Run::Fixed { size, values })) => {
                values.extend(column.map(|column| (*size, column)));
                *size = size.saturating_add(bytes);
            }
            (Some(size), _) => {
                runs.push(Run::Fixed {
                    size,
                    values: column.map(|column| (0, column)).into_iter().collect(),
                });
            }
        }
    }
    runs
}

/// Rows with strings: what stands between two of them is looked for once.
///
/// Rows that stand in memory together are found first, then taken apart column by column; what is left, a row at the
/// edge of a block or a damaged one, is read value by value.
pub(super) fn text_rows<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    header: &Header,
    rows: u64,
    chosen: &Chosen,
    table: &mut Table,
) -> Result<()> {
    let (before, wanted, _) = chosen.split(rows);
    let end = before.saturating_add(wanted);
    let runs = runs(header, chosen);
    let least = header.column_types().fold(0usize, |n, kind| n.saturating_add(kind.min_size()));
    let (mut room, huge_pages) = (false, src.policy().huge_pages);
    if let (Some(left), Ok(n)) = (src.expected(), usize::try_from(wanted))
        && rows <= (left / least.max(1)) as u64
    {
        src.charge(n.saturating_mul(least))?;
        table.columns.iter_mut().for_each(|column| reserve(column, n, huge_pages));
        room = true;
    }
    let mut places = Vec::new();
    let mut row = 0u64;
    while row < rows {
        let at = src.pos();
        let piece = at_hand(src)?;
        let most = usize::try_from(rows.saturating_sub(row)).unwrap_or(usize::MAX);
        let size = find_rows::<O>(piece, &runs, most, &mut places);
        let found = places.len().checked_div(runs.len()).unwrap_or(0);
        if found == 0 {
            one_row::<O, S>(src, &runs, row >= before && row < end, table)
                .map_err(|e| Error::within(e, Step::Index(usize::try_from(row).unwrap_or(usize::MAX))))?;
            row = row.saturating_add(1);
            continue;
        }
        let kept = kept_of(row, found, before..end);
        take_apart::<O>(piece, &runs, &places, kept, table).map_err(|e| e.at(at))?;
        src.charge(size)?;
        src.skip(size as u64)?;
        row = row.saturating_add(found as u64);
        if core::mem::take(&mut room) {
            let missing = usize::try_from(end.saturating_sub(row)).unwrap_or(0);
            let most = src.expected().unwrap_or(0);
            for column in &mut table.columns {
                if let Elements::String(v) = column {
                    foresee(v, missing, most, huge_pages);
                }
            }
        }
    }
    Ok(())
}

/// Which of `found` rows from `row` on are within `wanted`.
fn kept_of(row: u64, found: usize, wanted: Range<u64>) -> Range<usize> {
    let place = |limit: u64| usize::try_from(limit.saturating_sub(row)).unwrap_or(usize::MAX).min(found);
    place(wanted.start)..place(wanted.end)
}

/// Where each run of each row begins, of the rows that are whole; how many bytes they take.
fn find_rows<O: Order>(bytes: &[u8], runs: &[Run], most: usize, places: &mut Vec<usize>) -> usize {
    places.clear();
    let (mut whole, mut size) = (0usize, 0usize);
    'rows: for _ in 0..most {
        let mut at = size;
        if try_room(places, runs.len()).is_err() {
            // as many rows as there is room for, or one by itself
            break;
        }
        for run in runs {
            places.push(at);
            let next = match run {
                Run::Fixed { size, .. } => at.checked_add(*size).filter(|next| *next <= bytes.len()),
                Run::Text(_) => text_at::<O>(bytes, at).map(|(_, next)| next),
            };
            match next {
                Some(next) => at = next,
                None => break 'rows,
            }
        }
        (whole, size) = (places.len(), at);
    }
    places.truncate(whole);
    size
}

/// Appends the rows of `kept` to their columns.
fn take_apart<O: Order>(
    bytes: &[u8],
    runs: &[Run],
    places: &[usize],
    kept: Range<usize>,
    table: &mut Table,
) -> Result<(), NoMemory> {
    let width = runs.len();
    let first = kept.start.saturating_mul(width);
    let places = places.get(first..kept.end.saturating_mul(width)).unwrap_or_default();
    for (i, run) in runs.iter().enumerate() {
        let places = places.iter().skip(i).step_by(width).copied();
        match run {
            Run::Fixed { values, .. } => {
                for (offset, column) in values {
                    if let Some(column) = table.columns.get_mut(*column) {
                        let places = places.clone().map(|at| at.saturating_add(*offset));
                        extend_at::<O>(bytes, places, kept.len(), column)?;
                    }
                }
            }
            Run::Text(Some(column)) => {
                if let Some(Elements::String(v)) = table.columns.get_mut(*column) {
                    try_room(v.parts_mut().0, kept.len())?;
                    for at in places {
                        push_text(bytes, text_at::<O>(bytes, at).unwrap_or_default(), v)?;
                    }
                }
            }
            Run::Text(None) => {}
        }
    }
    Ok(())
}

/// A row, value by value.
fn one_row<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    runs: &[Run],
    keep: bool,
    table: &mut Table,
) -> Result<()> {
    for run in runs {
        match run {
            Run::Fixed { size, values } => {
                let at = src.pos();
                let bytes = src.take(*size)?;
                for (offset, column) in values.iter().filter(|_| keep) {
                    if let Some(column) = table.columns.get_mut(*column) {
                        extend_at::<O>(bytes.bytes(), [*offset].into_iter(), 1, column)
                            .map_err(|e| e.at(at))?;
                    }
                }
            }
            Run::Text(column) => match column.and_then(|column| table.columns.get_mut(column)) {
                Some(Elements::String(v)) if keep => push_string::<O, S>(src, v)?,
                _ => step_over::<O, S>(src, DataType::String, 1)?,
            },
        }
    }
    Ok(())
}

/// The values at these places, which have been found to be there.
#[inline]
fn extend_at<O: Order>(
    bytes: &[u8],
    places: impl Iterator<Item = usize>,
    n: usize,
    column: &mut Elements,
) -> Result<(), NoMemory> {
    #[inline(always)]
    fn numbers<O: Order, T: Element>(
        bytes: &[u8],
        places: impl Iterator<Item = usize>,
        n: usize,
        v: &mut Vec<T>,
    ) -> Result<(), NoMemory> {
        try_room(v, n)?;
        v.extend(places.map(|at| T::read::<O>(bytes.get(at..).unwrap_or_default())));
        Ok(())
    }
    match column {
        Elements::Numbers(found) => with_numbers!(found, v => numbers::<O, _>(bytes, places, n, v)),
        Elements::LongDouble(v) => {
            try_room(v, n)?;
            v.extend(places.map(|at| X87::get::<O>(bytes.get(at..).unwrap_or_default())));
            Ok(())
        }
        Elements::String(_) => Ok(()),
    }
}
