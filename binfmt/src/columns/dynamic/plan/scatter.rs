//! From columns to a block of rows of one size, one column after the other.

use super::super::column::Column;
use super::place::{At, Blank, Body, Check, Node};
use crate::columns::gather::{Number, scatter};
use crate::schema::Encoding;
use crate::wire::{Be, Endian, Le, Order};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// Some rows of columns, and the bytes that they become.
pub(super) struct Target<'t> {
    pub(super) bytes: &'t mut [u8],
    pub(super) size: usize,
    pub(super) rows: Range<usize>,
    pub(super) little: bool,
}

/// Appends rows to `out`; returns how many of them are beyond doubt, and appends no others.
pub(super) fn scatter_rows(
    body: &Body,
    size: usize,
    columns: &[(String, Column)],
    rows: Range<usize>,
    little: bool,
    out: &mut Vec<u8>,
) -> usize {
    let start = out.len();
    out.resize(start.saturating_add(size.saturating_mul(rows.len())), 0);
    let bytes = out.as_mut_slice().get_mut(start..).unwrap_or_default();
    let mut target = Target { bytes, size, rows, little };
    let mut good = target.rows.len();
    for (node, (_, column)) in body.nodes.iter().zip(columns) {
        good = good.min(put(node, column, &mut target));
    }
    checks(body, &mut target);
    out.truncate(start.saturating_add(size.saturating_mul(good)));
    good
}

/// Writes what must be there.
pub(super) fn checks(body: &Body, target: &mut Target<'_>) {
    for check in &body.checks {
        let bytes = checks_of(check, target.little);
        target.each(check.at.offset, bytes.len(), |_, room| room.copy_from_slice(bytes));
    }
}

/// The bytes that must be there in a byte order.
pub(super) fn checks_of(check: &Check, little: bool) -> &[u8] {
    let little = check.order.map_or(little, |order| order == Endian::Little);
    if little { &check.little } else { &check.big }
}

impl Target<'_> {
    /// The room for a value of `n` bytes in each row.
    fn each(&mut self, offset: usize, n: usize, mut put: impl FnMut(usize, &mut [u8])) {
        let end = offset.saturating_add(n);
        let rows = self.bytes.chunks_exact_mut(self.size.max(1));
        for (row, record) in self.rows.clone().zip(rows) {
            if let Some(room) = record.get_mut(offset..end) {
                put(row, room);
            }
        }
    }

    fn numbers<O: Order, T: Number>(&mut self, v: &[T], at: At) {
        let values = v.get(self.rows.clone()).unwrap_or(&[]);
        scatter::<O, T>(values, self.bytes, self.size, at.offset);
    }
}

/// Writes the values of one column, of a type of fixed size; returns how many rows are beyond doubt.
pub(super) fn put(node: &Node, column: &Column, target: &mut Target<'_>) -> usize {
    let rows = target.rows.len();
    let first = target.rows.start;
    match (node, column) {
        (Node::Number { at, order }, column) => {
            let little = order.map_or(target.little, |order| order == Endian::Little);
            if little {
                numbers::<Le>(column, *at, target)
            } else {
                numbers::<Be>(column, *at, target)
            }
            rows
        }
        (Node::Bool { at, .. }, Column::Bool(v)) => {
            target.each(at.offset, 1, |row, room| room.fill(u8::from(v.as_slice().get(row) == Some(&true))));
            rows
        }
        (Node::FixedBytes { at }, Column::FixedBytes { size, bytes, .. }) => {
            let all = bytes.as_slice();
            target.each(at.offset, *size, |row, room| {
                let from = row.saturating_mul(*size);
                room.copy_from_slice(all.get(from..from.saturating_add(*size)).unwrap_or(&[]));
            });
            rows
        }
        (Node::FixedText { at, size, nul, encoding }, Column::Text(v)) => {
            let mut good = rows;
            target.each(at.offset, *size, |row, room| {
                let text = v.get(row).unwrap_or(&[]);
                match room.get_mut(..text.len()) {
                    Some(room) if fits_fixed(text, *size, *nul, *encoding) => room.copy_from_slice(text),
                    _ => good = good.min(row.saturating_sub(first)),
                }
            });
            good
        }
        (Node::Array { at, item }, Column::Array { len, items, .. }) => {
            let mut good = rows;
            let all = item.size.unwrap_or(0).saturating_mul(*len);
            let little = target.little;
            target.each(at.offset, all, |row, room| {
                if !put_items(item, items, row.saturating_mul(*len), *len, little, room) {
                    good = good.min(row.saturating_sub(first));
                }
            });
            good
        }
        (Node::Nullable { at, missing, blank: Blank::Zeros(n), body }, Column::Nullable(v)) => {
            let present = v.present();
            let codes = v.codes();
            let good = put(body, v.values(), target);
            target.numbers::<Le, u8>(codes, *at);
            let codes = codes.get(target.rows.clone()).unwrap_or(&[]);
            if codes.iter().all(|code| *code == present) {
                return good;
            }
            missing_rows(good, codes, present, *missing, (at.offset, *n), target)
        }
        (Node::Record { nodes }, Column::Record { fields, .. }) => {
            let each = nodes.iter().zip(fields);
            each.fold(rows, |good, (node, (_, column))| good.min(put(node, column, target)))
        }
        _ => 0,
    }
}

