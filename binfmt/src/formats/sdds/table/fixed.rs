//! Rows of one size.

use super::{Chosen, MOST_BLOCK, Table, is_end, reserve};
use crate::columns::gather::{BLOCK_ROWS, gather};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::formats::sdds::header::Header;
use crate::formats::sdds::value::Elements;
use crate::formats::sdds::x87::X87;
use crate::numbers::with_numbers;
use crate::wire::{Order, Source};

/// Rows of one size, a block at a time and a column at a time.
pub(super) fn fixed_rows<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    header: &Header,
    rows: u64,
    stride: usize,
    chosen: &Chosen,
    table: &mut Table,
) -> Result<()> {
    if table.columns.is_empty() {
        return step_over_rows(src, rows, stride);
    }
    let (before, mut wanted, behind) = chosen.split(rows);
    let all = src.expected().is_none_or(|left| rows <= (left / stride.max(1)) as u64);
    let mut charged = false;
    if let (true, Some(_), Ok(n)) = (all, src.expected(), usize::try_from(wanted)) {
        src.charge(n.saturating_mul(stride))?;
        charged = true;
        let huge_pages = src.policy().huge_pages;
        table.columns.iter_mut().for_each(|column| reserve(column, n, huge_pages));
    }
    skip_rows(src, before, stride)?;
    let mut block = (MOST_BLOCK / stride.max(1)).clamp(1, BLOCK_ROWS) as u64;
    while wanted > 0 {
        block = block.min(wanted);
        if !charged {
            src.charge(stride.saturating_mul(block as usize))?;
        }
        let at = src.pos();
        match src.take(stride.saturating_mul(block as usize)) {
            Ok(bytes) => {
                for column in &mut table.columns {
                    column.room(block as usize, at)?;
                }
                split_rows::<O>(bytes.bytes(), header, stride, chosen, table);
            }
            // the end is in this block: row by row up to it
            Err(e) if block > 1 && is_end(&e) => {
                block = 1;
                continue;
            }
            Err(e) => {
                let row = rows.saturating_sub(behind).saturating_sub(wanted);
                return Err(e.within(Step::Index(usize::try_from(row).unwrap_or(usize::MAX))));
            }
        }
        wanted = wanted.saturating_sub(block);
    }
    skip_rows(src, behind, stride)
}

/// Steps over all rows; an error is of the first that is not whole.
fn step_over_rows<'de, S: Source<'de>>(src: &mut S, rows: u64, stride: usize) -> Result<()> {
    let start = src.pos();
    skip_rows(src, rows, stride).map_err(|e| {
        let (left, in_region, at) = match (e.kind(), e.offset()) {
            (ErrorKind::UnexpectedEnd { remaining, .. }, Some(at)) => (*remaining, false, at),
            (ErrorKind::RegionEnd { remaining, .. }, Some(at)) => (*remaining, true, at),
            _ => return e,
        };
        let there = at.saturating_sub(start).saturating_add(left as u64);
        let row = there.checked_div(stride as u64).unwrap_or(0);
        let whole = row.saturating_mul(stride as u64);
        let part = usize::try_from(there.saturating_sub(whole)).unwrap_or(0);
        let e = Error::short(stride, part, start.saturating_add(whole), in_region);
        e.within(Step::Index(usize::try_from(row).unwrap_or(usize::MAX)))
    })
}

fn skip_rows<'de, S: Source<'de>>(src: &mut S, rows: u64, stride: usize) -> Result<()> {
    src.skip(rows.saturating_mul(stride as u64))
}

fn split_rows<O: Order>(block: &[u8], header: &Header, stride: usize, chosen: &Chosen, table: &mut Table) {
    let mut offset = 0usize;
    let mut columns = table.columns.iter_mut();
    for (i, kind) in header.column_types().enumerate() {
        if chosen.keeps(i) {
            match columns.next() {
                Some(Elements::Numbers(numbers)) => {
                    with_numbers!(numbers, v => gather::<O, _>(block, stride, offset, v));
                }
                Some(Elements::LongDouble(v)) => v.extend(
                    block
                        .chunks_exact(stride)
                        .map(|row| X87::get::<O>(row.get(offset..).unwrap_or_default())),
                ),
                Some(Elements::String(_)) | None => {}
            }
        }
        offset = offset.saturating_add(kind.min_size());
    }
}
