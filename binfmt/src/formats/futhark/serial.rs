//! Values in JSON and its kin: `{"type": "i32", "shape": [2, 3], "values": [..]}`.

use super::value::{Element, ElementType, Elements, Value, each_elements};
use crate::schema::{Description, Type};
use crate::value::{Program, ValueSeed, serial};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use half::f16;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeStruct, Serializer};
use serde::{Deserialize, Serialize};

/// An element as JSON has it.
trait JsonElement: Copy {
    fn put<S: Serializer>(self, s: S) -> Result<S::Ok, S::Error>;
    fn from_value(value: crate::value::Value) -> Option<Self>;
}

macro_rules! plain {
    ($($t:ident $put:path, $variant:ident;)*) => { $(
        impl JsonElement for $t {
            fn put<S: Serializer>(self, s: S) -> Result<S::Ok, S::Error> {
                $put(self, s)
            }
            fn from_value(value: crate::value::Value) -> Option<Self> {
                match value {
                    crate::value::Value::$variant(x) => Some(x),
                    _ => None,
                }
            }
        }
    )* };
}

plain! {
    i8 own, I8;
    i16 own, I16;
    i32 own, I32;
    i64 own, I64;
    u8 own, U8;
    u16 own, U16;
    u32 own, U32;
    u64 own, U64;
    f32 serial::f32, F32;
    f64 serial::f64, F64;
    bool own, Bool;
}

fn own<T: Serialize, S: Serializer>(x: T, s: S) -> Result<S::Ok, S::Error> {
    x.serialize(s)
}

impl JsonElement for f16 {
    fn put<S: Serializer>(self, s: S) -> Result<S::Ok, S::Error> {
        serial::f16(self.to_bits(), s)
    }

    fn from_value(value: crate::value::Value) -> Option<Self> {
        match value {
            crate::value::Value::F16(bits) => Some(f16::from_bits(bits)),
            _ => None,
        }
    }
}

struct Put<T>(T);

impl<T: JsonElement> Serialize for Put<T> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        self.0.put(s)
    }
}

/// The elements of a value, without a copy of them.
struct List<'a>(&'a Elements);

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        each_elements!(self.0, v => s.collect_seq(v.iter().map(|x| Put(*x))))
    }
}

/// `{"type": "i32", "shape": [2, 3], "values": [..]}`, the elements flat, the last index fastest; a scalar has the shape
/// `[]`.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut object = s.serialize_struct("Value", 3)?;
        object.serialize_field("type", self.element_type().name())?;
        object.serialize_field("shape", self.dims())?;
        object.serialize_field("values", &List(self.elements()))?;
        object.end()
    }
}

/// The same form; `type` must stand before `values`.
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
                    let of = of.ok_or_else(|| A::Error::custom("`type` must stand before `values`"))?;
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

/// The schema of an element.
fn schema(of: ElementType) -> Type {
    match of {
        ElementType::I8 => Type::Int { bytes: 1, signed: true },
        ElementType::I16 => Type::Int { bytes: 2, signed: true },
        ElementType::I32 => Type::Int { bytes: 4, signed: true },
        ElementType::I64 => Type::Int { bytes: 8, signed: true },
        ElementType::U8 => Type::Int { bytes: 1, signed: false },
        ElementType::U16 => Type::Int { bytes: 2, signed: false },
        ElementType::U32 => Type::Int { bytes: 4, signed: false },
        ElementType::U64 => Type::Int { bytes: 8, signed: false },
        ElementType::F16 => Type::Float { bytes: 2 },
        ElementType::F32 => Type::Float { bytes: 4 },
        ElementType::F64 => Type::Float { bytes: 8 },
        ElementType::Bool => Type::Bool { lax: false },
    }
}

/// A list of elements of one type.
struct OfType(ElementType);

impl<'de> DeserializeSeed<'de> for OfType {
    type Value = Elements;

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<Elements, D::Error> {
        d.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for OfType {
    type Value = Elements;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of {}", self.0)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Elements, A::Error> {
        let program = Program::new(&Description::new(schema(self.0))).map_err(A::Error::custom)?;
        let mut elements = Elements::none(self.0);
        each_elements!(&mut elements, v => gather(v, &mut seq, &program)?);
        Ok(elements)
    }
}

fn gather<'de, T: JsonElement + Element, A: SeqAccess<'de>>(
    out: &mut Vec<T>,
    seq: &mut A,
    program: &Program,
) -> Result<(), A::Error> {
    while let Some(value) = seq.next_element_seed(ValueSeed::new(program))? {
        out.push(T::from_value(value).ok_or_else(|| A::Error::custom(format!("expected {}", T::TYPE)))?);
    }
    Ok(())
}
