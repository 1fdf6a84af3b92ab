//! Numbers with a binary point: rounded to a floating-point type from more digits than it has, and read from hexadecimal
//! digits.
//!
//! Exponents are those of a type, the length of a text, or at most 2⁴⁰: sums of them are far from an overflow.
#![allow(clippy::arithmetic_side_effects)]

/// A binary floating-point type: bits of the mantissa, with the one that may not be stored, and the power of two of the last
/// bit of the smallest number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Precision {
    bits: u32,
    pub(crate) least: i64,
}

impl Precision {
    pub(crate) const HALF: Precision = Precision { bits: 11, least: -24 };
    pub(crate) const SINGLE: Precision = Precision { bits: 24, least: -149 };
    pub(crate) const DOUBLE: Precision = Precision { bits: 53, least: -1074 };
    /// Of the x87.
    pub(crate) const EXTENDED: Precision = Precision { bits: 64, least: -16445 };

    /// Bits of the mantissa without the first one, which IEEE 754 does not store.
    fn stored(self) -> u32 {
        self.bits - 1
    }

    /// The exponent that no finite number has, as it is stored.
    fn infinite(self) -> u64 {
        (2 - self.least - i64::from(self.bits)).unsigned_abs() * 2 + 1
    }

    /// The bits of infinity in IEEE 754.
    pub(crate) fn infinity(self) -> u64 {
        self.infinite() << self.stored()
    }

    /// The bits of a NaN.
    pub(crate) fn nan(self) -> u64 {
        self.infinity() | 1 << (self.stored() - 1)
    }

    /// The bits with a sign, which stands above the exponent.
    pub(crate) fn signed(self, negative: bool, bits: u64) -> u64 {
        bits | u64::from(negative) << (u64::BITS - self.infinity().leading_zeros())
    }

    /// The bits of the number nearest to `m · 2^exp`, and a bit more if `sticky`.
    pub(crate) fn bits(self, m: u128, exp: i64, sticky: bool) -> u64 {
        let (mantissa, last) = nearest(m, exp, sticky, self);
        let hidden = 1u64 << self.stored();
        if mantissa < hidden {
            return mantissa;
        }
        match (last - self.least + 1).unsigned_abs() {
            biased if biased < self.infinite() => biased << self.stored() | (mantissa ^ hidden),
            _ => self.infinity(),
        }
    }
}

/// Rounds `m · 2^exp`, and a bit more if `sticky`, to the nearest of a type, ties to even: mantissa and exponent.
pub(crate) fn nearest(m: u128, exp: i64, sticky: bool, to: Precision) -> (u64, i64) {
    let len = i64::from(u128::BITS - m.leading_zeros());
    let last = (exp + len - i64::from(to.bits)).max(to.least);
    let shift = last - exp;
    if m == 0 {
        return (0, to.least);
    }
    let (mut mantissa, half, rest) = match u32::try_from(shift) {
        // enough room for every bit; the number of them is at most that of the type
        Err(_) => (m.unbounded_shl(shift.unsigned_abs() as u32), false, sticky),
        Ok(0) => (m, false, sticky),
        Ok(shift) => {
            let kept = m.unbounded_shr(shift);
            let lost = m ^ kept.unbounded_shl(shift);
            let half = 1u128.unbounded_shl(shift - 1);
            (kept, half != 0 && lost >= half, sticky || (lost != half && lost != 0))
        }
    };
    // half a step, or more: `lost > half` is told by `rest`
    if half && (rest || mantissa & 1 == 1) {
        mantissa += 1;
    }
    if mantissa.unbounded_shr(to.bits) != 0 {
        return ((mantissa >> 1) as u64, last + 1);
    }
    (mantissa as u64, last)
}

/// The double nearest to `m · 2^exp`.
pub(crate) fn double(m: u128, exp: i64, sticky: bool) -> f64 {
    f64::from_bits(Precision::DOUBLE.bits(m, exp, sticky))
}

/// The single nearest to `m · 2^exp`.
pub(crate) fn single(m: u128, exp: i64, sticky: bool) -> f32 {
    f32::from_bits(Precision::SINGLE.bits(m, exp, sticky) as u32)
}

/// Whether a minus sign stands before it, and what follows the sign.
#[inline(always)]
pub(crate) fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    }
}

/// The exponent after a letter, and what follows.
pub(crate) fn exponent(text: &[u8], letter: u8) -> Option<(i64, &[u8])> {
    let (first, rest) = text.split_first()?;
    let (negative, rest) = sign(rest);
    let (digits, rest) = rest.split_at(rest.iter().take_while(|c| c.is_ascii_digit()).count());
    if !first.eq_ignore_ascii_case(&letter) || digits.is_empty() {
        return None;
    }
    // far beyond every exponent, far below an overflow
    let n = digits.iter().fold(0i64, |n, c| (n * 10 + i64::from(c - b'0')).min(1 << 40));
    Some((if negative { -n } else { n }, rest))
}

/// `m · 2^exp`, and a bit more if `sticky`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaled {
    pub(crate) m: u128,
    pub(crate) exp: i64,
    pub(crate) sticky: bool,
}

/// The number after `0x`, and what follows. Takes as much as C's `scanf` does: `1.8p3`.
pub(crate) fn hexadecimal(text: &[u8]) -> Option<(Scaled, &[u8])> {
    let digits = |text: &[u8]| text.iter().take_while(|c| c.is_ascii_hexdigit()).count();
    let (whole, rest) = text.split_at(digits(text));
    let (fraction, rest) = match rest.strip_prefix(b".") {
        Some(rest) => rest.split_at(digits(rest)),
        None => (&[][..], rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut n = Scaled { m: 0, exp: fraction.len() as i64 * -4, sticky: false };
    for digit in whole.iter().chain(fraction).filter_map(|c| char::from(*c).to_digit(16)) {
        if n.m >> 120 == 0 {
            n.m = n.m << 4 | u128::from(digit);
        } else {
            n.sticky |= digit != 0;
            n.exp += 4;
        }
    }
    let (power, rest) = exponent(rest, b'p').unwrap_or((0, rest));
    n.exp += power;
    Some((n, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_and_singles_come_back() {
        for x in [1.0, 0.1, 1.5e300, 5e-324, 2.2250738585072014e-308, f64::MAX, 3.0e-310] {
            let bits = x.to_bits();
            let (stored, e) = (bits & ((1 << 52) - 1), (bits >> 52) as i64);
            let (m, exp) = if e == 0 { (stored, -1074) } else { (stored | 1 << 52, e - 1075) };
            assert_eq!(double(u128::from(m) << 20, exp - 20, false).to_bits(), bits);
            assert_eq!(single(u128::from(m), exp, false), x as f32);
        }
        assert_eq!(double(1, 1024, false), f64::INFINITY);
        // ties go to even, unless something more is there
        assert_eq!(double((1 << 53) + 1, 0, false), 9007199254740992.0);
        assert_eq!(double((1 << 53) + 1, 0, true), 9007199254740994.0);
        assert_eq!(double((1 << 53) + 3, 0, false), 9007199254740996.0);
        assert_eq!(double(1, -1075, false), 0.0);
        assert_eq!(double(1, -1075, true), 5e-324);
    }
}
