//! Rows of any length: texts, bytes and lists.

use super::plain::vector;
use super::{Mask, column, masked, wrong};
use crate::error::{ours, uneven};
use crate::node::Node;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, OffsetSizeTrait, make_array};
use arrow_buffer::{Buffer, OffsetBuffer};
use arrow_data::transform::MutableArrayData;
use arrow_schema::DataType;
use binfmt::columns::{BytesColumn, Column, ListColumn};
use binfmt::{Error, Result, Step};
use std::ops::Range;
use std::sync::Arc;

/// Rows of any length, from all that Arrow has for them.
pub(super) fn bytes(array: ArrayRef, mask: Mask<'_>) -> Result<BytesColumn> {
    match array.data_type() {
        DataType::LargeUtf8 => {
            let (starts, bytes, _) = array.as_string::<i64>().clone().into_parts();
            drop(array);
            runs(starts, bytes, mask)
        }
        DataType::LargeBinary => {
            let (starts, bytes, _) = array.as_binary::<i64>().clone().into_parts();
            drop(array);
            runs(starts, bytes, mask)
        }
        DataType::Utf8 => {
            let (starts, bytes, _) = array.as_string::<i32>().clone().into_parts();
            drop(array);
            runs(starts, bytes, mask)
        }
        DataType::Binary => {
            let (starts, bytes, _) = array.as_binary::<i32>().clone().into_parts();
            drop(array);
            runs(starts, bytes, mask)
        }
        DataType::Utf8View => {
            let views = array.as_string_view();
            Ok(picked(array.len(), mask, |row| views.value(row).as_bytes()))
        }
        DataType::BinaryView => {
            let views = array.as_binary_view();
            Ok(picked(array.len(), mask, |row| views.value(row)))
        }
        _ => Err(wrong(&array, "texts or bytes")),
    }
}

fn picked<'a>(rows: usize, mask: Mask<'_>, row: impl Fn(usize) -> &'a [u8]) -> BytesColumn {
    let there = |row: usize| mask.is_none_or(|mask| mask.is_valid(row));
    (0..rows).map(|i| if there(i) { row(i) } else { &[] }).collect()
}

fn start<O: OffsetSizeTrait>(starts: &[O], row: usize) -> usize {
    starts.get(row).map_or(0, |start| start.as_usize())
}

/// Which items are those of each row, and which rows have some that are not there.
fn spans<O: OffsetSizeTrait>(starts: &[O], mask: Mask<'_>) -> (Range<usize>, bool) {
    let all = start(starts, 0)..start(starts, starts.len().saturating_sub(1));
    let blank = masked(mask).all(|row| start(starts, row) == start(starts, row.saturating_add(1)));
    (all, blank)
}

/// Offsets from 0 on, of rows that follow each other.
fn from_zero<O: OffsetSizeTrait>(starts: OffsetBuffer<O>, first: usize) -> Vec<usize> {
    if first == 0 && size_of::<O>() == size_of::<usize>() {
        let v = vector::<O>(starts.into_inner().into_inner());
        return v.into_iter().map(|start| start.as_usize()).collect();
    }
    starts.iter().map(|start| start.as_usize().saturating_sub(first)).collect()
}

fn runs<O: OffsetSizeTrait>(starts: OffsetBuffer<O>, bytes: Buffer, mask: Mask<'_>) -> Result<BytesColumn> {
    let (all, blank) = spans(&starts, mask);
    if !blank {
        let rows = starts.len().saturating_sub(1);
        let row =
            |row: usize| bytes.get(start(&starts, row)..start(&starts, row.saturating_add(1))).unwrap_or(&[]);
        return Ok(picked(rows, mask, row));
    }
    let bytes = match all.start {
        0 => {
            let mut v = vector::<u8>(bytes);
            v.truncate(all.end);
            v
        }
        _ => bytes.get(all.clone()).unwrap_or(&[]).to_vec(),
    };
    BytesColumn::from_parts(from_zero(starts, all.start), bytes).ok_or_else(|| uneven("texts"))
}

pub(super) fn latin1(v: &BytesColumn) -> Result<BytesColumn> {
    let mut all = BytesColumn::new();
    for (row, text) in v.iter().enumerate() {
        let wrong = |what: &str| Error::other(what.to_owned()).within(Step::Index(row));
        let text = std::str::from_utf8(text).map_err(|_| wrong("the text is not UTF-8"))?;
        let bytes = text
            .chars()
            .map(|char| u8::try_from(char).map_err(|_| wrong(&format!("{char:?} is not Latin-1"))));
        let bytes = bytes.collect::<Result<Vec<u8>>>()?;
        all.push(&bytes);
    }
    Ok(all)
}

pub(super) fn list(array: ArrayRef, items: &Node, mask: Mask<'_>) -> Result<ListColumn<Column>> {
    match array.data_type() {
        DataType::LargeList(_) => {
            let (_, starts, values, _) = array.as_list::<i64>().clone().into_parts();
            drop(array);
            lists(starts, values, items, mask)
        }
        DataType::List(_) => {
            let (_, starts, values, _) = array.as_list::<i32>().clone().into_parts();
            drop(array);
            lists(starts, values, items, mask)
        }
        DataType::Map(..) => {
            let (_, starts, values, _, _) = array.as_map().clone().into_parts();
            drop(array);
            lists(starts, Arc::new(values), items, mask)
        }
        _ => Err(wrong(&array, "lists")),
    }
}

fn lists<O: OffsetSizeTrait>(
    starts: OffsetBuffer<O>,
    values: ArrayRef,
    items: &Node,
    mask: Mask<'_>,
) -> Result<ListColumn<Column>> {
    let (all, blank) = spans(&starts, mask);
    let (starts, values) = if blank {
        let values = if all == (0..values.len()) { values } else { values.slice(all.start, all.len()) };
        (from_zero(starts, all.start), values)
    } else {
        let rows = starts.len().saturating_sub(1);
        let there = |row: &usize| mask.is_none_or(|mask| mask.is_valid(*row));
        let span = |row: usize| match there(&row) {
            true => start(&starts, row)..start(&starts, row.saturating_add(1)),
            false => 0..0,
        };
        let mut ends = vec![0usize];
        let mut end = 0usize;
        for row in 0..rows {
            end = end.saturating_add(span(row).len());
            ends.push(end);
        }
        (ends, taken(&values, (0..rows).map(span))?)
    };
    let column = column(values, items, None)?;
    ListColumn::from_parts(starts, column).ok_or_else(|| uneven("lists"))
}

/// Some rows of an array.
pub(super) fn taken(array: &ArrayRef, ranges: impl Iterator<Item = Range<usize>>) -> Result<ArrayRef> {
    let data = array.to_data();
    let mut some = MutableArrayData::new(vec![&data], false, 0);
    for rows in ranges.filter(|rows| !rows.is_empty()) {
        some.try_extend(0, rows.start, rows.end).map_err(ours)?;
    }
    Ok(make_array(some.freeze()))
}
