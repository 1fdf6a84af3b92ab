//! From a block of rows to columns, one column after the other. A column says how many rows are beyond doubt; the block ends there.
#![allow(clippy::arithmetic_side_effects, reason = "places and sizes in rows that are in memory")]

use super::super::column::Column;
use super::narrow;
use super::place::{At, Blank, Body, Node, Tail};
use super::ranges::within;
use super::walk::Starts;
use crate::columns::data::{BlankRows, ColumnData};
use crate::columns::{BytesColumn, ListColumn};
use crate::numbers::{Element, Numbers, with_numbers};
use crate::schema::Encoding;
use crate::wire::options::Policy;
use crate::wire::raw::short::append_front;
use crate::wire::raw::stride;
use crate::wire::{Be, Endian, Le, Order};
use alloc::vec::Vec;

/// Rows in memory, and where they begin.
#[derive(Clone, Copy)]
pub(super) struct Block<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) rows: usize,
    pub(super) places: Places<'b>,
    pub(super) little: bool,
    pub(super) policy: Policy,
}

/// Where the rows of a block begin.
#[derive(Clone, Copy)]
pub(super) enum Places<'b> {
    /// One after the other, of that many bytes each; the first at the beginning.
    Strided(usize),
    /// Each run of each where this says.
    Starts(&'b Starts),
}

/// The rows of which a presence byte says that they are missing.
#[derive(Clone, Copy)]
pub(super) struct Missing<'c> {
    pub(super) codes: &'c [u8],
    pub(super) present: u8,
}

impl Missing<'_> {
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> bool {
        self.codes.get(row).is_some_and(|code| *code != self.present)
    }
}

#[inline(always)]
pub(super) fn is_missing(missing: Option<Missing<'_>>, row: usize) -> bool {
    missing.is_some_and(|missing| missing.row(row))
}

impl Places<'_> {
    /// Where a run of a row begins.
    #[inline(always)]
    pub(super) fn start(&self, run: usize, row: usize) -> usize {
        match self {
            Places::Strided(size) => row * size,
            Places::Starts(starts) => starts.start(run, row),
        }
    }
}

/// The bytes from a place on: none of a missing value that would be after the last.
#[inline(always)]
fn rest(bytes: &[u8], at: usize) -> &[u8] {
    &bytes[at.min(bytes.len())..]
}

impl<'b> Block<'b> {
    fn little(&self, order: Option<Endian>) -> bool {
        order.map_or(self.little, |order| order == Endian::Little)
    }

    /// The bytes from a place on.
    #[inline(always)]
    fn from(&self, at: At, row: usize) -> &'b [u8] {
        rest(self.bytes, self.places.start(at.run, row) + at.offset)
    }

    /// `n` bytes from a place on, or as many as there are.
    fn up_to(&self, n: usize, at: At, row: usize) -> &'b [u8] {
        let rest = self.from(at, row);
        &rest[..n.min(rest.len())]
    }

    /// The tails of a run of `len` bytes: for each row the bytes from there on, and how many belong to it.
    #[inline(always)]
    fn tails(&self, run: usize, len: usize) -> impl Iterator<Item = (&'b [u8], usize)> + use<'b> {
        let rows = match self.places {
            // rows of one size have no tails
            Places::Strided(_) => [].chunks_exact(1),
            Places::Starts(starts) => starts.rows(self.rows),
        };
        let (bytes, next) = (self.bytes, run + 1);
        rows.map(move |places| {
            let (Some(start), Some(end)) = (places.get(run), places.get(next)) else { return (&[][..], 0) };
            let start = start + len;
            // the runs of a missing value begin where it ends, all of them
            (rest(bytes, start), start.max(*end) - start)
        })
    }

    /// What stands at the tail of a run of `len` bytes.
    #[inline(always)]
    fn tail(&self, run: usize, len: usize, row: usize) -> &'b [u8] {
        let (start, end) = (self.places.start(run, row) + len, self.places.start(run + 1, row));
        // the runs of a missing value begin where it ends, all of them
        &self.bytes[start.min(end)..end]
    }

    /// Adds numbers; `false` if there is no memory.
    #[must_use]
    #[inline(always)]
    fn numbers<O: Order, T: Element>(&self, at: At, v: &mut Vec<T>) -> bool {
        match self.places {
            Places::Strided(stride) => {
                stride::gather::<O, T>(T::FACTS, self.bytes, (stride, at.offset), self.rows, v).is_ok()
            }
            Places::Starts(starts) => {
                let bytes = |places: &[usize]| rest(self.bytes, places[at.run] + at.offset);
                // whoever found where the rows begin has made room
                v.extend(starts.rows(self.rows).map(|places| T::read::<O>(bytes(places))));
                true
            }
        }
    }
}

