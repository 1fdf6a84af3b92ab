//! Text in memory of its own.

use super::*;
use crate::containers::owned::OwnedForm;
use crate::wire::raw::short;
use alloc::string::String;

/// Encodings that become a text in memory of its own.
pub trait OwnedText: TextEncoding {
    /// The first `len` bytes as an owned text; an error counts from the first of them.
    fn decode(taken: InputBytes<'_>, len: usize) -> Result<String>;
    /// The same, appended to `out`; `at` is the offset of the first byte.
    fn append(taken: InputBytes<'_>, len: usize, at: u64, out: &mut String) -> Result<()>;
}

impl OwnedText for Utf8 {
    #[inline(always)]
    fn decode(taken: InputBytes<'_>, len: usize) -> Result<String> {
        taken.to_text(len)
    }
    #[inline(always)]
    fn append(taken: InputBytes<'_>, len: usize, at: u64, out: &mut String) -> Result<()> {
        match taken.append_text(len, out) {
            Ok(done) => done.map_err(|e| e.at(at)),
            Err(valid) => Err(invalid(Self::NAME, valid, at)),
        }
    }
}

impl OwnedText for Ascii {
    fn decode(taken: InputBytes<'_>, len: usize) -> Result<String> {
        short::to_string(Self::lend(taken, len)?)
    }
    fn append(taken: InputBytes<'_>, len: usize, at: u64, out: &mut String) -> Result<()> {
        let text = Self::lend(taken, len).map_err(|e| e.shifted(at))?;
        room_for_text(out, text.len(), at)?;
        out.push_str(text);
        Ok(())
    }
}

impl OwnedText for Latin1 {
    fn decode(taken: InputBytes<'_>, len: usize) -> Result<String> {
        let mut text = String::new();
        Self::append(taken, len, 0, &mut text)?;
        Ok(text)
    }
    fn append(taken: InputBytes<'_>, len: usize, at: u64, out: &mut String) -> Result<()> {
        let bytes = taken.bytes().get(..len).unwrap_or(taken.bytes());
        let two = bytes.iter().filter(|b| !b.is_ascii()).count();
        room_for_text(out, plus(bytes.len(), two), at)?;
        match core::str::from_utf8(bytes) {
            // mostly it is ASCII, which is the same in both
            Ok(text) if two == 0 => out.push_str(text),
            _ => out.extend(bytes.iter().map(|b| char::from(*b))),
        }
        Ok(())
    }
}

/// Room for that many bytes of text.
#[inline(always)]
pub(crate) fn room_for_text(text: &mut String, n: usize, at: u64) -> Result<()> {
    match text.try_reserve(n) {
        Ok(()) => Ok(()),
        Err(_) => Err(Error::new(ErrorKind::OutOfMemory { requested: n }, at)),
    }
}

impl<E: OwnedText, const NUL: bool> OwnedForm<str> for TextBody<E, NUL> {
    type Owned = String;

    #[inline(always)]
    fn read<'de, S: Source<'de>>(src: &mut S, len: TextLen) -> Result<String> {
        match len {
            TextLen::Units(n) => Self::owned(src, n),
            TextLen::Fixed(n) => Self::owned_fixed(src, n),
            TextLen::ToEnd => Self::owned_to_end(src),
        }
    }
}

impl<E: OwnedText, const NUL: bool> TextBody<E, NUL> {
    #[inline(always)]
    fn owned<'de, S: Source<'de>>(src: &mut S, n: usize) -> Result<String> {
        if src.left().is_none() && n > bytes::BLOCK {
            return Self::long(src, n);
        }
        src.charge(n)?;
        let optional = src.policy().optional_nul;
        let taken = src.take(n)?;
        let text = match without_nul(taken.bytes(), NUL, optional, 0) {
            Ok(len) => E::decode(taken, len),
            Err(e) => Err(e),
        };
        // where the text began is computed for an error alone: no text pays for it
        text.map_err(|e| e.shifted(src.pos().wrapping_sub(n as u64)))
    }

    /// Text of a length that a stream has yet to prove.
    #[cold]
    fn long<'de, S: Source<'de>>(src: &mut S, n: usize) -> Result<String> {
        let (at, optional) = (src.pos(), src.policy().optional_nul);
        let b = bytes::read(src, n)?;
        let len = without_nul(&b, NUL, optional, at)?;
        E::decode(InputBytes::new(&b, len), len).map_err(|e| e.shifted(at))
    }

    fn owned_fixed<'de, S: Source<'de>>(src: &mut S, n: usize) -> Result<String> {
        if !NUL {
            return Self::owned(src, n);
        }
        let (at, optional) = (src.pos(), src.policy().optional_nul);
        let b = bytes::read(src, n)?;
        let len = before_nul(&b, optional, at)?;
        E::decode(InputBytes::new(&b, len), len).map_err(|e| e.shifted(at))
    }

    fn owned_to_end<'de, S: Source<'de>>(src: &mut S) -> Result<String> {
        let (at, optional) = (src.pos(), src.policy().optional_nul);
        let b = bytes::read_to_end(src)?;
        let len = without_nul(&b, NUL, optional, at)?;
        E::decode(InputBytes::new(&b, len), len).map_err(|e| e.shifted(at))
    }
}
