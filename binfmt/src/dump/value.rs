//! Bytes as the text of the value that they are.

use super::tame;
use crate::containers::encodings::Page;
use crate::containers::wide;
use crate::numbers::{Element, Number, NumberType, with_numbers};
use crate::wire::packing::Packing;
use crate::wire::{Be, Kind, Le, Options, Slice, Varint, varint};
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;

/// As many elements of a list as are shown.
const ITEMS: usize = 8;
/// As many characters of a text as are shown.
const CHARS: usize = 64;

/// The value of a leaf of `len` bytes, of which these are there.
pub(super) fn text(kind: &Kind<String>, little: bool, bytes: &[u8], len: usize) -> String {
    match kind {
        Kind::Int { bytes: width, signed } => list(bytes, len, *width, |b| int(b, *width, *signed, little)),
        Kind::Varint { code, bytes: width } => varints(bytes, *code, *width),
        Kind::Float { bytes: width } => list(bytes, len, *width, |b| float(b, *width, little)),
        Kind::Bool => list(bytes, len, 1, |b| (b != [0]).to_string()),
        Kind::Bits { value, name: Some(name), .. } => format!("{value}, {name}"),
        Kind::Bits { value, .. } => value.to_string(),
        Kind::Packed { bits, lowest, signed, num } => packed(bytes, (*bits, *lowest, *signed), *num),
        Kind::Text(encoding) => match decoded(encoding, bytes) {
            Some(text) => quoted(text.as_bytes(), text.len()),
            None => quoted(bytes, len),
        },
        Kind::Token { .. } => escaped(bytes, len),
        Kind::Bytes | Kind::Custom => count(len),
        Kind::Presence { present, missing } => presence(bytes, *present, *missing),
        Kind::Padding => format!("{} ignored", count(len)),
        Kind::Magic => escaped(bytes, len),
        Kind::Blank => "stands for the missing value".into(),
        Kind::Absent => "absent".into(),
        Kind::Variant(name) => name.clone(),
    }
}

/// The text of bytes in an encoding of this name that is not made of bytes which are text themselves.
fn decoded(name: &str, bytes: &[u8]) -> Option<String> {
    wide::shown(name, bytes).or_else(|| Page::named(name)?.decode(bytes).ok())
}

/// The text that bytes in an encoding of this name are, up to its first NUL.
pub(super) fn whole_text<'b>(encoding: &str, bytes: &'b [u8]) -> Cow<'b, [u8]> {
    match decoded(encoding, bytes) {
        Some(text) => Cow::Owned(to_nul(text.as_bytes()).to_vec()),
        None => Cow::Borrowed(to_nul(bytes)),
    }
}

fn to_nul(text: &[u8]) -> &[u8] {
    text.split(|b| *b == 0).next().unwrap_or(text)
}

/// The type of a leaf.
pub(super) fn type_text(kind: &Kind<String>, little: bool, len: usize) -> String {
    let order = |width: usize| match (width, little) {
        (0 | 1, _) => "",
        (_, true) => " le",
        (_, false) => " be",
    };
    let many = |width: usize, name: String| match len.checked_div(width) {
        None | Some(0 | 1) => name,
        Some(n) => format!("{n} × {name}"),
    };
    match kind {
        Kind::Int { bytes, signed } => {
            let sign = if *signed { 'i' } else { 'u' };
            many(*bytes, format!("{sign}{}{}", bytes * 8, order(*bytes)))
        }
        Kind::Varint { code, .. } => code.name().into(),
        Kind::Float { bytes } => many(*bytes, format!("f{}{}", bytes * 8, order(*bytes))),
        Kind::Bool => many(1, "bool".into()),
        Kind::Bits { bits, .. } => {
            if *bits == 1 {
                "1 bit".into()
            } else {
                format!("{bits} bits")
            }
        }
        Kind::Packed { bits, lowest, signed, num } => {
            let (sign, order) = (if *signed { "i" } else { "u" }, if *lowest { "lsb" } else { "msb" });
            format!("{num} × {sign}{bits} {order}")
        }
        Kind::Text(encoding) | Kind::Token { of: encoding, .. } => encoding.clone(),
        Kind::Presence { present, missing } => {
            format!("{present:#04x}: present, {}..={}: missing", missing.0, missing.1)
        }
        Kind::Magic => "magic".into(),
        Kind::Custom => "a codec of its own".into(),
        _ => String::new(),
    }
}

/// `3 bytes`.
pub(super) fn count(n: usize) -> String {
    if n == 1 { "1 byte".into() } else { format!("{n} bytes") }
}

