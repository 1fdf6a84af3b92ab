//! Conversions between floating-point numbers that Rust has not: of half precision, by their bits.

/// The number as single precision, which holds all of them.
pub(super) fn from_f16(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let exponent = u32::from(bits >> 10) & 31;
    let mantissa = u32::from(bits) & 0x3ff;
    match exponent {
        // a subnormal number is that many times 2^-24
        0 => {
            let size = mantissa as f32 / 16_777_216.0;
            if sign == 0 { size } else { -size }
        }
        31 => f32::from_bits(sign | 0x7f80_0000 | mantissa << 13),
        _ => f32::from_bits(sign | exponent.wrapping_add(112) << 23 | mantissa << 13),
    }
}

/// The nearest number of half precision, ties to even; too large a one is infinite.
pub(super) fn to_f16(n: f64) -> u16 {
    let sign = if n.is_sign_negative() { 0x8000 } else { 0 };
    let size = if n.is_sign_negative() { -n } else { n };
    if size.is_nan() {
        return sign | 0x7e00;
    }
    // the numbers of half precision that are not negative stand in the order of their bits
    let mut low = 0u16;
    let mut high = 0x7c00u16;
    if size >= 65520.0 {
        return sign | high;
    }
    while high.wrapping_sub(low) > 1 {
        let middle = low.midpoint(high);
        if f64::from(from_f16(middle)) <= size { low = middle } else { high = middle }
    }
    let above = if high == 0x7c00 { 65536.0 } else { f64::from(from_f16(high)) };
    let (below, above) = (size - f64::from(from_f16(low)), above - size);
    let up = above < below || above == below && low & 1 == 1;
    sign | if up { high } else { low }
}

/// The number of single precision that some text stood for, when its digits were read in double precision.
///
/// Rounding twice may end half-way between two numbers, and then the wrong one is taken: of all numbers 7.038531e-26.
#[cfg(any(feature = "dynamic", feature = "serde"))]
pub(crate) fn to_f32(n: f64) -> f32 {
    let found = n as f32;
    let back = f64::from(found);
    let other = if back < n { found.next_up() } else { found.next_down() };
    if back == n || !other.is_finite() || (back + f64::from(other)) / 2.0 != n {
        return found;
    }
    let is_written_so = |x: f32| alloc::format!("{x}").parse() == Ok(n);
    if is_written_so(other) && !is_written_so(found) { other } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_half_precision_comes_back() {
        for bits in 0..=u16::MAX {
            let n = from_f16(bits);
            if n.is_nan() {
                assert_eq!(bits & 0x7c00, 0x7c00);
            } else {
                assert_eq!(to_f16(n.into()), bits, "{n}");
            }
        }
        assert_eq!(from_f16(0x3555), 0.333_251_95);
    }

    #[test]
    #[cfg(any(feature = "dynamic", feature = "serde"))]
    fn digits_that_are_rounded_twice() {
        let n = f32::from_bits(0x15ae_43fd);
        assert_ne!(7.038_531e-26f64 as f32, n);
        assert_eq!(to_f32(7.038_531e-26), n);
        assert_eq!(to_f32(-7.038_531e-26), -n);
        for n in [0.0, 0.1, f32::MAX, f32::MIN_POSITIVE, f32::INFINITY, 1.5] {
            assert_eq!(to_f32(n.into()), n);
        }
        assert_eq!(to_f32(1e300), f32::INFINITY);
        assert!(to_f32(f64::NAN).is_nan());
    }

    #[test]
    fn nearest() {
        assert_eq!(to_f16(65519.99), 0x7bff);
        assert_eq!(to_f16(65520.0), 0x7c00);
        assert_eq!(to_f16(1.0 + 1.0 / 2048.0), 0x3c00);
        assert_eq!(to_f16(1.0 + 3.0 / 2048.0), 0x3c02);
        assert_eq!(to_f16(-0.0), 0x8000);
        assert_eq!(to_f16(2f64.powi(-26)), 0);
    }
}
