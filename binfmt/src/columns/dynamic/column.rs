//! One column of a layout that is known only at run time.
#![allow(clippy::arithmetic_side_effects, reason = "rows that are in memory, times the size of one")]

use super::cell::ValueRef;
use super::choice::ChoiceColumn;
use crate::columns::data::{BlankRows, ColumnData, View, make_room};
use crate::columns::{BytesColumn, ListColumn, NullableColumn};
use crate::numbers::{Element, Numbers, with_numbers};
use crate::schema::Name;
use crate::wire::limits::memory_of;
use crate::wire::raw::huge::expect_filled;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

/// A column whose type is known only at run time.
///
/// ```
/// use binfmt::columns::{Column, ColumnData};
/// let column = Column::from(vec![1i32, 2]);
/// assert_eq!(column.len(), 2);
/// assert_eq!(column.get(1).unwrap().to_value(), 2i32.into());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Column {
    /// Numbers of one kind, or bools.
    Numbers(Numbers),
    /// Text; where the layout names no encoding, it may not be UTF-8.
    Text(BytesColumn),
    /// Bytes of any length.
    Bytes(BytesColumn),
    /// Bytes of a fixed length.
    FixedBytes {
        /// Bytes of each row.
        size: usize,
        /// How many rows there are: it does not follow from the bytes where a row has none.
        rows: usize,
        /// Row after row.
        bytes: Vec<u8>,
    },
    /// Values that may be missing.
    Nullable(Box<NullableColumn<Column>>),
    /// Lists of any length.
    List(Box<ListColumn<Column>>),
    /// Lists of a fixed length.
    Array {
        /// Elements of each row.
        len: usize,
        /// How many rows there are.
        rows: usize,
        /// Row after row.
        items: Box<Column>,
    },
    /// Records: a column for each field.
    Record {
        /// How many rows there are.
        rows: usize,
        /// The fields with their names; numbers where they have none.
        fields: Vec<(Name, Column)>,
    },
    /// Values under a condition: missing, with the code 0, in the rows where it does not hold.
    Optional(Box<NullableColumn<Column>>),
    /// One of several variants in each row.
    Choice(Box<ChoiceColumn>),
    /// Arrays with dimensions of their own in each row.
    Shaped {
        /// The lengths of the dimensions.
        shapes: ListColumn<Vec<u64>>,
        /// The elements, as many as the lengths multiply to.
        items: Box<ListColumn<Column>>,
    },
}

/// Where row `i` of rows of `n` items lies.
fn place(i: usize, n: usize) -> Option<Range<usize>> {
    let start = i.checked_mul(n)?;
    Some(start..start.checked_add(n)?)
}

impl Column {
    /// The numbers, or bools; `None` of other columns.
    ///
    /// ```
    /// use binfmt::{columns::Column, numbers::Numbers};
    /// assert_eq!(Column::from(vec![1i32, 2]).numbers(), Some(&Numbers::I32(vec![1, 2])));
    /// ```
    pub fn numbers(&self) -> Option<&Numbers> {
        match self {
            Column::Numbers(numbers) => Some(numbers),
            _ => None,
        }
    }

    /// The numbers, if they are of type `T`.
    ///
    /// ```
    /// use binfmt::columns::Column;
    /// let column = Column::from(vec![1i32, 2]);
    /// assert_eq!(column.as_slice::<i32>(), Some(&[1, 2][..]));
    /// assert_eq!(column.as_slice::<u32>(), None);
    /// ```
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        self.numbers()?.as_slice()
    }

    /// Makes room for `more` rows that are expected to be like the first `done`.
    pub(super) fn foresee(&mut self, done: usize, more: usize, huge_pages: Option<bool>) {
        self.expect(0, done, more);
        self.advise(huge_pages);
    }

    /// Says to the kernel that the room for rows will be filled.
    fn advise(&mut self, huge_pages: Option<bool>) {
        match self {
            Column::Numbers(numbers) => with_numbers!(numbers, v => expect_filled(v, huge_pages)),
            Column::Text(v) | Column::Bytes(v) => {
                let (offsets, items) = v.parts_mut();
                expect_filled(offsets, huge_pages);
                expect_filled(items, huge_pages);
            }
            Column::FixedBytes { bytes, .. } => expect_filled(bytes, huge_pages),
            Column::Nullable(v) | Column::Optional(v) => v.parts_mut().1.advise(huge_pages),
            Column::Choice(_) | Column::Shaped { .. } => {}
            Column::List(v) => v.parts_mut().1.advise(huge_pages),
            Column::Array { items, .. } => items.advise(huge_pages),
            Column::Record { fields, .. } => fields.iter_mut().for_each(|(_, c)| c.advise(huge_pages)),
        }
    }

    pub(crate) fn borrowed(&self) -> ColumnRef<'_> {
        match self {
            Column::Numbers(v) => ColumnRef::Numbers(v),
            Column::Text(v) => ColumnRef::Text(v),
            Column::Bytes(v) => ColumnRef::Bytes(v),
            Column::FixedBytes { size, rows, bytes } => {
                ColumnRef::FixedBytes { size: *size, rows: *rows, bytes }
            }
            Column::Nullable(v) => ColumnRef::Nullable(v),
            Column::List(v) => ColumnRef::List(v),
            Column::Array { len, rows, items } => ColumnRef::Array { len: *len, rows: *rows, items },
            Column::Record { rows, fields } => ColumnRef::Record { rows: *rows, fields },
            Column::Optional(_) | Column::Choice(_) | Column::Shaped { .. } => ColumnRef::Other(self),
        }
    }

    /// The value of row `i` of a column that is no [`ColumnRef`] of its own.
    fn other_cell(&self, i: usize) -> Option<ValueRef<'_>> {
        match self {
            Column::Optional(v) if i < v.len() => match v.is_missing(i) {
                true => Some(ValueRef::Absent),
                false => v.values().get(i),
            },
            Column::Choice(v) => v.cell(i),
            Column::Shaped { shapes, items } => Some(ValueRef::Array(shapes.get(i)?, items.get(i)?)),
            _ => None,
        }
    }
}