/// One value, or the first of several in brackets.
fn list(bytes: &[u8], len: usize, width: usize, one: impl Fn(&[u8]) -> String) -> String {
    if len == width || width == 0 {
        return one(bytes);
    }
    items(bytes.chunks(width), len.div_ceil(width), one)
}

fn items<'b>(all: impl Iterator<Item = &'b [u8]>, count: usize, one: impl Fn(&[u8]) -> String) -> String {
    let shown: Vec<String> = all.take(ITEMS).map(one).collect();
    some_of(&shown, count)
}

/// Elements in brackets, and how many more there are.
fn some_of(shown: &[String], count: usize) -> String {
    match count.saturating_sub(shown.len()) {
        0 => format!("[{}]", shown.join(", ")),
        more => format!("[{}, … {more} more]", shown.join(", ")),
    }
}

/// The first of `num` integers of some bits, as far as their bytes are there.
fn packed(bytes: &[u8], (bits, lowest, signed): (u8, bool, bool), num: usize) -> String {
    let packing = Packing::new(bits, None, lowest);
    let there = packing.num_in(bytes.len()).min(num).min(ITEMS);
    let value = |i| match packing.value(packing.get(bytes, i), signed) {
        n if signed => (n as i128).to_string(),
        n => n.to_string(),
    };
    let shown: Vec<String> = (0..there).map(value).collect();
    some_of(&shown, num)
}

/// Integers of variable length: the last byte of each is below 0x80.
fn varints(bytes: &[u8], code: Varint, width: usize) -> String {
    let one = |bytes: &[u8]| {
        let Options { limits, policy, .. } = Options::new().padded_integers(true);
        let mut src = Slice::with(bytes, limits, policy);
        match varint::read(&mut src, code, u8::try_from(width).unwrap_or(16)) {
            Ok(n) if code.is_signed() => (n as i128).to_string(),
            Ok(n) => n.to_string(),
            Err(_) => incomplete(bytes),
        }
    };
    match bytes.iter().filter(|b| **b < 0x80).count() {
        0 | 1 => one(bytes),
        _ => {
            let all = bytes.split_inclusive(|b| *b < 0x80);
            items(all.clone(), all.count(), one)
        }
    }
}

/// An integer of any width.
fn int(bytes: &[u8], width: usize, signed: bool, little: bool) -> String {
    let mut number = [0; 16];
    if bytes.len() != width || !(1..=number.len()).contains(&width) {
        return incomplete(bytes);
    }
    number[..width].copy_from_slice(bytes);
    if !little {
        number[..width].reverse();
    }
    if signed && number[width - 1] >= 0x80 {
        number[width..].fill(0xff);
    }
    if signed { i128::from_le_bytes(number).to_string() } else { u128::from_le_bytes(number).to_string() }
}

fn float(bytes: &[u8], width: usize, little: bool) -> String {
    fn read<T: Element>(bytes: &[u8], little: bool) -> String {
        Number::from(if little { T::read::<Le>(bytes) } else { T::read::<Be>(bytes) }).to_string()
    }
    let kind = u8::try_from(width).ok().and_then(NumberType::float).filter(|_| bytes.len() == width);
    match kind {
        Some(kind) => with_numbers!(kind, type T => read::<T>(bytes, little)),
        None => incomplete(bytes),
    }
}

fn incomplete(bytes: &[u8]) -> String {
    format!("cut off after {}", count(bytes.len()))
}

/// Text up to its first NUL. It has `len` bytes, of which these are there.
fn quoted(bytes: &[u8], len: usize) -> String {
    let text = to_nul(bytes);
    let is_ended = text.len() < bytes.len();
    escaped(text, if is_ended { text.len() } else { len })
}

/// Text, escaped; bytes that are not UTF-8 as `\x..`. It has `len` bytes, of which these are there.
fn escaped(text: &[u8], len: usize) -> String {
    let mut out = String::from("\"");
    let mut shown = 0;
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars().take(CHARS - shown) {
            shown += 1;
            // what a terminal would obey, and what the row is made of
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                c => tame::push(c, &mut out),
            }
        }
        for b in chunk.invalid().iter().take(CHARS - shown) {
            shown += 1;
            // writing to a String does not fail
            let _ = write!(out, "\\x{b:02x}");
        }
    }
    out.push('"');
    let all: usize =
        text.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum();
    if all > CHARS {
        let _ = write!(out, "… {}", count(len));
    }
    out
}

fn presence(bytes: &[u8], present: u8, missing: (u8, u8)) -> String {
    match bytes {
        [b] if *b == present => format!("{b:#04x}, present"),
        [b] if *b >= missing.0 && *b <= missing.1 => format!("{b:#04x}, missing with code {b}"),
        [b] => format!("{b:#04x}, no code of a missing value"),
        _ => incomplete(bytes),
    }
}
