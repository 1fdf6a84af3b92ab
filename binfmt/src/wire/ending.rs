//! Bytes that end a text: what they are, and what becomes of them.

use super::cursor::Found;
use super::label::{Kind, Label};
use super::sink::Sink;
use super::source::Source;
use crate::error::{Error, ErrorKind, Result};
use alloc::vec::Vec;
use core::fmt;

/// The most bytes that a terminator has.
const MOST: usize = 8;

/// What becomes of the bytes that end a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Fate {
    /// They are read and are not part of the value.
    #[default]
    Dropped,
    /// They are part of the value.
    Kept,
    /// They stay in the input: what follows begins with them.
    Unread,
}

/// What `ends` says: 1 to 8 bytes that end a text, what becomes of them, and whether the end of the input or region ends it, too.
///
/// ```
/// use binfmt::schema::{Fate, Terminator};
/// let line = Terminator::new(b"\r\n").unwrap().with_fate(Fate::Kept).or_eof();
/// assert_eq!(line.to_string(), "ends(b\"\\r\\n\", keep, or_eof)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Plain", into = "Plain")
)]
pub struct Terminator {
    /// Those beyond `len` are 0.
    bytes: [u8; MOST],
    len: u8,
    fate: Fate,
    or_eof: bool,
}

impl Terminator {
    /// A terminator that is not part of the value; `None` if there are not 1 to 8 bytes.
    ///
    /// ```
    /// use binfmt::schema::Terminator;
    /// assert_eq!(Terminator::new(b"|").unwrap().bytes(), b"|");
    /// assert!(Terminator::new(b"").is_none() && Terminator::new(b"123456789").is_none());
    /// ```
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let mut all = [0; MOST];
        all.get_mut(..bytes.len())?.copy_from_slice(bytes);
        let len = u8::try_from(bytes.len()).ok().filter(|len| *len > 0)?;
        Some(Terminator { bytes: all, len, fate: Fate::Dropped, or_eof: false })
    }

    /// The same bytes with another fate.
    ///
    /// ```
    /// use binfmt::schema::{Fate, Terminator};
    /// assert_eq!(Terminator::new(b"|").unwrap().with_fate(Fate::Unread).fate(), Fate::Unread);
    /// ```
    #[must_use]
    pub fn with_fate(mut self, fate: Fate) -> Self {
        self.fate = fate;
        self
    }

    /// The same, and the end of the input or region ends the text, too.
    ///
    /// ```
    /// use binfmt::schema::Terminator;
    /// assert!(Terminator::new(b"|").unwrap().or_eof().is_or_eof());
    /// ```
    #[must_use]
    pub fn or_eof(mut self) -> Self {
        self.or_eof = true;
        self
    }

    /// The bytes.
    ///
    /// ```
    /// use binfmt::schema::Terminator;
    /// assert_eq!(Terminator::new(b"\r\n").unwrap().bytes(), b"\r\n");
    /// ```
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len.into()).unwrap_or(&self.bytes)
    }

    /// What becomes of them.
    ///
    /// ```
    /// use binfmt::schema::{Fate, Terminator};
    /// assert_eq!(Terminator::new(b"|").unwrap().fate(), Fate::Dropped);
    /// ```
    pub fn fate(&self) -> Fate {
        self.fate
    }

    /// Whether the end of the input or region ends the text, too.
    ///
    /// ```
    /// use binfmt::schema::Terminator;
    /// assert!(!Terminator::new(b"|").unwrap().is_or_eof());
    /// ```
    pub fn is_or_eof(&self) -> bool {
        self.or_eof
    }

    /// The least number of bytes that a text with it takes.
    pub(crate) const fn least(self) -> usize {
        if self.or_eof || matches!(self.fate, Fate::Unread) { 0 } else { self.len as usize }
    }

    /// It as a number that a type can have as its argument.
    pub(crate) const fn pack(bytes: &[u8], fate: u8, or_eof: bool) -> u128 {
        assert!(!bytes.is_empty() && bytes.len() <= MOST, "a terminator has 1 to 8 bytes");
        let (mut packed, mut i) = (0, 0);
        while i < bytes.len() {
            packed |= (bytes[i] as u128) << (8 * i);
            i += 1;
        }
        packed | (bytes.len() as u128) << 64 | (fate as u128) << 72 | (or_eof as u128) << 80
    }

    /// What `pack` made.
    #[inline(always)]
    pub(crate) const fn unpack(packed: u128) -> Self {
        Terminator {
            bytes: (packed as u64).to_le_bytes(),
            len: (packed >> 64) as u8,
            fate: match (packed >> 72) as u8 {
                0 => Fate::Dropped,
                1 => Fate::Kept,
                _ => Fate::Unread,
            },
            or_eof: (packed >> 80) as u8 == 1,
        }
    }

    /// Reads a text that it ends: `body` reads as many bytes as it is told.
    #[inline]
    pub(crate) fn read<'de, S: Source<'de>, T>(
        &self,
        src: &mut S,
        body: impl FnOnce(&mut S, usize) -> Result<T>,
    ) -> Result<T> {
        let end = self.bytes();
        let found = src.search(end)?;
        let n = match found {
            Found::At(n) if self.fate == Fate::Kept => n.saturating_add(end.len()),
            Found::At(n) => n,
            Found::Nowhere(n) if self.or_eof => n,
            Found::Nowhere(n) => return Err(self.missing(src, n)),
        };
        if self.fate != Fate::Dropped {
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
        match src.take(n.saturating_add(self.bytes().len())) {
            Err(e) => e,
            Ok(_) => Error::new(ErrorKind::MissingEnd { end: self.bytes().to_vec() }, at),
        }
    }

    /// Steps over what stands for a missing text.
    pub(crate) fn pass_blank<'de, S: Source<'de>>(&self, src: &mut S) -> Result<()> {
        let (at, strict) = (src.pos(), src.policy().blank_missing);
        let kept = usize::from(self.fate == Fate::Kept).saturating_mul(self.bytes().len());
        self.read(src, |src, n| match strict && n > kept {
            true => Err(Error::new(ErrorKind::MissingNotBlank, at)),
            false => src.skip(n as u64),
        })
    }

    /// Writes it, where it belongs to the text and is not part of the value.
    #[inline]
    pub(crate) fn put<W: Sink>(&self, out: &mut W) -> Result<()> {
        if self.fate == Fate::Dropped { out.bytes(self.bytes(), 0) } else { Ok(()) }
    }

    /// Writes what stands for a missing text.
    pub(crate) fn put_blank<W: Sink>(&self, out: &mut W) -> Result<()> {
        if self.fate == Fate::Unread { Ok(()) } else { out.bytes(self.bytes(), 0) }
    }

    /// Whether a text with these bytes is read back as it is.
    #[inline]
    pub(crate) fn check(&self, text: &[u8], at: u64) -> Result<()> {
        let end = self.bytes();
        let (text, is_there) = match self.fate {
            Fate::Kept => match text.strip_suffix(end) {
                Some(text) => (text, true),
                None => (text, false),
            },
            _ => (text, true),
        };
        if position(text, end).is_some() || (is_there && self.begins_early(text)) {
            return Err(Error::new(ErrorKind::EmbeddedEnd { end: end.to_vec() }, at));
        }
        match is_there || self.or_eof {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::MissingEnd { end: end.to_vec() }, at)),
        }
    }

    /// Whether the last bytes of a text and the first of a terminator after it are a terminator.
    fn begins_early(&self, text: &[u8]) -> bool {
        let end = self.bytes();
        let overlap = text.len().min(end.len().saturating_sub(1));
        let tail = text.get(text.len().saturating_sub(overlap)..).unwrap_or(&[]);
        let mut both = Vec::new();
        if !tail.is_empty() {
            both.extend_from_slice(tail);
            both.extend_from_slice(end);
        }
        position(&both, end).is_some_and(|at| at < overlap)
    }
}

