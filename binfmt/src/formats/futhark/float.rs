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
        self.digits.saturating_sub(1)
    }

    pub(super) fn infinity(&self) -> u64 {
        (self.max_exp.unsigned_abs().saturating_mul(2).saturating_add(1)) << self.stored()
    }

    pub(super) fn nan(&self) -> u64 {
        self.infinity() | 1 << self.stored().saturating_sub(1)
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
        let exp = e.saturating_sub(i64::from(zeros)).saturating_add(63);
        let min_exp = 1i64.saturating_sub(self.max_exp);
        let missing = min_exp.saturating_sub(exp).max(0);
        let keep = i64::from(self.digits).saturating_sub(missing);
        if keep < 0 {
            return 0;
        }
        let drop = u32::try_from(64i64.saturating_sub(keep)).unwrap_or(64);
        let kept = m.checked_shr(drop).unwrap_or(0);
        let rest = m & (u64::MAX >> 64u32.saturating_sub(drop).min(63));
        let half = 1u64 << drop.saturating_sub(1).min(63);
        let up = rest > half || (rest == half && (more || kept & 1 == 1));
        let significand = kept.saturating_add(u64::from(up));
        if missing > 0 {
            return significand;
        }
        let Ok(steps) = u32::try_from(exp.saturating_sub(min_exp)) else { return self.infinity() };
        if i64::from(steps) > self.max_exp.saturating_mul(2) {
            return self.infinity();
        }
        (u64::from(steps) << self.stored()).saturating_add(significand).min(self.infinity())
    }
}

/// A hexadecimal float at the front of a word: its bits, and what follows it. Takes as much as C's `scanf` does.
pub(super) fn hexadecimal<'a>(word: &'a [u8], binary: &Binary) -> Option<(u64, &'a [u8])> {
    let (negative, rest) = match word {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let [b'0', b'x' | b'X', digits @ ..] = rest else { return None };
    let (mut m, mut e, mut more) = (0u64, 0i64, false);
    let (mut len, mut found, mut point) = (0usize, false, false);
    while let Some(c) = digits.get(len).copied() {
        match char::from(c).to_digit(16) {
            Some(digit) if m >> 60 == 0 => m = m << 4 | u64::from(digit),
            Some(digit) => {
                more |= digit != 0;
                e = e.saturating_add(4);
            }
            None if c == b'.' && !point => point = true,
            None => break,
        }
        if c != b'.' {
            found = true;
            e = e.saturating_sub(if point { 4 } else { 0 });
        }
        len = len.saturating_add(1);
    }
    if !found {
        return None;
    }
    let mut rest = digits.get(len..).unwrap_or(&[]);
    if let Some((exponent, behind)) = exponent(rest) {
        e = e.saturating_add(exponent);
        rest = behind;
    }
    Some((binary.signed(negative, binary.nearest(m, e, more)), rest))
}

/// `p+12`, and what follows.
fn exponent(text: &[u8]) -> Option<(i64, &[u8])> {
    let [b'p' | b'P', rest @ ..] = text else { return None };
    let (negative, digits) = match rest {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let len = digits.iter().take_while(|c| c.is_ascii_digit()).count();
    let (number, rest) = digits.split_at_checked(len).filter(|_| len > 0)?;
    let step = |n: i64, c: &u8| n.saturating_mul(10).saturating_add(i64::from(c.wrapping_sub(b'0')));
    // far beyond every exponent, far below an overflow
    let n = number.iter().fold(0i64, step).min(1 << 40);
    Some((if negative { n.saturating_neg() } else { n }, rest))
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
    let (m, e) = if field == 0 { (stored, -1074) } else { (stored | 1 << 52, field.saturating_sub(1075)) };
    if m == 0 {
        return 0;
    }
    // the true value lies within a half step of the wide one, on either side
    let e = e.saturating_sub(2);
    let below = binary.nearest((m << 2).saturating_sub(1), e, false);
    let above = binary.nearest((m << 2).saturating_add(1), e, false);
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

/// The digits without zeros in front, and the exponent that they would have as `0.ddd * 10^x`.
fn digits(text: &str) -> (Vec<u8>, i64) {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let mut x: i64 = exponent.strip_prefix('+').unwrap_or(exponent).parse().unwrap_or(0);
    let mut found = Vec::new();
    let mut point = false;
    for c in mantissa.bytes() {
        match c {
            b'.' => point = true,
            b'0' if found.is_empty() => x = x.saturating_sub(i64::from(point)),
            b'0'..=b'9' => {
                found.push(c.wrapping_sub(b'0'));
                x = x.saturating_add(i64::from(!point));
            }
            _ => {}
        }
    }
    (found, x)
}
