//! One number of a datatype that is known only at run time: the bounds of domains and of tiles.

use super::datatype::{Datatype, Number};
use crate::BinFormat;
use core::cmp::Ordering;
use core::fmt;

/// A number of the type that a [`Datatype`] has, which is its context.
///
/// ```
/// use binfmt::formats::tiledb::{Datatype, Scalar};
/// let options = binfmt::Options::new().ctx(Datatype::Int16);
/// let number: Scalar = binfmt::from_slice_with(&[0xff, 0xff], &options)?;
/// assert_eq!(number, Scalar::I16(-1));
/// assert_eq!(binfmt::to_vec_with(&number, &options)?, [0xff, 0xff]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Copy, Debug)]
#[binfmt(le, ctx(datatype: Datatype), tag_from = Typed(datatype.number(), datatype))]
#[allow(missing_docs)]
pub enum Scalar {
    #[binfmt(tag(Typed(Some(Number::I8), _)))]
    I8(i8),
    #[binfmt(tag(Typed(Some(Number::U8), _)))]
    U8(u8),
    #[binfmt(tag(Typed(Some(Number::I16), _)))]
    I16(i16),
    #[binfmt(tag(Typed(Some(Number::U16), _)))]
    U16(u16),
    #[binfmt(tag(Typed(Some(Number::I32), _)))]
    I32(i32),
    #[binfmt(tag(Typed(Some(Number::U32), _)))]
    U32(u32),
    #[binfmt(tag(Typed(Some(Number::I64), _)))]
    I64(i64),
    #[binfmt(tag(Typed(Some(Number::U64), _)))]
    U64(u64),
    #[binfmt(tag(Typed(Some(Number::F32), _)))]
    F32(f32),
    #[binfmt(tag(Typed(Some(Number::F64), _)))]
    F64(f64),
}

/// What chooses the variant; shown is what the file says.
struct Typed(Option<Number>, Datatype);

impl fmt::Debug for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.1)
    }
}

impl Scalar {
    /// An integer as one that holds all of them; `None` for a float.
    ///
    /// ```
    /// use binfmt::formats::tiledb::Scalar;
    /// assert_eq!(Scalar::U64(u64::MAX).integer(), Some(u64::MAX.into()));
    /// assert_eq!(Scalar::F32(1.0).integer(), None);
    /// ```
    pub fn integer(self) -> Option<i128> {
        Some(match self {
            Scalar::I8(v) => v.into(),
            Scalar::U8(v) => v.into(),
            Scalar::I16(v) => v.into(),
            Scalar::U16(v) => v.into(),
            Scalar::I32(v) => v.into(),
            Scalar::U32(v) => v.into(),
            Scalar::I64(v) => v.into(),
            Scalar::U64(v) => v.into(),
            Scalar::F32(_) | Scalar::F64(_) => return None,
        })
    }

    /// The integer as a number of this type, where it fits; floats take none.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Number, Scalar};
    /// assert_eq!(Scalar::of_integer(-1, Number::I8), Some(Scalar::I8(-1)));
    /// assert_eq!(Scalar::of_integer(-1, Number::U8), None);
    /// ```
    pub fn of_integer(value: i128, number: Number) -> Option<Scalar> {
        match number {
            Number::I8 => value.try_into().ok().map(Scalar::I8),
            Number::U8 => value.try_into().ok().map(Scalar::U8),
            Number::I16 => value.try_into().ok().map(Scalar::I16),
            Number::U16 => value.try_into().ok().map(Scalar::U16),
            Number::I32 => value.try_into().ok().map(Scalar::I32),
            Number::U32 => value.try_into().ok().map(Scalar::U32),
            Number::I64 => value.try_into().ok().map(Scalar::I64),
            Number::U64 => value.try_into().ok().map(Scalar::U64),
            Number::F32 | Number::F64 => None,
        }
    }

    /// The same as a number that sorts as the values do; of values of one type.
    pub(crate) fn key(self) -> u64 {
        const SIGN: u64 = 1 << 63;
        match self {
            Scalar::U8(v) => v.into(),
            Scalar::U16(v) => v.into(),
            Scalar::U32(v) => v.into(),
            Scalar::U64(v) => v,
            Scalar::I8(v) => i64::from(v) as u64 ^ SIGN,
            Scalar::I16(v) => i64::from(v) as u64 ^ SIGN,
            Scalar::I32(v) => i64::from(v) as u64 ^ SIGN,
            Scalar::I64(v) => v as u64 ^ SIGN,
            Scalar::F32(v) => float_key(v.into()),
            Scalar::F64(v) => float_key(v),
        }
    }
}

/// The bits of a float in the order of the values: both zeros are one, NaNs stand at the ends.
pub(crate) fn float_key(value: f64) -> u64 {
    let bits = if value == 0.0 { 0 } else { value.to_bits() };
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// Numbers are equal when their bits are, so that a NaN is equal to itself.
impl PartialEq for Scalar {
    fn eq(&self, other: &Self) -> bool {
        use Scalar::*;
        match (*self, *other) {
            (F32(a), F32(b)) => a.to_bits() == b.to_bits(),
            (F64(a), F64(b)) => a.to_bits() == b.to_bits(),
            (F32(_) | F64(_), _) | (_, F32(_) | F64(_)) => false,
            (a, b) => std::mem::discriminant(&a) == std::mem::discriminant(&b) && a.integer() == b.integer(),
        }
    }
}

/// As the values are ordered; numbers of different types, and NaNs, are not.
impl PartialOrd for Scalar {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (*self, *other) {
            (Scalar::F32(a), Scalar::F32(b)) => a.partial_cmp(&b),
            (Scalar::F64(a), Scalar::F64(b)) => a.partial_cmp(&b),
            (a, b) if std::mem::discriminant(&a) == std::mem::discriminant(&b) => {
                a.integer()?.partial_cmp(&b.integer()?)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::F32(v) => write!(f, "{v}"),
            Scalar::F64(v) => write!(f, "{v}"),
            other => write!(f, "{}", other.integer().unwrap_or_default()),
        }
    }
}
