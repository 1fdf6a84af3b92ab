//! What is said of values that do not fit, in the words of the layout.

use super::{Of, ValueSeed, wanted};
use crate::schema::Type;
use alloc::format;
use core::fmt;
use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};

/// The code of a missing value.
pub(super) struct Code;

impl<'de> DeserializeSeed<'de> for Code {
    type Value = u8;

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<u8, D::Error> {
        d.deserialize_any(self)
    }
}

impl Visitor<'_> for Code {
    type Value = u8;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the code of a missing value, 0 to 255")
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<u8, E> {
        u8::try_from(n)
            .map_err(|_| E::custom(format!("{n} is no code of a missing value, which is 0 to 255")))
    }

    fn visit_i64<E: Error>(self, n: i64) -> Result<u8, E> {
        u8::try_from(n)
            .map_err(|_| E::custom(format!("{n} is no code of a missing value, which is 0 to 255")))
    }
}

/// What the layout wants, in words.
pub(super) struct Wanted<'s, 'a>(pub(super) &'s ValueSeed<'a>);

impl fmt::Display for Wanted<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = |bytes: &u8| u32::from(*bytes).saturating_mul(8);
        match self.0.plain() {
            Of::Type(Type::Int { bytes, signed }) => {
                match self.0.called() {
                    Some(name) => f.write_str(name)?,
                    None => write!(f, "{}{}", if *signed { 'i' } else { 'u' }, bits(bytes))?,
                }
                let largest = u128::MAX.checked_shr(128u32.saturating_sub(bits(bytes))).unwrap_or(0);
                match signed {
                    true => write!(
                        f,
                        ", an integer from -{} to {}",
                        (largest >> 1).saturating_add(1),
                        largest >> 1
                    )?,
                    false => write!(f, ", an integer from 0 to {largest}")?,
                }
                // beyond 64 bits a number of JSON is not exact
                if *bytes == 16 { f.write_str(" (in quotes where it has more than 64 bits)") } else { Ok(()) }
            }
            Of::Type(Type::Float { bytes }) => {
                match self.0.called() {
                    Some(name) => f.write_str(name)?,
                    None => write!(f, "f{}", bits(bytes))?,
                }
                match bytes {
                    2 => f.write_str(", a number up to 65504")?,
                    4 => write!(f, ", a number up to {:e}", f32::MAX)?,
                    _ => f.write_str(", a number")?,
                }
                f.write_str(", \"nan\", \"inf\" or \"-inf\"")
            }
            Of::Type(Type::Bool { .. }) => f.write_str("true or false"),
            Of::Type(Type::Text { .. }) => f.write_str("text"),
            Of::Type(Type::Bytes { .. } | Type::Opaque { .. }) => f.write_str("bytes, {\"hex\": \"..\"}"),
            Of::Type(Type::List { .. }) | Of::List(_) => f.write_str("a list"),
            Of::Type(Type::Shaped { .. }) => f.write_str("an array, {\"shape\": [..], \"values\": [..]}"),
            Of::Type(Type::Record(record)) => {
                write!(f, "the {} fields of a record", wanted(&record.fields, None).len())
            }
            Of::Variant(fields, tag) => write!(f, "the {} fields of a variant", wanted(fields, tag).len()),
            Of::Type(Type::Choice(choice)) => write!(f, "a variant of {}", choice.name),
            Of::Type(Type::Named(name)) => write!(f, "of the type `{name}`, which has no definition"),
            _ => f.write_str("nothing"),
        }
    }
}

impl serde::de::Expected for Wanted<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
