//! Numbers of all kinds in one order, without rounding any.

use super::table::Number;
use core::cmp::Ordering;

/// A number without its kind.
#[derive(Clone, Copy)]
enum Exact {
    Int { negative: bool, size: u128 },
    Float(f64),
}

fn exact(n: Number) -> Exact {
    match n {
        Number::Bool(b) => Exact::Int { negative: false, size: u128::from(b) },
        Number::U128(size) => Exact::Int { negative: false, size },
        n => match n.as_i128() {
            Some(n) => Exact::Int { negative: n < 0, size: n.unsigned_abs() },
            // no float is lost in 64 bits
            None => Exact::Float(n.to_f64()),
        },
    }
}

fn compare_integers(a: (bool, u128), b: (bool, u128)) -> Ordering {
    match (a, b) {
        ((false, a), (false, b)) => a.cmp(&b),
        ((true, a), (true, b)) => b.cmp(&a),
        ((true, _), _) => Ordering::Less,
        ((false, _), _) => Ordering::Greater,
    }
}

/// An integer beside a float: first without its fraction, which is an integer that a `u128` holds, or larger than all.
fn compare_mixed(negative: bool, size: u128, float: f64) -> Option<Ordering> {
    const ABOVE: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0;
    if float.is_nan() {
        return None;
    }
    if float.abs() >= ABOVE {
        return Some(if float > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    let whole = float.abs() as u128;
    let has_fraction = whole as f64 != float.abs();
    let rest = match (has_fraction, float > 0.0) {
        (false, _) => Ordering::Equal,
        (true, true) => Ordering::Less,
        (true, false) => Ordering::Greater,
    };
    let whole = (float < 0.0 && whole > 0, whole);
    Some(compare_integers((negative && size > 0, size), whole).then(rest))
}

impl Number {
    /// How the two are ordered by what they are, whatever their kinds: nothing is rounded for it. `None` of a NaN.
    ///
    /// ```
    /// use binfmt::numbers::Number;
    /// use std::cmp::Ordering;
    /// assert_eq!(Number::I8(-1).compare(Number::F32(-0.5)), Some(Ordering::Less));
    /// assert_eq!(Number::U64((1 << 53) + 1).compare(Number::F64(9007199254740992.0)), Some(Ordering::Greater));
    /// assert_eq!(Number::F64(f64::NAN).compare(Number::U8(0)), None);
    /// ```
    pub fn compare(self, other: Number) -> Option<Ordering> {
        if let (Some(a), Some(b)) = (self.as_i128(), other.as_i128()) {
            return Some(a.cmp(&b));
        }
        match (exact(self), exact(other)) {
            (Exact::Int { negative, size }, Exact::Int { negative: other, size: than }) => {
                Some(compare_integers((negative, size), (other, than)))
            }
            (Exact::Int { negative, size }, Exact::Float(b)) => compare_mixed(negative, size, b),
            (Exact::Float(a), Exact::Int { negative, size }) => {
                compare_mixed(negative, size, a).map(Ordering::reverse)
            }
            (Exact::Float(a), Exact::Float(b)) => a.partial_cmp(&b),
        }
    }
}
