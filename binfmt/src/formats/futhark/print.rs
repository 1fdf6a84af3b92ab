//! The text form, as compiled programs print it.

use super::number;
use super::value::Value;
use crate::error::Result;
use crate::numbers::{Element, with_numbers};
use crate::wire::raw::bulk::try_room;
use alloc::vec::Vec;
use core::fmt::{self, Write};

/// Elements that are printed between two calls of `room`.
const BLOCK: usize = 64;

/// The most bytes that are printed between two calls of `room`: an element takes 40 at most, the brackets of a row 254.
pub(super) const ROOM: usize = 4096;

/// Appends a value. The text may be as large as memory: again and again `room` is asked for [`ROOM`] bytes, and may make
/// them by sending away those that are there.
pub(super) fn value<E>(
    value: &Value,
    out: &mut Vec<u8>,
    mut room: impl FnMut(&mut Vec<u8>) -> Result<(), E>,
) -> Result<(), E> {
    if value.elements().is_empty() {
        room(out)?;
        out.extend_from_slice(b"empty(");
        out.extend_from_slice(value.type_name().as_bytes());
        out.push(b')');
        return Ok(());
    }
    with_numbers!(value.elements(), v => elements(v, value.dims(), out, room))
}

/// Appends a value to a text that is held.
pub(super) fn append(text: &Value, out: &mut Vec<u8>) -> Result<()> {
    value(text, out, |out| try_room(out, ROOM).map_err(|e| e.at(out.len() as u64)))
}

/// Elements in brackets: before the first of a row of some depth a bracket opens, after its last it closes.
fn elements<T: Element, E>(
    elements: &[T],
    dims: &[u64],
    out: &mut Vec<u8>,
    mut room: impl FnMut(&mut Vec<u8>) -> Result<(), E>,
) -> Result<(), E> {
    let Some(last) = dims.last().and_then(|n| usize::try_from(*n).ok()).filter(|n| *n > 0) else {
        // a scalar
        if let [x] = elements {
            room(out)?;
            number::print(*x, out);
        }
        return Ok(());
    };
    let mut rows = 0u64;
    for row in elements.chunks(last) {
        room(out)?;
        let depth = dims.len().saturating_sub(bounds(rows, dims));
        if rows > 0 {
            out.extend_from_slice(b", ");
        }
        out.resize(out.len().saturating_add(if rows == 0 { dims.len() } else { depth }), b'[');
        for (i, x) in row.iter().enumerate() {
            if i > 0 {
                out.extend_from_slice(b", ");
                if i.is_multiple_of(BLOCK) {
                    room(out)?;
                }
            }
            number::print(*x, out);
        }
        rows = rows.saturating_add(1);
        let depth = dims.len().saturating_sub(bounds(rows, dims));
        out.resize(out.len().saturating_add(depth), b']');
    }
    Ok(())
}

/// How many of the outer dimensions go on behind `rows` rows: 0 at the end of the array.
fn bounds(rows: u64, dims: &[u64]) -> usize {
    let mut rows = rows;
    let mut open = dims.len().saturating_sub(1);
    for dim in dims.iter().rev().skip(1) {
        if rows.checked_rem(*dim) != Some(0) {
            break;
        }
        rows = rows.checked_div(*dim).unwrap_or(0);
        open = open.saturating_sub(1);
    }
    open
}

/// Appends an integer.
pub(super) fn integer(negative: bool, mut n: u64, out: &mut Vec<u8>) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    loop {
        at = at.saturating_sub(1);
        if let Some(digit) = digits.get_mut(at) {
            *digit = b'0'.wrapping_add((n % 10) as u8);
        }
        n /= 10;
        if n == 0 {
            break;
        }
    }
    if negative {
        out.push(b'-');
    }
    out.extend_from_slice(digits.get(at..).unwrap_or(&[]));
}

/// Appends `f64.nan`, `-f64.inf`; false when the number is neither. The text form knows one NaN.
pub(super) fn special(nan: bool, infinite: bool, negative: bool, name: &str, out: &mut Vec<u8>) -> bool {
    if !nan && !infinite {
        return false;
    }
    if negative && !nan {
        out.push(b'-');
    }
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(if nan { b".nan" } else { b".inf" });
    true
}

/// Text of up to 40 bytes without an allocation.
struct Short {
    bytes: [u8; 40],
    len: usize,
}

impl Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len.saturating_add(text.len());
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

/// Appends a finite number as C's `%.{digits}g` does.
pub(super) fn general(x: f64, digits: usize, out: &mut Vec<u8>) {
    let mut text = Short { bytes: [0; 40], len: 0 };
    // -1.2345000e-7, rounded to the digits; 40 bytes are more than it takes
    if write!(text, "{x:.*e}", digits.saturating_sub(1)).is_err() {
        return;
    }
    let text = text.bytes.get(..text.len).unwrap_or(&[]);
    let (sign, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let e = text.iter().position(|c| *c == b'e').unwrap_or(text.len());
    let (mantissa, exponent) = text.split_at_checked(e).unwrap_or((text, &[]));
    let exponent: i32 =
        core::str::from_utf8(exponent.get(1..).unwrap_or(&[])).ok().and_then(|t| t.parse().ok()).unwrap_or(0);
    let mut number = [0u8; 20];
    let mut len = 0usize;
    for c in mantissa.iter().filter(|c| **c != b'.') {
        if let Some(place) = number.get_mut(len) {
            *place = *c;
            len = len.saturating_add(1);
        }
    }
    while len > 1 && number.get(len.saturating_sub(1)) == Some(&b'0') {
        len = len.saturating_sub(1);
    }
    let number = number.get(..len).unwrap_or(&[]);
    if sign {
        out.push(b'-');
    }
    if exponent < -4 || exponent >= i32::try_from(digits).unwrap_or(i32::MAX) {
        scientific(number, exponent, out);
    } else {
        fixed(number, exponent, out);
    }
}

fn scientific(number: &[u8], exponent: i32, out: &mut Vec<u8>) {
    let (first, rest) = number.split_at_checked(1).unwrap_or((number, &[]));
    out.extend_from_slice(first);
    if !rest.is_empty() {
        out.push(b'.');
        out.extend_from_slice(rest);
    }
    out.extend_from_slice(if exponent < 0 { b"e-" } else { b"e+" });
    if exponent.unsigned_abs() < 10 {
        out.push(b'0');
    }
    integer(false, u64::from(exponent.unsigned_abs()), out);
}

fn fixed(number: &[u8], exponent: i32, out: &mut Vec<u8>) {
    let Ok(whole) = usize::try_from(exponent) else {
        out.extend_from_slice(b"0.");
        let zeros = (exponent.unsigned_abs() as usize).saturating_sub(1);
        out.resize(out.len().saturating_add(zeros), b'0');
        out.extend_from_slice(number);
        return;
    };
    let whole = whole.saturating_add(1);
    match number.split_at_checked(whole) {
        Some((front, [])) => out.extend_from_slice(front),
        Some((front, back)) => {
            out.extend_from_slice(front);
            out.push(b'.');
            out.extend_from_slice(back);
        }
        None => {
            out.extend_from_slice(number);
            out.resize(out.len().saturating_add(whole.saturating_sub(number.len())), b'0');
        }
    }
}