/// Adds the rows of a block to the columns; returns how many of them are beyond doubt. The columns may hold more.
pub(super) fn fill_rows(body: &Body, columns: &mut [Column], picks: &[usize], block: &Block<'_>) -> usize {
    let mut good = block.rows;
    for check in body.checks.iter().filter(|check| check.strict) {
        let expected = if block.little(check.order) { &check.little } else { &check.big };
        let same = |row: &usize| block.from(check.at, *row).starts_with(expected);
        good = good.min((0..good).take_while(same).count());
    }
    for (column, pick) in columns.iter_mut().zip(picks) {
        match (body.nodes.get(*pick), column) {
            (Some(Node::Number { at, order }), Column::Numbers(v)) => {
                good = good.min(numbers(v, *at, *order, block));
            }
            (Some(node), column) => good = good.min(fill(body, node, column, block, None)),
            (None, _) => {}
        }
    }
    good
}

/// Adds the values of one column.
fn fill(
    body: &Body,
    node: &Node,
    column: &mut Column,
    block: &Block<'_>,
    missing: Option<Missing<'_>>,
) -> usize {
    match (node, column) {
        (Node::Number { at, order }, Column::Numbers(v)) => numbers(v, *at, *order, block),
        (Node::Narrow { at, width, order }, Column::Numbers(numbers)) => {
            if !numbers.room(block.rows) {
                return 0;
            }
            let little = block.little(*order);
            narrow::extend(numbers, (0..block.rows).map(|row| width.read(block.from(*at, row), little)));
            block.rows
        }
        (Node::Bool { at, lax }, Column::Numbers(Numbers::Bool(v))) => bools(v, *at, *lax, block, missing),
        (Node::FixedBytes { at }, Column::FixedBytes { size, rows, bytes }) => {
            *rows += block.rows;
            for row in 0..block.rows {
                bytes.extend_from_slice(block.up_to(*size, *at, row));
            }
            // of a missing value without a body there are none
            bytes.resize(*rows * *size, 0);
            block.rows
        }
        (Node::FixedText { at, size, nul, encoding }, Column::Text(v)) => {
            let text = |row: usize| {
                let rest = block.from(*at, row);
                let text = fixed_text(rest.get(..*size)?, *nul, block.policy.optional_nul)?;
                Some((rest, text.len()))
            };
            texts(v, *encoding, block.rows, missing, (0..block.rows).map(text))
        }
        (Node::Text { run, nul, encoding, .. }, Column::Text(v)) => {
            let len = body.runs.get(*run).map_or(0, |run| run.len);
            let (nul, optional) = (*nul, block.policy.optional_nul);
            let tails = block.tails(*run, len);
            match nul {
                true => {
                    let tails = tails.map(|tail| without_nul(tail, optional));
                    texts(v, *encoding, block.rows, missing, tails)
                }
                false => texts(v, *encoding, block.rows, missing, tails.map(Some)),
            }
        }
        (Node::Bytes { run, terminated }, Column::Bytes(v)) => {
            let len = body.runs.get(*run).map_or(0, |run| run.len);
            let tails = block.tails(*run, len);
            match terminated {
                true => {
                    let tails = tails.map(|tail| without_nul(tail, false));
                    texts(v, Encoding::Any, block.rows, missing, tails)
                }
                false => texts(v, Encoding::Any, block.rows, missing, tails.map(Some)),
            }
        }
        (Node::List { run, item }, Column::List(v)) => {
            let len = body.runs.get(*run).map_or(0, |run| run.len);
            lists(v, item, block, missing, |row| block.tail(*run, len, row))
        }
        (Node::Array { at, item }, Column::Array { len, rows, items }) => {
            let Some(all) = item.size.map(|size| size * *len) else { return 0 };
            *rows += block.rows;
            arrays(items, *len, item, block, missing, |row| block.up_to(all, *at, row))
        }
        (Node::Nullable { at, missing: codes, blank, body: inner }, Column::Nullable(v)) => {
            let present = v.present();
            let (all, values) = v.parts_mut();
            let start = all.len();
            let outer = missing;
            let good = presence(all, present, *codes, *at, block, outer);
            let new = Missing { codes: &all[start..], present };
            let any = new.codes.iter().any(|code| *code != present);
            let good = if any { good.min(blanks(body, *blank, *at, block, outer, new)) } else { good };
            let values_start = values.len();
            let good = good.min(fill(body, inner, values, block, any.then_some(new)));
            if any {
                values.blank_where(values_start, new.codes, present);
            }
            good
        }
        (Node::Record { nodes }, Column::Record { rows, fields }) => {
            *rows += block.rows;
            let each = nodes.iter().zip(fields);
            each.fold(block.rows, |good, (node, (_, column))| {
                good.min(fill(body, node, column, block, missing))
            })
        }
        (Node::Ranged { ranges, body: inner }, column) => {
            let start = column.len();
            let good = fill(body, inner, column, block, missing);
            (0..good)
                .take_while(|row| {
                    is_missing(missing, *row) || within(ranges, column.borrowed(), start + *row)
                })
                .count()
        }
        // made of the same type, so never
        _ => 0,
    }
}

