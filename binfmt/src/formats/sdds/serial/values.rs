//! Values, as they are written.

use crate::columns::ValueRef;
use crate::formats::sdds::layout::text::Text;
use crate::formats::sdds::layout::value::{ArrayValue, Elements, Value};
use crate::formats::sdds::layout::x87::X87;
use alloc::format;
use alloc::string::String;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A string, or `{"hex": ".."}`.
impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ValueRef::Text(self.as_bytes()).serialize(serializer)
    }
}

/// `{"x87": "20 hex digits"}`.
impl Serialize for X87 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digits: String = self.to_le_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("x87", &digits)?;
        map.end()
    }
}

/// A number, a string, or one of the two forms above.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Number(n) => ValueRef::Number(*n).serialize(serializer),
            Value::String(text) => text.serialize(serializer),
            Value::LongDouble(n) => n.serialize(serializer),
        }
    }
}

/// A list of values.
impl Serialize for Elements {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Elements::Numbers(v) => v.serialize(serializer),
            Elements::String(v) => serializer.collect_seq(v.iter().map(ValueRef::Text)),
            Elements::LongDouble(v) => serializer.collect_seq(v),
        }
    }
}

/// `{"shape": [2, 3], "values": [..]}`, the last index fastest.
impl Serialize for ArrayValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("shape", self.sizes())?;
        map.serialize_entry("values", self.elements())?;
        map.end()
    }
}
