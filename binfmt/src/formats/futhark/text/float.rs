//! Floats from text where the standard library has no reader: hexadecimal ones, and binary16.

use alloc::format;
use alloc::vec::Vec;

/// A binary format of IEEE 754.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binary {
    /// Bits of the significand, with the one that is not stored.
    digits: u32,
    /// The largest exponent.
    max_exp: i64,
}

impl Binary {
    pub(super) const F16: Binary = Binary { digits: 11, max_exp: 15 };
    pub(super) const F32: Binary = Binary { digits: 24, max_exp: 127 };
    pub(super) const F64: Binary = Binary { digits: 53, max_exp: 1023 };

    /// Bits of the stored significand.
    fn stored(&self) -> u32 {
        self.digits - 1
    }

    pub(super) fn infinity(&self) -> u64 {
        (self.max_exp.unsigned_abs() * 2 + 1) << self.stored()
    }

    pub(super) fn nan(&self) -> u64 {
        self.infinity() | 1 << (self.stored() - 1)
    }

    pub(super) fn signed(&self, negative: bool, bits: u64) -> u64 {
        // the sign stands above the exponent, which ends with the infinity's highest bit
        let sign = (self.infinity() << 1) & !self.infinity() & !(u64::MAX >> self.infinity().leading_zeros());
        if negative { bits | sign } else { bits }
    }

    /// The bits of the number nearest to `m * 2^e`, ties to even; `more` when the true value is a little larger.
    fn nearest(&self, m: u64, e: i64, more: bool) -> u64 {
        if m == 0 {
            return 0;
        }
        let zeros = m.leading_zeros();
        let m = m << zeros;
        // the value is 1.xxx * 2^exp
        let exp = e - i64::from(zeros) + 63;
        let min_exp = 1 - self.max_exp;
        let missing = (min_exp - exp).max(0);
        let keep = i64::from(self.digits) - missing;
        if keep < 0 {
            return 0;
        }
        // 11 at least, and 64 where no bit is kept
        let drop = (64 - keep) as u32;
        let kept = m.checked_shr(drop).unwrap_or(0);
        let rest = m & (u64::MAX >> (64 - drop));
        let half = 1u64 << (drop - 1);
        let up = rest > half || (rest == half && (more || kept & 1 == 1));
        let significand = kept + u64::from(up);
        if missing > 0 {
            return significand;
        }
        match u64::try_from(exp - min_exp) {
            Ok(steps) if steps <= self.max_exp.unsigned_abs() * 2 => {
                ((steps << self.stored()) + significand).min(self.infinity())
            }
            _ => self.infinity(),
        }
    }
}

/// A hexadecimal float at the front of a word: its bits, and what follows it. Takes as much as C's `scanf` does.
pub(super) fn hexadecimal<'a>(word: &'a [u8], binary: &Binary) -> Option<(u64, &'a [u8])> {
    let (negative, rest) = sign(word);
    let [b'0', b'x' | b'X', digits @ ..] = rest else { return None };
    let (mut m, mut e, mut more) = (0u64, 0i64, false);
    let (mut len, mut found, mut point) = (0usize, false, false);
    while let Some(c) = digits.get(len).copied() {
        match char::from(c).to_digit(16) {
            Some(digit) if m >> 60 == 0 => m = m << 4 | u64::from(digit),
            Some(digit) => {
                more |= digit != 0;
                e += 4;
            }
            None if c == b'.' && !point => point = true,
            None => break,
        }
        if c != b'.' {
            found = true;
            e -= if point { 4 } else { 0 };
        }
        len += 1;
    }
    if !found {
        return None;
    }
    let mut rest = &digits[len..];
    if let Some((exponent, after)) = exponent(rest) {
        e += exponent;
        rest = after;
    }
    Some((binary.signed(negative, binary.nearest(m, e, more)), rest))
}

/// Whether a minus sign stands in front, and what follows the sign.
#[inline(always)]
pub(super) fn sign(word: &[u8]) -> (bool, &[u8]) {
    match word {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    }
}

/// `p+12`, and what follows.
fn exponent(text: &[u8]) -> Option<(i64, &[u8])> {
    let [b'p' | b'P', rest @ ..] = text else { return None };
    let (negative, digits) = sign(rest);
    let len = digits.iter().take_while(|c| c.is_ascii_digit()).count();
    let (number, rest) = digits.split_at_checked(len).filter(|_| len > 0)?;
    // far beyond every exponent, far below an overflow
    let step = |n: i64, c: &u8| (n * 10 + i64::from(c - b'0')).min(1 << 40);
    let n = number.iter().fold(0, step);
    Some((if negative { -n } else { n }, rest))
}

/// The bits of the binary16 number nearest to a decimal number: rounded once, whatever stands in between.
pub(super) fn half_bits(text: &str) -> Option<u16> {
    let wide: f64 = text.parse().ok()?;
    let bits = half_of(wide.abs(), text);
    let binary = Binary::F16;
    let bits = if wide.is_nan() { binary.nan() } else { bits };
    Some(binary.signed(wide.is_sign_negative(), bits) as u16)
}

fn half_of(wide: f64, text: &str) -> u64 {
    let binary = Binary::F16;
    if !wide.is_finite() {
        return binary.infinity();
    }
    let stored = wide.to_bits() & ((1 << 52) - 1);
    let field = (wide.to_bits() >> 52) as i64;
    let (m, e) = if field == 0 { (stored, -1074) } else { (stored | 1 << 52, field - 1075) };
    if m == 0 {
        return 0;
    }
    // the true value lies within a half step of the wide one, on either side
    let e = e - 2;
    let below = binary.nearest((m << 2) - 1, e, false);
    let above = binary.nearest((m << 2) + 1, e, false);
    if below == above {
        return below;
    }
    match compare(text, wide) {
        core::cmp::Ordering::Less => below,
        core::cmp::Ordering::Greater => above,
        core::cmp::Ordering::Equal => binary.nearest(m << 2, e, false),
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