/// Adds numbers; returns how many.
#[inline]
fn numbers(v: &mut Numbers, at: At, order: Option<Endian>, block: &Block<'_>) -> usize {
    let done = match block.little(order) {
        true => fill_numbers::<Le>(v, at, block),
        false => fill_numbers::<Be>(v, at, block),
    };
    if done { block.rows } else { 0 }
}

/// Apart from `fill`, whose other loops would suffer from so many beside them.
#[inline(never)]
fn fill_numbers<O: Order>(numbers: &mut Numbers, at: At, block: &Block<'_>) -> bool {
    with_numbers!(numbers, v => block.numbers::<O, _>(at, v))
}

fn bools(v: &mut Vec<bool>, at: At, lax: bool, block: &Block<'_>, missing: Option<Missing<'_>>) -> usize {
    let mut bytes: Vec<u8> = Vec::new();
    if !block.numbers::<Le, u8>(at, &mut bytes) || !v.room(block.rows) {
        return 0;
    }
    v.extend(bytes.iter().map(|b| *b != 0));
    if lax || bytes.iter().all(|b| *b <= 1) {
        return block.rows;
    }
    let bad = bytes.iter().enumerate().position(|(row, b)| *b > 1 && !is_missing(missing, row));
    bad.unwrap_or(block.rows)
}

/// The codes of a block; those that a lenient reader takes as values become the one of a value, and what is inside a
/// missing value is missing.
fn presence(
    all: &mut Vec<u8>,
    present: u8,
    (low, high): (u8, u8),
    at: At,
    block: &Block<'_>,
    outer: Option<Missing<'_>>,
) -> usize {
    let start = all.len();
    if !block.numbers::<Le, u8>(at, all) {
        return 0;
    }
    let codes = &mut all[start..];
    if codes.iter().all(|code| *code == present) && outer.is_none() {
        return block.rows;
    }
    let lenient = block.policy.lenient_presence && present == 0xFF && (low, high) == (0, 127);
    let mut good = block.rows;
    for (row, code) in codes.iter_mut().enumerate() {
        if is_missing(outer, row) {
            *code = low;
        } else if *code != present && (*code < low || *code > high) {
            if lenient {
                *code = present;
            } else {
                good = good.min(row);
            }
        }
    }
    good
}

/// Whether a strict reader accepts what stands for the missing values.
fn blanks(
    body: &Body,
    blank: Blank,
    at: At,
    block: &Block<'_>,
    outer: Option<Missing<'_>>,
    missing: Missing<'_>,
) -> usize {
    if !block.policy.blank_missing || blank == Blank::Absent {
        return block.rows;
    }
    let body_at = At { offset: at.offset + 1, ..at };
    let is_blank = |row: &usize| {
        if !missing.row(*row) || is_missing(outer, *row) {
            return true;
        }
        match blank {
            Blank::Absent => true,
            Blank::Zeros(n) => block.from(body_at, *row).iter().take(n).all(|b| *b == 0),
            Blank::Empty { run } => body.runs.get(run).is_some_and(|of| match of.tail {
                Tail::Terminated => block.tail(run, of.len, *row) == [0],
                _ => block.tail(run, of.len, *row).is_empty(),
            }),
        }
    };
    (0..block.rows).take_while(is_blank).count()
}

