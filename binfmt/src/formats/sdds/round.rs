//! Rounding to the binary floating-point types, from more digits than they have.

/// The parameters of a type: bits of the mantissa, and the power of two of the last bit of the smallest number.
#[derive(Clone, Copy)]
pub(super) struct Precision {
    pub(super) bits: u32,
    pub(super) least: i64,
}

pub(super) const SINGLE: Precision = Precision { bits: 24, least: -149 };
pub(super) const DOUBLE: Precision = Precision { bits: 53, least: -1074 };
pub(super) const EXTENDED: Precision = Precision { bits: 64, least: -16445 };

/// Rounds `m · 2^exp`, and a bit more if `sticky`, to the nearest of a type, ties to even: mantissa and exponent.
pub(super) fn nearest(m: u128, exp: i64, sticky: bool, to: Precision) -> (u64, i64) {
    let len = i64::from(u128::BITS - m.leading_zeros());
    let last = (exp + len - i64::from(to.bits)).max(to.least);
    let shift = last - exp;
    if m == 0 {
        return (0, to.least);
    }
    let (mut mantissa, half, rest) = match u32::try_from(shift) {
        // enough room for every bit; the number of them is at most that of the type
        Err(_) => (m.checked_shl(shift.unsigned_abs() as u32).unwrap_or(0), false, sticky),
        Ok(0) => (m, false, sticky),
        Ok(shift) => {
            let kept = m.checked_shr(shift).unwrap_or(0);
            let lost = m ^ kept.checked_shl(shift).unwrap_or(0);
            let half = 1u128.checked_shl(shift - 1).unwrap_or(0);
            (kept, half != 0 && lost >= half, sticky || (lost != half && lost != 0))
        }
    };
    // half a step, or more: `lost > half` is told by `rest`
    if half && (rest || mantissa & 1 == 1) {
        mantissa += 1;
    }
    if mantissa.checked_shr(to.bits).unwrap_or(0) != 0 {
        return ((mantissa >> 1) as u64, last + 1);
    }
    (mantissa as u64, last)
}

/// The double nearest to `m · 2^exp`.
pub(super) fn double(m: u128, exp: i64, sticky: bool) -> f64 {
    let (mantissa, last) = nearest(m, exp, sticky, DOUBLE);
    f64::from_bits(ieee(mantissa, last, DOUBLE, 0x7ff))
}

/// The single nearest to `m · 2^exp`.
pub(super) fn single(m: u128, exp: i64, sticky: bool) -> f32 {
    let (mantissa, last) = nearest(m, exp, sticky, SINGLE);
    f32::from_bits(ieee(mantissa, last, SINGLE, 0xff) as u32)
}

/// The bits of a number whose mantissa has a hidden first bit.
fn ieee(mantissa: u64, last: i64, of: Precision, infinite: i64) -> u64 {
    let stored = of.bits - 1;
    let hidden = 1u64 << stored;
    if mantissa < hidden {
        return mantissa;
    }
    let biased = last - of.least + 1;
    if biased >= infinite {
        return (infinite as u64) << stored;
    }
    (biased as u64) << stored | (mantissa ^ hidden)
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
