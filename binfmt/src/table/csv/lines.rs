//! The ends of lines.
#![allow(clippy::arithmetic_side_effects, reason = "counts and places of a piece of memory")]

use super::dialect::Dialect;
use crate::numbers::Loop;
use crate::wire::amount::inside;

/// Bytes in which lines are counted together: one, and groups of those that come after another one.
pub(super) const PIECE: usize = 1 + 8 * GROUP;
/// No more than a byte counts.
const GROUP: usize = 128;

/// Counts the line ends of a piece; nothing where it has a quote, or perhaps an empty line after one of them.
pub(super) struct Lines<'a> {
    pub(super) piece: &'a [u8; PIECE],
    pub(super) line_end: u8,
}

impl Loop for Lines<'_> {
    type Found = Option<usize>;

    #[inline(always)]
    fn run(self) -> Option<usize> {
        let (mut lines, mut is_odd) = (usize::from(self.piece[0] == self.line_end), self.piece[0] == b'"');
        let (before, _) = self.piece.as_chunks::<GROUP>();
        let (groups, _) = self.piece[1..].as_chunks::<GROUP>();
        for (before, group) in before.iter().zip(groups) {
            let mut ends = 0u8;
            for (before, byte) in before.iter().zip(group) {
                let is_end = *byte == self.line_end;
                ends += u8::from(is_end);
                is_odd |= (*byte == b'"') | ((*before == self.line_end) & (is_end | (*byte == b'\r')));
            }
            lines += usize::from(ends);
        }
        (!is_odd).then_some(lines)
    }
}

/// Where the first of two bytes is. Fields are short: eight bytes at a time are faster than one, and than a search that begins anew
/// for each.
#[inline]
pub(super) fn either(bytes: &[u8], one: u8, other: u8) -> Option<usize> {
    let each = |byte: u8| u64::from_le_bytes([byte; 8]);
    // the highest bit of each byte that is 0, and perhaps of others above the first of them
    let zeros = |word: u64| word.wrapping_sub(each(0x01)) & !word & each(0x80);
    let (words, rest) = bytes.as_chunks::<8>();
    for (i, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = zeros(word ^ each(one)) | zeros(word ^ each(other));
        if found != 0 {
            return Some(i * 8 + (found.trailing_zeros() / 8) as usize);
        }
    }
    let found = rest.iter().position(|byte| *byte == one || *byte == other);
    found.map(|i| words.len() * 8 + i)
}

/// Where what is in quotes ends, if these bytes have all of it.
pub(super) fn after_quotes(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += either(inside(bytes, at..), b'"', b'"')? + 1;
        match bytes.get(at)? {
            b'"' => at += 1,
            _ => return Some(at),
        }
    }
}

/// What a byte comes after that says what ends lines.
#[derive(Clone, Copy)]
enum After {
    LineEnd,
    Delimiter,
    /// Another byte of a field.
    Text,
    /// What a comment begins with, or a byte of one.
    Comment,
    /// A quote before a field, or what is in such quotes.
    Quote,
    /// A quote in them: it ends them, unless another one comes.
    Second,
}

/// What ends the lines of a file that begins so, or is so if it is `whole`: a newline, or a carriage return in files that have no other.
/// Nothing while that is not known.
pub(super) fn line_end(block: &[u8], delimiter: u8, dialect: Dialect, whole: bool) -> Option<u8> {
    let (mut after, mut returns, mut is_last) = (After::LineEnd, 0, false);
    for byte in block {
        is_last = false;
        after = match (after, *byte) {
            (After::Quote, b'"') => After::Second,
            (After::Quote, _) => After::Quote,
            (After::Second | After::LineEnd | After::Delimiter, b'"') => After::Quote,
            (_, b'\n') => return Some(b'\n'),
            (_, b'\r') => {
                returns += 1;
                is_last = true;
                After::LineEnd
            }
            (After::Comment, _) => After::Comment,
            (After::LineEnd, byte) if dialect.comment == Some(byte) => After::Comment,
            (_, b'\t') if dialect.blanks => After::Delimiter,
            (_, byte) if byte == delimiter => After::Delimiter,
            _ => After::Text,
        };
    }
    // a newline may come after the last one
    let returns = returns - usize::from(is_last && !whole);
    (returns > 0).then_some(b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_two_bytes_is_found_at_every_place() {
        for length in 0..40 {
            for place in 0..length {
                for (byte, neighbour) in [(b',', b'-'), (b'\n', 0x0b), (b',', 0xac), (b'\n', 0x8a)] {
                    let mut bytes = vec![b'x'; length];
                    bytes[place + 1..].fill(neighbour);
                    bytes[place] = byte;
                    assert_eq!(either(&bytes, b',', b'\n'), Some(place), "{bytes:?}");
                }
            }
            assert_eq!(either(&vec![b'-'; length], b',', b'\n'), None);
        }
    }

    #[test]
    fn what_ends_lines_is_found_outside_quotes() {
        let plain = Dialect::default();
        let comment = Dialect { comment: Some(b'#'), ..plain };
        let blanks = Dialect { blanks: true, ..plain };
        for (text, delimiter, dialect, expected) in [
            ("a,b\r1,2\r", b',', plain, Some(b'\r')),
            ("a,b\r\n1,2", b',', plain, Some(b'\n')),
            ("a\rb\n", b',', plain, Some(b'\n')),
            ("\"a\nb\",\"\"\"\n\"\r1", b',', plain, Some(b'\r')),
            ("\"a\rb\"\n1", b',', plain, Some(b'\n')),
            // a quote in a field is one of its letters
            ("5\",b\r1", b',', plain, Some(b'\r')),
            ("\"5\"\",b\r1", b',', plain, None),
            ("\"a\"b\",c\r1", b',', plain, Some(b'\r')),
            ("a;\"\n\"\r1", b';', plain, Some(b'\r')),
            ("a \"\n\"\r1", b' ', blanks, Some(b'\r')),
            ("a\t\"\n\"\r1", b' ', blanks, Some(b'\r')),
            ("#,\"\r1", b',', comment, Some(b'\r')),
            ("#,\"\n\r1", b',', comment, Some(b'\n')),
            ("a#,\"\n\"\r1", b',', comment, Some(b'\r')),
            ("a,b", b',', plain, None),
            ("\"a\n", b',', plain, None),
            ("", b',', plain, None),
        ] {
            assert_eq!(line_end(text.as_bytes(), delimiter, dialect, false), expected, "{text:?}");
        }
        for (text, whole) in [("a,b\r", Some(b'\r')), ("a\rb\r", Some(b'\r')), ("a,b", None)] {
            assert_eq!(line_end(text.as_bytes(), b',', plain, true), whole, "{text:?}");
        }
        assert_eq!(line_end(b"a,b\r", b',', plain, false), None);
    }
}
