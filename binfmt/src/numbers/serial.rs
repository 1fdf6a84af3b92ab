//! How numbers look in JSON and its kin.

use super::F16;
use super::table::{Number, Numbers, with_numbers};
use alloc::format;
use alloc::string::String;
use core::fmt::Write as _;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// As people expect it: integers as they are, as text above 64 bits; floats as the shortest number that reads back to the
/// same bits in its own width, `"nan"`, `"inf"`, `"-inf"`, and `{"bits": ".."}` for a NaN that is not the usual one.
impl Serialize for Number {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match *self {
            Number::F32(x) => f32(x, s),
            Number::F64(x) => f64(x, s),
            Number::I128(n) => i128(n, s),
            Number::U128(n) => u128(n, s),
            n => with_numbers!(n, one x => x.serialize(s)),
        }
    }
}

/// As [`Number`] is.
impl Serialize for F16 {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let (n, bits) = (self.to_f32(), self.to_bits());
        if !self.is_finite() {
            return odd(n.is_infinite(), n.is_sign_negative(), bits == 0x7e00, &format!("{bits:04x}"), s);
        }
        s.serialize_f64(shortest(*self))
    }
}

/// A list of numbers, each as [`Number`] is.
impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        with_numbers!(self, v => s.collect_seq(v.iter().map(|n| Number::from(*n))))
    }
}

/// An object with one entry.
pub(crate) fn one<S: Serializer>(
    key: &str,
    value: &(impl Serialize + ?Sized),
    s: S,
) -> Result<S::Ok, S::Error> {
    let mut map = s.serialize_map(Some(1))?;
    map.serialize_entry(key, value)?;
    map.end()
}

/// Beyond 64 bits most readers of JSON round: there the digits are text.
fn i128<S: Serializer>(n: i128, s: S) -> Result<S::Ok, S::Error> {
    match i64::try_from(n) {
        Ok(n) => s.serialize_i64(n),
        Err(_) => match u64::try_from(n) {
            Ok(n) => s.serialize_u64(n),
            Err(_) => s.collect_str(&n),
        },
    }
}

/// See `i128`.
fn u128<S: Serializer>(n: u128, s: S) -> Result<S::Ok, S::Error> {
    match u64::try_from(n) {
        Ok(n) => s.serialize_u64(n),
        Err(_) => s.collect_str(&n),
    }
}

/// A NaN or an infinite number: its name, or its bits where the name does not say all of it.
fn odd<S: Serializer>(
    infinite: bool,
    negative: bool,
    usual: bool,
    bits: &str,
    s: S,
) -> Result<S::Ok, S::Error> {
    match (infinite, negative, usual) {
        (true, false, _) => s.serialize_str("inf"),
        (true, true, _) => s.serialize_str("-inf"),
        (false, _, true) => s.serialize_str("nan"),
        (false, _, false) => one("bits", bits, s),
    }
}

/// Double precision.
fn f64<S: Serializer>(n: f64, s: S) -> Result<S::Ok, S::Error> {
    if n.is_finite() {
        return s.serialize_f64(n);
    }
    let bits = n.to_bits();
    odd(n.is_infinite(), n.is_sign_negative(), bits == 0x7ff8 << 48, &format!("{bits:016x}"), s)
}

/// Single precision.
fn f32<S: Serializer>(n: f32, s: S) -> Result<S::Ok, S::Error> {
    if n.is_finite() {
        return s.serialize_f32(n);
    }
    let bits = n.to_bits();
    odd(n.is_infinite(), n.is_sign_negative(), bits == 0x7fc0 << 16, &format!("{bits:08x}"), s)
}

/// The number of double precision that has the fewest digits: five tell every number of half precision from its neighbours.
fn shortest(x: F16) -> f64 {
    let n = x.to_f32();
    let mut digits = String::new();
    for precision in 0..8 {
        digits.clear();
        // writing to a string does not fail
        let _ = write!(digits, "{n:.precision$e}");
        if let Ok(found) = digits.parse::<f64>()
            && F16::from_f64(found).to_bits() == x.to_bits()
        {
            return found;
        }
    }
    n.into()
}

/// The number of some bits in hexadecimal.
pub(crate) fn from_bits(text: &str, digits: usize) -> Option<u64> {
    if text.len() != digits || text.starts_with('+') {
        return None;
    }
    u64::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_has_few_digits() {
        for (bits, expected) in [(0x2e66, 0.1), (0x3c00, 1.0), (0x7bff, 65500.0), (1, 6e-8), (0x3555, 0.3333)]
        {
            assert_eq!(shortest(F16::from_bits(bits)), expected);
        }
        for bits in 0..=u16::MAX {
            let x = F16::from_bits(bits);
            if x.is_finite() {
                assert_eq!(F16::from_f64(shortest(x)).to_bits(), bits);
            }
        }
    }

    #[test]
    fn bits() {
        assert_eq!(from_bits("00ff", 4), Some(255));
        assert_eq!(from_bits("+ff", 3), None);
    }
}
