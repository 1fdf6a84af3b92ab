//! When a number that was found is the one that is looked for.

use crate::token;
use binfmt::Endian;
use binfmt::numbers::{Number, NumberType};
use std::cmp::Ordering;

/// Whether a number is the wanted one, also as a float of its own width: 0.1 has another value in each. Not being one is a value here.
pub(super) fn is_it(found: Number, wanted: Number) -> bool {
    let is_equal = |wanted: Number| found.compare(wanted) == Some(Ordering::Equal);
    let kind = found.number_type();
    let rounded = match wanted {
        Number::F64(wanted) if kind.is_float() && wanted.is_finite() => Number::from_f64(kind, wanted),
        _ => None,
    };
    is_equal(wanted)
        || rounded.is_some_and(is_equal)
        || (kind.is_float() && found.to_f64().is_nan() && wanted.to_f64().is_nan())
}

/// Whether a word is the wanted text or number.
pub(super) fn is_word(word: &str, text: &str, number: Option<Number>) -> bool {
    word == text || number.zip(token::number(word)).is_some_and(|(wanted, found)| is_it(found, wanted))
}

pub(super) fn number_type(bytes: usize, of: impl FnOnce(u8) -> Option<NumberType>) -> Option<NumberType> {
    of(u8::try_from(bytes).ok()?)
}

/// The number that some bytes are.
pub(super) fn one(kind: NumberType, bytes: &[u8], endian: Endian) -> Option<Number> {
    match endian {
        Endian::Little => Number::from_le_bytes(kind, bytes),
        Endian::Big => {
            let mut turned = [0; 16];
            let turned = turned.get_mut(..bytes.len())?;
            turned.iter_mut().rev().zip(bytes).for_each(|(to, byte)| *to = *byte);
            Number::from_le_bytes(kind, turned)
        }
    }
}

/// Whether bytes are those of hexadecimal digits such as `0x2a00`.
pub(super) fn are_bytes(bytes: &[u8], text: &str) -> bool {
    let Some(digits) = text.strip_prefix("0x").filter(|digits| digits.len() == 2 * bytes.len()) else {
        return false;
    };
    let pairs = digits.as_bytes().chunks_exact(2).map(|pair| std::str::from_utf8(pair).ok());
    bytes
        .iter()
        .zip(pairs)
        .all(|(byte, pair)| pair.is_some_and(|pair| u8::from_str_radix(pair, 16) == Ok(*byte)))
}
