//! What cells ask of numbers beside what every format does: an order in which all values of a type have a place, and the
//! values of some cells.

use crate::numbers::{Element, Number, NumberType, Numbers, load_le, with_numbers};

/// A number that sorts as the values of a type do: both zeros are one, NaNs are at the ends.
#[inline]
pub(crate) fn key(value: Number) -> u64 {
    const SIGN: u64 = 1 << 63;
    match value.as_i128() {
        Some(n) if value.number_type().is_signed() => n as u64 ^ SIGN,
        Some(n) => n as u64,
        None => {
            let n = value.to_f64();
            let bits = if n == 0.0 { 0 } else { n.to_bits() };
            if bits >= SIGN { !bits } else { bits | SIGN }
        }
    }
}

/// The keys of values.
pub(crate) fn keys(values: &Numbers) -> Vec<u64> {
    with_numbers!(values, values => values.iter().map(|value| key(Number::from(*value))).collect())
}

/// The first value that is not within these ends, and its place.
pub(crate) fn first_outside(values: &Numbers, [low, high]: [Number; 2]) -> Option<(usize, Number)> {
    fn find<T: Element>(values: &[T], low: Number, high: Number) -> Option<(usize, Number)> {
        let (Some(low), Some(high)) = (low.get::<T>(), high.get::<T>()) else {
            // nothing is within ends of another type
            return values.first().map(|value| (0, (*value).into()));
        };
        let place = values.iter().position(|value| !(low <= *value && *value <= high))?;
        Some((place, values[place].into()))
    }
    with_numbers!(values, values => find(values, low, high))
}

/// The smallest and the largest value; `None` if there are none.
pub(crate) fn ends(values: &Numbers) -> Option<[Number; 2]> {
    fn ends<T: Element>(values: &[T]) -> Option<[Number; 2]> {
        let first = *values.first()?;
        let wider =
            |[low, high]: [T; 2], v: &T| [if *v < low { *v } else { low }, if *v > high { *v } else { high }];
        Some(values.iter().fold([first, first], wider).map(Number::from))
    }
    with_numbers!(values, values => ends(values))
}

/// The integer of a key, in a dimension of integers.
pub(crate) fn integer(key: u64, kind: NumberType) -> i128 {
    if kind.is_signed() { i128::from((key ^ 1 << 63) as i64) } else { i128::from(key) }
}

/// The values of these cells, `n` each.
pub(crate) fn gather(values: &Numbers, cells: &[usize], n: usize) -> Numbers {
    fn gather<T: Element>(values: &[T], cells: &[usize], n: usize) -> Vec<T> {
        match n {
            1 => cells.iter().map(|cell| values[*cell]).collect(),
            _ => cells.iter().flat_map(|cell| &values[cell * n..][..n]).copied().collect(),
        }
    }
    with_numbers!(values, values => gather(values, cells, n).into())
}

/// Integers of a type whose lowest bits these are.
pub(crate) fn of_bits(kind: NumberType, bits: &[u64]) -> Numbers {
    fn all<T: Element>(bits: &[u64]) -> Vec<T> {
        let mut values = vec![T::default(); bits.len()];
        for (value, bits) in values.iter_mut().zip(bits) {
            load_le(&bits.to_le_bytes(), std::slice::from_mut(value));
        }
        values
    }
    with_numbers!(kind, type T => all::<T>(bits).into())
}
