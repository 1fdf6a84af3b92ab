//! Text and bytes.

use super::Value;
use super::decode::{count, no_length, read_word, said};
use super::encode::{put_prefix, put_word};
use super::place::{Place, expected};
use super::program::{Length, Word};
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::containers::encodings::Page;
use crate::containers::ended::put_ended;
use crate::containers::items::Items;
use crate::containers::terminated::{Terminated, TextBytes};
use crate::containers::text::{AnyBytes, Ascii, Latin1, TextBody, Utf8};
use crate::containers::trimmed::{check_trimmed, put_filled, read_trimmed};
use crate::containers::wide::{Utf16Be, Utf16Le, Utf32Be, Utf32Le, WideText};
use crate::containers::{DecodeBody, EncodeBody};
use crate::error::Result;
use crate::schema::Encoding;
use crate::wire::amount::after;
use crate::wire::{Cursor, Erased, Hooks, Kind, Label, Order, Sink};
use alloc::string::String;
use alloc::vec::Vec;

/// Where a text ends, and the filling that is taken off its end.
type Len<'a> = (&'a Length, Option<u8>);

/// Runs the same code for the body of a kind of text: what ends at a NUL has one.
macro_rules! with_text {
    ($encoding:expr, $nul:expr, ($($Text:ident $E:ident => $B:ident $body:expr;)* _ => $C:ident $any:expr)) => {
        match ($encoding, $nul) {
            $( (Encoding::$E, false) => { type $B = $Text<$E, false>; $body }
               (Encoding::$E, true) => { type $B = $Text<$E, true>; $body } )*
            (_, false) => { type $C = TextBody<AnyBytes, false>; $any }
            (_, true) => { type $C = TextBody<AnyBytes, true>; $any }
        }
    };
}

/// Text: a string where its bytes are one.
#[inline(never)]
pub(super) fn text<O: Order>(
    src: &mut Erased<'_, '_>,
    encoding: Encoding,
    nul: bool,
    len: Len<'_>,
    place: Place<'_>,
) -> Result<Value> {
    // what is of no known encoding is read as bytes: a tracing source hears that they are text
    let any = |src: &mut Erased<'_, '_>, _: u64, bytes: Vec<u8>| {
        src.mark(Kind::Text("text"), O::LE);
        Ok(text_or_bytes(bytes))
    };
    let n = extent::<O>(src, len.0, encoding.unit().bytes, place)?;
    with_text!(encoding, nul, (
        TextBody Utf8 => B body::<O, B, String>(src, len, n, text_as_read);
        TextBody Ascii => B body::<O, B, String>(src, len, n, text_as_read);
        TextBody Latin1 => B body::<O, B, String>(src, len, n, text_as_read);
        WideText Utf16Le => B body::<O, B, String>(src, len, n, text_as_read);
        WideText Utf16Be => B body::<O, B, String>(src, len, n, text_as_read);
        WideText Utf32Le => B body::<O, B, String>(src, len, n, text_as_read);
        WideText Utf32Be => B body::<O, B, String>(src, len, n, text_as_read);
        _ => B body::<O, B, Vec<u8>>(src, len, n, any)
    ))
}

/// Reads UTF-8 after a length of a usual form.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn plain<O: Order>(src: &mut Erased<'_, '_>, word: Word) -> Result<String> {
    let n = read_word::<O>(src, word, false, (1, 1), u64::MAX)?;
    <TextBody<Utf8, false> as DecodeBody<'_, String>>::body::<O, _>(src, n, ())
}

/// Writes UTF-8 after a length of a usual form.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn put_plain<O: Order, W: Sink>(value: &Value, word: Word, out: &mut W) -> Result<()> {
    let Value::Text(text) = value else { return Err(expected("text", value, out.pos())) };
    put_word::<O, W>(word, text.len(), u64::MAX, false, out)?;
    out.bytes(text.as_bytes(), 0)
}

fn text_or_bytes(bytes: Vec<u8>) -> Value {
    match String::from_utf8(bytes) {
        Ok(text) => Value::Text(text),
        Err(e) => Value::Bytes(e.into_bytes()),
    }
}

