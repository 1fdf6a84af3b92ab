//! Some rows of columns: one after the other, or picked.
#![allow(clippy::arithmetic_side_effects, reason = "rows and offsets of what is in memory")]

use super::batch::Columns;
use super::choice::ChoiceColumn;
use super::column::Column;
use crate::columns::{BytesColumn, ListColumn, NullableColumn};
use crate::numbers::with_numbers;
use crate::wire::amount::known;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

impl Columns {
    /// A copy of some rows, or of as many of them as there are.
    ///
    /// ```
    /// use binfmt::columns::{Column, Columns};
    /// let columns = Columns::new(vec![("a".into(), Column::from(vec![1u8, 2, 3]))]).unwrap();
    /// assert_eq!(columns.slice(1..9).get("a"), Some(&Column::from(vec![2u8, 3])));
    /// ```
    #[must_use]
    pub fn slice(&self, rows: Range<usize>) -> Columns {
        let end = rows.end.min(self.rows);
        let rows = rows.start.min(end)..end;
        let columns = self.columns.iter().map(|(name, column)| (name.clone(), column.part(rows.clone())));
        Columns { rows: rows.len(), columns: columns.collect() }
    }
}

impl Columns {
    /// A copy of the rows of these numbers, in their order; of those that there are.
    ///
    /// ```
    /// use binfmt::columns::{Column, Columns};
    /// let columns = Columns::new(vec![("a".into(), Column::from(vec![1u8, 2, 3]))]).unwrap();
    /// assert_eq!(columns.take(&[2, 0, 9]).get("a"), Some(&Column::from(vec![3u8, 1])));
    /// ```
    #[must_use]
    pub fn take(&self, rows: &[usize]) -> Columns {
        let there: Vec<usize>;
        let rows = match rows.iter().all(|row| *row < self.rows) {
            true => rows,
            false => {
                there = rows.iter().copied().filter(|row| *row < self.rows).collect();
                &there
            }
        };
        let columns = self.columns.iter().map(|(name, column)| (name.clone(), column.take(rows)));
        Columns { rows: rows.len(), columns: columns.collect() }
    }
}

impl Column {
    /// A copy of the rows of these numbers, all of which there are.
    pub(crate) fn take(&self, rows: &[usize]) -> Column {
        match self {
            Column::Numbers(numbers) => {
                with_numbers!(numbers, v => rows.iter().map(|row| v[*row]).collect::<Vec<_>>().into())
            }
            Column::Text(v) => Column::Text(rows.iter().map(|row| known(v.get(*row))).collect()),
            Column::Bytes(v) => Column::Bytes(rows.iter().map(|row| known(v.get(*row))).collect()),
            Column::FixedBytes { size, bytes, .. } => Column::FixedBytes {
                size: *size,
                rows: rows.len(),
                bytes: rows.iter().flat_map(|row| &bytes[row * *size..(row + 1) * *size]).copied().collect(),
            },
            Column::Nullable(v) => Column::Nullable(Box::new(taken_nullable(v, rows))),
            Column::Optional(v) => Column::Optional(Box::new(taken_nullable(v, rows))),
            Column::List(v) => Column::List(Box::new(taken_lists(v, rows))),
            Column::Array { len, items, .. } => {
                let all: Vec<usize> = rows.iter().flat_map(|row| row * *len..(row + 1) * *len).collect();
                Column::Array { len: *len, rows: rows.len(), items: Box::new(items.take(&all)) }
            }
            Column::Record { fields, .. } => {
                let fields = fields.iter().map(|(name, column)| (name.clone(), column.take(rows)));
                Column::Record { rows: rows.len(), fields: fields.collect() }
            }
            Column::Choice(v) => Column::Choice(Box::new(v.take(rows))),
            Column::Shaped { shapes, items } => {
                let (offsets, inner) = taken_offsets(shapes.offsets(), rows);
                let lengths = inner.iter().map(|i| shapes.items()[*i]).collect();
                Column::Shaped {
                    shapes: ListColumn::of_parts(offsets, lengths),
                    items: Box::new(taken_lists(items, rows)),
                }
            }
        }
    }

