//! Floats from text where the standard library has no reader: hexadecimal ones, and binary16.

use crate::numbers::binary::{self, Precision, Scaled, sign};
use alloc::format;
use alloc::vec::Vec;

/// A hexadecimal float at the front of a word: its bits, and what follows it.
pub(super) fn hexadecimal(word: &[u8], precision: Precision) -> Option<(u64, &[u8])> {
    let (negative, rest) = sign(word);
    let [b'0', b'x' | b'X', digits @ ..] = rest else { return None };
    let (Scaled { m, exp, sticky }, rest) = binary::hexadecimal(digits)?;
    Some((precision.signed(negative, precision.bits(m, exp, sticky)), rest))
}

/// The bits of the binary16 number nearest to a decimal number: rounded once, regardless of its length.
pub(super) fn half_bits(text: &str) -> Option<u16> {
    let wide: f64 = text.parse().ok()?;
    let bits = half_of(wide.abs(), text);
    let half = Precision::HALF;
    let bits = if wide.is_nan() { half.nan() } else { bits };
    Some(half.signed(wide.is_sign_negative(), bits) as u16)
}

fn half_of(wide: f64, text: &str) -> u64 {
    let half = Precision::HALF;
    if !wide.is_finite() {
        return half.infinity();
    }
    let stored = wide.to_bits() & ((1 << 52) - 1);
    let field = (wide.to_bits() >> 52) as i64;
    let (m, e) = if field == 0 { (stored, -1074) } else { (stored | 1 << 52, field - 1075) };
    if m == 0 {
        return 0;
    }
    // the true value lies within a half step of the wide one, on either side
    let e = e - 2;
    let below = half.bits((u128::from(m) << 2) - 1, e, false);
    let above = half.bits((u128::from(m) << 2) + 1, e, false);
    if below == above {
        return below;
    }
    match compare(text, wide) {
        core::cmp::Ordering::Less => below,
        core::cmp::Ordering::Greater => above,
        core::cmp::Ordering::Equal => half.bits(u128::from(m) << 2, e, false),
    }
}

/// A decimal number against one halfway between two of binary16, whose digits are few. Signs are ignored.
#[cold]
fn compare(text: &str, halfway: f64) -> core::cmp::Ordering {
    let (a, b) = (digits(text), digits(&format!("{halfway:.60e}")));
    let len = a.0.len().max(b.0.len());
    let padded = |digits: &[u8]| {
        let mut digits = digits.to_vec();
        digits.resize(len, 0);
        digits
    };
    a.1.cmp(&b.1).then_with(|| padded(&a.0).cmp(&padded(&b.0)))
}

/// The digits without zeros in front, and the exponent that they would have as `0.ddd * 10^x`: the number is finite and not 0,
/// so that its exponent is not larger than its text is long.
fn digits(text: &str) -> (Vec<u8>, i64) {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let mut x: i64 = exponent.strip_prefix('+').unwrap_or(exponent).parse().unwrap_or(0);
    let mut found = Vec::new();
    let mut point = false;
    for c in mantissa.bytes() {
        match c {
            b'.' => point = true,
            b'0' if found.is_empty() => x -= i64::from(point),
            b'0'..=b'9' => {
                found.push(c - b'0');
                x += i64::from(!point);
            }
            _ => {}
        }
    }
    (found, x)
}
