//! One value of a column, without a copy of it.

use super::column::Column;
use crate::columns::data::{ColumnData, View};
use crate::schema::Name;
use crate::value::{Value, are_numbers};
use crate::wire::raw::bulk::{NoMemory, try_room_exact};
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
    /// A bool.
    Bool(bool),
    /// An integer of one byte.
    I8(i8),
    /// An integer of two bytes.
    I16(i16),
    /// An integer of four bytes.
    I32(i32),
    /// An integer of eight bytes.
    I64(i64),
    /// An integer of sixteen bytes.
    I128(i128),
    /// An unsigned integer of one byte.
    U8(u8),
    /// An unsigned integer of two bytes.
    U16(u16),
    /// An unsigned integer of four bytes.
    U32(u32),
    /// An unsigned integer of eight bytes.
    U64(u64),
    /// An unsigned integer of sixteen bytes.
    U128(u128),
    /// The bits of a number of half precision.
    F16(u16),
    /// A number of single precision.
    F32(f32),
    /// A number of double precision.
    F64(f64),
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
}

impl ValueRef<'_> {
    /// A copy.
    ///
    /// ```
    /// use binfmt::{columns::ValueRef, value::Value};
    /// assert_eq!(ValueRef::Missing(3).to_value(), Value::Missing(3));
    /// ```
    pub fn to_value(&self) -> Value {
        match *self {
            ValueRef::Bool(v) => Value::Bool(v),
            ValueRef::I8(v) => Value::I8(v),
            ValueRef::I16(v) => Value::I16(v),
            ValueRef::I32(v) => Value::I32(v),
            ValueRef::I64(v) => Value::I64(v),
            ValueRef::I128(v) => Value::I128(v),
            ValueRef::U8(v) => Value::U8(v),
            ValueRef::U16(v) => Value::U16(v),
            ValueRef::U32(v) => Value::U32(v),
            ValueRef::U64(v) => Value::U64(v),
            ValueRef::U128(v) => Value::U128(v),
            ValueRef::F16(v) => Value::F16(v),
            ValueRef::F32(v) => Value::F32(v),
            ValueRef::F64(v) => Value::F64(v),
            ValueRef::Text(text) => match core::str::from_utf8(text) {
                Ok(text) => Value::Text(text.into()),
                Err(_) => Value::Bytes(text.into()),
            },
            ValueRef::Bytes(bytes) => Value::Bytes(bytes.into()),
            ValueRef::Missing(code) => Value::Missing(code),
            ValueRef::List(items) => Value::List(items.iter().map(|item| item.to_value()).collect()),
            ValueRef::Record(fields, row) => record(fields, row),
        }
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
        Ok(match *self {
            ValueRef::Text(text) => match String::from_utf8(bytes(text)?) {
                Ok(text) => Value::Text(text),
                Err(e) => Value::Bytes(e.into_bytes()),
            },
            ValueRef::Bytes(from) => Value::Bytes(bytes(from)?),
            ValueRef::List(items) => {
                let mut list = Vec::new();
                try_room_exact(&mut list, items.len())?;
                for item in items.iter() {
                    list.push(item.try_value()?);
                }
                Value::List(list)
            }
            ValueRef::Record(fields, row) => try_record(fields, row)?,
            other => other.to_value(),
        })
    }
}

/// One row of several columns, if there is memory for a copy.
pub(super) fn try_record(fields: &[(Name, Column)], row: usize) -> Result<Value, NoMemory> {
    let values = fields.iter().filter_map(|(name, column)| Some((name, column.get(row)?)));
    if are_numbers(fields.iter().map(|(name, _)| name.as_str())) {
        return Ok(Value::List(values.map(|(_, value)| value.try_value()).collect::<Result<_, _>>()?));
    }
    let named = values.map(|(name, value)| Ok((name.clone(), value.try_value()?)));
    Ok(Value::Record(named.collect::<Result<Vec<_>, _>>()?))
}

/// One row of several columns.
pub(super) fn record(fields: &[(Name, Column)], row: usize) -> Value {
    let values = fields.iter().filter_map(|(name, column)| Some((name, column.get(row)?.to_value())));
    if are_numbers(fields.iter().map(|(name, _)| name.as_str())) {
        return Value::List(values.map(|(_, value)| value).collect());
    }
    Value::Record(values.map(|(name, value)| (name.clone(), value)).collect::<Vec<_>>())
}

#[cfg(feature = "serde")]
mod serial {
    use super::{ColumnData, ValueRef, are_numbers};
    use crate::value::serial;
    use serde::ser::{Serialize, Serializer};

    impl Serialize for ValueRef<'_> {
        fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            match *self {
                ValueRef::Bool(v) => s.serialize_bool(v),
                ValueRef::I8(v) => s.serialize_i8(v),
                ValueRef::I16(v) => s.serialize_i16(v),
                ValueRef::I32(v) => s.serialize_i32(v),
                ValueRef::I64(v) => s.serialize_i64(v),
                ValueRef::I128(v) => serial::i128(v, s),
                ValueRef::U8(v) => s.serialize_u8(v),
                ValueRef::U16(v) => s.serialize_u16(v),
                ValueRef::U32(v) => s.serialize_u32(v),
                ValueRef::U64(v) => s.serialize_u64(v),
                ValueRef::U128(v) => serial::u128(v, s),
                ValueRef::F16(v) => serial::f16(v, s),
                ValueRef::F32(v) => serial::f32(v, s),
                ValueRef::F64(v) => serial::f64(v, s),
                ValueRef::Text(text) => serial::text(text, s),
                ValueRef::Bytes(bytes) => serial::bytes(bytes, s),
                ValueRef::Missing(code) => serial::missing(code, s),
                ValueRef::List(items) => s.collect_seq(items.iter()),
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
