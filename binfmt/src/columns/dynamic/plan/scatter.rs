//! From columns to a block of rows, one column after the other.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "rows of columns in memory, and places in a block that has room for them"
)]

use super::super::column::{Column, ColumnRef};
use super::fill::{Missing, Places, is_missing};
use super::narrow;
use super::place::{At, Blank, Body, Check, Node, Tail};
use super::ranges::within;
use super::walk::Starts;
use crate::columns::{BytesColumn, ListColumn};
use crate::numbers::{Element, Numbers, with_numbers};
use crate::schema::Encoding;
use crate::wire::raw::stride;
use crate::wire::{Be, Endian, Le, Order};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// Some rows of columns, and the bytes that they become.
pub(super) struct Target<'t> {
    pub(super) bytes: &'t mut [u8],
    pub(super) places: Places<'t>,
    pub(super) rows: Range<usize>,
    pub(super) little: bool,
}

/// Memory that blocks need beside rows and columns. Whoever keeps it has it for the next rows; a copy has none.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(super) starts: Starts,
    /// Rows that are being written.
    pub(super) block: Vec<u8>,
    /// Room for columns that are being read.
    pub(super) columns: Vec<Column>,
    /// Room for references to columns that are being written: there is none in it.
    refs: Vec<ColumnRef<'static>>,
}

/// A block of more bytes is given back when its rows are written.
const KEPT: usize = 1 << 20;

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Scratch::default()
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scratch").finish_non_exhaustive()
    }
}

impl Scratch {
    /// An empty list for references to columns.
    #[cfg(feature = "sdds")]
    pub(crate) fn refs<'c>(&mut self) -> Vec<ColumnRef<'c>> {
        core::mem::take(&mut self.refs)
    }

    /// Keeps the memory of such a list.
    #[allow(clippy::unnecessary_filter_map, reason = "the list has another lifetime afterwards")]
    pub(super) fn keep(&mut self, mut refs: Vec<ColumnRef<'_>>) {
        refs.clear();
        // nothing of nothing, in the same memory
        self.refs = refs.into_iter().filter_map(|_| None).collect();
    }

    /// Gives back what only unusual rows need.
    pub(super) fn settle(&mut self) {
        if self.block.capacity() > KEPT {
            self.block = Vec::new();
        }
    }
}

/// The first `all` bytes of a block: what was there before if rows set every byte, else zeros. `None` if there is no memory.
fn room<'b>(block: &'b mut Vec<u8>, all: usize, body: &Body) -> Option<&'b mut [u8]> {
    if block.len() < all {
        block.try_reserve(all - block.len()).ok()?;
        block.resize(all, 0);
    }
    let bytes = block.get_mut(..all)?;
    if !body.dense {
        bytes.fill(0);
    }
    Some(bytes)
}

