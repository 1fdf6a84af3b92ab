//! Numbers as types of a layout.

use super::types::Type;
use crate::numbers::NumberType;

impl From<NumberType> for Type {
    /// ```
    /// use binfmt::{numbers::NumberType, schema::Type};
    /// assert_eq!(Type::from(NumberType::U16), Type::Int { bytes: 2, signed: false });
    /// ```
    fn from(kind: NumberType) -> Type {
        // no number has more than 16 bytes
        let bytes = kind.size() as u8;
        match kind {
            NumberType::Bool => Type::Bool { lax: false },
            kind if kind.is_float() => Type::Float { bytes },
            kind => Type::Int { bytes, signed: kind.is_signed() },
        }
    }
}

impl Type {
    /// The number that it is: an integer, a floating-point number or a bool of any leniency.
    ///
    /// `None` for other types, and for a number of a width that no number has.
    ///
    /// ```
    /// use binfmt::{numbers::NumberType, schema::Type};
    /// assert_eq!(Type::Float { bytes: 4 }.number_type(), Some(NumberType::F32));
    /// assert_eq!((Type::Unit.number_type(), Type::Float { bytes: 3 }.number_type()), (None, None));
    /// ```
    #[inline]
    pub fn number_type(&self) -> Option<NumberType> {
        match self {
            Type::Int { bytes, signed } => NumberType::int(*bytes, *signed),
            Type::Float { bytes } => NumberType::float(*bytes),
            Type::Bool { .. } => Some(NumberType::Bool),
            _ => None,
        }
    }
}
