//! One value of a column, compared exactly: a range that is rounded would leave out rows that are wanted.

use crate::numbers::Number;
use std::cmp::Ordering;
use std::ops::{Bound, RangeBounds};

/// One value of a column: a number of any kind, or a text, or bytes.
///
/// Numbers are compared by what they are, whatever their kinds; nothing is rounded for it.
///
/// ```
/// use binfmt::table::Scalar;
/// use std::cmp::Ordering;
/// let large = Scalar::from((1u64 << 53) + 1);
/// assert_eq!(large.compare(&Scalar::from((1u64 << 53) as f64)), Some(Ordering::Greater));
/// assert_eq!(large.compare(&"a".into()), None);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Scalar {
    /// A number, or a bool.
    Number(Number),
    /// A text, or bytes.
    Bytes(Vec<u8>),
}

impl<T: crate::numbers::Element> From<T> for Scalar {
    fn from(n: T) -> Self {
        Scalar::Number(n.into())
    }
}

impl From<Number> for Scalar {
    fn from(n: Number) -> Self {
        Scalar::Number(n)
    }
}

impl From<&str> for Scalar {
    fn from(text: &str) -> Self {
        Scalar::Bytes(text.into())
    }
}

impl From<Vec<u8>> for Scalar {
    fn from(bytes: Vec<u8>) -> Self {
        Scalar::Bytes(bytes)
    }
}

impl Scalar {
    /// How the two are ordered; `None` of a NaN, and of a number and a text.
    ///
    /// ```
    /// use binfmt::table::Scalar;
    /// use std::cmp::Ordering;
    /// assert_eq!(Scalar::from(-1i8).compare(&Scalar::from(-0.5f32)), Some(Ordering::Less));
    /// assert_eq!(Scalar::from(7u8).compare(&Scalar::from(7i64)), Some(Ordering::Equal));
    /// assert_eq!(Scalar::from(f64::NAN).compare(&Scalar::from(0.0)), None);
    /// ```
    pub fn compare(&self, other: &Scalar) -> Option<Ordering> {
        match (self, other) {
            (Scalar::Bytes(a), Scalar::Bytes(b)) => Some(a.cmp(b)),
            (Scalar::Number(a), Scalar::Number(b)) => a.compare(*b),
            _ => None,
        }
    }
}

/// From one value to another, each included, excluded, or without an end.
///
/// ```
/// use binfmt::table::ScalarRange;
/// let range = ScalarRange::of(2u8..5);
/// assert!(range.may_meet(&4.5.into(), &9.0.into()) && !range.may_meet(&5u64.into(), &9u64.into()));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ScalarRange {
    /// Where it begins.
    pub low: Bound<Scalar>,
    /// Where it ends.
    pub high: Bound<Scalar>,
}

impl ScalarRange {
    /// What a range of Rust says.
    ///
    /// ```
    /// use binfmt::table::{Scalar, ScalarRange};
    /// use std::ops::Bound;
    /// assert_eq!(ScalarRange::of("a"..).low, Bound::Included(Scalar::from("a")));
    /// ```
    pub fn of<T: Into<Scalar> + Clone>(range: impl RangeBounds<T>) -> Self {
        let of = |end: Bound<&T>| end.map(|value| value.clone().into());
        ScalarRange { low: of(range.start_bound()), high: of(range.end_bound()) }
    }

    /// Whether some value from `low` to `high` may be in the range: only what is certain is told.
    ///
    /// ```
    /// use binfmt::table::ScalarRange;
    /// // a NaN is in no order, so nothing is left out for it
    /// assert!(ScalarRange::of(f64::NAN..).may_meet(&1.0.into(), &2.0.into()));
    /// ```
    pub fn may_meet(&self, low: &Scalar, high: &Scalar) -> bool {
        let begins = match &self.low {
            Bound::Included(at) => high.compare(at) != Some(Ordering::Less),
            Bound::Excluded(at) => !matches!(high.compare(at), Some(Ordering::Less | Ordering::Equal)),
            Bound::Unbounded => true,
        };
        let ends = match &self.high {
            Bound::Included(at) => low.compare(at) != Some(Ordering::Greater),
            Bound::Excluded(at) => !matches!(low.compare(at), Some(Ordering::Greater | Ordering::Equal)),
            Bound::Unbounded => true,
        };
        begins && ends
    }

    /// The integers from its lowest to its highest; an end that is not an `i128` is left open.
    ///
    /// ```
    /// use binfmt::table::ScalarRange;
    /// assert_eq!(ScalarRange::of(2.5..9.0).integers(), (3, 8));
    /// assert_eq!(ScalarRange::of(3u8..).integers(), (3, i128::MAX));
    /// ```
    pub fn integers(&self) -> (i128, i128) {
        (integer_at(&self.low, true).unwrap_or(i128::MIN), integer_at(&self.high, false).unwrap_or(i128::MAX))
    }
}