/// Puts rows at the beginning of the block; returns how many of them are beyond doubt, and how many bytes these take.
pub(super) fn scatter_rows(
    body: &Body,
    columns: &[ColumnRef<'_>],
    mut rows: Range<usize>,
    little: bool,
    scratch: &mut Scratch,
) -> (usize, usize) {
    let Scratch { starts, block, .. } = scratch;
    let wanted = rows.len();
    let texts = body.chain.as_ref().filter(|chain| chain.is_alone());
    let all = match (body.size, texts) {
        (Some(size), _) => size.checked_mul(wanted),
        (None, Some(texts)) => texts.measure(columns, &mut rows).filter(|_| starts.ready(body, rows.len())),
        (None, None) => starts.measure_rows(body, columns, rows.clone()),
    };
    let Some((all, bytes)) = all.and_then(|all| Some((all, room(block, all, body)?))) else {
        // a row by itself needs less
        return (0, 0);
    };
    let mut good = rows.len();
    if let Some(texts) = texts {
        good = texts.put(columns, rows.clone(), little, starts, bytes);
    }
    let places = body.size.map_or(Places::Starts(starts), Places::Strided);
    let mut target = Target { bytes, places, rows, little };
    for (node, column) in body.nodes.iter().zip(columns) {
        match (node, column) {
            // most columns of most rows, without the way through all the others
            (Node::Number { at, order }, ColumnRef::Numbers(numbers)) => {
                put_ordered(numbers, *at, *order, &mut target);
            }
            _ if texts.is_some() && node.is_tail() => {}
            _ => good = good.min(put(body, node, *column, &mut target, None)),
        }
    }
    if !body.checks.is_empty() {
        checks(body, &mut target);
    }
    let end = if good == target.rows.len() { all } else { target.places.start(0, good) };
    (good, end)
}

/// Writes what must be there.
pub(super) fn checks(body: &Body, target: &mut Target<'_>) {
    for check in &body.checks {
        let bytes = checks_of(check, target.little);
        target.each(check.at, bytes.len(), |_, room| room.copy_from_slice(bytes));
    }
}

/// The bytes that must be there in a byte order.
pub(super) fn checks_of(check: &Check, little: bool) -> &[u8] {
    let little = check.order.map_or(little, |order| order == Endian::Little);
    if little { &check.little } else { &check.big }
}

impl Target<'_> {
    /// The room for a value of `n` bytes in each row; the rows are counted from the first of these.
    fn each(&mut self, at: At, n: usize, mut put: impl FnMut(usize, &mut [u8])) {
        let end = at.offset + n;
        match self.places {
            Places::Strided(size) => {
                for (row, record) in self.bytes.chunks_exact_mut(size.max(1)).enumerate() {
                    if let Some(room) = record.get_mut(at.offset..end) {
                        put(row, room);
                    }
                }
            }
            Places::Starts(starts) => {
                for (row, places) in starts.rows(self.rows.len()).enumerate() {
                    let start = places[at.run];
                    if let Some(room) = self.bytes.get_mut(start + at.offset..start + end) {
                        put(row, room);
                    }
                }
            }
        }
    }

    /// The room at the tail of a run of `len` bytes, and the bytes before it.
    #[inline(always)]
    fn tail(&mut self, run: usize, len: usize, row: usize) -> Option<(&mut [u8], &mut [u8])> {
        let (start, end) = (self.places.start(run, row), self.places.start(run + 1, row));
        self.bytes.get_mut(start..end)?.split_at_mut_checked(len)
    }

    fn numbers<O: Order, T: Element>(&mut self, v: &[T], at: At) {
        let values = &v[self.rows.clone()];
        match self.places {
            Places::Strided(size) => stride::scatter::<O, T>(T::FACTS, values, self.bytes, (size, at.offset)),
            Places::Starts(starts) => {
                for (value, places) in values.iter().zip(starts.rows(values.len())) {
                    if let Some(room) = self.bytes.get_mut(places[at.run] + at.offset..) {
                        value.write::<O>(room);
                    }
                }
            }
        }
    }
}

/// Writes the values of one column; returns how many rows are beyond doubt. Of rows that are missing nothing is written.
pub(super) fn put(
    body: &Body,
    node: &Node,
    column: ColumnRef<'_>,
    target: &mut Target<'_>,
    missing: Option<Missing<'_>>,
) -> usize {
    let rows = target.rows.len();
    let first = target.rows.start;
    match (node, column) {
        (Node::Number { at, order }, ColumnRef::Numbers(numbers)) => {
            put_ordered(numbers, *at, *order, target);
            rows
        }
        (Node::Narrow { at, width, order }, ColumnRef::Numbers(numbers)) => {
            let little = order.map_or(target.little, |order| order == Endian::Little);
            let mut good = rows;
            target.each(*at, width.bytes.into(), |row, room| {
                let n = narrow::get(numbers, first + row);
                let written = n.is_some_and(|n| width.write(n, room, little));
                if !written && !is_missing(missing, row) {
                    good = good.min(row);
                }
            });
            good
        }
        (Node::Bool { at, .. }, ColumnRef::Numbers(Numbers::Bool(v))) => {
            target.each(*at, 1, |row, room| {
                let value = v.as_slice().get(first + row);
                room.fill(u8::from(value == Some(&true)));
            });
            rows
        }
        (Node::FixedBytes { at }, ColumnRef::FixedBytes { size, bytes, .. }) => {
            target.each(*at, size, |row, room| {
                let from = (first + row) * size;
                room.copy_from_slice(&bytes[from..from + size]);
            });
            rows
        }
        (Node::FixedText { at, size, nul, encoding }, ColumnRef::Text(v)) => {
            let mut good = rows;
            target.each(*at, *size, |row, room| {
                if is_missing(missing, row) {
                    return;
                }
                let text = &v.items()[v.span(first + row)];
                match room.get_mut(..text.len()) {
                    Some(room) if fits_fixed(text, *size, *nul, *encoding) => room.copy_from_slice(text),
                    _ => good = good.min(row),
                }
            });
            good
        }
        (Node::Array { at, item }, ColumnRef::Array { len, items, .. }) => {
            let mut good = rows;
            let Some(all) = item.size.map(|size| size * len) else { return 0 };
            let little = target.little;
            target.each(*at, all, |row, room| {
                let from = (first + row) * len;
                if !is_missing(missing, row) && !put_items(item, items, from..from + len, little, room) {
                    good = good.min(row);
                }
            });
            good
        }
        (Node::Text { run, encoding, .. }, ColumnRef::Text(v)) => {
            tails(body, *run, *encoding, v, target, missing)
        }
        (Node::Bytes { run, .. }, ColumnRef::Bytes(v)) => {
            tails(body, *run, Encoding::Any, v, target, missing)
        }
        (Node::List { run, item }, ColumnRef::List(v)) => lists(body, *run, item, v, target, missing),
        (Node::Nullable { at, missing: codes, blank, body: inner }, ColumnRef::Nullable(v)) => {
            let present = v.present();
            let all = &v.codes()[target.rows.clone()];
            target.numbers::<Le, u8>(v.codes(), *at);
            if all.iter().all(|code| *code == present) {
                return put(body, inner, v.values().borrowed(), target, None);
            }
            let known = |code: &&u8| **code == present || **code >= codes.0 && **code <= codes.1;
            let good = all.iter().take_while(known).count();
            let new = Missing { codes: all, present };
            let good = good.min(put(body, inner, v.values().borrowed(), target, Some(new)));
            if let Blank::Zeros(n) = blank {
                // whatever the column has there
                let body = At { offset: at.offset + 1, ..*at };
                target.each(body, *n, |row, room| {
                    if new.row(row) {
                        room.fill(0);
                    }
                });
            }
            good
        }
        (Node::Record { nodes }, ColumnRef::Record { fields, .. }) => {
            let each = nodes.iter().zip(fields);
            each.fold(rows, |good, (node, (_, column))| {
                good.min(put(body, node, column.borrowed(), target, missing))
            })
        }
        (Node::Ranged { ranges, body: inner }, column) => {
            let allowed = |row: &usize| is_missing(missing, *row) || within(ranges, column, first + *row);
            let allowed = (0..rows).take_while(allowed).count();
            allowed.min(put(body, inner, column, target, missing))
        }
        _ => 0,
    }
}

