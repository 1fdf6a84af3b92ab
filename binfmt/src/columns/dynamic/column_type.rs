//! What a column is, without its rows.

use super::choice::ChoiceColumn;
use super::column::Column;
use crate::columns::{BytesColumn, ListColumn, NullableColumn};
use crate::numbers::{NumberType, Numbers};
use crate::schema::Name;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

/// The type of a [`Column`]: what it is before there are rows.
///
/// ```
/// use binfmt::{columns::{Column, ColumnType}, numbers::NumberType};
/// let column = Column::from(vec![1i32, 2]);
/// assert_eq!(column.column_type(), ColumnType::Number(NumberType::I32));
/// assert_eq!(column.column_type().empty(), Column::from(Vec::<i32>::new()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnType {
    /// Numbers of this kind, or bools.
    Number(NumberType),
    /// Text; where the layout names no encoding, it may not be UTF-8.
    Text,
    /// Bytes of any length.
    Bytes,
    /// Bytes of this length.
    FixedBytes(usize),
    /// Values that may be missing.
    Nullable {
        /// The code of a value.
        present: u8,
        /// The type of the values.
        values: Box<ColumnType>,
    },
    /// Lists of any length.
    List(Box<ColumnType>),
    /// Lists of a fixed length.
    Array {
        /// Elements of each row.
        len: usize,
        /// The type of an element.
        items: Box<ColumnType>,
    },
    /// Records: a column for each field.
    Record(Vec<(Name, ColumnType)>),
    /// Values under a condition.
    Optional(Box<ColumnType>),
    /// One of several variants in each row, each a record.
    Choice(Vec<(Name, ColumnType)>),
    /// Arrays with dimensions of their own in each row.
    Shaped(Box<ColumnType>),
}

fn types(columns: &[(Name, Column)]) -> Vec<(Name, ColumnType)> {
    columns.iter().map(|(name, column)| (name.clone(), column.column_type())).collect()
}

fn columns(types: &[(Name, ColumnType)]) -> Vec<(Name, Column)> {
    types.iter().map(|(name, ty)| (name.clone(), ty.empty())).collect()
}

impl ColumnType {
    /// Bytes of memory that a row takes, without those of its texts, lists and variants.
    ///
    /// ```
    /// use binfmt::{columns::ColumnType, numbers::NumberType};
    /// let pair = ColumnType::Array { len: 2, items: Box::new(ColumnType::Number(NumberType::F32)) };
    /// assert_eq!(ColumnType::Nullable { present: 255, values: Box::new(pair) }.row_bytes(), 9);
    /// ```
    #[must_use]
    pub fn row_bytes(&self) -> usize {
        let place = size_of::<usize>();
        match self {
            ColumnType::Number(kind) => kind.size(),
            ColumnType::Text | ColumnType::Bytes | ColumnType::List(_) => place,
            ColumnType::FixedBytes(size) => *size,
            ColumnType::Nullable { values, .. } | ColumnType::Optional(values) => {
                values.row_bytes().saturating_add(1)
            }
            ColumnType::Array { len, items } => items.row_bytes().saturating_mul(*len),
            ColumnType::Record(fields) => {
                fields.iter().fold(0usize, |sum, (_, field)| sum.saturating_add(field.row_bytes()))
            }
            ColumnType::Choice(_) => place.saturating_add(size_of::<u32>()),
            ColumnType::Shaped(_) => place.saturating_mul(2),
        }
    }
}

impl Column {
    /// What the column is, without its rows.
    ///
    /// ```
    /// use binfmt::columns::{Column, ColumnType};
    /// let three = Column::FixedBytes { size: 3, rows: 1, bytes: vec![1, 2, 3] };
    /// assert_eq!(three.column_type(), ColumnType::FixedBytes(3));
    /// ```
    pub fn column_type(&self) -> ColumnType {
        match self {
            Column::Numbers(v) => ColumnType::Number(v.number_type()),
            Column::Text(_) => ColumnType::Text,
            Column::Bytes(_) => ColumnType::Bytes,
            Column::FixedBytes { size, .. } => ColumnType::FixedBytes(*size),
            Column::Nullable(v) => {
                ColumnType::Nullable { present: v.present(), values: Box::new(v.values().column_type()) }
            }
            Column::List(v) => ColumnType::List(Box::new(v.items().column_type())),
            Column::Array { len, items, .. } => {
                ColumnType::Array { len: *len, items: Box::new(items.column_type()) }
            }
            Column::Record { fields, .. } => ColumnType::Record(types(fields)),
            Column::Optional(v) => ColumnType::Optional(Box::new(v.values().column_type())),
            Column::Choice(v) => ColumnType::Choice(types(v.columns())),
            Column::Shaped { items, .. } => ColumnType::Shaped(Box::new(items.items().column_type())),
        }
    }
}

impl ColumnType {
    /// A column of this type without rows.
    ///
    /// ```
    /// use binfmt::columns::{Column, ColumnData, ColumnType};
    /// assert_eq!(ColumnType::FixedBytes(3).empty().len(), 0);
    /// ```
    pub fn empty(&self) -> Column {
        match self {
            ColumnType::Number(kind) => Numbers::new(*kind).into(),
            ColumnType::Text => Column::Text(BytesColumn::new()),
            ColumnType::Bytes => Column::Bytes(BytesColumn::new()),
            ColumnType::FixedBytes(size) => Column::FixedBytes { size: *size, rows: 0, bytes: Vec::new() },
            ColumnType::Nullable { present, values } => {
                Column::Nullable(Box::new(NullableColumn::over(values.empty(), *present)))
            }
            ColumnType::List(items) => Column::List(Box::new(ListColumn::over(items.empty()))),
            ColumnType::Array { len, items } => {
                Column::Array { len: *len, rows: 0, items: Box::new(items.empty()) }
            }
            ColumnType::Record(fields) => Column::Record { rows: 0, fields: columns(fields) },
            ColumnType::Optional(values) => {
                Column::Optional(Box::new(NullableColumn::over(values.empty(), 1)))
            }
            ColumnType::Choice(variants) => Column::Choice(Box::new(ChoiceColumn::of(columns(variants)))),
            ColumnType::Shaped(item) => {
                Column::Shaped { shapes: ListColumn::new(), items: Box::new(ListColumn::over(item.empty())) }
            }
        }
    }
}

/// In a few words, as people see it: `i32`, `text?` for one that may be missing, `[f64; 3]`, `[u8]`.
impl fmt::Display for ColumnType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |f: &mut fmt::Formatter<'_>, all: &[(Name, ColumnType)]| {
            all.iter().enumerate().try_for_each(|(i, (name, ty))| {
                let comma = if i > 0 { ", " } else { "" };
                write!(f, "{comma}{name}: {ty}")
            })
        };
        match self {
            ColumnType::Number(kind) => write!(f, "{kind}"),
            ColumnType::Text => f.write_str("text"),
            ColumnType::Bytes => f.write_str("bytes"),
            ColumnType::FixedBytes(n) => write!(f, "bytes of {n}"),
            ColumnType::Nullable { values, .. } | ColumnType::Optional(values) => write!(f, "{values}?"),
            ColumnType::List(items) => write!(f, "[{items}]"),
            ColumnType::Array { len, items } => write!(f, "[{items}; {len}]"),
            ColumnType::Record(fields) => {
                f.write_str("{")?;
                named(f, fields)?;
                f.write_str("}")
            }
            ColumnType::Choice(variants) => {
                f.write_str("one of {")?;
                named(f, variants)?;
                f.write_str("}")
            }
            ColumnType::Shaped(item) => write!(f, "array of {item}"),
        }
    }
}
