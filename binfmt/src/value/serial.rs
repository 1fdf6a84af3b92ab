//! How values look in JSON and its kin.

use super::{Elements, Value};
use crate::numbers::serial::one;
use core::fmt;
use serde::ser::{Serialize, SerializeMap, Serializer};

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Unit | Value::Absent => s.serialize_unit(),
            Value::Number(n) => n.serialize(s),
            Value::Text(text) => s.serialize_str(text),
            Value::Bytes(b) => bytes(b, s),
            Value::Missing(code) => missing(*code, s),
            Value::List(values) => s.collect_seq(values),
            Value::Array { shape, values } => array(shape, values, s),
            Value::Record(fields) => s.collect_map(fields.iter()),
            Value::Variant { name, value } => match **value {
                Value::Unit => s.serialize_str(name),
                ref value => one(name, value, s),
            },
        }
    }
}

impl Serialize for Elements {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Elements::Numbers(numbers) => numbers.serialize(s),
            Elements::Values(values) => s.collect_seq(values),
        }
    }
}

/// The code of a missing value.
pub(crate) fn missing<S: Serializer>(code: u8, s: S) -> Result<S::Ok, S::Error> {
    one("missing", &code, s)
}

/// An array: its dimensions, then its elements.
pub(crate) fn array<S: Serializer>(shape: &[u64], values: &impl Serialize, s: S) -> Result<S::Ok, S::Error> {
    let mut map = s.serialize_map(Some(2))?;
    map.serialize_entry("shape", shape)?;
    map.serialize_entry("values", values)?;
    map.end()
}

/// Bytes as hexadecimal digits.
pub(crate) fn bytes<S: Serializer>(bytes: &[u8], s: S) -> Result<S::Ok, S::Error> {
    one("hex", &Hex(bytes), s)
}

/// Text where the bytes are valid UTF-8.
pub(crate) fn text<S: Serializer>(text: &[u8], s: S) -> Result<S::Ok, S::Error> {
    match core::str::from_utf8(text) {
        Ok(text) => s.serialize_str(text),
        Err(_) => bytes(text, s),
    }
}

/// Two digits a byte, without memory of their own.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

impl Serialize for Hex<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

/// The bytes of hexadecimal digits.
pub(super) fn from_hex(text: &str) -> Option<alloc::vec::Vec<u8>> {
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let digit = |b: &u8| char::from(*b).to_digit(16);
    let byte = |pair: &[u8]| match pair {
        [high, low] => u8::try_from(digit(high)?.checked_mul(16)?.checked_add(digit(low)?)?).ok(),
        _ => None,
    };
    digits.chunks(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits() {
        assert_eq!(from_hex("00fF"), Some(alloc::vec![0, 255]));
        assert_eq!(from_hex("0"), None);
        assert_eq!(from_hex("é"), None);
    }
}
