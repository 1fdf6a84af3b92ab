//! Bytes that end a text: how they are found, and what a text with them must be.

use super::amount::{inside, plus, times};
use super::cursor::Found;
use super::label::{Kind, Label};
use super::raw::{Fate, Terminator};
use super::sink::{Sink, must_end};
use super::source::Source;
use crate::error::{Error, ErrorKind, Result};

impl Terminator {
    /// Reads a text that it ends, which has units of `unit` bytes: `body` reads as many units as it is told.
    #[inline]
    pub(crate) fn read<'de, S: Source<'de>, T>(
        &self,
        src: &mut S,
        unit: usize,
        body: impl FnOnce(&mut S, usize) -> Result<T>,
    ) -> Result<T> {
        let end = self.bytes();
        let found = if unit == 1 { src.search(end)? } else { search_units(src, end, unit)? };
        let n = match found {
            Found::At(n) if self.fate() == Fate::Kept => plus(n, end.len()),
            Found::At(n) => n,
            Found::Nowhere(n) if self.is_or_eof() => n,
            Found::Nowhere(n) => return Err(self.missing(src, n)),
        };
        // a part of a unit at the end is one that the body misses bytes of
        let n = n.div_ceil(unit.max(1));
        if self.fate() != Fate::Dropped {
            return body(src, n);
        }
        src.open(Label::Value, "");
        let value = body(src, n)?;
        src.close();
        if let Found::At(_) = found {
            src.open(Label::Piece("end"), "");
            src.mark(Kind::Magic, true);
            src.skip(end.len() as u64)?;
            src.close();
        }
        Ok(value)
    }

    /// The error of an input that ends after `n` bytes and has no terminator.
    #[cold]
    fn missing<'de, S: Source<'de>>(&self, src: &mut S, n: usize) -> Error {
        let at = src.pos();
        match src.take(plus(n, self.bytes().len())) {
            Err(e) => e.unterminated(self.bytes()),
            Ok(_) => self.is_missing(at),
        }
    }

    /// Steps over what stands for a missing text.
    pub(crate) fn pass_blank<'de, S: Source<'de>>(&self, src: &mut S, unit: usize) -> Result<()> {
        let (at, strict) = (src.pos(), src.policy().blank_missing);
        let kept = if self.fate() == Fate::Kept { self.bytes().len() } else { 0 };
        self.read(src, unit, |src, n| match times(n, unit) {
            n if strict && n > kept => Err(Error::new(ErrorKind::MissingNotBlank, at)),
            n => src.skip(n as u64),
        })
    }

    /// Writes it after a text that begins at a position, where it belongs to the text and is not part of the value. A text that has
    /// none ends with its region, part or output.
    #[inline]
    pub(crate) fn put<W: Sink>(&self, out: &mut W, at: u64, is_there: bool) -> Result<()> {
        match self.fate() {
            Fate::Dropped => out.bytes(self.bytes(), 0),
            _ if is_there => Ok(()),
            _ => must_end(out, || self.is_missing(at)),
        }
    }

    #[cold]
    fn is_missing(&self, at: u64) -> Error {
        Error::new(ErrorKind::MissingEnd { end: self.bytes().into() }, at)
    }

    /// Writes what stands for a missing text.
    pub(crate) fn put_blank<W: Sink>(&self, out: &mut W) -> Result<()> {
        if self.fate() == Fate::Unread { Ok(()) } else { out.bytes(self.bytes(), 0) }
    }

    /// Whether a text with these bytes, in units of `unit`, is read back as it is; and whether it ends as it says, or because nothing
    /// follows.
    #[inline]
    pub(crate) fn check(&self, text: &[u8], unit: usize, at: u64) -> Result<bool> {
        let end = self.bytes();
        let (text, is_there) = match self.fate() {
            Fate::Kept => match text.strip_suffix(end) {
                Some(text) => (text, true),
                None => (text, false),
            },
            _ => (text, true),
        };
        let is_inside = if unit == 1 {
            position(text, end).is_some()
        } else {
            position_of_unit(text, end, unit).is_some()
        };
        if is_inside || (is_there && self.begins_early(text, unit)) {
            return Err(Error::new(ErrorKind::EmbeddedEnd { end: end.into() }, at));
        }
        match is_there || self.is_or_eof() {
            true => Ok(is_there),
            false => Err(self.is_missing(at)),
        }
    }

