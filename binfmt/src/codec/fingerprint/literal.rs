//! Numbers, bytes, and words without expressions as a schema spells them, while compiling and at run time.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of bytes that are shown in bits")]

use super::ConstValue;
use super::text::{Constants, Text};
use crate::wire::{BitOrder, Encoding, Endian, Varint};

#[inline]
pub(super) const fn order_word(order: Endian) -> &'static str {
    match order {
        Endian::Little => "le",
        Endian::Big => "be",
    }
}

#[inline]
pub(super) const fn integer(bytes: u8, signed: bool) -> Text {
    let mut text = Text::of(&[if signed { "i" } else { "u" }]);
    text.number(bytes as usize * 8);
    text
}

/// An integer of variable length as a length: with its width, if that is not the usual one.
#[inline]
pub(super) const fn varint_length(code: Varint, bytes: u8) -> Text {
    if bytes == 8 {
        return Text::of(&[code.name()]);
    }
    Text::of(&[integer(bytes, code.is_signed()).as_str(), ", as = ", code.name()])
}

#[inline]
pub(crate) const fn encoded(encoding: Encoding) -> Option<&'static str> {
    Some(match encoding {
        Encoding::Utf8 => return None,
        Encoding::Ascii => "ascii",
        Encoding::Latin1 => "latin1",
        Encoding::Any => "bytes",
        Encoding::Utf16Le => "utf16le",
        Encoding::Utf16Be => "utf16be",
        Encoding::Utf32Le => "utf32le",
        Encoding::Utf32Be => "utf32be",
    })
}

#[inline]
pub(crate) const fn nullable(present: u8, missing: (u8, u8), blank: bool) -> Text {
    if let (0xFF, (0, 127), true) = (present, missing, blank) {
        return Text::of(&["nullable"]);
    }
    let mut text = Text::of(&["nullable(present = "]);
    text.number(present as usize);
    text.add(&[", missing = "]);
    text.number(missing.0 as usize);
    if missing.0 != missing.1 {
        text.add(&["..="]);
        text.number(missing.1 as usize);
    }
    text.add(&[if blank { ")" } else { ", body = absent)" }]);
    text
}

#[inline]
pub(crate) const fn bit_field(bits: u8, run: Option<u8>, order: Option<BitOrder>, reserved: bool) -> Text {
    let mut text = Text::of(&["bits("]);
    text.number(bits as usize);
    if let Some(run) = run {
        text.add(&[", of = ", integer(run, false).as_str(), bit_order(order)]);
    }
    text.add(&[if reserved { ", reserved)" } else { ")" }]);
    text
}

/// Of an element of a list.
#[inline]
pub(crate) const fn packed(bits: u8, order: Option<BitOrder>) -> Text {
    let mut text = Text::of(&["bits("]);
    text.number(bits as usize);
    text.add(&[bit_order(order), ")"]);
    text
}

#[inline]
const fn bit_order(order: Option<BitOrder>) -> &'static str {
    match order {
        Some(BitOrder::Msb) => ", order = msb",
        Some(BitOrder::Lsb) => ", order = lsb",
        None => "",
    }
}

#[inline]
pub(super) const fn bytes_literal(bytes: &'static [u8]) -> Text {
    let mut text = Text::new();
    text.value(ConstValue::Bytes(bytes));
    text
}

/// A magic number as a literal with its width, or with the bytes that it has where it is a name.
#[inline]
pub(super) const fn magic_number(value: &str, bytes: u8, known: Constants) -> (Text, Option<u8>) {
    let mut text = Text::new();
    match known {
        [(name, known), ..] if name.is_empty() => {
            text.value(*known);
            if matches!(known, ConstValue::Bytes(_)) {
                return (text, None);
            }
        }
        _ => text.add(&[value]),
    }
    let (is_negative, digits) = match text.as_bytes() {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    match digits {
        [b'0'..=b'9', ..] if has_width(digits) => (text, None),
        [b'0'..=b'9', ..] => {
            let width = integer(bytes, is_negative);
            text.add(&[width.as_str()]);
            (text, None)
        }
        _ => (text, Some(bytes)),
    }
}

/// Whether the end of a number says how wide it is: `0x1234u16`.
#[inline]
const fn has_width(number: &[u8]) -> bool {
    let is_hex = matches!(number, [b'0', b'x', ..]);
    let mut end = number.len();
    while end > 0 && number[end - 1].is_ascii_digit() {
        end -= 1;
    }
    let (front, bits) = number.split_at(end);
    let is_type = match front {
        [.., b'u' | b'i'] => true,
        [.., b'f'] => !is_hex,
        _ => false,
    };
    is_type && matches!(bits, b"8" | b"16" | b"32" | b"64" | b"128")
}

#[inline]
pub(super) const fn is_number(text: &[u8]) -> bool {
    let mut rest = text;
    while let [first, others @ ..] = rest {
        if !first.is_ascii_digit() {
            return false;
        }
        rest = others;
    }
    !text.is_empty()
}
