//! What cells ask of numbers beside what every format does: an order in which all values of a type have a place, and the
//! values of some cells.

use crate::numbers::{Element, Number, NumberType, Numbers, load_le, with_numbers};

/// A number that sorts as the values of a type do: both zeros are one, NaNs stand at the ends.
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
