//! Text: UTF-8, Latin-1, ASCII, with or without a NUL at its end.

use super::bytes;
use super::owned::{LentForm, TextForm, TextLen, Textual};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::{after, plus};
use crate::wire::raw::{bulk, short};
use crate::wire::{self, InputBytes, Kind, Shape, Sink, Source};
use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;

/// Text in encoding `E`; with `NUL`, one more byte of 0 that counts.
///
/// For bytes (`Vec<u8>`, `&[u8]`) the encoding does not matter.
#[derive(Debug)]
pub struct TextBody<E, const NUL: bool>(PhantomData<E>);

/// The same, decoded into a `Cow` that borrows where the source can lend.
#[derive(Debug)]
pub struct Lend<B>(PhantomData<B>);

/// A text encoding of one or more bytes a character.
pub trait TextEncoding {
    /// For messages.
    const NAME: &'static str;
    /// For descriptions.
    const CODE: wire::Encoding;
    /// Bytes that the text takes.
    fn len(text: &str) -> usize;
    /// The same where the text takes `bytes` bytes in memory.
    #[inline(always)]
    fn len_of<'t>(_: impl FnOnce() -> &'t str, bytes: usize) -> usize {
        bytes
    }
    /// The first `len` bytes as an owned text; an error counts from the first of them.
    fn decode(taken: InputBytes<'_>, len: usize) -> Result<String>;
    /// The same, appended to `out`; `at` is the offset of the first byte.
    fn append(taken: InputBytes<'_>, len: usize, at: u64, out: &mut String) -> Result<()>;
    /// The bytes of a text, with room made for `then` more.
    fn put<W: Sink>(text: &str, out: &mut W, then: usize) -> Result<()>;
    /// The same where the text is the first `len` bytes of others in memory.
    #[inline(always)]
    fn put_front<'t, W: Sink>(
        text: impl FnOnce() -> &'t str,
        _: (&'t [u8], usize),
        out: &mut W,
        then: usize,
    ) -> Result<()> {
        Self::put(text(), out, then)
    }
}

/// Encodings whose bytes are those of a `str`: they can be lent.
#[diagnostic::on_unimplemented(
    message = "`{Self}` text cannot be lent as a `str`, whose bytes differ",
    label = "cannot be lent from this encoding",
    note = "use `String`, or `Cow<str>` without `borrow`"
)]
pub trait Borrowable: TextEncoding {
    /// The first `len` bytes as text; an error counts from the first of them.
    fn lend(taken: InputBytes<'_>, len: usize) -> Result<&str>;
}

/// UTF-8.
#[derive(Debug)]
pub struct Utf8;
/// Bytes below 0x80 only.
#[derive(Debug)]
pub struct Ascii;
/// ISO 8859-1: each byte is the character of that number.
#[derive(Debug)]
pub struct Latin1;
/// Bytes, whatever they are: for `Vec<u8>` and `&[u8]`.
#[derive(Debug)]
pub struct AnyBytes;

#[cold]
#[inline(never)]
fn invalid(encoding: &'static str, valid_up_to: usize, at: u64) -> Error {
    Error::new(ErrorKind::InvalidText { encoding, valid_up_to }, after(at, valid_up_to as u64))
}

impl TextEncoding for Utf8 {
    const NAME: &'static str = "UTF-8";
    const CODE: wire::Encoding = wire::Encoding::Utf8;
    #[inline(always)]
    fn len(text: &str) -> usize {
        text.len()
    }
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
    #[inline(always)]
    fn put<W: Sink>(text: &str, out: &mut W, then: usize) -> Result<()> {
        out.bytes(text.as_bytes(), then)
    }
    #[inline(always)]
    fn put_front<'t, W: Sink>(
        _: impl FnOnce() -> &'t str,
        (bytes, len): (&'t [u8], usize),
        out: &mut W,
        then: usize,
    ) -> Result<()> {
        out.front(bytes, len, then)
    }
}

impl Borrowable for Utf8 {
    #[inline(always)]
    fn lend(taken: InputBytes<'_>, len: usize) -> Result<&str> {
        match taken.text(len) {
            Ok(text) => Ok(text),
            Err(valid) => Err(invalid(Self::NAME, valid, 0)),
        }
    }
}

impl TextEncoding for Ascii {
    const NAME: &'static str = "ASCII";
    const CODE: wire::Encoding = wire::Encoding::Ascii;
    fn len(text: &str) -> usize {
        text.len()
    }
    fn decode(taken: InputBytes<'_>, len: usize) -> Result<String> {
        short::to_string(Self::lend(taken, len)?)
    }
    fn append(taken: InputBytes<'_>, len: usize, at: u64, out: &mut String) -> Result<()> {
        let text = Self::lend(taken, len).map_err(|e| e.shifted(at))?;
        room_for_text(out, text.len(), at)?;
        out.push_str(text);
        Ok(())
    }
    fn put<W: Sink>(text: &str, out: &mut W, then: usize) -> Result<()> {
        match text.bytes().position(|b| !b.is_ascii()) {
            None => out.bytes(text.as_bytes(), then),
            Some(i) => Err(invalid(Self::NAME, i, out.pos())),
        }
    }
}

impl Borrowable for Ascii {
    fn lend(taken: InputBytes<'_>, len: usize) -> Result<&str> {
        let found = taken.bytes().iter().take(len).position(|b| !b.is_ascii());
        match found {
            None => Utf8::lend(taken, len),
            Some(i) => Err(invalid(Self::NAME, i, 0)),
        }
    }
}

impl TextEncoding for Latin1 {
    const NAME: &'static str = "Latin-1";
    const CODE: wire::Encoding = wire::Encoding::Latin1;
    fn len(text: &str) -> usize {
        text.chars().count()
    }
    fn len_of<'t>(text: impl FnOnce() -> &'t str, _: usize) -> usize {
        Self::len(text())
    }
    fn decode(taken: InputBytes<'_>, len: usize) -> Result<String> {
        let mut text = String::new();
        Self::append(taken, len, 0, &mut text)?;
        Ok(text)
    }
    fn append(taken: InputBytes<'_>, len: usize, at: u64, out: &mut String) -> Result<()> {
        let bytes = taken.bytes().get(..len).unwrap_or(taken.bytes());
        let two = bytes.iter().filter(|b| !b.is_ascii()).count();
        room_for_text(out, plus(bytes.len(), two), at)?;
        out.extend(taken.bytes().iter().take(len).map(|b| char::from(*b)));
        Ok(())
    }
    fn put<W: Sink>(text: &str, out: &mut W, then: usize) -> Result<()> {
        let mut b = Vec::new();
        bulk::try_room_exact(&mut b, text.len()).map_err(|e| e.at(out.pos()))?;
        for (i, c) in text.chars().enumerate() {
            match u8::try_from(u32::from(c)) {
                Ok(byte) => b.push(byte),
                Err(_) => return Err(invalid(Self::NAME, i, out.pos())),
            }
        }
        out.bytes(&b, then)
    }
}

