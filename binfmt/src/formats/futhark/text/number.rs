//! One element as text: which spellings are numbers of which type.

use super::float;
use crate::formats::futhark::layout::ElementType;
use crate::numbers::binary::{Precision, sign};
use crate::numbers::{Element, F16, NumberType, decimal};
use alloc::vec::Vec;

/// Why a word is not an element of the type that was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is not a number of any type.
    NotANumber,
    /// The number does not fit.
    TooLarge,
    /// Its suffix is that of another type.
    Suffix(ElementType),
}

/// Reads a word, which is made of ASCII letters, digits and `. _ + -`.
#[inline(always)]
pub(crate) fn parse<T: Element>(word: &[u8]) -> Result<T, Fault> {
    let found = match T::TYPE {
        NumberType::Bool => boolean(word)?.into(),
        NumberType::F16 => {
            let bits = float(word, T::TYPE, Precision::HALF, |text| float::half_bits(text).map(u64::from))?;
            F16::from_bits(bits as u16).into()
        }
        NumberType::F32 => {
            let bits = |text: &str| text.parse().ok().map(|x: f32| u64::from(x.to_bits()));
            f32::from_bits(float(word, T::TYPE, Precision::SINGLE, bits)? as u32).into()
        }
        NumberType::F64 => {
            let bits =
                |text: &str| decimal::float(text.as_bytes()).or_else(|| text.parse().ok()).map(f64::to_bits);
            f64::from_bits(float(word, T::TYPE, Precision::DOUBLE, bits)?).into()
        }
        kind => {
            let name = kind.name();
            let n = match decimal(word) {
                Some((negative, n, rest)) if rest.is_empty() || rest == name.as_bytes() => {
                    if negative {
                        i128::from(n).wrapping_neg()
                    } else {
                        i128::from(n)
                    }
                }
                // the C reader takes `u64` with `%lu`, which knows no octal numbers, and all others with `%i`
                _ => integer(word, name, kind != NumberType::U64)?,
            };
            return T::from_i128(n).ok_or(Fault::TooLarge);
        }
    };
    T::of(found).ok_or(Fault::NotANumber)
}

fn boolean(word: &[u8]) -> Result<bool, Fault> {
    match word {
        b"true" => Ok(true),
        b"false" => Ok(false),
        word => Err(word_of_other(word)),
    }
}

/// The bits of a float: nearly always one that Rust reads, with or without the name of its type.
#[inline]
fn float(
    word: &[u8],
    kind: NumberType,
    precision: Precision,
    bits: impl Fn(&str) -> Option<u64>,
) -> Result<u64, Fault> {
    let body = word.strip_suffix(kind.name().as_bytes()).unwrap_or(word);
    match core::str::from_utf8(body).ok().and_then(&bits) {
        Some(bits) => Ok(bits),
        None => other_float(word, kind.name(), precision, bits),
    }
}

/// What the rest of a word after its digits says.
fn rest_is(rest: &[u8], name: &str) -> Result<(), Fault> {
    if rest.is_empty() || rest == name.as_bytes() {
        return Ok(());
    }
    match ElementType::ALL.into_iter().find(|t| t.name().as_bytes() == rest) {
        Some(other) => Err(Fault::Suffix(other)),
        None => Err(Fault::NotANumber),
    }
}

/// A decimal integer as nearly all are: no underscore, no prefix, at most 19 digits.
#[inline(always)]
fn decimal(word: &[u8]) -> Option<(bool, u64, &[u8])> {
    let (negative, digits) = sign(word);
    if let [b'0', b'0'..=b'9' | b'x' | b'X' | b'b' | b'B' | b'_', ..] = digits {
        return None;
    }
    let mut n = 0u64;
    let mut len = 0usize;
    while let Some(digit) = digits.get(len).map(|c| c.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
        n = n.wrapping_mul(10).wrapping_add(u64::from(digit));
        len = len.wrapping_add(1);
    }
    let rest = digits.get(len..)?;
    (len > 0 && len < 20 && rest.first() != Some(&b'_')).then_some((negative, n, rest))
}

