//! Values as text and as JSON.

use crate::table::Shown;
use binfmt::Nullable;
use binfmt::formats::scidb::Value;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::io::Write;

pub(super) fn show(value: Nullable<&Value>, out: &mut Vec<u8>) -> Shown {
    let Nullable::Value(value) = value else { return Shown::Missing(value.missing()) };
    match value {
        Value::String(text) | Value::FixedString(text) => {
            out.extend_from_slice(text.as_bytes());
            Shown::Text
        }
        other => {
            let _ =
                write!(out, "{}", serde_json::to_string(&Json(Nullable::Value(other))).unwrap_or_default());
            Shown::Plain
        }
    }
}

pub(super) struct Json<'a>(pub(super) Nullable<&'a Value>);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let Nullable::Value(value) = self.0 else {
            let mut map = s.serialize_map(Some(1))?;
            map.serialize_entry("missing", &self.0.missing())?;
            return map.end();
        };
        match value {
            Value::Bool(v) => v.serialize(s),
            Value::Char(v) | Value::Uint8(v) => v.serialize(s),
            Value::Int8(v) => v.serialize(s),
            Value::Int16(v) => v.serialize(s),
            Value::Int32(v) => v.serialize(s),
            Value::Int64(v) | Value::Datetime(v) => v.serialize(s),
            Value::Uint16(v) => v.serialize(s),
            Value::Uint32(v) => v.serialize(s),
            Value::Uint64(v) => v.serialize(s),
            Value::Float(v) if v.is_finite() => v.serialize(s),
            Value::Double(v) if v.is_finite() => v.serialize(s),
            Value::Float(v) => v.to_string().to_lowercase().serialize(s),
            Value::Double(v) => v.to_string().to_lowercase().serialize(s),
            Value::Datetimetz(a, b) => (a, b).serialize(s),
            Value::String(v) | Value::FixedString(v) => v.serialize(s),
            Value::Binary(v) | Value::FixedBinary(v) => {
                let mut map = s.serialize_map(Some(1))?;
                let hex: String = v.iter().map(|b| format!("{b:02x}")).collect();
                map.serialize_entry("hex", &hex)?;
                map.end()
            }
            _ => s.serialize_none(),
        }
    }
}