#[inline(always)]
fn put_ordered(numbers: &Numbers, at: At, order: Option<Endian>, target: &mut Target<'_>) {
    match order.map_or(target.little, |order| order == Endian::Little) {
        true => put_numbers::<Le>(numbers, at, target),
        false => put_numbers::<Be>(numbers, at, target),
    }
}

/// Apart from `put`, whose other loops would suffer from so many beside them.
#[inline(never)]
fn put_numbers<O: Order>(numbers: &Numbers, at: At, target: &mut Target<'_>) {
    with_numbers!(numbers, v => target.numbers::<O, _>(v, at));
}

/// Writes texts of any length, and their lengths.
fn tails(
    body: &Body,
    run: usize,
    encoding: Encoding,
    v: &BytesColumn,
    target: &mut Target<'_>,
    missing: Option<Missing<'_>>,
) -> usize {
    let Some(of) = body.runs.get(run) else { return 0 };
    let first = target.rows.start;
    let little = target.little;
    for row in 0..target.rows.len() {
        let gone = is_missing(missing, row);
        let text = if gone { &[][..] } else { &v.items()[v.span(first + row)] };
        let Some((front, room)) = target.tail(run, of.len, row) else { return row };
        let fits = match &of.tail {
            Tail::Items(prefix, _) => prefix.write(room.len(), front, little).is_some(),
            _ => !text.contains(&0),
        };
        // the room is as long as the text with its NUL, which is there already
        let Some(room) = room.get_mut(..text.len()) else { return row };
        if !fits || !is_encoded(text, encoding) {
            return row;
        }
        room.copy_from_slice(text);
    }
    target.rows.len()
}

/// Writes lists of any length of items of a fixed size, and their lengths.
fn lists(
    body: &Body,
    run: usize,
    item: &Body,
    v: &ListColumn<Column>,
    target: &mut Target<'_>,
    missing: Option<Missing<'_>>,
) -> usize {
    let Some(of) = body.runs.get(run) else { return 0 };
    let Tail::Items(prefix, _) = of.tail else { return 0 };
    let first = target.rows.start;
    let little = target.little;
    for row in 0..target.rows.len() {
        let gone = is_missing(missing, row);
        let range = if gone { 0..0 } else { v.span(first + row) };
        let Some((front, room)) = target.tail(run, of.len, row) else { return row };
        let n = range.len();
        if prefix.write(n, front, little).is_none()
            || n > 0 && !put_items(item, v.items(), range, little, room)
        {
            return row;
        }
    }
    target.rows.len()
}

/// Some items of a list into room for exactly that many; whether they are beyond doubt.
pub(super) fn put_items(
    item: &Body,
    items: &Column,
    rows: Range<usize>,
    little: bool,
    room: &mut [u8],
) -> bool {
    let (Some(node), Some(size)) = (item.nodes.first(), item.size) else { return false };
    let n = rows.len();
    let mut target = Target { bytes: room, places: Places::Strided(size), rows, little };
    let good = put(item, node, items.borrowed(), &mut target, None);
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
