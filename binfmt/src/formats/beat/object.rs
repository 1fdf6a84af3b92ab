//! Objects of a declaration that is known only at run time.

use super::declaration::{Basic, Declaration, FieldType, Format};
use crate::codec::{Decode, Encode, Layout};
use crate::error::{Error, Result, Step};
use crate::value::Value;
use crate::wire::{Facts, OPEN, Order, Sink, Source};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// An object of a declaration, which is its context: fields in the order of the wire.
///
/// What the declaration says of dimensions is checked in both directions.
///
/// ```
/// use binfmt::Options;
/// use binfmt::formats::beat::{Declaration, Object};
/// use binfmt::value::Value;
/// let declaration = Declaration::parse(r#"{"text": "string", "n": [0, 2, "int8"]}"#).unwrap();
/// let options = Options::new().ctx(&declaration);
/// let bytes = b"\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x07\x08\x01\0\0\0\0\0\0\0a";
/// let object: Object = binfmt::from_slice_with(bytes, &options)?;
/// assert_eq!(object.0.get("text"), Some(&Value::from("a")));
/// assert_eq!(binfmt::to_vec_with(&object, &options)?, bytes);
///
/// let wrong = b"\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x07\0\0\0\0\0\0\0\0";
/// let e = binfmt::from_slice_with::<Object, _>(wrong, &options).unwrap_err();
/// assert_eq!(e.to_string(), "n at byte 0x8: dimension 1 is 1, the declaration says 2");
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Object(pub Value);

impl Layout for Object {
    const FACTS: Facts<Self> = Facts::range(0, 0, OPEN);
}

impl<'de, 'd> Decode<'de, &'d Declaration> for Object {
    fn decode<O: Order, S: Source<'de>>(src: &mut S, declaration: &'d Declaration) -> Result<Self> {
        let at = src.pos();
        let value = Value::decode::<O, S>(src, declaration.description())?;
        dimensions(&value, declaration.format(), at)?;
        Ok(Object(value))
    }
}

impl<'d> Encode<&'d Declaration> for Object {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, declaration: &'d Declaration) -> Result<()> {
        dimensions(&self.0, declaration.format(), out.pos())?;
        self.0.encode::<O, W>(out, declaration.description())
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Object {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(s)
    }
}

/// Compares the dimensions of all arrays with those that the declaration fixes; answers the size of the object.
fn dimensions(value: &Value, format: &Format, at: u64) -> Result<u64> {
    let mut size = 0u64;
    for (i, (name, ty)) in format.fields().iter().enumerate() {
        let value = match value {
            Value::Record(fields) => fields.get(i).map(|(_, value)| value),
            _ => None,
        };
        // whatever else is missing, the encoder says it
        let Some(value) = value else { return Ok(size) };
        let found = field(value, ty, at.saturating_add(size));
        size = size.saturating_add(found.map_err(|e| e.within(Step::Name(name.clone())))?);
    }
    Ok(size)
}

fn field(value: &Value, ty: &FieldType, at: u64) -> Result<u64> {
    match (ty, value) {
        (FieldType::Basic(Basic::String), value) => {
            Ok((value.as_bytes().map_or(0, <[u8]>::len) as u64).saturating_add(8))
        }
        (FieldType::Basic(basic), _) => Ok(width(*basic)),
        (FieldType::Object(format), value) => dimensions(value, format, at),
        (FieldType::Array(dims, item), Value::Array { shape, values }) => {
            for (i, (expected, found)) in dims.iter().zip(shape).enumerate() {
                if *expected != 0 && expected != found {
                    let at = at.saturating_add((i as u64).saturating_mul(8));
                    return Err(another(i, *found, *expected, at));
                }
            }
            elements(values, item, at, (dims.len() as u64).saturating_mul(8))
        }
        (FieldType::Array(..), _) => Ok(0),
    }
}

#[cold]
fn another(i: usize, found: u64, expected: u64, at: u64) -> Error {
    Error::message(format!("dimension {i} is {found}, the declaration says {expected}"), at)
}

fn elements(values: &[Value], item: &FieldType, at: u64, head: u64) -> Result<u64> {
    if let FieldType::Basic(basic) = item
        && *basic != Basic::String
    {
        return Ok(head.saturating_add(width(*basic).saturating_mul(values.len() as u64)));
    }
    let mut size = head;
    for (i, value) in values.iter().enumerate() {
        let found = field(value, item, at.saturating_add(size));
        size = size.saturating_add(found.map_err(|e| e.within(Step::Index(i)))?);
    }
    Ok(size)
}

/// Bytes of a value; of a text those of its length.
fn width(basic: Basic) -> u64 {
    match basic {
        Basic::Int8 | Basic::Uint8 | Basic::Bool => 1,
        Basic::Int16 | Basic::Uint16 => 2,
        Basic::Int32 | Basic::Uint32 | Basic::Float32 => 4,
        Basic::Int64 | Basic::Uint64 | Basic::Float64 | Basic::Complex64 | Basic::String => 8,
        Basic::Complex128 => 16,
    }
}

/// The most fields and elements that a blank object holds.
const MAX_BLANK: u64 = 1 << 20;

impl Declaration {
    /// The object whose fields nobody has set: zeros, empty text, arrays with 0 along each free dimension.
    ///
    /// `None` where the declaration fixes more than a million elements.
    ///
    /// ```
    /// use binfmt::Options;
    /// use binfmt::formats::beat::Declaration;
    /// let declaration = Declaration::parse(r#"{"a": [0, 3, "string"], "b": [2, "int8"], "c": "bool"}"#).unwrap();
    /// let bytes = binfmt::to_vec_with(&declaration.blank().unwrap(), &Options::new().ctx(&declaration))?;
    /// assert_eq!(bytes, b"\0\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\0\0\0");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn blank(&self) -> Option<Object> {
        blank_object(self.format(), &mut MAX_BLANK.clone()).map(Object)
    }
}

fn blank_object(format: &Format, room: &mut u64) -> Option<Value> {
    let fields: Option<Vec<(String, Value)>> =
        format.fields().iter().map(|(name, ty)| Some((name.clone(), blank(ty, room)?))).collect();
    Some(Value::Record(fields?))
}

fn blank(ty: &FieldType, room: &mut u64) -> Option<Value> {
    *room = room.checked_sub(1)?;
    Some(match ty {
        FieldType::Object(format) => blank_object(format, room)?,
        FieldType::Array(dims, item) => {
            let num = dims.iter().try_fold(1u64, |n, dim| n.checked_mul(*dim));
            let num = if dims.contains(&0) { 0 } else { num? };
            let mut values = Vec::new();
            for _ in 0..num {
                values.push(blank(item, room)?);
            }
            Value::Array { shape: dims.clone(), values }
        }
        FieldType::Basic(basic) => match basic {
            Basic::Int8 => Value::I8(0),
            Basic::Int16 => Value::I16(0),
            Basic::Int32 => Value::I32(0),
            Basic::Int64 => Value::I64(0),
            Basic::Uint8 => Value::U8(0),
            Basic::Uint16 => Value::U16(0),
            Basic::Uint32 => Value::U32(0),
            Basic::Uint64 => Value::U64(0),
            Basic::Float32 => Value::F32(0.0),
            Basic::Float64 => Value::F64(0.0),
            Basic::Complex64 => Value::List(vec![Value::F32(0.0), Value::F32(0.0)]),
            Basic::Complex128 => Value::List(vec![Value::F64(0.0), Value::F64(0.0)]),
            Basic::Bool => Value::Bool(false),
            Basic::String => Value::Text(String::new()),
        },
    })
}
