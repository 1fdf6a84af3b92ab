//! Text: UTF-8, Latin-1, ASCII, with or without a NUL at its end.

use super::bytes;
use super::textual::{LentForm, TextForm, TextLen, Textual};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::{after, natural, plus};
use crate::wire::{self, InputBytes, Kind, Shape, Sink, Source};
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
    fn put<W: Sink>(text: &str, out: &mut W, then: usize) -> Result<()> {
        if text.is_ascii() {
            return out.bytes(text.as_bytes(), then);
        }
        let (at, mut block) = (out.pos(), [0; 64]);
        let (mut chars, mut done) = (text.chars(), 0usize);
        loop {
            let mut n = 0;
            for (to, c) in block.iter_mut().zip(chars.by_ref()) {
                match u8::try_from(u32::from(c)) {
                    Ok(byte) => *to = byte,
                    Err(_) => return Err(invalid(Self::NAME, plus(done, n), at)),
                }
                n = plus(n, 1);
            }
            let is_last = chars.as_str().is_empty();
            out.bytes(block.get(..n).unwrap_or(&block), if is_last { then } else { 0 })?;
            done = plus(done, n);
            if is_last {
                return Ok(());
            }
        }
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
        let max = natural(n);
        return Err(Error::new(ErrorKind::TooLong { found: after(used as u64, 1), max }, out.pos()));
    }
    out.fill(0, u64::try_from(left).unwrap_or(u64::MAX))
}

impl<E, const NUL: bool> Textual for TextBody<E, NUL> {}

impl<E: TextEncoding, const NUL: bool> TextForm<str> for TextBody<E, NUL> {
    const SHAPE: Shape = Shape::Text { encoding: E::CODE, nul: NUL };
    const KIND: Kind<&'static str> = Kind::Text(E::NAME);

    #[inline(always)]
    fn units(text: &str) -> usize {
        // no text in memory is as long as a number can say
        E::len(text).wrapping_add(usize::from(NUL))
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

#[cfg(feature = "alloc")]
mod owned;
#[cfg(feature = "alloc")]
pub(crate) use owned::{OwnedText, room_for_text};
