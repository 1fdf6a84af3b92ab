//! How lines are written that are none of RFC 4180.
#![allow(clippy::arithmetic_side_effects, reason = "places in a field that is in memory")]

/// How lines are written that are none of RFC 4180.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Dialect {
    /// Any number of blanks and tabs is between two fields, and may be before the first and after the last.
    pub(super) blanks: bool,
    /// A comma is the decimal point of numbers.
    pub(super) comma: bool,
    /// What a line begins with that is none of the file.
    pub(super) comment: Option<u8>,
}

impl Dialect {
    /// A number with a point, if it is written with a comma.
    pub(super) fn pointed(self, field: &[u8]) -> Option<Vec<u8>> {
        if self.comma { point(field) } else { None }
    }
}

/// A number with a point in the place of its comma; `None` of what is no number.
pub(super) fn point(field: &[u8]) -> Option<Vec<u8>> {
    let mut commas = field.iter().enumerate().filter(|(_, byte)| **byte == b',');
    let (Some((at, _)), None) = (commas.next(), commas.next()) else { return None };
    let is_digit = |at: usize| field.get(at).is_some_and(u8::is_ascii_digit);
    let is_number =
        |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b',' | b'e' | b'E' | b' ');
    let is_one = is_digit(at + 1)
        && (at == 0 || is_digit(at - 1) || matches!(field.get(at - 1), Some(b'+' | b'-')))
        && field.iter().all(is_number);
    is_one.then(|| field.iter().map(|byte| if *byte == b',' { b'.' } else { *byte }).collect())
}
