//! Bytes as the text of the value that they are.

use super::tame;
use crate::codec::Decode;
use crate::codec::integer::{FixedInt, Wired};
use crate::wire::{Be, Kind, Le, Options, Slice, Varint, varint};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;

/// As many elements of a list as are shown.
const ITEMS: usize = 8;
/// As many characters of a text as are shown.
const CHARS: usize = 64;

/// The value of a leaf.
pub(super) fn text(kind: &Kind<String>, little: bool, bytes: &[u8]) -> String {
    match kind {
        Kind::Int { bytes: width, signed } => list(bytes, *width, |b| int(b, *signed, little)),
        Kind::Varint { code, bytes: width } => varints(bytes, *code, *width),
        Kind::Float { bytes: width } => list(bytes, *width, |b| float(b, little)),
        Kind::Bool => list(bytes, 1, |b| (b != [0]).to_string()),
        Kind::Text(_) => quoted(bytes),
        Kind::Bytes | Kind::Custom => count(bytes.len()),
        Kind::Presence { present, missing } => presence(bytes, *present, *missing),
        Kind::Padding => format!("{} ignored", count(bytes.len())),
        Kind::Magic => quoted(bytes),
        Kind::Blank => "stands for the missing value".into(),
        Kind::Absent => "absent".into(),
        Kind::Variant(name) => name.clone(),
    }
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
            many(*bytes, format!("{sign}{}{}", bytes.saturating_mul(8), order(*bytes)))
        }
        Kind::Varint { code, .. } => code.name().into(),
        Kind::Float { bytes } => many(*bytes, format!("f{}{}", bytes.saturating_mul(8), order(*bytes))),
        Kind::Bool => many(1, "bool".into()),
        Kind::Text(encoding) => encoding.clone(),
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
fn list(bytes: &[u8], width: usize, one: impl Fn(&[u8]) -> String) -> String {
    if bytes.len() == width || width == 0 {
        return one(bytes);
    }
    items(bytes.chunks(width), one)
}

fn items<'b>(mut all: impl Iterator<Item = &'b [u8]>, one: impl Fn(&[u8]) -> String) -> String {
    let shown: Vec<String> = all.by_ref().take(ITEMS).map(one).collect();
    match all.count() {
        0 => format!("[{}]", shown.join(", ")),
        more => format!("[{}, … {more} more]", shown.join(", ")),
    }
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
        _ => items(bytes.split_inclusive(|b| *b < 0x80), one),
    }
}

fn number<'de, T: Decode<'de> + ToString>(bytes: &'de [u8], little: bool) -> Option<String> {
    let mut src = Slice::new(bytes);
    let value = match little {
        true => T::decode::<Le, _>(&mut src, ()),
        false => T::decode::<Be, _>(&mut src, ()),
    };
    value.ok().map(|v| v.to_string())
}

fn int(bytes: &[u8], signed: bool, little: bool) -> String {
    let text = match (bytes.len(), signed) {
        (1, false) => number::<u8>(bytes, little),
        (1, true) => number::<i8>(bytes, little),
        (2, false) => number::<u16>(bytes, little),
        (2, true) => number::<i16>(bytes, little),
        (4, false) => number::<u32>(bytes, little),
        (4, true) => number::<i32>(bytes, little),
        (8, false) => number::<u64>(bytes, little),
        (8, true) => number::<i64>(bytes, little),
        (16, false) => number::<u128>(bytes, little),
        (16, true) => number::<i128>(bytes, little),
        (3, false) => number::<Wired<u32, FixedInt<3, false>>>(bytes, little),
        (3, true) => number::<Wired<i32, FixedInt<3, true>>>(bytes, little),
        (5, false) => number::<Wired<u64, FixedInt<5, false>>>(bytes, little),
        (5, true) => number::<Wired<i64, FixedInt<5, true>>>(bytes, little),
        (6, false) => number::<Wired<u64, FixedInt<6, false>>>(bytes, little),
        (6, true) => number::<Wired<i64, FixedInt<6, true>>>(bytes, little),
        (7, false) => number::<Wired<u64, FixedInt<7, false>>>(bytes, little),
        (7, true) => number::<Wired<i64, FixedInt<7, true>>>(bytes, little),
        _ => None,
    };
    text.unwrap_or_else(|| incomplete(bytes))
}

fn float(bytes: &[u8], little: bool) -> String {
    let text = match bytes.len() {
        2 => number::<u16>(bytes, little)
            .and_then(|bits| bits.parse().ok())
            .map(|bits| half_to_f32(bits).to_string()),
        4 => number::<f32>(bytes, little),
        8 => number::<f64>(bytes, little),
        _ => None,
    };
    text.unwrap_or_else(|| incomplete(bytes))
}

/// binary16 as binary32, exactly.
fn half_to_f32(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (bits >> 10 & 31, f32::from(bits & 1023));
    let scale = |power: i32| f32::from_bits(u32::try_from(power.saturating_add(127)).unwrap_or(0) << 23);
    match exponent {
        31 if bits & 1023 == 0 => sign * f32::INFINITY,
        31 => f32::NAN,
        0 => sign * fraction * scale(-24),
        e => sign * (1.0 + fraction / 1024.0) * scale(i32::from(e).saturating_sub(15)),
    }
}

fn incomplete(bytes: &[u8]) -> String {
    format!("cut off after {}", count(bytes.len()))
}

/// Text up to its first NUL, escaped; bytes that are no UTF-8 as `\x..`.
fn quoted(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    let text = bytes.get(..end).unwrap_or(bytes);
    let mut out = String::from("\"");
    let mut shown = 0usize;
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            shown = shown.saturating_add(1);
            if shown <= CHARS {
                match c {
                    // what a terminal would obey, and what the row is made of
                    '"' | '\\' => {
                        out.push('\\');
                        out.push(c);
                    }
                    c => tame::push(c, &mut out),
                }
            }
        }
        for b in chunk.invalid() {
            shown = shown.saturating_add(1);
            if shown <= CHARS {
                // writing to a String does not fail
                let _ = write!(out, "\\x{b:02x}");
            }
        }
    }
    out.push('"');
    if shown > CHARS {
        let _ = write!(out, "… {}", count(text.len()));
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
