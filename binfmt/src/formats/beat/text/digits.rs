//! Numbers as decimal digits, with whitespace between them.

use crate::codec::integer::IntegerForm;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::inside;
use crate::wire::{Cursor, Erased, Hooks, Kind, Order, Sink, Source};
use alloc::format;
use alloc::string::{String, ToString};
use core::ops::Range;

/// The most bytes of a number, with the whitespace around it.
pub(crate) const MOST: usize = 4096;

/// A number and what is after it: whitespace within a line, or the end of the line. With `OR_EOF` the end of the input ends a line, too.
///
/// Read as Python's `int` and `str.split` read it, with a sign, underscores and more whitespace; written as digits and one byte.
pub(crate) struct Digits<const END: u8, const OR_EOF: bool = false>;

impl<const END: u8, const OR_EOF: bool> IntegerForm<u64> for Digits<END, OR_EOF> {
    const SIZES: (usize, usize) = (1, MOST);

    fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<u64> {
        number(src.erase(), END, OR_EOF)
    }

    fn encode<O: Order, W: Sink>(value: u64, out: &mut W) -> Result<()> {
        let mut bytes = [END; 21];
        let (mut at, mut left) = (20, value);
        loop {
            at -= 1;
            bytes[at] = b'0' + (left % 10) as u8;
            left /= 10;
            if left == 0 {
                break;
            }
        }
        out.bytes(&bytes[at..], 0)
    }
}

fn number(mut src: Erased<'_, '_>, end_of_word: u8, or_eof: bool) -> Result<u64> {
    src.mark(Kind::Text("ASCII"), true);
    let at = src.pos();
    let Place { word, end, is_cut } = look(&mut src, end_of_word)?;
    if is_cut && !or_eof {
        // the input ends before the number does, as this says
        src.skip(end as u64 + 1)?;
    }
    let (from, bytes) = (word.start as u64, src.take(end)?);
    let word = inside(bytes.bytes(), word);
    let number = integer(word).ok_or_else(|| no_number(word, at + from))?;
    if src.is_heard() {
        let value = number.to_string();
        src.mark(Kind::Token { of: "ASCII", value: Some(&value) }, true);
    }
    Ok(number)
}

/// Where a number is in what comes next.
struct Place {
    word: Range<usize>,
    /// After what ends it.
    end: usize,
    /// The input ends before that.
    is_cut: bool,
}

/// Where in a number a byte is.
enum At {
    Before,
    Word,
    After,
}

/// No more than the longest number is looked at, and of a reader nothing after the number.
fn look(src: &mut Erased<'_, '_>, end_of_word: u8) -> Result<Place> {
    let (mut at, mut word, mut end) = (At::Before, 0..0, 0);
    while end < MOST {
        let seen = src.look(end + 1)?;
        let new = inside(seen, end..seen.len().min(MOST));
        if new.is_empty() {
            return Ok(Place { word, end, is_cut: true });
        }
        for c in new {
            let next = end + 1;
            match (&at, c) {
                (_, b'\n') => {
                    return Ok(Place {
                        word,
                        end: if end_of_word == b'\n' { next } else { end },
                        is_cut: false,
                    });
                }
                (At::Before, c) if is_blank(*c) => {}
                (At::Before, _) => (at, word) = (At::Word, end..next),
                (At::Word, c) if !is_blank(*c) => word.end = next,
                (At::Word, _) if end_of_word != b'\n' => return Ok(Place { word, end: next, is_cut: false }),
                (At::Word, _) => at = At::After,
                (At::After, c) if is_blank(*c) => {}
                // more than a number, which the message shows
                (At::After, _) => return Ok(Place { word: word.start..next, end: next, is_cut: false }),
            }
            end = next;
        }
    }
    Err(Error::new(ErrorKind::size_limit("number", None, MOST as u64), src.pos()))
}

/// Whitespace within a line.
fn is_blank(c: u8) -> bool {
    c != b'\n' && (c.is_ascii_whitespace() || c == 0x0b)
}

/// `7`, `+7`, `1_000`
fn integer(word: &[u8]) -> Option<u64> {
    let digits = word.strip_prefix(b"+").unwrap_or(word);
    let (first, last) = (digits.first()?, digits.last()?);
    if *first == b'_' || *last == b'_' || digits.windows(2).any(|pair| pair == b"__") {
        return None;
    }
    digits.iter().filter(|c| **c != b'_').try_fold(0u64, |n, c| {
        let digit = c.is_ascii_digit().then(|| c - b'0')?;
        n.checked_mul(10)?.checked_add(digit.into())
    })
}

#[cold]
fn no_number(word: &[u8], at: u64) -> Error {
    let found = if word.is_empty() { "the end of the line".into() } else { shown(word) };
    Error::new(ErrorKind::mismatch("", "a number", found), at)
}

/// The front of a line, for a message.
#[cold]
pub(crate) fn shown(line: &[u8]) -> String {
    format!("`{}`", line.get(..40).unwrap_or(line).escape_ascii())
}
