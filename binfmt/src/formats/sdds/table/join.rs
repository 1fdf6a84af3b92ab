//! Columns, written in both orders.

use super::{MOST_BLOCK, Table};
use crate::codec::Encode;
use crate::columns::gather::{BLOCK_ROWS, scatter};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::formats::sdds::header::Header;
use crate::formats::sdds::value::{Elements, mismatch, put_string};
use crate::numbers::with_numbers;
use crate::wire::{Order, Sink};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

pub(in crate::formats::sdds) fn encode<O: Order, W: Sink>(
    table: &Table,
    out: &mut W,
    header: &Header,
    rows: u64,
) -> Result<()> {
    for (expected, found) in [(header.columns.len() as u64, table.columns.len() as u64), (rows, table.rows)] {
        if expected != found {
            return Err(Error::new(
                ErrorKind::LengthMismatch { expected: i128::from(expected), found },
                out.pos(),
            ));
        }
    }
    for (i, (kind, values)) in header.column_types().zip(&table.columns).enumerate() {
        if values.data_type() != Some(kind) {
            return Err(mismatch("Elements", values.data_type(), out.pos()).within(Step::Index(i)));
        }
        if values.len() as u64 != rows {
            let kind = ErrorKind::LengthMismatch { expected: i128::from(rows), found: values.len() as u64 };
            return Err(Error::new(kind, out.pos()).within(Step::Index(i)));
        }
    }
    if header.column_major {
        for (kind, values) in header.column_types().zip(&table.columns) {
            values.encode::<O, W>(out, (kind, rows))?;
        }
        return Ok(());
    }
    let columns: Vec<&Elements> = table.columns.iter().collect();
    put_rows::<O, W>(&columns, 0..usize::try_from(rows).unwrap_or(usize::MAX), out)
}

/// Rows of columns, in their order.
pub(in crate::formats::sdds) fn put_rows<O: Order, W: Sink>(
    columns: &[&Elements],
    rows: Range<usize>,
    out: &mut W,
) -> Result<()> {
    let mut sizes = columns.iter().map(|values| values.size());
    let stride = sizes.try_fold(0usize, |n, size| Some(n.saturating_add(size?)));
    if columns.is_empty() {
        return Ok(());
    }
    let Some(stride) = stride else {
        return rows
            .into_iter()
            .try_for_each(|row| columns.iter().try_for_each(|values| put::<O, W>(values, row, out)));
    };
    let step = (MOST_BLOCK / stride.max(1)).clamp(1, BLOCK_ROWS).min(rows.len());
    let mut block = vec![0; step.saturating_mul(stride)];
    for from in rows.clone().step_by(step.max(1)) {
        let n = step.min(rows.end.saturating_sub(from));
        block.truncate(n.saturating_mul(stride));
        let mut offset = 0usize;
        for values in columns {
            join_rows::<O>(values, from, &mut block, stride, offset);
            offset = offset.saturating_add(values.size().unwrap_or(0));
        }
        out.bytes(&block, 0)?;
    }
    Ok(())
}

fn join_rows<O: Order>(values: &Elements, from: usize, block: &mut [u8], stride: usize, offset: usize) {
    match values {
        Elements::Numbers(numbers) => {
            with_numbers!(numbers, v => scatter::<O, _>(v.get(from..).unwrap_or_default(), block, stride, offset))
        }
        Elements::LongDouble(v) => {
            for (x, row) in v.get(from..).unwrap_or_default().iter().zip(block.chunks_exact_mut(stride)) {
                x.put::<O>(row.get_mut(offset..).unwrap_or_default());
            }
        }
        Elements::String(_) => {}
    }
}

/// One value.
#[inline]
fn put<O: Order, W: Sink>(values: &Elements, row: usize, out: &mut W) -> Result<()> {
    match values {
        Elements::Numbers(numbers) => {
            with_numbers!(numbers, v => v.get(row).map_or(Ok(()), |x| x.encode::<O, W>(out, ())))
        }
        Elements::LongDouble(v) => v.get(row).map_or(Ok(()), |x| x.encode::<O, W>(out, ())),
        Elements::String(v) => v.get(row).map_or(Ok(()), |text| put_string::<O, W>(text, out)),
    }
}
