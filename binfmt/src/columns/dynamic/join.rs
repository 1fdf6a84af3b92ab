//! The rows of one column after those of another.
#![allow(clippy::arithmetic_side_effects, reason = "rows and places of columns that are in memory")]

use super::choice::ChoiceColumn;
use super::column::Column;
use super::form::same_form;
use crate::columns::data::ColumnData;
use crate::columns::{ListColumn, NullableColumn};
use crate::error::{Error, Result};
use crate::numbers::{Numbers, with_numbers};
use crate::schema::Name;
use crate::wire::limits::memory_of;
use crate::wire::raw::bulk::{NoMemory, make_room, try_room_exact};
use crate::wire::raw::huge::expect_filled;
use alloc::vec::Vec;

impl Column {
    /// Room for exactly so many rows more, for columns whose length is known; of texts and lists, whose rows are of any size, for their
    /// places. Large room is asked for in huge pages where the process wants them, as for values that are decoded:
    /// [`Options::huge_pages`](crate::Options::huge_pages) tells when it does.
    ///
    /// ```
    /// use binfmt::{ErrorKind, columns::Column};
    /// let mut column = Column::from(vec![1u64]);
    /// column.reserve(3)?;
    /// let e = column.reserve(usize::MAX).unwrap_err();
    /// assert!(matches!(e.kind(), ErrorKind::OutOfMemory { .. }));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The system does not give that much memory.
    pub fn reserve(&mut self, more: usize) -> Result<()> {
        Ok(room_for(self, more)?)
    }

    /// Adds the rows of another column of the same type.
    ///
    /// ```
    /// use binfmt::columns::{BytesColumn, Column};
    /// let mut column = Column::Text(BytesColumn::from_iter([b"a"]));
    /// column.append(&Column::Text(BytesColumn::from_iter([b"b"])))?;
    /// assert_eq!(column, Column::Text(BytesColumn::from_iter([b"a", b"b"])));
    /// assert_eq!(column.append(&Column::from(vec![1u8])).unwrap_err().to_string(), "a column of u8 after one of text");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// It is of another type, or there is no memory for its rows; then the column stays as it is.
    pub fn append(&mut self, more: &Column) -> Result<()> {
        if !same_form(self, more) {
            let text =
                alloc::format!("a column of {} after one of {}", more.column_type(), self.column_type());
            return Err(Error::other(text));
        }
        let before = self.len();
        added(self, more).map_err(|e| {
            self.truncate(before);
            e.into()
        })
    }
}

/// Exact room in one vector.
fn exact<T>(v: &mut Vec<T>, more: usize) -> Result<(), NoMemory> {
    if v.capacity() - v.len() < more {
        try_room_exact(v, more)?;
        expect_filled(v, None);
    }
    Ok(())
}

fn room_for(column: &mut Column, more: usize) -> Result<(), NoMemory> {
    match column {
        Column::Numbers(numbers) => with_numbers!(numbers, v => exact(v, more)),
        Column::Text(v) | Column::Bytes(v) => exact(v.parts_mut().0, more),
        Column::FixedBytes { size, bytes, .. } => exact(bytes, memory_of(more, *size)),
        Column::Nullable(v) | Column::Optional(v) => {
            let (codes, values) = v.parts_mut();
            exact(codes, more)?;
            room_for(values, more)
        }
        Column::List(v) => exact(v.parts_mut().0, more),
        Column::Array { len, items, .. } => room_for(items, memory_of(more, *len)),
        Column::Record { fields, .. } => fields.iter_mut().try_for_each(|(_, field)| room_for(field, more)),
        Column::Choice(v) => v.room_for(more),
        Column::Shaped { shapes, items } => {
            exact(shapes.parts_mut().0, more)?;
            exact(items.parts_mut().0, more)
        }
    }
}

/// The values of one vector after those of another.
fn extend<T: Copy>(v: &mut Vec<T>, more: &[T]) -> Result<(), NoMemory> {
    make_room(v, more.len(), None)?;
    v.extend_from_slice(more);
    Ok(())
}

/// Adds the rows of a column of the same form.
fn added(column: &mut Column, more: &Column) -> Result<(), NoMemory> {
    match (column, more) {
        (Column::Numbers(held), Column::Numbers(more)) => numbers(held, more),
        (Column::Text(held), Column::Text(more)) | (Column::Bytes(held), Column::Bytes(more)) => {
            lists(held, more, |items, more| extend(items, more))
        }
        (Column::FixedBytes { rows, bytes, .. }, Column::FixedBytes { rows: count, bytes: more, .. }) => {
            extend(bytes, more)?;
            *rows += count;
            Ok(())
        }
        (Column::Nullable(held), Column::Nullable(more))
        | (Column::Optional(held), Column::Optional(more)) => nullable(held, more),
        (Column::List(held), Column::List(more)) => lists(held, more, added),
        (Column::Array { rows, items, .. }, Column::Array { rows: count, items: more, .. }) => {
            added(items, more)?;
            *rows += count;
            Ok(())
        }
        (Column::Record { rows, fields }, Column::Record { rows: count, fields: more }) => {
            records(fields, more)?;
            *rows += count;
            Ok(())
        }
        (Column::Choice(held), Column::Choice(more)) => held.extend(more),
        (Column::Shaped { shapes, items }, Column::Shaped { shapes: more, items: others }) => {
            lists(shapes, more, |sizes, more| extend(sizes, more))?;
            lists(items, others, added)
        }
        // of the same form, so never
        _ => Ok(()),
    }
}

fn numbers(held: &mut Numbers, more: &Numbers) -> Result<(), NoMemory> {
    with_numbers!(held, v => match more.as_slice() {
        Some(more) => extend(v, more),
        None => Ok(()),
    })
}

/// Lists after others: their places, and their items by a call.
fn lists<C>(
    held: &mut ListColumn<C>,
    more: &ListColumn<C>,
    add: impl FnOnce(&mut C, &C) -> Result<(), NoMemory>,
) -> Result<(), NoMemory> {
    let (offsets, items) = held.parts_mut();
    make_room(offsets, more.len(), None)?;
    add(items, more.items())?;
    let base = offsets.last().copied().unwrap_or(0);
    offsets.extend(more.offsets().iter().skip(1).map(|place| base + place));
    Ok(())
}

fn nullable(held: &mut NullableColumn<Column>, more: &NullableColumn<Column>) -> Result<(), NoMemory> {
    let (codes, values) = held.parts_mut();
    make_room(codes, more.len(), None)?;
    added(values, more.values())?;
    extend(codes, more.codes())
}

fn records(fields: &mut [(Name, Column)], more: &[(Name, Column)]) -> Result<(), NoMemory> {
    fields.iter_mut().zip(more).try_for_each(|((_, field), (_, more))| added(field, more))
}

impl ChoiceColumn {
    fn room_for(&mut self, more: usize) -> Result<(), NoMemory> {
        let (variants, places, _) = self.parts_mut();
        exact(variants, more)?;
        exact(places, more)
    }

    fn extend(&mut self, more: &ChoiceColumn) -> Result<(), NoMemory> {
        let (variants, places, columns) = self.parts_mut();
        make_room(places, more.len(), None)?;
        let mut before: Vec<usize> = Vec::new();
        make_room(&mut before, columns.len(), None)?;
        before.extend(columns.iter().map(|(_, column)| column.len()));
        records(columns, more.columns())?;
        extend(variants, more.variants())?;
        let rows = more.variants().iter().zip(more.places());
        places
            .extend(rows.map(|(variant, place)| before.get(*variant as usize).copied().unwrap_or(0) + place));
        Ok(())
    }
}
