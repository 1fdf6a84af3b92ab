//! One number, and its kind.
#![allow(clippy::arithmetic_side_effects, reason = "no number has more than 16 bytes")]

use super::element::{Element, Primitive};
use super::table::{Class, Number, NumberType, with_numbers};
use super::vector::put_le;
use crate::wire::Le;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::{self, Write as _};
use core::ops::Range;

impl NumberType {
    /// The kind of this name.
    ///
    /// ```
    /// use binfmt::numbers::NumberType;
    /// assert_eq!(NumberType::named("f32"), Some(NumberType::F32));
    /// assert_eq!(NumberType::named("float"), None);
    /// ```
    pub fn named(name: &str) -> Option<NumberType> {
        NumberType::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// The integer of that many bytes.
    ///
    /// ```
    /// use binfmt::numbers::NumberType;
    /// assert_eq!(NumberType::int(2, true), Some(NumberType::I16));
    /// assert_eq!(NumberType::int(3, false), None);
    /// ```
    #[inline]
    pub const fn int(bytes: u8, signed: bool) -> Option<NumberType> {
        NumberType::of_class(bytes, if signed { Class::Signed } else { Class::Unsigned })
    }

    /// The floating-point number of that many bytes.
    ///
    /// ```
    /// use binfmt::numbers::NumberType;
    /// assert_eq!(NumberType::float(8), Some(NumberType::F64));
    /// ```
    #[inline]
    pub const fn float(bytes: u8) -> Option<NumberType> {
        NumberType::of_class(bytes, Class::Float)
    }

    /// The least and the largest integer of the kind; `None` for what is not an integer.
    ///
    /// ```
    /// use binfmt::numbers::NumberType;
    /// assert_eq!(NumberType::I8.limits(), Some((-128, 127)));
    /// assert_eq!(NumberType::U128.limits(), Some((0, u128::MAX)));
    /// ```
    pub const fn limits(self) -> Option<(i128, u128)> {
        let unused = 128 - self.size() as u32 * 8;
        match self.class() {
            Class::Signed => {
                Some((i128::MIN.wrapping_shr(unused), i128::MAX.wrapping_shr(unused).unsigned_abs()))
            }
            Class::Unsigned => Some((0, u128::MAX.wrapping_shr(unused))),
            Class::Float | Class::Bool => None,
        }
    }

    /// Whether it is an integer.
    ///
    /// ```
    /// use binfmt::numbers::NumberType;
    /// assert!(NumberType::U8.is_int() && !NumberType::Bool.is_int());
    /// ```
    #[inline]
    pub const fn is_int(self) -> bool {
        matches!(self.class(), Class::Signed | Class::Unsigned)
    }

    /// Whether it is a floating-point number.
    ///
    /// ```
    /// use binfmt::numbers::NumberType;
    /// assert!(NumberType::F16.is_float() && !NumberType::I16.is_float());
    /// ```
    #[inline]
    pub const fn is_float(self) -> bool {
        matches!(self.class(), Class::Float)
    }

    /// Whether it may be below 0.
    ///
    /// ```
    /// use binfmt::numbers::NumberType;
    /// assert!(NumberType::I8.is_signed() && NumberType::F32.is_signed() && !NumberType::U8.is_signed());
    /// ```
    #[inline]
    pub const fn is_signed(self) -> bool {
        matches!(self.class(), Class::Signed | Class::Float)
    }
}

impl fmt::Display for NumberType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl<T: Element> From<T> for Number {
    #[inline(always)]
    fn from(n: T) -> Number {
        n.number()
    }
}

impl Number {
    /// An integer of a kind, if it is one of this kind.
    ///
    /// ```
    /// use binfmt::numbers::{Number, NumberType};
    /// assert_eq!(Number::from_i128(NumberType::U8, 7), Some(Number::U8(7)));
    /// assert_eq!(Number::from_i128(NumberType::U8, 300), None);
    /// assert_eq!(Number::from_i128(NumberType::F32, 7), None);
    /// ```
    #[inline]
    pub fn from_i128(kind: NumberType, n: i128) -> Option<Number> {
        with_numbers!(kind, type T => <T as Primitive>::from_i128(n).map(Number::from))
    }

