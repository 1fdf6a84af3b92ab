//! The text form, as compiled programs print it.

use crate::formats::futhark::layout::Value;
use crate::numbers::{Element, NumberType, Numbers, with_numbers};
use alloc::format;
use alloc::vec::Vec;
use core::fmt::{self, Write};

/// Elements of a row after which the text is looked at: each takes 40 bytes at most.
const BLOCK: usize = 64;

/// Bytes of text that are passed on at once; a piece may be longer by those of a block and of the brackets of a row.
const PIECE: usize = 4096;

/// The most bytes that the text of a piece takes.
pub(crate) const ROOM: usize = PIECE + BLOCK * 42 + 1024;

/// Where a text goes, piece by piece, so that the text of a value may be larger than memory.
struct Pieces<'t, G> {
    text: &'t mut Vec<u8>,
    send: G,
}

impl<E, G: FnMut(&[u8]) -> Result<(), E>> Pieces<'_, G> {
    fn send_from(&mut self, len: usize) -> Result<(), E> {
        if self.text.len() >= len {
            (self.send)(self.text)?;
            self.text.clear();
        }
        Ok(())
    }
}

/// Hands the text of a value to `send`, a piece at a time; `text` is room for a piece, and does not grow
/// where it has [`ROOM`].
pub(crate) fn value<E>(
    value: &Value,
    text: &mut Vec<u8>,
    send: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    some(value.elements(), value.dims(), 0, text, send)
}

/// The same for some elements of a value of these dimensions, of which the first has the number `at`; none only of an empty array.
pub(crate) fn some<E>(
    numbers: &Numbers,
    dims: &[u64],
    at: u64,
    text: &mut Vec<u8>,
    send: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    text.clear();
    let mut pieces = Pieces { text, send };
    if numbers.is_empty() {
        pieces.text.extend_from_slice(b"empty(");
        dims.iter().for_each(|n| pieces.text.extend_from_slice(format!("[{n}]").as_bytes()));
        pieces.text.extend_from_slice(numbers.number_type().name().as_bytes());
        pieces.text.push(b')');
    } else {
        with_numbers!(numbers, v => elements(v, dims, at, &mut pieces)?);
    }
    pieces.send_from(0)
}

/// The text form, as compiled programs print it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        value(self, &mut Vec::new(), |text| f.write_str(core::str::from_utf8(text).map_err(|_| fmt::Error)?))
    }
}

/// Elements in brackets: before the first of a row of some depth a bracket opens, after its last it closes. They may begin and end
/// anywhere in a row.
fn elements<T: Element, E, G: FnMut(&[u8]) -> Result<(), E>>(
    elements: &[T],
    dims: &[u64],
    at: u64,
    pieces: &mut Pieces<'_, G>,
) -> Result<(), E> {
    let Some(last) = dims.last().and_then(|n| usize::try_from(*n).ok()).filter(|n| *n > 0) else {
        // a scalar
        elements.iter().for_each(|x| element(*x, pieces.text));
        return Ok(());
    };
    let (mut rows, begun) = (at / last as u64, (at % last as u64) as usize);
    // the rest of a row that was begun, and whole ones, but for the last
    let (begin, whole) = elements.split_at(elements.len().min((last - begun) % last));
    let rest = (!begin.is_empty()).then_some(begin);
    for (row, from) in rest.into_iter().map(|row| (row, begun)).chain(whole.chunks(last).map(|row| (row, 0)))
    {
        pieces.send_from(PIECE)?;
        if rows > 0 || from > 0 {
            pieces.text.extend_from_slice(b", ");
        }
        if from == 0 {
            brackets(b'[', rows, dims, pieces.text);
        }
        for (i, x) in row.iter().enumerate() {
            if i > 0 {
                pieces.text.extend_from_slice(b", ");
                if i.is_multiple_of(BLOCK) {
                    pieces.send_from(PIECE)?;
                }
            }
            element(*x, pieces.text);
        }
        if from + row.len() == last {
            rows += 1;
            brackets(b']', rows, dims, pieces.text);
        }
    }
    Ok(())
}