    /// A copy of some rows, all of which there are.
    pub(crate) fn part(&self, rows: Range<usize>) -> Column {
        match self {
            Column::Numbers(numbers) => with_numbers!(numbers, v => v[rows].to_vec().into()),
            Column::Text(v) => Column::Text(bytes(v, rows)),
            Column::Bytes(v) => Column::Bytes(bytes(v, rows)),
            Column::FixedBytes { size, bytes, .. } => Column::FixedBytes {
                size: *size,
                rows: rows.len(),
                bytes: bytes[rows.start * *size..rows.end * *size].to_vec(),
            },
            Column::Nullable(v) => Column::Nullable(Box::new(nullable(v, rows))),
            Column::Optional(v) => Column::Optional(Box::new(nullable(v, rows))),
            Column::List(v) => Column::List(Box::new(lists(v, rows))),
            Column::Array { len, items, .. } => Column::Array {
                len: *len,
                rows: rows.len(),
                items: Box::new(items.part(rows.start * *len..rows.end * *len)),
            },
            Column::Record { fields, .. } => {
                let fields = fields.iter().map(|(name, column)| (name.clone(), column.part(rows.clone())));
                Column::Record { rows: rows.len(), fields: fields.collect() }
            }
            Column::Choice(v) => Column::Choice(Box::new(v.part(rows))),
            Column::Shaped { shapes, items } => {
                let (offsets, inner) = offsets(shapes.offsets(), rows.clone());
                Column::Shaped {
                    shapes: ListColumn::of_parts(offsets, shapes.items()[inner].to_vec()),
                    items: Box::new(lists(items, rows)),
                }
            }
        }
    }
}

/// The offsets of some rows, from 0 on, and which items theirs are.
fn offsets(all: &[usize], rows: Range<usize>) -> (Vec<usize>, Range<usize>) {
    let some = &all[rows.start..=rows.end];
    let (first, last) = (some[0], some[rows.len()]);
    (some.iter().map(|offset| offset - first).collect(), first..last)
}

/// The offsets of these rows, from 0 on, and which items theirs are.
fn taken_offsets(all: &[usize], rows: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let (mut offsets, mut items) = (Vec::with_capacity(rows.len() + 1), Vec::new());
    offsets.push(0);
    for row in rows {
        items.extend(all[*row]..all[row + 1]);
        offsets.push(items.len());
    }
    (offsets, items)
}

fn taken_lists(column: &ListColumn<Column>, rows: &[usize]) -> ListColumn<Column> {
    let (offsets, items) = taken_offsets(column.offsets(), rows);
    ListColumn::of_parts(offsets, column.items().take(&items))
}

fn taken_nullable(column: &NullableColumn<Column>, rows: &[usize]) -> NullableColumn<Column> {
    let mut some = NullableColumn::over(column.values().take(rows), column.present());
    some.parts_mut().0.extend(rows.iter().map(|row| column.codes()[*row]));
    some
}

fn bytes(column: &BytesColumn, rows: Range<usize>) -> BytesColumn {
    let (offsets, items) = offsets(column.offsets(), rows);
    ListColumn::of_parts(offsets, column.items()[items].to_vec())
}

fn lists(column: &ListColumn<Column>, rows: Range<usize>) -> ListColumn<Column> {
    let (offsets, items) = offsets(column.offsets(), rows);
    ListColumn::of_parts(offsets, column.items().part(items))
}

fn nullable(column: &NullableColumn<Column>, rows: Range<usize>) -> NullableColumn<Column> {
    let mut some = NullableColumn::over(column.values().part(rows.clone()), column.present());
    some.parts_mut().0.extend_from_slice(&column.codes()[rows]);
    some
}

impl ChoiceColumn {
    /// A copy of these rows.
    fn take(&self, rows: &[usize]) -> ChoiceColumn {
        let mut taken = alloc::vec![Vec::new(); self.columns().len()];
        let (mut variants, mut places) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
        for row in rows {
            let variant = self.variants()[*row];
            let of_variant: &mut Vec<usize> = &mut taken[variant as usize];
            variants.push(variant);
            places.push(of_variant.len());
            of_variant.push(self.places()[*row]);
        }
        let columns = self.columns().iter().zip(&taken);
        let columns = columns.map(|((name, column), rows)| (name.clone(), column.take(rows)));
        ChoiceColumn::of_parts(variants, places, columns.collect())
    }

    /// A copy of some rows: those of each variant are one after the other in its column.
    fn part(&self, rows: Range<usize>) -> ChoiceColumn {
        let (variants, places) = (&self.variants()[rows.clone()], &self.places()[rows]);
        let mut ranges = alloc::vec![0..0; self.columns().len()];
        for (variant, place) in variants.iter().zip(places) {
            let range: &mut Range<usize> = &mut ranges[*variant as usize];
            if range.start == range.end {
                range.start = *place;
            }
            range.end = place + 1;
        }
        let start = |(variant, place): (&u32, &usize)| place - ranges[*variant as usize].start;
        let columns = self.columns().iter().zip(&ranges);
        ChoiceColumn::of_parts(
            variants.to_vec(),
            variants.iter().zip(places).map(start).collect(),
            columns.map(|((name, column), range)| (name.clone(), column.part(range.clone()))).collect(),
        )
    }
}
