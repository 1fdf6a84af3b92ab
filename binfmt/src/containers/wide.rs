//! Text whose characters are units of several bytes: UTF-16 and UTF-32, in a byte order of their own.

use super::bytes;
use super::owned::OwnedForm;
use super::text::{has_room, no_nul};
use super::textual::{TextForm, TextLen, Textual};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::{after, natural, num_in, plus, times, times64};
use crate::wire::raw::bulk;
use crate::wire::{self, Kind, Shape, Sink, Source, Unit};
use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;

/// Text of the units of `E`, whose lengths count units; with `NUL`, one more unit of 0 that counts.
#[derive(Debug)]
pub struct WideText<E, const NUL: bool>(PhantomData<E>);

/// An encoding in units of several bytes.
pub trait WideEncoding {
    /// For messages.
    const NAME: &'static str;
    /// For descriptions.
    const CODE: wire::Encoding;
    /// What a unit is.
    const UNIT: Unit = Self::CODE.unit();
}

/// UTF-16, little-endian.
#[derive(Debug)]
pub struct Utf16Le;

impl WideEncoding for Utf16Le {
    const NAME: &'static str = "UTF-16LE";
    const CODE: wire::Encoding = wire::Encoding::Utf16Le;
}

/// UTF-16, big-endian.
#[derive(Debug)]
pub struct Utf16Be;

impl WideEncoding for Utf16Be {
    const NAME: &'static str = "UTF-16BE";
    const CODE: wire::Encoding = wire::Encoding::Utf16Be;
}

/// UTF-32, little-endian.
#[derive(Debug)]
pub struct Utf32Le;

impl WideEncoding for Utf32Le {
    const NAME: &'static str = "UTF-32LE";
    const CODE: wire::Encoding = wire::Encoding::Utf32Le;
}

/// UTF-32, big-endian.
#[derive(Debug)]
pub struct Utf32Be;

impl WideEncoding for Utf32Be {
    const NAME: &'static str = "UTF-32BE";
    const CODE: wire::Encoding = wire::Encoding::Utf32Be;
}

/// How many units a text takes.
fn units(text: &str, unit: Unit) -> usize {
    match unit.bytes {
        2 => text.encode_utf16().count(),
        _ => text.chars().count(),
    }
}

/// The characters of whole units, each with the place of its first byte, or that of the first unit that is part of none.
fn characters(bytes: &[u8], unit: Unit) -> impl Iterator<Item = Result<char, usize>> {
    let mut places = (0..bytes.len()).step_by(unit.bytes.max(1));
    let number = move |at: usize| bytes.get(at..).map_or(0, |rest| unit.number(rest));
    core::iter::from_fn(move || {
        let at = places.next()?;
        let first = number(at);
        if unit.bytes > 2 || !(0xd800..0xdc00).contains(&first) {
            return Some(char::from_u32(first).ok_or(at));
        }
        let next = places.next().map_or(0, number);
        match next {
            0xdc00..0xe000 => {
                // ten bits of each, counted from the first character beyond one unit
                let bits = ((first & 0x3ff) << 10) | (next & 0x3ff);
                Some(char::from_u32(bits.wrapping_add(0x1_0000)).ok_or(at))
            }
            _ => Some(Err(at)),
        }
    })
}

/// Whole units as text; an error has the place of the first byte that is not part of a character.
fn to_text(bytes: &[u8], unit: Unit, name: &'static str, at: u64) -> Result<String> {
    let mut text = String::new();
    for c in characters(bytes, unit) {
        match c {
            Ok(c) => {
                if text.try_reserve(c.len_utf8()).is_err() {
                    return Err(Error::new(ErrorKind::OutOfMemory { requested: bytes.len() }, at));
                }
                text.push(c);
            }
            Err(valid) => return Err(invalid(name, valid, at)),
        }
    }
    match bytes.len().checked_rem(unit.bytes) {
        None | Some(0) => Ok(text),
        Some(rest) => Err(invalid(name, bytes.len().saturating_sub(rest), at)),
    }
}

#[cold]
fn invalid(encoding: &'static str, valid_up_to: usize, at: u64) -> Error {
    Error::new(ErrorKind::InvalidText { encoding, valid_up_to }, after(at, valid_up_to as u64))
}