/// The float as an integer, if an `i128` holds it.
fn whole(n: f64) -> Option<i128> {
    const ABOVE: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;
    (n.abs() < ABOVE).then_some(n as i128)
}

/// The integer at an end: of a lowest number the first that is not below it, of a highest the last that is not above.
fn integer_at(end: &Bound<Scalar>, is_low: bool) -> Option<i128> {
    let (n, open) = match end {
        Bound::Included(Scalar::Number(n)) => (*n, false),
        Bound::Excluded(Scalar::Number(n)) => (*n, true),
        _ => return None,
    };
    let (at, step) = match n.as_f64() {
        None => (n.as_i128()?, open),
        Some(n) => {
            let at = if is_low { n.ceil() } else { n.floor() };
            (whole(at)?, open && at == n)
        }
    };
    if is_low { at.checked_add(step.into()) } else { at.checked_sub(step.into()) }
}

/// Through serde as the name of its kind and its digits, or as bytes: what is read again is the same to the bit, but for
/// the bits of a NaN.
#[cfg(feature = "serde")]
mod plain {
    use super::Scalar;
    use crate::numbers::{Number, NumberType};
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Plain {
        Number(String, String),
        Bytes(Vec<u8>),
    }

    impl Serialize for Scalar {
        fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            let plain = match self {
                Scalar::Number(n) => Plain::Number(n.number_type().name().into(), digits(*n)),
                Scalar::Bytes(bytes) => Plain::Bytes(bytes.clone()),
            };
            plain.serialize(s)
        }
    }

    impl<'de> Deserialize<'de> for Scalar {
        fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
            match Plain::deserialize(d)? {
                Plain::Bytes(bytes) => Ok(Scalar::Bytes(bytes)),
                Plain::Number(kind, digits) => match number(&kind, &digits) {
                    Some(n) => Ok(Scalar::Number(n)),
                    None => Err(D::Error::custom(format!("{digits:?} is not a number of type {kind:?}"))),
                },
            }
        }
    }

    fn digits(n: Number) -> String {
        match n {
            Number::U128(n) => n.to_string(),
            Number::Bool(b) => b.to_string(),
            n => n.as_i128().map_or_else(|| format!("{:?}", n.to_f64()), |n| n.to_string()),
        }
    }

    fn number(kind: &str, digits: &str) -> Option<Number> {
        match NumberType::named(kind)? {
            NumberType::U128 => digits.parse().ok().map(Number::U128),
            NumberType::Bool => digits.parse().ok().map(Number::Bool),
            kind if kind.is_float() => Number::from_f64(kind, digits.parse().ok()?),
            kind => Number::from_i128(kind, digits.parse().ok()?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_kinds_are_in_one_order() {
        let sorted: Vec<Scalar> = vec![
            f64::NEG_INFINITY.into(),
            (-1e39f64).into(),
            i128::MIN.into(),
            (-3i8).into(),
            (-2.5f32).into(),
            (-2i64).into(),
            (-0.5f64).into(),
            0u8.into(),
            0.25f64.into(),
            true.into(),
            1.5f32.into(),
            9_007_199_254_740_992f64.into(),
            9_007_199_254_740_993i64.into(),
            u64::MAX.into(),
            18_446_744_073_709_551_616f64.into(),
            i128::MAX.into(),
            u128::MAX.into(),
            f64::INFINITY.into(),
        ];
        for (i, a) in sorted.iter().enumerate() {
            for (k, b) in sorted.iter().enumerate() {
                assert_eq!(a.compare(b), Some(i.cmp(&k)), "{a:?} and {b:?}");
            }
        }
        assert_eq!(Scalar::from(-0.0).compare(&Scalar::from(0u8)), Some(Ordering::Equal));
    }

    #[test]
    fn integers_of_a_range_are_those_that_are_in_it() {
        assert_eq!(ScalarRange::of((Bound::Excluded(2.0), Bound::Excluded(2.0))).integers(), (3, 1));
        assert_eq!(ScalarRange::of(-2.5..=-1.5).integers(), (-2, -2));
        assert_eq!(ScalarRange::of(u128::MAX..).integers(), (i128::MIN, i128::MAX));
        assert_eq!(ScalarRange::of("a"..).integers(), (i128::MIN, i128::MAX));
    }

    #[cfg(feature = "serde")]
    #[test]
    fn what_travels_is_the_same() {
        let all: [Scalar; 7] = [
            0.1f64.into(),
            0.1f32.into(),
            u128::MAX.into(),
            i128::MIN.into(),
            true.into(),
            f64::NEG_INFINITY.into(),
            "a\u{0}".into(),
        ];
        for scalar in all {
            let text = serde_json::to_string(&scalar).unwrap();
            assert_eq!(serde_json::from_str::<Scalar>(&text).unwrap(), scalar, "{text}");
        }
        assert!(serde_json::from_str::<Scalar>(r#"{"number":["u8","300"]}"#).is_err());
    }
}
