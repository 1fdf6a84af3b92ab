//! Rows of numbers alone, put together in memory that is not set: no value of them can be in doubt, and no byte is left over.

use super::super::column::ColumnRef;
use super::place::{Body, Node};
use crate::numbers::{Element, Numbers, with_numbers};
use crate::wire::raw::records::RecordsMut;
use crate::wire::{Be, Endian, Le, Order};
use alloc::vec::Vec;
use core::ops::Range;

/// Whether rows consist of numbers alone.
pub(super) fn is_numbers(body: &Body) -> bool {
    let is_number = |node: &Node| matches!(node, Node::Number { .. });
    body.size.is_some() && body.dense && body.checks.is_empty() && body.nodes.iter().all(is_number)
}

/// Appends rows of numbers alone; `false` if there is no memory for them.
pub(super) fn append(
    body: &Body,
    columns: &[ColumnRef<'_>],
    rows: Range<usize>,
    little: bool,
    out: &mut Vec<u8>,
) -> bool {
    let records = body.size.and_then(|size| RecordsMut::after(out, rows.len(), size));
    let Some(mut records) = records else { return false };
    let all = body.nodes.iter().zip(columns).all(|(node, column)| match (node, column) {
        (Node::Number { order, .. }, ColumnRef::Numbers(numbers)) => {
            match order.map_or(little, |order| order == Endian::Little) {
                true => put::<Le>(numbers, rows.clone(), &mut records),
                false => put::<Be>(numbers, rows.clone(), &mut records),
            }
        }
        _ => false,
    });
    all && records.finish()
}

/// Apart from `append`, for the sake of its size.
#[inline(never)]
fn put<O: Order>(numbers: &Numbers, rows: Range<usize>, records: &mut RecordsMut<'_>) -> bool {
    fn some<O: Order, T: Element>(v: &[T], rows: Range<usize>, records: &mut RecordsMut<'_>) -> bool {
        v.get(rows).is_some_and(|v| records.put_numbers::<O, T>(T::FACTS, v))
    }
    with_numbers!(numbers, v => some::<O, _>(v, rows, records))
}
