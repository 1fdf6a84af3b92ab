//! Values in JSON and its kin: `{"type": "i32", "shape": [2, 3], "values": [..]}`.

use super::layout::{ElementType, Value};
use crate::numbers::Numbers;
use crate::schema::Description;
use crate::value::{Program, ValueSeed};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeStruct, Serializer};
use serde::{Deserialize, Serialize};

/// `{"type": "i32", "shape": [2, 3], "values": [..]}`, the elements flat, the last index fastest; a scalar has the shape
/// `[]`.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut object = s.serialize_struct("Value", 3)?;
        object.serialize_field("type", self.element_type().name())?;
        object.serialize_field("shape", self.dims())?;
        object.serialize_field("values", self.elements())?;
        object.end()
    }
}

/// The same form; `type` must be before `values`.
impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_struct("Value", &["type", "shape", "values"], Object)
    }
}

struct Object;

impl<'de> Visitor<'de> for Object {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `type`, `shape` and `values`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let (mut of, mut dims, mut elements) = (None, None, None);
        while let Some(key) = map.next_key::<String>()? {
            match &key[..] {
                "type" => {
                    let name: String = map.next_value()?;
                    let found: ElementType =
                        name.parse().map_err(|e| A::Error::custom(format!("`{name}`: {e}")))?;
                    of = Some(found);
                }
                "shape" => dims = Some(map.next_value::<Vec<u64>>()?),
                "values" => {
                    let of = of.ok_or_else(|| A::Error::custom("`type` must be before `values`"))?;
                    elements = Some(map.next_value_seed(OfType(of))?);
                }
                other => return Err(A::Error::unknown_field(other, &["type", "shape", "values"])),
            }
        }
        let dims = dims.ok_or_else(|| A::Error::missing_field("shape"))?;
        let elements = elements.ok_or_else(|| A::Error::missing_field("values"))?;
        Value::new(dims, elements).map_err(|e| A::Error::custom(e.kind()))
    }
}

/// A list of elements of one type.
struct OfType(ElementType);

impl<'de> DeserializeSeed<'de> for OfType {
    type Value = Numbers;

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<Numbers, D::Error> {
        d.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for OfType {
    type Value = Numbers;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of {}", self.0)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Numbers, A::Error> {
        let description = Description::new(self.0.number_type().into());
        let program = Program::new(&description).map_err(A::Error::custom)?;
        let mut numbers = Numbers::new(self.0.number_type());
        while let Some(value) = seq.next_element_seed(ValueSeed::new(&program))? {
            let number = value.as_number().filter(|n| numbers.push(*n).is_ok());
            number.ok_or_else(|| A::Error::custom(format!("expected {}", self.0)))?;
        }
        Ok(numbers)
    }
}