/// Room for so many bytes of text.
#[inline(always)]
pub(super) fn room_for_text(text: &mut String, n: usize, at: u64) -> Result<()> {
    match text.try_reserve(n) {
        Ok(()) => Ok(()),
        Err(_) => Err(Error::new(ErrorKind::OutOfMemory { requested: n }, at)),
    }
}

/// The length of `n` bytes without the NUL that ends them.
#[inline(always)]
pub(crate) fn without_nul(b: &[u8], nul: bool, optional: bool, at: u64) -> Result<usize> {
    if !nul {
        return Ok(b.len());
    }
    match b {
        [text @ .., 0] => Ok(text.len()),
        _ => match no_nul(optional, after(at, b.len() as u64)) {
            None => Ok(b.len()),
            Some(e) => Err(e),
        },
    }
}

#[cold]
#[inline(never)]
pub(super) fn no_nul(optional: bool, at: u64) -> Option<Error> {
    if optional { None } else { Some(missing_nul(at)) }
}

#[cold]
#[inline(never)]
fn missing_nul(at: u64) -> Error {
    Error::new(ErrorKind::MissingNul, at)
}

/// The length of the text at the start of a field of fixed size, padded after its NUL.
pub(crate) fn before_nul(b: &[u8], optional: bool, at: u64) -> Result<usize> {
    match b.iter().position(|c| *c == 0) {
        Some(n) => Ok(n),
        None if optional => Ok(b.len()),
        None => Err(missing_nul(after(at, b.len() as u64))),
    }
}