/// Bytes.
pub(super) fn bytes<O: Order>(src: &mut Erased<'_, '_>, len: Len<'_>, place: Place<'_>) -> Result<Value> {
    let n = extent::<O>(src, len.0, 1, place)?;
    match len {
        (Length::Terminated, _) => body::<O, TextBody<AnyBytes, true>, Vec<u8>>(src, len, n, bytes_as_read),
        (Length::Ends(_), _) | (_, Some(_)) => {
            body::<O, TextBody<AnyBytes, false>, Vec<u8>>(src, len, n, bytes_as_read)
        }
        // a list of numbers, as it is for the type of such a field
        _ => body::<O, Items, Vec<u8>>(src, len, n, bytes_as_read),
    }
}

fn text_as_read(_: &mut Erased<'_, '_>, _: u64, text: String) -> Result<Value> {
    Ok(Value::Text(text))
}

fn bytes_as_read(_: &mut Erased<'_, '_>, _: u64, bytes: Vec<u8>) -> Result<Value> {
    Ok(Value::Bytes(bytes))
}

/// Text in a code page.
#[inline(never)]
pub(super) fn paged<O: Order>(
    src: &mut Erased<'_, '_>,
    (page, nul): (Page, bool),
    len: Len<'_>,
    place: Place<'_>,
) -> Result<Value> {
    let n = extent::<O>(src, len.0, 1, place)?;
    let text = |src: &mut Erased<'_, '_>, at: u64, bytes: Vec<u8>| {
        src.mark(Kind::Text(page.name()), O::LE);
        page.decode(&bytes).map(Value::Text).map_err(|e| e.or_at(0).shifted(at))
    };
    match nul {
        false => body::<O, TextBody<AnyBytes, false>, Vec<u8>>(src, len, n, text),
        true => body::<O, TextBody<AnyBytes, true>, Vec<u8>>(src, len, n, text),
    }
}

/// How many bytes there are, where that is known before them; else 0.
#[cfg_attr(not(debug_assertions), inline(always))]
fn extent<O: Order>(src: &mut Erased<'_, '_>, len: &Length, unit: usize, place: Place<'_>) -> Result<usize> {
    match len {
        Length::ToEnd | Length::Gaps | Length::Terminated | Length::Ends(_) => Ok(0),
        Length::Each(_) | Length::Until(_) => Err(no_length(src.pos())),
        len => count::<O>(src, len, (unit, unit), place),
    }
}

/// Reads a text; `done` makes the value of it, which begins at a position.
#[inline]
fn body<'de, O: Order, B: DecodeBody<'de, T>, T>(
    src: &mut Erased<'_, 'de>,
    len: Len<'_>,
    n: usize,
    done: impl Fn(&mut Erased<'_, 'de>, u64, T) -> Result<Value>,
) -> Result<Value> {
    let (len, trim) = len;
    let prefixed = len.is_prefixed();
    if prefixed {
        src.open(Label::Value, "");
    }
    let text = |src: &mut Erased<'_, 'de>, n| {
        let at = src.pos();
        let read = B::body::<O, _>(src, n, ())?;
        done(src, at, read)
    };
    let trimmed = |src: &mut Erased<'_, 'de>, n| match trim {
        None => text(src, n),
        Some(byte) => read_trimmed(src, Some(n), (byte, B::UNIT), text),
    };
    let read = match (len, trim) {
        (Length::Ends(end), _) => end.read(src, B::UNIT.bytes, trimmed),
        (Length::ToEnd, Some(byte)) => read_trimmed(src, None, (byte, B::UNIT), text),
        (_, Some(_)) | (Length::Prefixed { .. }, _) => trimmed(src, n),
        (len, None) => {
            let at = src.pos();
            let read = match len {
                Length::ToEnd => B::to_end::<O, _>(src, ()),
                Length::Terminated => Terminated::<B>::decode::<O, _>(src, ()),
                _ => B::fixed::<O, _>(src, n, ()),
            }?;
            done(src, at, read)
        }
    }?;
    if prefixed {
        src.close();
    }
    Ok(read)
}

/// A missing text that a NUL of that many bytes ends.
pub(super) fn pass_terminated<O: Order>(src: &mut Erased<'_, '_>, unit: usize) -> Result<()> {
    match unit {
        2 => <Terminated<WideText<Utf16Le, true>> as As<String>>::pass_blank::<O, _>(src),
        4 => <Terminated<WideText<Utf32Le, true>> as As<String>>::pass_blank::<O, _>(src),
        _ => <Terminated<TextBody<AnyBytes, true>> as As<Vec<u8>>>::pass_blank::<O, _>(src),
    }
}

