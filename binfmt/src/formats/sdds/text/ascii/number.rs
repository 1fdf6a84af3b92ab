//! Numbers as C's `scanf` reads them: the longest beginning of the text that is a number counts.

use super::x87::from_decimal;
use crate::formats::sdds::layout::text::is_space;
use crate::formats::sdds::layout::x87::X87;
use crate::numbers::binary::{Scaled, double, exponent, hexadecimal, sign, single};
use crate::numbers::decimal;
use core::str::FromStr;

/// A whole number of at most 64 bits, as `strtoll` and `strtoull` read it: too large ones stop at the limit.
fn digits(text: &[u8]) -> Option<(bool, u128)> {
    let text = blanks_off(text);
    let (negative, text) = sign(text);
    let n = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let digits = text.get(..n).filter(|d| !d.is_empty())?;
    let value = match digits {
        // fewer digits than the largest number has
        [..] if n < 20 => digits.iter().fold(0u64, |n, d| n * 10 + u64::from(d - b'0')).into(),
        // 2⁶⁴ is too large, and stays so
        _ => digits.iter().fold(0u128, |n, d| (n * 10 + u128::from(d - b'0')).min(1 << 64)),
    };
    Some((negative, value))
}

/// A signed number. The narrower types take its lowest bits, as the official library does.
pub(super) fn signed(text: &[u8]) -> Option<i64> {
    let (negative, n) = digits(text)?;
    let n = if negative { -(n as i128) } else { n as i128 };
    Some(n.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64)
}

/// An unsigned number; a negative one counts back from 2⁶⁴.
pub(super) fn unsigned(text: &[u8]) -> Option<u64> {
    let (negative, n) = digits(text)?;
    Some(match u64::try_from(n) {
        Err(_) => u64::MAX,
        Ok(n) if negative => n.wrapping_neg(),
        Ok(n) => n,
    })
}

/// A number with a fraction and an exponent, not yet rounded to a type.
enum Real<'t> {
    Infinite,
    NotANumber,
    /// The text of a decimal number, without its sign.
    Decimal {
        text: &'t str,
        whole: &'t [u8],
        fraction: &'t [u8],
        exponent: i64,
    },
    Binary(Scaled),
}

fn real(text: &[u8]) -> Option<(bool, Real<'_>)> {
    let (negative, text) = sign(blanks_off(text));
    let begins = |word: &[u8]| text.get(..word.len()).is_some_and(|t| t.eq_ignore_ascii_case(word));
    let kind = if begins(b"inf") {
        Real::Infinite
    } else if begins(b"nan") {
        Real::NotANumber
    } else {
        match text.get(2..).filter(|_| begins(b"0x")).and_then(hexadecimal) {
            Some((n, _)) => Real::Binary(n),
            None => decimal(text)?,
        }
    };
    Some((negative, kind))
}