impl fmt::Display for Terminator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bytes() {
            [byte] => write!(f, "ends(b'{}'", byte.escape_ascii())?,
            bytes => write!(f, "ends(b\"{}\"", bytes.escape_ascii())?,
        }
        f.write_str(match self.fate {
            Fate::Dropped => "",
            Fate::Kept => ", keep",
            Fate::Unread => ", unread",
        })?;
        f.write_str(if self.or_eof { ", or_eof)" } else { ")" })
    }
}

/// A terminator as a file says it.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Terminator", deny_unknown_fields)]
struct Plain {
    bytes: Vec<u8>,
    #[serde(default)]
    fate: Fate,
    #[serde(default)]
    or_eof: bool,
}

#[cfg(feature = "serde")]
impl From<Terminator> for Plain {
    fn from(end: Terminator) -> Self {
        Plain { bytes: end.bytes().to_vec(), fate: end.fate, or_eof: end.or_eof }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Plain> for Terminator {
    type Error = &'static str;

    fn try_from(plain: Plain) -> core::result::Result<Self, Self::Error> {
        let end = Terminator::new(&plain.bytes).ok_or("a terminator has 1 to 8 bytes")?;
        Ok(Terminator { fate: plain.fate, or_eof: plain.or_eof, ..end })
    }
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
        let at = from.saturating_add(byte(rest, *first)?);
        from = at.saturating_add(1);
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
            return chunk.iter().position(|b| *b == wanted).map(|i| passed.saturating_add(i));
        }
        passed = passed.saturating_add(chunk.len());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{byte, position};
    use alloc::vec;

    #[test]
    fn bytes_are_found_wherever_they_are() {
        for len in [0, 1, 63, 64, 65, 130] {
            let mut text = vec![1; len];
            assert_eq!(byte(&text, 7), None);
            for at in 0..len {
                text[at] = 7;
                assert_eq!((byte(&text, 7), position(&text, &[7])), (Some(at), Some(at)));
                assert_eq!(position(&text, &[7, 1]), (at + 1 < len).then_some(at));
                text[at] = 1;
            }
        }
        assert_eq!(position(b"aab", b"ab"), Some(1));
        assert_eq!(position(b"aaa", b"ab"), None);
    }
}
