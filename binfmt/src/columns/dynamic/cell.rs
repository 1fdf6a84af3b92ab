//! One value of a column, without a copy of it.

use super::column::{Column, ColumnRef};
use crate::columns::data::View;
use crate::numbers::Number;
use crate::schema::Name;
use crate::value::{Fields, Value, are_numbers};
use crate::wire::raw::bulk::{NoMemory, boxed, try_room_exact};
use alloc::string::String;
use alloc::vec::Vec;

/// A value that lies in a column. As JSON it looks as a [`Value`] does.
///
/// ```
/// use binfmt::columns::{Column, ColumnData};
/// let column = Column::Text([&b"ab"[..], b"c"].into_iter().collect());
/// let cell = column.get(0).unwrap();
/// assert_eq!(cell.to_value().as_str(), Some("ab"));
/// assert_eq!(serde_json::to_string(&cell).unwrap(), r#""ab""#);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ValueRef<'a> {
    /// A number of any kind, or a bool.
    Number(Number),
    /// Text, which may not be UTF-8.
    Text(&'a [u8]),
    /// Bytes.
    Bytes(&'a [u8]),
    /// Missing, with the code of why.
    Missing(u8),
    /// The elements of a list.
    List(View<'a, Column>),
    /// The fields of a record, and its row.
    Record(&'a [(Name, Column)], usize),
    /// Not there, because a condition does not hold.
    Absent,
    /// A variant of a choice.
    Variant {
        /// Its name.
        name: &'a Name,
        /// Its fields.
        fields: &'a [(Name, Column)],
        /// The row of these.
        row: usize,
    },
    /// The lengths of an array's dimensions, and its elements.
    Array(&'a [u64], View<'a, Column>),
}

impl ValueRef<'_> {
    /// A copy, as `clone` makes one: of a value whose size a file says, see [`try_to_value`](Self::try_to_value).
    ///
    /// ```
    /// use binfmt::{columns::ValueRef, value::Value};
    /// assert_eq!(ValueRef::Missing(3).to_value(), Value::Missing(3));
    /// ```
    ///
    /// # Panics
    /// When there is no memory for it.
    pub fn to_value(&self) -> Value {
        self.try_value().expect("there is memory for a copy")
    }

    /// A copy, if there is memory for it.
    ///
    /// ```
    /// use binfmt::{columns::ValueRef, value::Value};
    /// assert_eq!(ValueRef::Text(b"ab").try_to_value()?, Value::from("ab"));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`](crate::ErrorKind::OutOfMemory): the system does not give that much.
    pub fn try_to_value(&self) -> crate::Result<Value> {
        Ok(self.try_value()?)
    }
}

impl From<Number> for ValueRef<'_> {
    fn from(n: Number) -> Self {
        ValueRef::Number(n)
    }
}

impl ValueRef<'_> {
    /// A copy, if there is memory for it.
    fn try_value(&self) -> Result<Value, NoMemory> {
        fn bytes(from: &[u8]) -> Result<Vec<u8>, NoMemory> {
            let mut copy = Vec::new();
            try_room_exact(&mut copy, from.len())?;
            copy.extend_from_slice(from);
            Ok(copy)
        }
        fn values(items: View<'_, Column>) -> Result<Vec<Value>, NoMemory> {
            let mut list = Vec::new();
            try_room_exact(&mut list, items.len())?;
            for item in items.iter() {
                list.push(item.try_value()?);
            }
            Ok(list)
        }
        Ok(match *self {
            ValueRef::Number(n) => n.into(),
            ValueRef::Missing(code) => Value::Missing(code),
            ValueRef::Absent => Value::Absent,
            ValueRef::Text(text) => match String::from_utf8(bytes(text)?) {
                Ok(text) => Value::Text(text),
                Err(e) => Value::Bytes(e.into_bytes()),
            },
            ValueRef::Bytes(from) => Value::Bytes(bytes(from)?),
            ValueRef::List(items) => Value::List(values(items)?),
            ValueRef::Record(fields, row) => {
                try_record(fields.iter().map(|(name, column)| (name, column.borrowed())), row)?
            }
            ValueRef::Variant { name, fields, row } => {
                let value = if fields.is_empty() {
                    Value::Unit
                } else {
                    ValueRef::Record(fields, row).try_value()?
                };
                Value::Variant { name: name.clone(), value: boxed(value)? }
            }
            ValueRef::Array(shape, items) => {
                let mut lengths = Vec::new();
                try_room_exact(&mut lengths, shape.len())?;
                lengths.extend_from_slice(shape);
                Value::array(lengths, values(items)?)
            }
        })
    }
}

/// One row of several columns, if there is memory for a copy.
pub(super) fn try_record<'a>(
    fields: impl Iterator<Item = (&'a Name, ColumnRef<'a>)> + Clone,
    row: usize,
) -> Result<Value, NoMemory> {
    let (mut names, mut values) = (Vec::new(), Vec::new());
    try_room_exact(&mut names, fields.clone().count())?;
    try_room_exact(&mut values, names.capacity())?;
    for (name, column) in fields {
        if let Some(cell) = column.cell(row) {
            names.push(name.clone());
            values.push(cell.try_value()?);
        }
    }
    Ok(match are_numbers(names.iter().map(Name::as_str)) {
        true => Value::List(values),
        false => Value::Record(Fields::new(&names.into(), values)),
    })
}

#[cfg(feature = "serde")]
mod serial {
    use super::{ValueRef, are_numbers};
    use crate::columns::data::ColumnData;
    use crate::numbers::serial::one;
    use crate::value::serial;
    use serde::ser::{Serialize, Serializer};

    impl Serialize for ValueRef<'_> {
        fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            match *self {
                ValueRef::Number(n) => n.serialize(s),
                ValueRef::Text(text) => serial::text(text, s),
                ValueRef::Bytes(bytes) => serial::bytes(bytes, s),
                ValueRef::Missing(code) => serial::missing(code, s),
                ValueRef::List(items) => s.collect_seq(items.iter()),
                ValueRef::Absent => s.serialize_unit(),
                ValueRef::Variant { name, fields: [], .. } => s.serialize_str(name),
                ValueRef::Variant { name, fields, row } => one(name, &ValueRef::Record(fields, row), s),
                ValueRef::Array(shape, items) => serial::array(shape, &ValueRef::List(items), s),
                ValueRef::Record(fields, row)
                    if are_numbers(fields.iter().map(|(name, _)| name.as_str())) =>
                {
                    s.collect_seq(fields.iter().filter_map(|(_, column)| column.get(row)))
                }
                ValueRef::Record(fields, row) => {
                    s.collect_map(fields.iter().filter_map(|(name, column)| Some((name, column.get(row)?))))
                }
            }
        }
    }
}