    /// The number of these bytes, little-endian; `None` where a kind has more or fewer of them. A bool is any byte but 0.
    ///
    /// ```
    /// use binfmt::numbers::{Number, NumberType};
    /// assert_eq!(Number::from_le_bytes(NumberType::I16, &[0xfe, 0xff]), Some(Number::I16(-2)));
    /// assert_eq!(Number::from_le_bytes(NumberType::I16, &[0xfe]), None);
    /// ```
    #[inline]
    pub fn from_le_bytes(kind: NumberType, bytes: &[u8]) -> Option<Number> {
        let mut all = [0; 16];
        all.get_mut(..kind.size())?.get_mut(..bytes.len())?.copy_from_slice(bytes);
        (bytes.len() == kind.size()).then(|| Number::of_bits(kind, u128::from_le_bytes(all)))
    }

    /// The number of a kind whose bytes are the lowest of these bits.
    #[inline]
    pub(crate) fn of_bits(kind: NumberType, bits: u128) -> Number {
        with_numbers!(kind, type T => <T as Primitive>::read::<Le>(&bits.to_le_bytes()).number())
    }

    /// The floating-point number of a kind that is nearest; `None` for other kinds.
    ///
    /// ```
    /// use binfmt::numbers::{Number, NumberType};
    /// assert_eq!(Number::from_f64(NumberType::F32, 0.5), Some(Number::F32(0.5)));
    /// assert_eq!(Number::from_f64(NumberType::U8, 1.0), None);
    /// ```
    pub fn from_f64(kind: NumberType, n: f64) -> Option<Number> {
        with_numbers!(kind, type T => <T as Primitive>::from_f64(n).map(Number::from))
    }

    /// Which number it is.
    ///
    /// ```
    /// use binfmt::numbers::{Number, NumberType};
    /// assert_eq!(Number::F32(1.0).number_type(), NumberType::F32);
    /// ```
    #[inline]
    pub fn number_type(self) -> NumberType {
        fn of<T: Element>(_: T) -> NumberType {
            T::TYPE
        }
        with_numbers!(self, one x => of(x))
    }

    /// The number itself, if it is of type `T`.
    ///
    /// ```
    /// use binfmt::numbers::Number;
    /// assert_eq!(Number::U8(7).get::<u8>(), Some(7));
    /// assert_eq!(Number::U8(7).get::<i8>(), None);
    /// ```
    #[inline]
    pub fn get<T: Element>(self) -> Option<T> {
        T::of(self)
    }

    /// An integer, as the widest type; `None` for other kinds, and above `i128::MAX`.
    ///
    /// ```
    /// use binfmt::numbers::Number;
    /// assert_eq!(Number::U8(7).as_i128(), Some(7));
    /// assert_eq!(Number::F64(7.0).as_i128(), None);
    /// assert_eq!(Number::U128(u128::MAX).as_i128(), None);
    /// ```
    #[inline]
    pub fn as_i128(self) -> Option<i128> {
        with_numbers!(self, one x => Primitive::to_i128(x))
    }

    /// An integer of 64 bits; `None` for other kinds, and beyond.
    #[cfg(feature = "dynamic")]
    #[inline(always)]
    pub(crate) fn as_i64(&self) -> Option<i64> {
        // by reference, so that of all payloads only the one is loaded
        with_numbers!(self, one x => Primitive::to_i128(*x).and_then(|n| i64::try_from(n).ok()))
    }

    /// A floating-point number of any width; `None` for other kinds.
    ///
    /// ```
    /// use binfmt::numbers::{F16, Number};
    /// assert_eq!(Number::F16(F16::from_bits(0x3c00)).as_f64(), Some(1.0));
    /// assert_eq!(Number::U8(1).as_f64(), None);
    /// ```
    #[inline]
    pub fn as_f64(self) -> Option<f64> {
        self.number_type().is_float().then(|| self.to_f64())
    }

