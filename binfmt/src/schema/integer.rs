//! Integers as lengths: how they are bytes.

use super::types::Type;
use crate::numbers::NumberType;
use crate::wire::Varint;
use alloc::string::String;

/// How an integer is bytes: what a length is, and what [`Type::Int`], [`Type::Varint`] and, for a custom form,
/// [`Type::Opaque`] say of a value.
///
/// ```
/// use binfmt::schema::{Integer, Type, Varint};
/// assert_eq!(Type::from(Integer::unsigned(3)), Type::Int { bytes: 3, signed: false });
/// assert_eq!(Integer::Varint { code: Varint::Leb128, bytes: 8 }.to_string(), "leb128");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Integer {
    /// That many bytes, in the byte order of what it is in: 1 to 8.
    Fixed {
        /// How many.
        bytes: u8,
        /// Two's complement.
        signed: bool,
    },
    /// As many bytes as it needs.
    Varint {
        /// How each byte is a part of it.
        code: Varint,
        /// Bytes of the largest in memory: 1, 2, 4, 8 or 16.
        bytes: u8,
    },
    /// Bytes that this description does not explain: a custom form.
    Opaque {
        /// What makes them.
        by: String,
        /// At least that many.
        min: u64,
        /// At most that many.
        max: u64,
    },
}

impl Integer {
    /// That many bytes without a sign.
    ///
    /// ```
    /// use binfmt::schema::Integer;
    /// assert_eq!(Integer::unsigned(4).to_string(), "u32");
    /// ```
    pub const fn unsigned(bytes: u8) -> Self {
        Integer::Fixed { bytes, signed: false }
    }

    /// That many bytes with a sign.
    ///
    /// ```
    /// use binfmt::schema::Integer;
    /// assert_eq!(Integer::signed(3).to_string(), "i24");
    /// ```
    pub const fn signed(bytes: u8) -> Self {
        Integer::Fixed { bytes, signed: true }
    }

    /// The least and the most bytes.
    pub(crate) fn sizes(&self) -> (u64, u64) {
        match self {
            Integer::Fixed { bytes, .. } => ((*bytes).into(), (*bytes).into()),
            Integer::Varint { code, bytes } => (1, code.max_len(*bytes) as u64),
            Integer::Opaque { min, max, .. } => (*min, *max),
        }
    }

    /// The number that holds each of them: the next wider one where none has this width.
    pub(crate) fn value_type(&self) -> Option<NumberType> {
        match self {
            Integer::Fixed { bytes: bytes @ 1..=8, signed } => {
                NumberType::int(bytes.next_power_of_two(), *signed)
            }
            Integer::Fixed { bytes, signed } => NumberType::int(*bytes, *signed),
            Integer::Varint { code, bytes } => NumberType::int(*bytes, code.is_signed()),
            Integer::Opaque { .. } => None,
        }
    }
}

impl core::fmt::Display for Integer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Integer::Fixed { bytes, signed } => {
                write!(f, "{}{}", if *signed { 'i' } else { 'u' }, u32::from(*bytes) << 3)
            }
            Integer::Varint { code, bytes: 8 } => write!(f, "{code}"),
            Integer::Varint { code, bytes } => {
                let value = Integer::Fixed { bytes: *bytes, signed: code.is_signed() };
                write!(f, "{value}, as = {code}")
            }
            Integer::Opaque { by, .. } => write!(f, "as = {by}"),
        }
    }
}

impl From<Integer> for Type {
    fn from(integer: Integer) -> Type {
        match integer {
            Integer::Fixed { bytes, signed } => Type::Int { bytes, signed },
            Integer::Varint { code, bytes } => Type::Varint { code, bytes },
            Integer::Opaque { by, min, max } => Type::Opaque { by, min, max: Some(max) },
        }
    }
}

impl Type {
    /// The integer that it is.
    pub(crate) fn integer(&self) -> Option<Integer> {
        match *self {
            Type::Int { bytes, signed } => Some(Integer::Fixed { bytes, signed }),
            Type::Varint { code, bytes } => Some(Integer::Varint { code, bytes }),
            _ => None,
        }
    }
}

/// A length in front as it stands in JSON: the fields of the integer beside those of the length.
#[cfg(feature = "serde")]
pub(super) mod prefixed {
    use super::{Integer, String, Varint};
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Default, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Fields {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        varint: Option<Varint>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sizes: Option<(u64, u64)>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bytes: Option<u8>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signed: Option<bool>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max: Option<u64>,
        #[serde(default)]
        inclusive: bool,
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    pub(in crate::schema) fn serialize<S: Serializer>(
        len: &Integer,
        max: &Option<u64>,
        inclusive: &bool,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut fields = Fields { max: *max, inclusive: *inclusive, ..Fields::default() };
        match len {
            Integer::Fixed { bytes, signed } => (fields.bytes, fields.signed) = (Some(*bytes), Some(*signed)),
            Integer::Varint { code, bytes } => (fields.varint, fields.bytes) = (Some(*code), Some(*bytes)),
            Integer::Opaque { by, min, max } => {
                (fields.by, fields.sizes) = (Some(by.clone()), Some((*min, *max)));
            }
        }
        fields.serialize(serializer)
    }

    pub(in crate::schema) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<(Integer, Option<u64>, bool), D::Error> {
        let fields = Fields::deserialize(deserializer)?;
        let len = match (fields.varint, fields.by, fields.sizes, fields.bytes, fields.signed) {
            (None, None, None, Some(bytes), Some(signed)) => Integer::Fixed { bytes, signed },
            (Some(code), None, None, Some(bytes), None) => Integer::Varint { code, bytes },
            (None, Some(by), Some((min, max)), None, None) => Integer::Opaque { by, min, max },
            _ => {
                let text = "a length has `bytes` and `signed`, or `varint` and `bytes`, or `by` and `sizes`";
                return Err(D::Error::custom(text));
            }
        };
        Ok((len, fields.max, fields.inclusive))
    }
}