/// Writes text.
#[inline(never)]
pub(super) fn put_text<O: Order, W: Sink>(
    value: &Value,
    (encoding, nul): (Encoding, bool),
    len: Len<'_>,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let (text, bytes) = match value {
        Value::Text(text) => (text.as_str(), text.as_bytes()),
        Value::Bytes(bytes) if encoding == Encoding::Any => ("", bytes.as_slice()),
        other => return Err(expected("text", other, out.pos())),
    };
    with_text!(encoding, nul, (
        TextBody Utf8 => B put::<O, W, B, &str>(&text, len, out, place);
        TextBody Ascii => B put::<O, W, B, &str>(&text, len, out, place);
        TextBody Latin1 => B put::<O, W, B, &str>(&text, len, out, place);
        WideText Utf16Le => B put::<O, W, B, &str>(&text, len, out, place);
        WideText Utf16Be => B put::<O, W, B, &str>(&text, len, out, place);
        WideText Utf32Le => B put::<O, W, B, &str>(&text, len, out, place);
        WideText Utf32Be => B put::<O, W, B, &str>(&text, len, out, place);
        _ => B put::<O, W, B, &[u8]>(&bytes, len, out, place)
    ))
}

/// Writes text in a code page.
#[inline(never)]
pub(super) fn put_paged<O: Order, W: Sink>(
    value: &Value,
    (page, nul): (Page, bool),
    len: Len<'_>,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let Value::Text(text) = value else { return Err(expected("text", value, out.pos())) };
    let bytes = page.encode(text).map_err(|e| {
        let prefix = if let Length::Prefixed { len, .. } = len.0 { len.sizes().0 } else { 0 };
        e.or_at(after(out.pos(), prefix))
    })?;
    match nul {
        false => put::<O, W, TextBody<AnyBytes, false>, &[u8]>(&bytes.as_slice(), len, out, place),
        true => put::<O, W, TextBody<AnyBytes, true>, &[u8]>(&bytes.as_slice(), len, out, place),
    }
}

/// Writes bytes.
pub(super) fn put_bytes<O: Order, W: Sink>(
    value: &Value,
    len: Len<'_>,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let Value::Bytes(bytes) = value else { return Err(expected("bytes", value, out.pos())) };
    let bytes = bytes.as_slice();
    if matches!(len.0, Length::Terminated) {
        put::<O, W, TextBody<AnyBytes, true>, &[u8]>(&bytes, len, out, place)
    } else {
        put::<O, W, TextBody<AnyBytes, false>, &[u8]>(&bytes, len, out, place)
    }
}

#[inline]
fn put<O: Order, W: Sink, B: EncodeBody<T>, T: TextBytes>(
    value: &T,
    len: Len<'_>,
    out: &mut W,
    place: Place<'_>,
) -> Result<()> {
    let (len, trim) = len;
    if let Some(byte) = trim {
        check_trimmed(value.text_bytes(), byte, out.pos())?;
    }
    match len {
        Length::ToEnd | Length::Gaps => {
            B::put::<O, W>(value, out, ())?;
            out.seal();
            Ok(())
        }
        Length::Terminated => Terminated::<B>::encode::<O, W>(value, out, ()),
        Length::Ends(end) if B::UNIT.bytes > 1 => {
            put_ended(out, end, B::UNIT.bytes, |inner| B::put::<O, _>(value, inner, ()))
        }
        Length::Ends(end) => {
            let at = out.pos();
            let is_there = end.check(value.text_bytes(), 1, at)?;
            B::put::<O, W>(value, out, ())?;
            end.put(out, at, is_there)
        }
        Length::Prefixed { .. } => {
            put_prefix::<O, W>(len, B::len(value), out)?;
            B::put::<O, W>(value, out, ())
        }
        Length::Fixed(_) | Length::Expr(_) => {
            let n = said(len, place, out.pos())?;
            match trim {
                None => B::put_fixed::<O, W>(value, out, n, ()),
                Some(byte) => {
                    put_filled(out, B::len(value), n, (byte, B::UNIT), |out| B::put::<O, W>(value, out, ()))
                }
            }
        }
        Length::Each(_) | Length::Until(_) => Err(no_length(out.pos())),
    }
}
