//! Values, read as the types that a header says.

use crate::formats::sdds::layout::text::Text;
use crate::formats::sdds::layout::types::DataType;
use crate::formats::sdds::layout::value::{ArrayValue, Elements, Value};
use crate::formats::sdds::layout::x87::X87;
use crate::numbers::NumberType;
use crate::schema::{Description, Encoding, Extent, Integer, Type};
use crate::value::{Program, Value as Any, ValueSeed};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Reads values of a type.
struct Reader {
    kind: DataType,
    /// `None` of `longdouble`, which has a form of its own.
    program: Option<Program>,
}

impl Reader {
    fn new<E: Error>(kind: DataType) -> Result<Self, E> {
        let program = match kind {
            DataType::LongDouble => None,
            kind => Some(Program::new(&Description::new(type_of(kind))).map_err(E::custom)?),
        };
        Ok(Reader { kind, program })
    }
}

impl<'de> DeserializeSeed<'de> for &Reader {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let Some(program) = &self.program else { return deserializer.deserialize_map(Extended) };
        let value = ValueSeed::new(program).deserialize(deserializer)?;
        of_any(value).ok_or_else(|| D::Error::custom(format_args!("it is not a {}", self.kind)))
    }
}

/// A single value of a type.
pub(super) struct One(pub(super) DataType);

impl<'de> DeserializeSeed<'de> for One {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Reader::new(self.0)?.deserialize(deserializer)
    }
}

/// What the JSON form says of a type; `longdouble` has a form of its own.
fn type_of(kind: DataType) -> Type {
    match kind {
        DataType::String => Type::Text {
            encoding: Encoding::Any,
            nul: false,
            len: Extent::Prefixed { len: Integer::signed(4), max: None, inclusive: false },
        },
        number => number.number_type().unwrap_or(NumberType::F64).into(),
    }
}

fn of_any(value: Any) -> Option<Value> {
    Some(match value {
        Any::Number(n) => Value::Number(n),
        Any::Text(text) => Value::String(text.into()),
        Any::Bytes(bytes) => Value::String(Text::new(bytes)),
        _ => return None,
    })
}

/// `{"x87": "20 hex digits"}`.
struct Extended;

impl<'de> Visitor<'de> for Extended {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object {\"x87\": \"20 hex digits\"}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let Some((key, digits)) = map.next_entry::<String, String>()? else {
            return Err(A::Error::custom("an object without \"x87\""));
        };
        let bytes = if key == "x87" { ten_bytes(&digits) } else { None };
        match (bytes, map.next_key::<String>()?) {
            (Some(bytes), None) => Ok(Value::LongDouble(X87::from_le_bytes(bytes))),
            _ => Err(A::Error::custom("a longdouble is {\"x87\": \"20 hex digits\"}")),
        }
    }
}

fn ten_bytes(digits: &str) -> Option<[u8; 10]> {
    let mut bytes = [0; 10];
    if digits.len() != 20 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(core::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}

/// A list of values of a type.
pub(super) struct Many(pub(super) DataType);

impl<'de> DeserializeSeed<'de> for Many {
    type Value = Elements;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Elements, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Many {
    type Value = Elements;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of {} values", self.0)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Elements, A::Error> {
        let mut all = Elements::empty(self.0);
        // one program for all of them
        let reader = Reader::new(self.0)?;
        loop {
            let i = all.len();
            match list.next_element_seed(&reader).map_err(|e| within(format_args!("[{i}]"), e))? {
                // its type is that of the list
                Some(value) => drop(all.push(value)),
                None => return Ok(all),
            }
        }
    }
}

/// The error, with the place before it.
pub(super) fn within<E: Error>(place: impl fmt::Display, e: E) -> E {
    let text = e.to_string();
    let dot = if text.starts_with(['[', '.']) { "" } else { ": " };
    E::custom(format_args!("{place}{dot}{text}"))
}

/// An array: `{"shape": .., "values": ..}`.
pub(super) struct Shaped(pub(super) DataType);

impl<'de> DeserializeSeed<'de> for Shaped {
    type Value = ArrayValue;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<ArrayValue, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Shaped {
    type Value = ArrayValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with \"shape\" and \"values\"")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ArrayValue, A::Error> {
        let (mut shape, mut values) = (None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "shape" => shape = Some(map.next_value::<Vec<usize>>()?),
                "values" => {
                    values = Some(map.next_value_seed(Many(self.0)).map_err(|e| within(".values", e))?)
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let (Some(shape), Some(values)) = (shape, values) else {
            return Err(A::Error::custom("an array needs \"shape\" and \"values\""));
        };
        let found = values.len();
        ArrayValue::new(&shape, values)
            .ok_or_else(|| A::Error::custom(format_args!("{found} values are not of the shape {shape:?}")))
    }
}