/// Any other integer: `_` anywhere, `0x`, `0b`, and where `octal` a leading zero.
#[cold]
#[inline(never)]
fn integer(word: &[u8], name: &str, octal: bool) -> Result<i128, Fault> {
    let word = without_underscores(word);
    let (negative, digits) = sign(&word);
    let (base, digits) = match digits {
        [b'0', b'x' | b'X', digits @ ..] => (16, digits),
        [b'0', b'b' | b'B', digits @ ..] => (2, digits),
        [b'0', b'0'..=b'9', ..] if octal => (8, digits),
        digits => (10, digits),
    };
    let len = digits.iter().take_while(|c| char::from(**c).is_digit(base)).count();
    let (digits, rest) = digits.split_at(len);
    if digits.is_empty() {
        return Err(word_of_other(&word));
    }
    rest_is(rest, name)?;
    // 2^64 is too large for every type
    let next = |n: i128, digit| (n * i128::from(base) + i128::from(digit)).min(1 << 64);
    let n = digits.iter().filter_map(|c| char::from(*c).to_digit(base)).fold(0, next);
    Ok(if negative { -n } else { n })
}

pub(crate) fn without_underscores(word: &[u8]) -> Vec<u8> {
    word.iter().copied().filter(|c| *c != b'_').collect()
}

/// The fault of a word that is not a number of the expected type: `f32.nan` is one of another.
fn word_of_other(word: &[u8]) -> Fault {
    match guess(word) {
        Guess::Suffix(other) => Fault::Suffix(other),
        _ => Fault::NotANumber,
    }
}

/// Floats that are not plain decimal numbers: `_`, hexadecimal, `f64.nan`. The answer is the bits.
#[cold]
#[inline(never)]
fn other_float(
    word: &[u8],
    name: &str,
    precision: Precision,
    decimal: impl Fn(&str) -> Option<u64>,
) -> Result<u64, Fault> {
    let word = without_underscores(word);
    let (negative, rest) = match &word[..] {
        [b'-', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    match rest.strip_prefix(name.as_bytes()) {
        Some(b".nan") if !negative => return Ok(precision.nan()),
        Some(b".inf") => return Ok(precision.signed(negative, precision.infinity())),
        _ => {}
    }
    if let Some((bits, rest)) = float::hexadecimal(&word, precision) {
        rest_is(rest, name)?;
        return Ok(bits);
    }
    let body = word.strip_suffix(name.as_bytes()).unwrap_or(&word);
    core::str::from_utf8(body).ok().and_then(decimal).ok_or_else(|| word_of_other(&word))
}

/// What a word says of the type of the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guess {
    /// The type.
    Suffix(ElementType),
    /// A float of some type.
    Float,
    /// A number, which may be a float too.
    Integer,
    /// No element.
    Nothing,
}

/// What a word says of its type where none is expected.
pub(crate) fn guess(word: &[u8]) -> Guess {
    let digits = sign(word).1;
    // nearly all unsuffixed words are plain numbers
    if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) {
        return Guess::Integer;
    }
    if word.contains(&b'_') {
        return guess_of(&without_underscores(word));
    }
    guess_of(word)
}

fn guess_of(word: &[u8]) -> Guess {
    if matches!(word, b"true" | b"false") {
        return Guess::Suffix(ElementType::Bool);
    }
    let digits = sign(word).1;
    let float = [ElementType::F16, ElementType::F32, ElementType::F64]
        .into_iter()
        .find(|t| matches!(digits.strip_prefix(t.name().as_bytes()), Some(b".nan" | b".inf")));
    if let Some(found) = float {
        return Guess::Suffix(found);
    }
    if let Some((_, rest)) = float::hexadecimal(word, Precision::DOUBLE) {
        let fraction = digits.iter().any(|c| matches!(c, b'.' | b'p' | b'P'));
        return match ElementType::ALL.into_iter().find(|t| t.name().as_bytes() == rest) {
            Some(found) => Guess::Suffix(found),
            None if fraction => Guess::Float,
            None => Guess::Integer,
        };
    }
    if let Some(found) = ElementType::ALL.into_iter().find(|t| digits.ends_with(t.name().as_bytes())) {
        return Guess::Suffix(found);
    }
    let named = ["nan", "inf", "infinity"].iter().any(|name| digits.eq_ignore_ascii_case(name.as_bytes()));
    match digits {
        [b'0', b'x' | b'X', ..] => Guess::Nothing,
        [b'0'..=b'9' | b'.', ..] if digits.iter().any(|c| matches!(c, b'.' | b'e' | b'E')) => Guess::Float,
        [b'0'..=b'9', ..] => Guess::Integer,
        _ if named => Guess::Float,
        _ => Guess::Nothing,
    }
}
