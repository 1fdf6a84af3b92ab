//! How values look in JSON and its kin.

use super::{Elements, Value, float};
use alloc::format;
use alloc::string::String;
use core::fmt::{self, Write as _};
use serde::ser::{Serialize, SerializeMap, Serializer};

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Unit | Value::Absent => s.serialize_unit(),
            Value::Bool(b) => s.serialize_bool(*b),
            Value::I8(n) => s.serialize_i8(*n),
            Value::I16(n) => s.serialize_i16(*n),
            Value::I32(n) => s.serialize_i32(*n),
            Value::I64(n) => s.serialize_i64(*n),
            Value::I128(n) => i128(*n, s),
            Value::U8(n) => s.serialize_u8(*n),
            Value::U16(n) => s.serialize_u16(*n),
            Value::U32(n) => s.serialize_u32(*n),
            Value::U64(n) => s.serialize_u64(*n),
            Value::U128(n) => u128(*n, s),
            Value::F16(bits) => f16(*bits, s),
            Value::F32(n) => f32(*n, s),
            Value::F64(n) => f64(*n, s),
            Value::Text(text) => s.serialize_str(text),
            Value::Bytes(b) => bytes(b, s),
            Value::Missing(code) => missing(*code, s),
            Value::List(values) => s.collect_seq(values),
            Value::Array { shape, values } => {
                let mut map = s.serialize_map(Some(2))?;
                map.serialize_entry("shape", shape)?;
                map.serialize_entry("values", values)?;
                map.end()
            }
            Value::Record(fields) => s.collect_map(fields.iter().map(|(name, value)| (name, value))),
            Value::Variant { name, value } => match **value {
                Value::Unit => s.serialize_str(name),
                ref value => one(name, value, s),
            },
        }
    }
}

impl Serialize for Elements {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(self)
    }
}

/// An object with one entry.
fn one<S: Serializer>(key: &str, value: &(impl Serialize + ?Sized), s: S) -> Result<S::Ok, S::Error> {
    let mut map = s.serialize_map(Some(1))?;
    map.serialize_entry(key, value)?;
    map.end()
}

/// The code of a missing value.
pub(crate) fn missing<S: Serializer>(code: u8, s: S) -> Result<S::Ok, S::Error> {
    one("missing", &code, s)
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

/// Beyond 64 bits most readers of JSON round: there the digits are text.
pub(crate) fn i128<S: Serializer>(n: i128, s: S) -> Result<S::Ok, S::Error> {
    match i64::try_from(n) {
        Ok(n) => s.serialize_i64(n),
        Err(_) => match u64::try_from(n) {
            Ok(n) => s.serialize_u64(n),
            Err(_) => s.collect_str(&n),
        },
    }
}

/// See `i128`.
pub(crate) fn u128<S: Serializer>(n: u128, s: S) -> Result<S::Ok, S::Error> {
    match u64::try_from(n) {
        Ok(n) => s.serialize_u64(n),
        Err(_) => s.collect_str(&n),
    }
}

/// A number that is none: its name, or its bits where the name does not say all of it.
fn odd<S: Serializer>(
    infinite: bool,
    negative: bool,
    usual: bool,
    bits: &str,
    s: S,
) -> Result<S::Ok, S::Error> {
    match (infinite, negative, usual) {
        (true, false, _) => s.serialize_str("inf"),
        (true, true, _) => s.serialize_str("-inf"),
        (false, _, true) => s.serialize_str("nan"),
        (false, _, false) => one("bits", bits, s),
    }
}

/// Double precision.
pub(crate) fn f64<S: Serializer>(n: f64, s: S) -> Result<S::Ok, S::Error> {
    if n.is_finite() {
        return s.serialize_f64(n);
    }
    let bits = n.to_bits();
    odd(n.is_infinite(), n.is_sign_negative(), bits == 0x7ff8 << 48, &format!("{bits:016x}"), s)
}

/// Single precision.
pub(crate) fn f32<S: Serializer>(n: f32, s: S) -> Result<S::Ok, S::Error> {
    if n.is_finite() {
        return s.serialize_f32(n);
    }
    let bits = n.to_bits();
    odd(n.is_infinite(), n.is_sign_negative(), bits == 0x7fc0 << 16, &format!("{bits:08x}"), s)
}

/// Half precision, as the number of double precision that has the fewest digits.
pub(crate) fn f16<S: Serializer>(bits: u16, s: S) -> Result<S::Ok, S::Error> {
    let n = float::from_f16(bits);
    if !n.is_finite() {
        return odd(n.is_infinite(), n.is_sign_negative(), bits == 0x7e00, &format!("{bits:04x}"), s);
    }
    s.serialize_f64(shortest(bits))
}

/// Five digits tell every number of half precision from its neighbours.
fn shortest(bits: u16) -> f64 {
    let n = float::from_f16(bits);
    let mut digits = String::new();
    for precision in 0..8 {
        digits.clear();
        // writing to a string does not fail
        let _ = write!(digits, "{n:.precision$e}");
        if let Ok(found) = digits.parse::<f64>()
            && float::to_f16(found) == bits
        {
            return found;
        }
    }
    n.into()
}

/// The number of some bits in hexadecimal.
pub(super) fn from_bits(text: &str, digits: usize) -> Option<u64> {
    if text.len() != digits || text.starts_with('+') {
        return None;
    }
    u64::from_str_radix(text, 16).ok()
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
    fn half_precision_has_few_digits() {
        for (bits, expected) in [(0x2e66, 0.1), (0x3c00, 1.0), (0x7bff, 65500.0), (1, 6e-8), (0x3555, 0.3333)]
        {
            assert_eq!(shortest(bits), expected);
        }
        for bits in 0..=u16::MAX {
            if float::from_f16(bits).is_finite() {
                assert_eq!(float::to_f16(shortest(bits)), bits);
            }
        }
    }

    #[test]
    fn digits() {
        assert_eq!(from_hex("00fF"), Some(alloc::vec![0, 255]));
        assert_eq!(from_hex("0"), None);
        assert_eq!(from_hex("é"), None);
        assert_eq!(from_bits("+ff", 3), None);
    }
}