    /// Whether the last bytes of a text and the first of a terminator after it are a terminator.
    fn begins_early(&self, text: &[u8], unit: usize) -> bool {
        let end = self.bytes();
        // the end of the text, and the beginning of the terminator after it
        (unit..end.len().min(plus(text.len(), 1))).step_by(unit.max(1)).any(|n| {
            let (before, rest) = end.split_at(n);
            text.ends_with(before) && end.starts_with(rest)
        })
    }
}

/// A stream is asked for one unit more at a time: what comes after the terminator is not part of the value.
fn search_units<'de, S: Source<'de>>(src: &mut S, end: &[u8], unit: usize) -> Result<Found> {
    let mut n = 0usize;
    loop {
        let to = plus(n, end.len());
        let bytes = src.look(to)?;
        match bytes.get(n..to) {
            None => return Ok(Found::Nowhere(bytes.len())),
            Some(found) if found == end => return Ok(Found::At(n)),
            Some(_) => n = plus(n, unit),
        }
    }
}

/// Where some bytes begin in others, at a whole number of units.
fn position_of_unit(bytes: &[u8], wanted: &[u8], unit: usize) -> Option<usize> {
    (0..bytes.len()).step_by(unit.max(1)).find(|at| inside(bytes, *at..).starts_with(wanted))
}

/// Bytes looked at together: enough for the widest registers.
const CHUNK: usize = 64;

/// Where some bytes begin in others.
#[inline]
pub(crate) fn position(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let [first, more @ ..] = wanted else { return Some(0) };
    let mut from = 0usize;
    loop {
        let rest = bytes.get(from..)?;
        let at = plus(from, byte(rest, *first)?);
        from = plus(at, 1);
        if bytes.get(from..)?.starts_with(more) {
            return Some(at);
        }
    }
}

/// Where a byte is. Chunks without it are passed by a test that has no branch in it, which becomes a few wide instructions.
#[inline]
pub(crate) fn byte(bytes: &[u8], wanted: u8) -> Option<usize> {
    let mut passed = 0usize;
    for chunk in bytes.chunks(CHUNK) {
        if chunk.iter().fold(false, |found, b| found | (*b == wanted)) {
            return within(chunk, wanted).map(|i| plus(passed, i));
        }
        passed = plus(passed, chunk.len());
    }
    None
}

/// Where a byte is among a few: eight are looked at together.
#[inline]
fn within(bytes: &[u8], wanted: u8) -> Option<usize> {
    let mut passed = 0usize;
    let mut words = bytes.chunks_exact(8);
    for word in words.by_ref() {
        if let Some(i) = first_zero(word, wanted) {
            return Some(plus(passed, i));
        }
        passed = plus(passed, 8);
    }
    words.remainder().iter().position(|b| *b == wanted).map(|i| plus(passed, i))
}

/// Where the first of eight bytes is that is the one that is wanted.
#[inline(always)]
fn first_zero(word: &[u8], wanted: u8) -> Option<usize> {
    let word = u64::from_le_bytes(*word.first_chunk()?) ^ LOW.wrapping_mul(wanted.into());
    // the lowest bit of those set here belongs to the first byte that is 0
    let zeros = word.wrapping_sub(LOW) & !word & HIGH;
    (zeros != 0).then(|| zeros.trailing_zeros() as usize >> 3)
}

/// The lowest and the highest bit of each byte.
const LOW: u64 = u64::from_le_bytes([1; 8]);
const HIGH: u64 = u64::from_le_bytes([0x80; 8]);

#[cfg(test)]
mod tests {
    use super::{byte, position, position_of_unit};
    use alloc::vec;

    #[test]
    fn bytes_are_found_wherever_they_are() {
        for (len, other) in
            [0, 1, 63, 64, 65, 130].into_iter().flat_map(|len| [(len, 1), (len, 6), (len, 0x87)])
        {
            let mut text = vec![other; len];
            assert_eq!(byte(&text, 7), None);
            for at in 0..len {
                text[at] = 7;
                assert_eq!((byte(&text, 7), position(&text, &[7])), (Some(at), Some(at)));
                assert_eq!(position(&text, &[7, other]), (at + 1 < len).then_some(at));
                text[at] = other;
            }
        }
        assert_eq!(position(b"aab", b"ab"), Some(1));
        assert_eq!(position(b"aaa", b"ab"), None);
        assert_eq!(
            (position_of_unit(b"a\0\0b\0\0", b"\0\0", 2), position(b"a\0\0b\0\0", b"\0\0")),
            (Some(4), Some(1))
        );
    }
}