fn numbers<O: Order>(column: &Column, at: At, target: &mut Target<'_>) {
    match column {
        Column::I8(v) => target.numbers::<O, _>(v, at),
        Column::I16(v) => target.numbers::<O, _>(v, at),
        Column::I32(v) => target.numbers::<O, _>(v, at),
        Column::I64(v) => target.numbers::<O, _>(v, at),
        Column::I128(v) => target.numbers::<O, _>(v, at),
        Column::U8(v) => target.numbers::<O, _>(v, at),
        Column::U16(v) | Column::F16(v) => target.numbers::<O, _>(v, at),
        Column::U32(v) => target.numbers::<O, _>(v, at),
        Column::U64(v) => target.numbers::<O, _>(v, at),
        Column::U128(v) => target.numbers::<O, _>(v, at),
        Column::F32(v) => target.numbers::<O, _>(v, at),
        Column::F64(v) => target.numbers::<O, _>(v, at),
        _ => {}
    }
}

/// Writes zeros where values are missing, whatever the column has there.
fn missing_rows(
    good: usize,
    codes: &[u8],
    present: u8,
    (low, high): (u8, u8),
    (offset, n): (usize, usize),
    target: &mut Target<'_>,
) -> usize {
    let first = target.rows.start;
    let is_missing = |row: usize| codes.get(row.saturating_sub(first)).is_some_and(|code| *code != present);
    target.each(offset.saturating_add(1), n, |row, room| {
        if is_missing(row) {
            room.fill(0);
        }
    });
    let known = |code: &&u8| **code == present || **code >= low && **code <= high;
    good.min(codes.iter().take_while(known).count())
}

/// Some items of a list into room for exactly so many; whether they are beyond doubt.
pub(super) fn put_items(
    item: &Body,
    items: &Column,
    first: usize,
    n: usize,
    little: bool,
    room: &mut [u8],
) -> bool {
    let (Some(node), Some(size)) = (item.nodes.first(), item.size) else { return false };
    let mut target = Target { bytes: room, size, rows: first..first.saturating_add(n), little };
    let good = put(node, items, &mut target);
    checks(item, &mut target);
    good == n
}

/// Whether text is all that stands in a field of a fixed size.
fn fits_fixed(text: &[u8], size: usize, nul: bool, encoding: Encoding) -> bool {
    let len = if nul { text.len() < size && !text.contains(&0) } else { text.len() == size };
    len && is_encoded(text, encoding)
}

/// Whether text is in its encoding, and the column's bytes are its bytes.
pub(super) fn is_encoded(text: &[u8], encoding: Encoding) -> bool {
    match encoding {
        Encoding::Any => true,
        Encoding::Utf8 => core::str::from_utf8(text).is_ok(),
        _ => text.is_ascii(),
    }
}