/// The text of bytes in the encoding of this name, as far as they are text.
#[cfg(feature = "dump")]
pub(crate) fn shown(name: &str, bytes: &[u8]) -> Option<String> {
    use wire::Encoding as E;
    let all = [
        (Utf16Le::NAME, E::Utf16Le),
        (Utf16Be::NAME, E::Utf16Be),
        (Utf32Le::NAME, E::Utf32Le),
        (Utf32Be::NAME, E::Utf32Be),
    ];
    let (_, found) = all.into_iter().find(|(known, _)| *known == name)?;
    Some(characters(bytes, found.unit()).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

impl<E: WideEncoding, const NUL: bool> WideText<E, NUL> {
    /// The first `n` units of bytes as text.
    fn text(bytes: &[u8], n: usize, at: u64) -> Result<String> {
        let bytes = bytes.get(..times(n, E::UNIT.bytes)).unwrap_or(bytes);
        to_text(bytes, E::UNIT, E::NAME, at)
    }

    /// That many units, in memory that the budget has for their text, too.
    fn read<'de, S: Source<'de>>(src: &mut S, n: usize) -> Result<Vec<u8>> {
        let bytes = bytes::read(src, times(n, E::UNIT.bytes))?;
        src.charge(times(n, 3))?;
        Ok(bytes)
    }

    /// The text of units of which the last is a NUL, where there is one.
    fn ended(bytes: &[u8], optional: bool, at: u64) -> Result<String> {
        let n = num_in(bytes.len(), E::UNIT.bytes);
        let end = after(at, bytes.len() as u64);
        match E::UNIT.last(bytes) {
            _ if !NUL => to_text(bytes, E::UNIT, E::NAME, at),
            Some(0) => Self::text(bytes, n.saturating_sub(1), at),
            _ => match no_nul(optional, end) {
                None => to_text(bytes, E::UNIT, E::NAME, at),
                Some(e) => Err(e),
            },
        }
    }

    fn body<'de, S: Source<'de>>(src: &mut S, n: usize) -> Result<String> {
        let (at, optional) = (src.pos(), src.policy().optional_nul);
        Self::ended(&Self::read(src, n)?, optional, at)
    }

    fn fixed<'de, S: Source<'de>>(src: &mut S, n: usize) -> Result<String> {
        let (at, optional) = (src.pos(), src.policy().optional_nul);
        let bytes = Self::read(src, n)?;
        let nul = if NUL { E::UNIT.position(&bytes, 0) } else { None };
        match nul {
            Some(n) => Self::text(&bytes, n, at),
            None => Self::ended(&bytes, optional, at),
        }
    }

    fn to_end<'de, S: Source<'de>>(src: &mut S) -> Result<String> {
        let (at, optional) = (src.pos(), src.policy().optional_nul);
        let bytes = bytes::read_to_end(src)?;
        src.charge(times(bytes.len(), 2))?;
        Self::ended(&bytes, optional, at)
    }
}

impl<E, const NUL: bool> Textual for WideText<E, NUL> {}

impl<E: WideEncoding, const NUL: bool> TextForm<str> for WideText<E, NUL> {
    const SHAPE: Shape = Shape::Text { encoding: E::CODE, nul: NUL };
    const UNIT: Unit = E::UNIT;
    const KIND: Kind<&'static str> = Kind::Text(E::NAME);

    fn units(text: &str) -> usize {
        plus(units(text, E::UNIT), usize::from(NUL))
    }

    fn write<W: Sink>(text: &str, out: &mut W) -> Result<()> {
        let mut bytes = Vec::new();
        let room = times(<Self as TextForm<str>>::units(text), E::UNIT.bytes);
        bulk::try_room_exact(&mut bytes, room).map_err(|e| e.at(out.pos()))?;
        match E::UNIT.bytes {
            2 => text.encode_utf16().for_each(|n| E::UNIT.push(u32::from(n), &mut bytes)),
            _ => text.chars().for_each(|c| E::UNIT.push(u32::from(c), &mut bytes)),
        }
        if NUL {
            E::UNIT.push(0, &mut bytes);
        }
        out.bytes(&bytes, 0)
    }

    fn write_fixed<W: Sink>(text: &str, out: &mut W, n: i128) -> Result<()> {
        let len = units(text, E::UNIT);
        if !NUL {
            return match n == len as i128 {
                true => Self::write(text, out),
                false => Err(super::counted::mismatch(n, len as u64, out.pos())),
            };
        }
        if text.contains('\0') {
            return Err(Error::new(ErrorKind::EmbeddedNul, out.pos()));
        }
        if !has_room(out, len, n) {
            let max = natural(n);
            return Err(Error::new(ErrorKind::TooLong { found: after(len as u64, 1), max }, out.pos()));
        }
        WideText::<E, false>::write(text, out)?;
        let left = natural(n.saturating_sub(len as i128));
        out.fill(0, times64(left, E::UNIT.bytes as u64))
    }
}

impl<E: WideEncoding, const NUL: bool> OwnedForm<str> for WideText<E, NUL> {
    type Owned = String;

    fn read<'de, S: Source<'de>>(src: &mut S, len: TextLen) -> Result<String> {
        match len {
            TextLen::Units(n) => Self::body(src, n),
            TextLen::Fixed(n) => Self::fixed(src, n),
            TextLen::ToEnd => Self::to_end(src),
        }
    }
}
