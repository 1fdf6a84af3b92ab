//! Extended numbers of 80 bits, as the x87 has them: ten bytes, least significant first.
#![allow(clippy::arithmetic_side_effects, reason = "exponents of doubles and of extended numbers are small")]

use super::binary::{Precision, double, nearest};

/// Mantissa, exponent (biased by 16383) and sign.
pub(crate) fn parts(ten: [u8; 10]) -> (u64, u16, bool) {
    let [a, b, c, d, e, f, g, h, low, high] = ten;
    let exponent = u16::from_le_bytes([low, high & 0x7f]);
    (u64::from_le_bytes([a, b, c, d, e, f, g, h]), exponent, high & 0x80 != 0)
}

/// The inverse of [`parts`].
pub(crate) fn of_parts(mantissa: u64, exponent: u16, negative: bool) -> [u8; 10] {
    let [a, b, c, d, e, f, g, h] = mantissa.to_le_bytes();
    let [low, high] = exponent.to_le_bytes();
    [a, b, c, d, e, f, g, h, low, high | if negative { 0x80 } else { 0 }]
}

/// The number nearest to `m · 2^exp`.
pub(crate) fn rounded(m: u128, exp: i64, sticky: bool, negative: bool) -> [u8; 10] {
    let (mantissa, last) = nearest(m, exp, sticky, Precision::EXTENDED);
    if mantissa >> 63 == 0 {
        return of_parts(mantissa, 0, negative);
    }
    match last - Precision::EXTENDED.least + 1 {
        e @ ..0x7fff => of_parts(mantissa, e as u16, negative),
        _ => of_parts(1 << 63, 0x7fff, negative),
    }
}

/// Exact: every double is an extended number.
pub(crate) fn of_double(x: f64) -> [u8; 10] {
    let bits = x.to_bits();
    let stored = bits & 0x000f_ffff_ffff_ffff;
    let negative = x.is_sign_negative();
    match (bits >> 52) & 0x7ff {
        0x7ff => of_parts(1 << 63 | stored << 11, 0x7fff, negative),
        0 => rounded(u128::from(stored), Precision::DOUBLE.least, false, negative),
        e => {
            let exp = Precision::DOUBLE.least + e as i64 - 1;
            rounded(u128::from(stored | 1 << 52), exp, false, negative)
        }
    }
}

/// Rounded to the nearest double; too large ones become infinite.
pub(crate) fn to_double(ten: [u8; 10]) -> f64 {
    let (mantissa, exponent, negative) = parts(ten);
    let sign = |x: f64| if negative { -x } else { x };
    if exponent == 0x7fff {
        let payload = mantissa << 1;
        let bits = 0x7ffu64 << 52 | payload >> 12 | u64::from(payload != 0) << 51;
        return sign(f64::from_bits(bits));
    }
    let exp = i64::from(exponent.max(1)) + Precision::EXTENDED.least - 1;
    sign(double(u128::from(mantissa), exp, false))
}