/// A column that is lent, perhaps by a caller who keeps it in another type.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ColumnRef<'a> {
    Numbers(&'a Numbers),
    Text(&'a BytesColumn),
    Bytes(&'a BytesColumn),
    FixedBytes {
        size: usize,
        rows: usize,
        bytes: &'a [u8],
    },
    Nullable(&'a NullableColumn<Column>),
    List(&'a ListColumn<Column>),
    Array {
        len: usize,
        rows: usize,
        items: &'a Column,
    },
    Record {
        rows: usize,
        fields: &'a [(Name, Column)],
    },
    /// One that only the value codec reads and writes.
    Other(&'a Column),
}

impl<'a> ColumnRef<'a> {
    /// The value of row `i`.
    pub(super) fn cell(self, i: usize) -> Option<ValueRef<'a>> {
        Some(match self {
            ColumnRef::Numbers(v) => ValueRef::Number(v.get(i)?),
            ColumnRef::Text(v) => ValueRef::Text(v.get(i)?),
            ColumnRef::Bytes(v) => ValueRef::Bytes(v.get(i)?),
            ColumnRef::FixedBytes { size, rows, bytes } if i < rows => {
                ValueRef::Bytes(bytes.get(place(i, size)?)?)
            }
            ColumnRef::Nullable(v) => match v.missing(i) {
                Some(code) => ValueRef::Missing(code),
                None => v.values().borrowed().cell(i)?,
            },
            ColumnRef::List(v) => ValueRef::List(v.items().slice(v.range(i)?)?),
            ColumnRef::Array { len, rows, items } if i < rows => ValueRef::List(items.slice(place(i, len)?)?),
            ColumnRef::Record { rows, fields } if i < rows => ValueRef::Record(fields, i),
            ColumnRef::Other(column) => return column.other_cell(i),
            ColumnRef::FixedBytes { .. } | ColumnRef::Array { .. } | ColumnRef::Record { .. } => return None,
        })
    }
}

impl ColumnData for Column {
    type Item<'a> = ValueRef<'a>;
    type Slice<'a> = View<'a, Column>;

    fn len(&self) -> usize {
        match self {
            Column::Numbers(numbers) => numbers.len(),
            Column::Text(v) | Column::Bytes(v) => v.len(),
            Column::Nullable(v) | Column::Optional(v) => v.len(),
            Column::Choice(v) => v.len(),
            Column::Shaped { items, .. } => items.len(),
            Column::List(v) => v.len(),
            Column::FixedBytes { rows, .. } | Column::Array { rows, .. } | Column::Record { rows, .. } => {
                *rows
            }
        }
    }

    fn get(&self, i: usize) -> Option<ValueRef<'_>> {
        self.borrowed().cell(i)
    }

    fn slice(&self, rows: Range<usize>) -> Option<View<'_, Column>> {
        View::of(self, rows)
    }

    fn truncate(&mut self, n: usize) {
        match self {
            Column::Numbers(numbers) => numbers.truncate(n),
            Column::Text(v) | Column::Bytes(v) => v.truncate(n),
            Column::Nullable(v) | Column::Optional(v) => v.truncate(n),
            Column::Choice(v) => v.truncate(n),
            Column::Shaped { shapes, items } => {
                shapes.truncate(n);
                items.truncate(n);
            }
            Column::List(v) => v.truncate(n),
            Column::FixedBytes { size, rows, bytes } => {
                *rows = n.min(*rows);
                bytes.truncate(*rows * *size);
            }
            Column::Array { len, rows, items } => {
                *rows = n.min(*rows);
                items.truncate(*rows * *len);
            }
            Column::Record { rows, fields } => {
                *rows = n.min(*rows);
                fields.iter_mut().for_each(|(_, column)| column.truncate(n));
            }
        }
    }

    fn expect(&mut self, from: usize, done: usize, more: usize) {
        match self {
            Column::Numbers(numbers) => with_numbers!(numbers, v => make_room(v, done, more)),
            Column::Text(v) | Column::Bytes(v) => v.expect(from, done, more),
            Column::Nullable(v) | Column::Optional(v) => v.expect(from, done, more),
            // they grow as they are read, row by row
            Column::Choice(_) | Column::Shaped { .. } => {}
            Column::List(v) => v.expect(from, done, more),
            Column::FixedBytes { size, bytes, .. } => make_room(bytes, done, memory_of(more, *size)),
            Column::Array { len, items, .. } => {
                items.expect(from * *len, done * *len, memory_of(more, *len));
            }
            Column::Record { fields, .. } => {
                fields.iter_mut().for_each(|(_, column)| column.expect(from, done, more))
            }
        }
    }

    fn room(&mut self, more: usize) -> bool {
        match self {
            Column::Numbers(numbers) => numbers.room(more),
            Column::Text(v) | Column::Bytes(v) => v.room(more),
            Column::Nullable(v) | Column::Optional(v) => v.room(more),
            Column::Choice(v) => v.room(more),
            Column::Shaped { shapes, items } => shapes.room(more) && items.room(more),
            Column::List(v) => v.room(more),
            Column::FixedBytes { size, bytes, .. } => bytes.room(memory_of(more, *size)),
            Column::Array { len, items, .. } => items.room(memory_of(more, *len)),
            Column::Record { fields, .. } => fields.iter_mut().all(|(_, column)| column.room(more)),
        }
    }
}

impl BlankRows for Column {
    fn push_blank(&mut self) {
        match self {
            Column::Numbers(numbers) => with_numbers!(numbers, v => v.push(Default::default())),
            Column::Text(v) | Column::Bytes(v) => v.push(&[]),
            Column::Nullable(v) | Column::Optional(v) => {
                // any code but that of a value
                let code = u8::from(v.present() == 0);
                let (codes, values) = v.parts_mut();
                codes.push(code);
                values.push_blank();
            }
            Column::List(v) => v.push_with(|_| {}),
            Column::Choice(v) => v.push_blank(),
            Column::Shaped { shapes, items } => {
                shapes.push(&[]);
                items.push_with(|_| {});
            }
            Column::FixedBytes { size, rows, bytes } => {
                *rows += 1;
                bytes.resize(*rows * *size, 0);
            }
            Column::Array { len, rows, items } => {
                *rows += 1;
                (0..*len).for_each(|_| items.push_blank());
            }
            Column::Record { rows, fields } => {
                *rows += 1;
                fields.iter_mut().for_each(|(_, column)| column.push_blank());
            }
        }
    }

    fn blank_where(&mut self, start: usize, codes: &[u8], present: u8) {
        match self {
            // without a branch, which would be taken by chance
            Column::Numbers(numbers) => with_numbers!(numbers, v => {
                for (value, code) in v[start..].iter_mut().zip(codes) {
                    *value = if *code == present { *value } else { Default::default() };
                }
            }),
            Column::FixedBytes { size, bytes, .. } => {
                let rows = &mut bytes[start * *size..];
                for (row, code) in rows.chunks_exact_mut((*size).max(1)).zip(codes) {
                    if *code != present {
                        row.fill(0);
                    }
                }
            }
            Column::Record { fields, .. } => {
                fields.iter_mut().for_each(|(_, column)| column.blank_where(start, codes, present));
            }
            // of any length: the row of a missing value is added as an empty one
            Column::Text(_)
            | Column::Bytes(_)
            | Column::List(_)
            | Column::Array { .. }
            | Column::Nullable(_)
            | Column::Optional(_)
            | Column::Choice(_)
            | Column::Shaped { .. } => {}
        }
    }
}

impl<T: Element> From<Vec<T>> for Column {
    fn from(v: Vec<T>) -> Self {
        Column::Numbers(v.into())
    }
}

impl From<Numbers> for Column {
    fn from(numbers: Numbers) -> Self {
        Column::Numbers(numbers)
    }
}