    /// A bool; `None` for other kinds.
    ///
    /// ```
    /// use binfmt::numbers::Number;
    /// assert_eq!((Number::Bool(true).as_bool(), Number::U8(1).as_bool()), (Some(true), None));
    /// ```
    #[inline]
    pub fn as_bool(self) -> Option<bool> {
        self.get()
    }

    /// The nearest number of double precision, as C casts it: of an integer above 2⁵³ that is another one. True is 1.
    ///
    /// ```
    /// use binfmt::numbers::Number;
    /// assert_eq!(Number::U64(u64::MAX).to_f64(), 18446744073709551616.0);
    /// ```
    #[inline]
    pub fn to_f64(self) -> f64 {
        with_numbers!(self, one x => Primitive::to_f64(x))
    }

    /// Whether kind and bits are the same: so a NaN is itself, and the two zeros are not the same.
    ///
    /// ```
    /// use binfmt::numbers::Number;
    /// assert!(Number::F32(f32::NAN).is_same(Number::F32(f32::NAN)));
    /// assert!(!Number::F32(0.0).is_same(Number::F32(-0.0)));
    /// ```
    pub fn is_same(self, other: Number) -> bool {
        fn bits<T: Element>(x: T) -> [u8; 16] {
            let mut bytes = [0; 16];
            x.write::<Le>(&mut bytes);
            bytes
        }
        let bits = |n: Number| with_numbers!(n, one x => bits(x));
        self.number_type() == other.number_type() && bits(self) == bits(other)
    }

    /// Appends the bytes, little-endian.
    ///
    /// ```
    /// let mut bytes = vec![7];
    /// binfmt::numbers::Number::I16(-2).put_le_bytes(&mut bytes);
    /// assert_eq!(bytes, [7, 0xfe, 0xff]);
    /// ```
    pub fn put_le_bytes(self, out: &mut Vec<u8>) {
        with_numbers!(self, one x => put_le(&[x], out));
    }
}

/// Within a kind as the numbers are ordered; numbers of different kinds are not.
impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        fn compare<T: Element>(x: T, other: Number) -> Option<Ordering> {
            x.partial_cmp(&other.get()?)
        }
        with_numbers!(*self, one x => compare(x, *other))
    }
}

/// The digits; a floating-point number has as few of them as tell it from its neighbours, and far from 1 an exponent where JSON has one:
/// `1e+300`. A width or a precision is that of a number without one.
///
/// ```
/// use binfmt::numbers::Number;
/// let shown = [1.0, 1e16, -1.5e-9, 1e15].map(|n: f64| Number::from(n).to_string());
/// assert_eq!(shown, ["1", "1e+16", "-1.5e-9", "1000000000000000"]);
/// ```
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain = f.width().is_none() && f.precision().is_none();
        match self {
            Number::F64(x)
                if is_plain && is_far(&x.abs(), [f64::from_bits(1)..1e-5, 1e16..f64::INFINITY]) =>
            {
                write!(Signed(f), "{x:e}")
            }
            Number::F32(x)
                if is_plain && is_far(&x.abs(), [f32::from_bits(1)..1e-5, 1e13..f32::INFINITY]) =>
            {
                write!(Signed(f), "{x:e}")
            }
            _ => with_numbers!(self, one x => fmt::Display::fmt(x, f)),
        }
    }
}

/// Whether a number of this size has an exponent.
fn is_far<T: PartialOrd>(size: &T, far: [Range<T>; 2]) -> bool {
    far.iter().any(|sizes| sizes.contains(size))
}

/// Writes a number with the sign of its exponent, as JSON does.
struct Signed<'a, 'b>(&'a mut fmt::Formatter<'b>);

impl fmt::Write for Signed<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        match text.split_once('e') {
            Some((digits, exponent)) if !exponent.starts_with('-') => {
                self.0.write_str(digits)?;
                self.0.write_str("e+")?;
                self.0.write_str(exponent)
            }
            _ => self.0.write_str(text),
        }
    }
}