fn decimal(text: &[u8]) -> Option<Real<'_>> {
    let (whole, rest) = split_while(text, |b| b.is_ascii_digit());
    let (fraction, rest) = match rest.strip_prefix(b".") {
        Some(rest) => split_while(rest, |b| b.is_ascii_digit()),
        None => (&[][..], rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let (exponent, rest) = exponent(rest, b'e').unwrap_or((0, rest));
    let text = &text[..text.len() - rest.len()];
    Some(Real::Decimal { text: core::str::from_utf8(text).ok()?, whole, fraction, exponent })
}

/// Whether a whole number is between two, both among them.
pub(super) fn is_among(text: &[u8], least: i128, greatest: i128) -> bool {
    digits(text).is_some_and(|(negative, n)| {
        let n = if negative { -(n as i128) } else { n as i128 };
        (least..=greatest).contains(&n)
    })
}

/// Whether nothing but blanks is around a whole number.
pub(super) fn is_whole_integer(text: &[u8]) -> bool {
    let digits = sign(text.trim_ascii()).1;
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// Whether nothing but blanks is around a number.
pub(super) fn is_whole_real(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    if whole_double(text).is_some() {
        return true;
    }
    let text = sign(text).1;
    let is_word = |word: &[u8]| text.eq_ignore_ascii_case(word);
    if is_word(b"inf") || is_word(b"infinity") || is_word(b"nan") {
        return true;
    }
    match text.first_chunk() {
        Some([b'0', b'x' | b'X']) => {
            text.get(2..).and_then(hexadecimal).is_some_and(|(_, rest)| rest.is_empty())
        }
        Some(start) if start.eq_ignore_ascii_case(b"na") => {
            let inside = text.get(3..).and_then(|rest| rest.strip_prefix(b"(")?.strip_suffix(b")"));
            text.get(2).is_some_and(|n| n.eq_ignore_ascii_case(&b'n'))
                && inside.is_some_and(|inside| inside.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_'))
        }
        _ => false,
    }
}

/// What Rust reads as `scanf` does: a text that is a number as a whole. The sign of NaN is not Rust's.
#[inline]
fn whole<T: FromStr + Copy>(text: &[u8], is_nan: impl Fn(T) -> bool) -> Option<T> {
    core::str::from_utf8(text).ok()?.parse().ok().filter(|x| !is_nan(*x))
}

/// A double, if all of the text is a number.
#[inline]
pub(super) fn whole_double(text: &[u8]) -> Option<f64> {
    decimal::float(text).or_else(|| whole(text, f64::is_nan))
}

/// A double, correctly rounded.
#[inline]
pub(super) fn as_double(text: &[u8]) -> Option<f64> {
    whole_double(text).or_else(|| double_in(text))
}

fn double_in(text: &[u8]) -> Option<f64> {
    let (negative, kind) = real(text)?;
    let x = match kind {
        Real::Infinite => f64::INFINITY,
        Real::NotANumber => f64::NAN,
        Real::Decimal { text, .. } => text.parse().ok()?,
        Real::Binary(Scaled { m, exp, sticky }) => double(m, exp, sticky),
    };
    Some(if negative { -x } else { x })
}

/// A single, correctly rounded from the text.
#[inline]
pub(super) fn as_single(text: &[u8]) -> Option<f32> {
    whole(text, f32::is_nan).or_else(|| single_in(text))
}

fn single_in(text: &[u8]) -> Option<f32> {
    let (negative, kind) = real(text)?;
    let x = match kind {
        Real::Infinite => f32::INFINITY,
        Real::NotANumber => f32::NAN,
        Real::Decimal { text, .. } => text.parse().ok()?,
        Real::Binary(Scaled { m, exp, sticky }) => single(m, exp, sticky),
    };
    Some(if negative { -x } else { x })
}

/// An extended number, correctly rounded.
pub(super) fn as_extended(text: &[u8]) -> Option<X87> {
    let (negative, kind) = real(text)?;
    Some(match kind {
        Real::Infinite => X87::of_parts(1 << 63, 0x7fff, negative),
        Real::NotANumber => X87::of_parts(3 << 62, 0x7fff, negative),
        Real::Decimal { whole, fraction, exponent, .. } => {
            let exponent = exponent - fraction.len() as i64;
            from_decimal(&[whole, fraction].concat(), exponent, negative)
        }
        Real::Binary(Scaled { m, exp, sticky }) => X87::nearest(m, exp, sticky, negative),
    })
}

fn blanks_off(text: &[u8]) -> &[u8] {
    split_while(text, is_space).1
}

fn split_while(text: &[u8], wanted: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    text.split_at(text.iter().take_while(|b| wanted(**b)).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_by_scanf() {
        assert_eq!(signed(b" -12x"), Some(-12));
        assert_eq!(signed(b"1.9"), Some(1));
        assert_eq!(signed(b"99999999999999999999"), Some(i64::MAX));
        assert_eq!(signed(b"x"), None);
        assert_eq!(unsigned(b"-1"), Some(u64::MAX));
        assert_eq!(as_double(b"0x1.8p1"), Some(3.0));
        assert_eq!(as_double(b"0x"), Some(0.0));
        assert_eq!(as_double(b"-2e3,"), Some(-2000.0));
        assert_eq!(as_double(b".5e"), Some(0.5));
        assert_eq!(as_double(b"-Infinity"), Some(f64::NEG_INFINITY));
        assert_eq!(as_double(b"1e400"), Some(f64::INFINITY));
        assert_eq!(as_double(b"."), None);
        assert_eq!(as_single(b"3.40282347e+38"), Some(f32::MAX));
        assert_eq!(as_extended(b"0x1.8p1"), Some(X87::from(3.0)));
        assert_eq!(as_extended(b"12.5e-1"), Some(X87::from(1.25)));
        assert!(as_double(b"nan(7)").unwrap().is_nan());
    }

    #[test]
    fn numbers_are_whole_or_begin_a_word() {
        for text in [
            "1", " -1.5 ", "+.5", "5.", "1E-5", "nan", "-NaN", "NAN(ind)", "inf", "Infinity", "0x1.8p1",
            "1e400",
        ] {
            assert!(is_whole_real(text.as_bytes()), "{text}");
        }
        for text in [
            "1.0D+05",
            "1.#QNAN",
            "1,5",
            "1.234-105",
            "1e",
            "0x",
            "0x1.8p",
            "infinite",
            "nan(",
            "1.5 2",
            "-2e3,",
        ] {
            assert!(as_double(text.as_bytes()).is_some() && !is_whole_real(text.as_bytes()), "{text}");
        }
        assert!([&b"12"[..], b" -3", b"+4 "].iter().all(|text| is_whole_integer(text)));
        assert!([&b"2e3"[..], b"1.0", b"0x10", b"7,"].iter().all(|text| !is_whole_integer(text)));
    }

    #[test]
    fn whole_texts_are_what_their_parts_are() {
        for text in [
            "1",
            "+1.5",
            "-.5",
            "5.",
            "1e5",
            "-1E-5",
            "1e400",
            "-1e400",
            "1e-400",
            "-0",
            "inf",
            "-INF",
            "+Infinity",
            "1.7976931348623157e308",
            "4.9e-324",
            "0.1",
            "1e",
        ] {
            let (found, expected) = (as_double(text.as_bytes()), double_in(text.as_bytes()));
            assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits), "{text}");
            let (found, expected) = (as_single(text.as_bytes()), single_in(text.as_bytes()));
            assert_eq!(found.map(f32::to_bits), expected.map(f32::to_bits), "{text}");
        }
        assert!(
            as_double(b"-nan").unwrap().is_sign_negative() && as_single(b"nan").unwrap().is_sign_positive()
        );
        assert_eq!(
            (signed(b"9999999999999999999"), unsigned(b"18446744073709551615")),
            (Some(i64::MAX), Some(u64::MAX))
        );
        assert_eq!(unsigned(b"18446744073709551616"), Some(u64::MAX));
    }

    #[test]
    fn long_hexadecimal_mantissas_keep_their_place() {
        let text = [b"0x1.".as_slice(), &[b'0'; 60], b"1p0"].concat();
        assert_eq!(as_double(&text), Some(1.0));
        let text = [b"0x1".as_slice(), &[b'0'; 60]].concat();
        assert_eq!(as_double(&text), Some(2f64.powi(240)));
    }
}