/// Whether text of this length leaves room for its NUL in a field of fixed size, or may do without.
pub(super) fn has_room<W: Sink>(out: &W, len: usize, n: i128) -> bool {
    (len as i128) < n || (len as i128 == n && out.optional_nul())
}

/// Writes the NUL and the padding of a field of fixed size.
pub(super) fn pad_fixed<W: Sink>(out: &mut W, used: usize, n: i128) -> Result<()> {
    let left = n.saturating_sub(used as i128);
    if left == 0 && out.optional_nul() {
        return Ok(());
    }
    if left < 1 {
        let max = u64::try_from(n).unwrap_or(0);
        return Err(Error::new(ErrorKind::TooLong { found: after(used as u64, 1), max }, out.pos()));
    }
    out.fill(0, u64::try_from(left).unwrap_or(u64::MAX))
}

impl<E, const NUL: bool> Textual for TextBody<E, NUL> {}

impl<E: TextEncoding, const NUL: bool> TextForm<str> for TextBody<E, NUL> {
    type Owned = String;
    const SHAPE: Shape = Shape::Text { encoding: E::CODE, nul: NUL };
    const KIND: Kind<&'static str> = Kind::Text(E::NAME);

    #[inline(always)]
    fn units(text: &str) -> usize {
        // no text in memory is as long as a number can say
        E::len(text).wrapping_add(usize::from(NUL))
    }

    #[inline(always)]
    fn read<'de, S: Source<'de>>(src: &mut S, len: TextLen) -> Result<String> {
        match len {
            TextLen::Units(n) => Self::owned(src, n),
            TextLen::Fixed(n) => Self::owned_fixed(src, n),
            TextLen::ToEnd => Self::owned_to_end(src),
        }
    }

    #[inline(always)]
    fn write<W: Sink>(text: &str, out: &mut W) -> Result<()> {
        E::put(text, out, usize::from(NUL))?;
        if NUL { out.array([0]) } else { Ok(()) }
    }

    fn write_fixed<W: Sink>(text: &str, out: &mut W, n: i128) -> Result<()> {
        let len = E::len(text);
        if !NUL {
            if n != len as i128 {
                return Err(super::counted::mismatch(n, len as u64, out.pos()));
            }
            return E::put(text, out, 0);
        }
        if text.as_bytes().contains(&0) {
            return Err(Error::new(ErrorKind::EmbeddedNul, out.pos()));
        }
        if !has_room(out, len, n) {
            return pad_fixed(out, len, n);
        }
        E::put(text, out, usize::from((len as i128) < n))?;
        pad_fixed(out, len, n)
    }
}

impl<E: TextEncoding, const NUL: bool> TextBody<E, NUL> {
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

impl<E: Borrowable, const NUL: bool> LentForm<str> for TextBody<E, NUL> {
    #[inline(always)]
    fn lend<'de: 'a, 'a, S: Source<'de>>(src: &mut S, len: TextLen) -> Result<&'a str> {
        match len {
            TextLen::Units(n) => Self::lent(src, n),
            TextLen::Fixed(n) => Self::lent_fixed(src, n),
            TextLen::ToEnd => Self::lent(src, bytes::left_to_lend(src)),
        }
    }
}

impl<E: Borrowable, const NUL: bool> TextBody<E, NUL> {
    #[inline(always)]
    fn lent<'de: 'a, 'a, S: Source<'de>>(src: &mut S, n: usize) -> Result<&'a str> {
        let (at, optional) = (src.pos(), src.policy().optional_nul);
        let taken = src.borrow(n)?;
        let text = match without_nul(taken.bytes(), NUL, optional, 0) {
            Ok(len) => E::lend(taken, len),
            Err(e) => Err(e),
        };
        text.map_err(|e| e.shifted(at))
    }

    fn lent_fixed<'de: 'a, 'a, S: Source<'de>>(src: &mut S, n: usize) -> Result<&'a str> {
        if !NUL {
            return Self::lent(src, n);
        }
        let (at, optional) = (src.pos(), src.policy().optional_nul);
        let taken = src.borrow(n)?;
        let len = before_nul(taken.bytes(), optional, at)?;
        E::lend(taken, len).map_err(|e| e.shifted(at))
    }
}