/// The bytes before the NUL that ends them; `None` if it is not there and must be.
#[inline(always)]
fn without_nul((rest, n): (&[u8], usize), optional: bool) -> Option<(&[u8], usize)> {
    match rest.get(..n)? {
        [text @ .., 0] => Some((rest, text.len())),
        _ => optional.then_some((rest, n)),
    }
}

/// The bytes before the first NUL.
fn fixed_text(bytes: &[u8], nul: bool, optional: bool) -> Option<&[u8]> {
    if !nul {
        return Some(bytes);
    }
    match bytes.iter().position(|b| *b == 0) {
        Some(n) => bytes.get(..n),
        None => optional.then_some(bytes),
    }
}

/// Adds texts, each the first bytes of those from its place on, then looks at all of them at once.
#[inline(always)]
fn texts<'b>(
    v: &mut BytesColumn,
    encoding: Encoding,
    rows: usize,
    missing: Option<Missing<'_>>,
    texts: impl Iterator<Item = Option<(&'b [u8], usize)>>,
) -> usize {
    let (offsets, items) = v.parts_mut();
    let (first, start) = (offsets.len(), items.len());
    let mut good = rows;
    offsets.extend(texts.enumerate().map(|(row, text)| {
        if !is_missing(missing, row) {
            let done = text.is_some_and(|(rest, n)| append_front(rest, n, items).is_ok());
            good = if done { good } else { good.min(row) };
        }
        items.len()
    }));
    match encoding {
        Encoding::Any => good,
        _ if items.as_slice().get(start..).is_some_and(<[u8]>::is_ascii) => good,
        Encoding::Utf8 => {
            // a column has an offset before those of its rows
            let ends = &offsets[first - 1..];
            let is_text = |ends: &&[usize]| match ends {
                [start, end] => {
                    items.as_slice().get(*start..*end).is_some_and(|text| core::str::from_utf8(text).is_ok())
                }
                _ => false,
            };
            good.min(ends.windows(2).take_while(is_text).count())
        }
        // other bytes than those of the column, or a mistake: where it stands the value decoder knows
        _ => {
            let end = |row: &usize| offsets[first + *row];
            good.min(
                (0..rows)
                    .take_while(|row| items.as_slice().get(start..end(row)).is_some_and(<[u8]>::is_ascii))
                    .count(),
            )
        }
    }
}

/// Adds lists of any length.
fn lists<'b>(
    v: &mut ListColumn<Column>,
    item: &Body,
    block: &Block<'_>,
    missing: Option<Missing<'_>>,
    bytes: impl Fn(usize) -> &'b [u8],
) -> usize {
    let (offsets, items) = v.parts_mut();
    let mut good = block.rows;
    for row in 0..block.rows {
        if !is_missing(missing, row) && good == block.rows && !fill_items(item, items, bytes(row), block) {
            good = row;
        }
        offsets.push(items.len());
    }
    good
}

/// Adds lists of a fixed length.
fn arrays<'b>(
    items: &mut Column,
    len: usize,
    item: &Body,
    block: &Block<'_>,
    missing: Option<Missing<'_>>,
    bytes: impl Fn(usize) -> &'b [u8],
) -> usize {
    let mut good = block.rows;
    for row in 0..block.rows {
        let end = items.len() + len;
        if !is_missing(missing, row) && good == block.rows && !fill_items(item, items, bytes(row), block) {
            good = row;
        }
        items.truncate(end);
        while items.len() < end {
            items.push_blank();
        }
    }
    good
}

/// Adds all items that some bytes hold; whether they are beyond doubt.
fn fill_items(item: &Body, items: &mut Column, bytes: &[u8], block: &Block<'_>) -> bool {
    let Some(node) = item.nodes.first() else { return false };
    if let Some(size) = item.size {
        let Some(rows) = bytes.len().checked_div(size) else { return false };
        if !items.room(rows) {
            return false;
        }
        let block = Block { bytes, rows, places: Places::Strided(size), ..*block };
        return item.checks.is_empty() && fill(item, node, items, &block, None) == rows;
    }
    let mut starts = Starts::default();
    let mut pos = 0usize;
    while pos < bytes.len() {
        let (rows, end, _) = item.walk_block(bytes, pos, super::BLOCK_ROWS, block.little, &mut starts);
        let block = Block { bytes, rows, places: Places::Starts(&starts), ..*block };
        if rows == 0
            || !items.room(rows)
            || !item.checks.is_empty()
            || fill(item, node, items, &block, None) != rows
        {
            return false;
        }
        pos = end;
    }
    true
}
