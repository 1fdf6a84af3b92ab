//! Extended numbers as decimal text, and back, exactly.

use crate::formats::sdds::layout::x87::X87;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

/// A large natural number, least significant digit first, without zeros at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Big(Vec<u32>);

impl Big {
    fn of(n: u64) -> Self {
        let mut big = Big(vec![n as u32, (n >> 32) as u32]);
        big.trim();
        big
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    fn mul_add(&mut self, factor: u32, add: u32) {
        let mut carry = u64::from(add);
        for digit in &mut self.0 {
            // at most (2^32 - 1)² + 2^32 - 1
            carry = u64::from(*digit).wrapping_mul(u64::from(factor)).wrapping_add(carry);
            *digit = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn times_ten_to(&mut self, mut n: u32) {
        while n > 0 {
            let step = n.min(9);
            self.mul_add(10u32.pow(step), 0);
            n -= step;
        }
    }

    fn shift_left(&mut self, n: u64) {
        let (digits, bits) = ((n / 32) as usize, (n % 32) as u32);
        if bits > 0 {
            self.mul_add(1 << bits, 0);
        }
        if !self.0.is_empty() {
            self.0.splice(0..0, core::iter::repeat_n(0, digits));
        }
    }

    fn bits(&self) -> u64 {
        let Some(last) = self.0.last() else { return 0 };
        self.0.len() as u64 * 32 - u64::from(last.leading_zeros())
    }

    fn cmp(&self, other: &Big) -> Ordering {
        let lens = self.0.len().cmp(&other.0.len());
        lens.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    /// Subtracts a number that is not larger.
    fn sub(&mut self, other: &Big) {
        let mut borrow = 0u32;
        for (i, digit) in self.0.iter_mut().enumerate() {
            let (d, a) = digit.overflowing_sub(other.0.get(i).copied().unwrap_or(0));
            let (d, b) = d.overflowing_sub(borrow);
            *digit = d;
            borrow = u32::from(a || b);
        }
        self.trim();
    }

    /// The quotient, which is below 2^(`bits` + 1), and what is left.
    fn divide(mut self, by: &Big, bits: u32) -> (u128, Big) {
        let mut by = by.clone();
        by.shift_left(u64::from(bits));
        let mut quotient = 0u128;
        for _ in 0..=bits {
            quotient <<= 1;
            if self.cmp(&by) != Ordering::Less {
                self.sub(&by);
                quotient |= 1;
            }
            self.shift_left(1);
        }
        // the remainder times a power of two: only its being 0 and its relation to `by` matter to callers
        (quotient, self)
    }
}

/// Digits that may matter: all that an extended number can have, and more.
const MOST_DIGITS: usize = 12_000;

/// The number nearest to `digits · 10^exponent`, all of them decimal.
pub(crate) fn from_decimal(digits: &[u8], exponent: i64, negative: bool) -> X87 {
    let first = digits.iter().position(|d| *d != b'0').unwrap_or(digits.len());
    let digits = &digits[first..];
    let magnitude = exponent + digits.len() as i64;
    if digits.is_empty() || magnitude < -4960 {
        return X87::of_parts(0, 0, negative);
    }
    if magnitude > 4940 {
        return X87::of_parts(1 << 63, 0x7fff, negative);
    }
    let (kept, dropped) = digits.split_at(digits.len().min(MOST_DIGITS));
    let exponent = exponent + dropped.len() as i64;
    let mut n = Big(Vec::new());
    for d in kept {
        n.mul_add(10, u32::from(d - b'0'));
    }
    let mut by = Big::of(1);
    let power = u32::try_from(exponent.unsigned_abs()).unwrap_or(u32::MAX).min(20_000);
    if exponent < 0 {
        by.times_ten_to(power)
    } else {
        n.times_ten_to(power)
    }
    // a quotient of 67 or 68 bits
    let shift = 67 + by.bits() as i64 - n.bits() as i64;
    if shift > 0 {
        n.shift_left(shift as u64)
    } else {
        by.shift_left(shift.unsigned_abs())
    }
    let (quotient, rest) = n.divide(&by, 68);
    let sticky = !rest.0.is_empty() || dropped.iter().any(|d| *d != b'0');
    X87::nearest(quotient, -shift, sticky, negative)
}

/// `mantissa · 2^exp` in scientific notation with that many digits: the digits, and the power of ten of the first.
fn to_decimal(mantissa: u64, exp: i64, digits: u32) -> (u128, i64) {
    let first = i64::from(63 - mantissa.leading_zeros()) + exp;
    let mut power = (first * 30_103).div_euclid(100_000);
    let ten = 10u128.pow(digits - 1);
    loop {
        let mut n = Big::of(mantissa);
        let mut by = Big::of(1);
        if exp > 0 {
            n.shift_left(exp as u64)
        } else {
            by.shift_left(exp.unsigned_abs())
        }
        let scale = i64::from(digits) - 1 - power;
        let by_ten = u32::try_from(scale.unsigned_abs()).unwrap_or(u32::MAX);
        if scale > 0 {
            n.times_ten_to(by_ten)
        } else {
            by.times_ten_to(by_ten)
        }
        const BITS: u32 = 100;
        let (mut quotient, rest) = n.divide(&by, BITS);
        // the rest was doubled once for each bit: it is half a step when it is `by` · 2^BITS
        by.shift_left(u64::from(BITS));
        let half = rest.cmp(&by);
        if half == Ordering::Greater || (half == Ordering::Equal && quotient & 1 == 1) {
            quotient += 1;
        }
        if quotient >= ten * 10 {
            power += 1;
        } else if quotient < ten {
            power -= 1;
        } else {
            return (quotient, power);
        }
    }
}

/// In scientific notation with 19 digits, as the official library writes it, where these say which number it is, else
/// with 21, which always do.
impl fmt::Display for X87 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mantissa, exponent, negative) = self.parts();
        f.write_str(if negative { "-" } else { "" })?;
        if exponent == 0x7fff {
            return f.write_str(if mantissa << 1 == 0 { "inf" } else { "nan" });
        }
        if mantissa == 0 {
            return f.write_str("0.000000000000000000e+00");
        }
        let exp = i64::from(exponent.max(1)) - 16_446;
        let mut text = String::new();
        for digits in [19, 21] {
            let (all, power) = to_decimal(mantissa, exp, digits);
            text = alloc::format!("{all}");
            let shift = power - i64::from(digits) + 1;
            let (back, e, _) = from_decimal(text.as_bytes(), shift, false).parts();
            if (back, e) == (mantissa, exponent) || digits == 21 {
                let sign = if power < 0 { '-' } else { '+' };
                let (first, rest) = text.split_at(1);
                return write!(f, "{first}.{rest}e{sign}{:02}", power.unsigned_abs());
            }
        }
        f.write_str(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_text_comes_back() {
        let mut n = 0x9e37_79b9_7f4a_7c15u64;
        for e in [0u16, 1, 2, 5000, 16382, 16383, 16384, 16446, 16500, 30000, 32766] {
            for _ in 0..3 {
                n = n.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let mantissa = if e == 0 { n >> 1 } else { n | 1 << 63 };
                let x = X87::of_parts(mantissa, e, false);
                let text = x.to_string();
                let (digits, power) = text.split_once('e').unwrap();
                let digits = digits.replace('.', "");
                let power: i64 = power.parse().unwrap();
                assert_eq!(
                    from_decimal(digits.as_bytes(), power - digits.len() as i64 + 1, false),
                    x,
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn as_the_c_library_writes_it() {
        assert_eq!(
            X87::from_le_bytes([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]).to_string(),
            "3.645199531882474603e-4951"
        );
        assert_eq!(X87::from(-0.0).to_string(), "-0.000000000000000000e+00");
        assert_eq!(from_decimal(b"3645199531882474603", -4951 - 18, false).to_le_bytes()[0], 1);
        assert_eq!(from_decimal(b"1", 5000, true).to_string(), "-inf");
        assert_eq!(from_decimal(b"10", -1, false), X87::from(1.0));
    }
}
