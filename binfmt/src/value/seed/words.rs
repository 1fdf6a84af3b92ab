//! What is said of values that do not fit, in the words of the layout.

use super::{Entries, Expected, ValueSeed};
use crate::numbers::NumberType;
use crate::value::program::Kind;
use alloc::format;
use core::fmt;
use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};

/// The code of a missing value.
pub(super) struct MissingCode;

impl<'de> DeserializeSeed<'de> for MissingCode {
    type Value = u8;

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<u8, D::Error> {
        d.deserialize_any(self)
    }
}

impl Visitor<'_> for MissingCode {
    type Value = u8;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the code of a missing value, 0 to 255")
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<u8, E> {
        u8::try_from(n)
            .map_err(|_| E::custom(format!("{n} is not a code of a missing value; expected 0 to 255")))
    }

    fn visit_i64<E: Error>(self, n: i64) -> Result<u8, E> {
        u8::try_from(n)
            .map_err(|_| E::custom(format!("{n} is not a code of a missing value; expected 0 to 255")))
    }
}

/// What the layout wants, in words.
pub(super) struct Wanted<'s, 'a>(pub(super) &'s ValueSeed<'a>);

impl fmt::Display for Wanted<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.0.plain() {
            Expected::Node(node) => &node.kind,
            Expected::List(_) => return f.write_str("a list"),
            Expected::Variant(record, tag) => {
                return write!(f, "the {} fields of a variant", Entries { record, tag }.len());
            }
        };
        match kind {
            Kind::Number(of) | Kind::Integer(_, of) => self.number(*of, f),
            Kind::Bool { .. } => f.write_str("true or false"),
            Kind::Text { .. } | Kind::Paged { .. } => f.write_str("text"),
            Kind::Bytes { .. } | Kind::Opaque { .. } => f.write_str("bytes, {\"hex\": \"..\"}"),
            Kind::List { .. } => f.write_str("a list"),
            Kind::Shaped(_) => f.write_str("an array, {\"shape\": [..], \"values\": [..]}"),
            Kind::Record(record) => write!(f, "the {} fields of a record", record.values.len()),
            Kind::Choice(choice) => write!(f, "a variant of {}", choice.name),
            _ => f.write_str("nothing"),
        }
    }
}

impl Wanted<'_, '_> {
    fn number(&self, of: NumberType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.called().unwrap_or(of.name()))?;
        match (of, of.limits()) {
            (_, Some((low, high))) => write!(f, ", an integer from {low} to {high}")?,
            (NumberType::F16, _) => f.write_str(", a number up to 65504")?,
            (NumberType::F32, _) => write!(f, ", a number up to {:e}", f32::MAX)?,
            _ => f.write_str(", a number")?,
        }
        match of {
            of if of.is_float() => f.write_str(", \"nan\", \"inf\" or \"-inf\""),
            // beyond 64 bits a number of JSON is not exact
            NumberType::I128 | NumberType::U128 => f.write_str(" (in quotes where it has more than 64 bits)"),
            _ => Ok(()),
        }
    }
}

impl serde::de::Expected for Wanted<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
