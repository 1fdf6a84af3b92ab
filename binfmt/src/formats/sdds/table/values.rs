//! Values one by one, and columns as a whole.

use super::{Chosen, Table};
use crate::codec::Decode;
use crate::error::{Result, Step};
use crate::formats::sdds::header::Header;
use crate::formats::sdds::types::DataType;
use crate::formats::sdds::value::{Elements, push_string};
use crate::formats::sdds::x87::X87;
use crate::numbers::with_numbers;
use crate::wire::limits::checked;
use crate::wire::{Label, Order, Source};

/// Rows value by value: those whose bytes are named one by one.
pub(super) fn stepwise<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    header: &Header,
    rows: u64,
    chosen: &Chosen,
    table: &mut Table,
) -> Result<()> {
    let (before, wanted, _) = chosen.split(rows);
    let end = before.saturating_add(wanted);
    for row in 0..rows {
        let keep = row >= before && row < end;
        let index = usize::try_from(row).unwrap_or(usize::MAX);
        src.open(Label::Index(index), "row");
        let mut columns = table.columns.iter_mut();
        for (i, column) in header.columns.iter().enumerate() {
            src.open(Label::Field(&column.name), column.data_type.name());
            let kept = if chosen.keeps(i) { columns.next() } else { None };
            let done = match kept {
                Some(elements) if keep => push::<O, S>(src, elements),
                _ => step_over::<O, S>(src, column.data_type, 1),
            };
            done.map_err(|e| e.within(Step::Index(index)))?;
            src.close();
        }
        src.close();
    }
    Ok(())
}

/// The next value of a column.
#[inline]
fn push<'de, O: Order, S: Source<'de>>(src: &mut S, column: &mut Elements) -> Result<()> {
    src.charge(1)?;
    column.room(1, src.pos())?;
    match column {
        Elements::Numbers(numbers) => with_numbers!(numbers, v => v.push(Decode::decode::<O, S>(src, ())?)),
        Elements::LongDouble(v) => v.push(X87::decode::<O, S>(src, ())?),
        Elements::String(v) => return push_string::<O, S>(src, v),
    }
    Ok(())
}

/// Steps over n values.
pub(super) fn step_over<'de, O: Order, S: Source<'de>>(src: &mut S, kind: DataType, n: u64) -> Result<()> {
    if let Some(size) = kind.size() {
        return src.skip(n.saturating_mul(size as u64));
    }
    for _ in 0..n {
        let at = src.pos();
        let len = i32::decode::<O, S>(src, ())?;
        let len = checked(src, i128::from(len), (1, 1), u64::MAX, at)?;
        src.skip(len as u64)?;
    }
    Ok(())
}

/// Columns one after the other.
pub(super) fn column_major<'de, O: Order, S: Source<'de>>(
    src: &mut S,
    header: &Header,
    rows: u64,
    chosen: &Chosen,
    table: &mut Table,
) -> Result<()> {
    let (before, wanted, behind) = chosen.split(rows);
    let mut columns = table.columns.iter_mut();
    for (i, column) in header.columns.iter().enumerate() {
        let kind = column.data_type;
        src.open(Label::Field(&column.name), kind.name());
        let kept = if chosen.keeps(i) { columns.next() } else { None };
        let done = match kept {
            None => step_over::<O, S>(src, kind, rows),
            Some(elements) => step_over::<O, S>(src, kind, before)
                .and_then(|()| Elements::decode::<O, S>(src, (kind, wanted)))
                .and_then(|values| {
                    *elements = values;
                    step_over::<O, S>(src, kind, behind)
                }),
        };
        done.map_err(|e| e.within(Step::Name(column.name.clone())))?;
        src.close();
    }
    Ok(())
}