/// The brackets between two rows, of which the first ends the `rows`th: one for each dimension that begins or ends there.
fn brackets(bracket: u8, rows: u64, dims: &[u64], out: &mut Vec<u8>) {
    let mut left = rows;
    let mut depth = 1;
    for dim in dims.iter().rev().skip(1) {
        // no dimension of a value that has elements is 0
        if left.checked_rem(*dim) != Some(0) {
            break;
        }
        left /= dim;
        depth += 1;
    }
    out.resize(out.len() + depth, bracket);
}

/// Appends an element with the suffix of its type.
#[inline]
fn element<T: Element>(x: T, out: &mut Vec<u8>) {
    let name = T::TYPE.name();
    match x.to_i128() {
        Some(n) => integer(n < 0, n.unsigned_abs() as u64, out),
        None if !T::TYPE.is_float() => {
            out.extend_from_slice(if x == T::default() { b"false" } else { b"true" });
            return;
        }
        None => {
            let x = x.to_f64();
            if !x.is_finite() {
                return special(x, name, out);
            }
            // f16 exact, so that a reader that cuts off the bits after those of one comes out right, too
            general(x, if T::TYPE == NumberType::F64 { 17 } else { 9 }, out);
        }
    }
    out.extend_from_slice(name.as_bytes());
}

/// Appends an integer.
fn integer(negative: bool, mut n: u64, out: &mut Vec<u8>) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            break;
        }
    }
    if negative {
        out.push(b'-');
    }
    out.extend_from_slice(&digits[at..]);
}

/// Appends `f64.nan`, `-f64.inf`: the text form knows one NaN.
#[cold]
fn special(x: f64, name: &str, out: &mut Vec<u8>) {
    if x == f64::NEG_INFINITY {
        out.push(b'-');
    }
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(if x.is_nan() { b".nan" } else { b".inf" });
}

/// Text of up to 40 bytes without an allocation.
struct Short {
    bytes: [u8; 40],
    len: usize,
}

impl Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

/// Appends a finite number as C's `%.{digits}g` does.
fn general(x: f64, digits: i32, out: &mut Vec<u8>) {
    let mut text = Short { bytes: [0; 40], len: 0 };
    // -1.2345000e-7, rounded to the digits: 40 bytes are more than it takes
    let written = write!(text, "{x:.*e}", digits as usize - 1);
    debug_assert!(written.is_ok());
    let text = &text.bytes[..text.len];
    let (text, is_negative) = text.strip_prefix(b"-").map_or((text, false), |rest| (rest, true));
    let Some(e) = text.iter().position(|c| *c == b'e') else { return };
    let exponent: Option<i32> = core::str::from_utf8(&text[e + 1..]).ok().and_then(|text| text.parse().ok());
    let Some(exponent) = exponent else { return };
    let mut number = [0u8; 20];
    let mut len = 0;
    for c in text[..e].iter().filter(|c| **c != b'.') {
        number[len] = *c;
        len += 1;
    }
    while len > 1 && number[len - 1] == b'0' {
        len -= 1;
    }
    if is_negative {
        out.push(b'-');
    }
    if exponent < -4 || exponent >= digits {
        scientific(&number[..len], exponent, out);
    } else {
        fixed(&number[..len], exponent, out);
    }
}

fn scientific(number: &[u8], exponent: i32, out: &mut Vec<u8>) {
    let (first, rest) = number.split_at(1);
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
    let Ok(exponent) = usize::try_from(exponent) else {
        out.extend_from_slice(b"0.");
        let zeros = exponent.unsigned_abs() as usize - 1;
        out.resize(out.len() + zeros, b'0');
        out.extend_from_slice(number);
        return;
    };
    let whole = exponent + 1;
    match number.split_at_checked(whole) {
        Some((front, [])) => out.extend_from_slice(front),
        Some((front, back)) => {
            out.extend_from_slice(front);
            out.push(b'.');
            out.extend_from_slice(back);
        }
        None => {
            out.extend_from_slice(number);
            out.resize(out.len() + whole - number.len(), b'0');
        }
    }
}
