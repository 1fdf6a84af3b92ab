//! Code page 437, that of the first IBM PC: ZIP and FAT have it, and `encoding_rs` has not.

use crate::error::{Error, ErrorKind};
use alloc::string::String;
use alloc::vec::Vec;

pub(super) const LABEL: &str = "ibm437";

/// The characters of the bytes from 0x80 on; those before are ASCII.
const HIGH: &str = "\
    ÇüéâäàåçêëèïîìÄÅ\
    ÉæÆôöòûùÿÖÜ¢£¥₧ƒ\
    áíóúñÑªº¿⌐¬½¼¡«»\
    ░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
    └┴┬├─┼╞╟╚╔╩╦╠═╬╧\
    ╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
    αßΓπΣσµτΦΘΩδ∞φε∩\
    ≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

pub(super) fn decode(bytes: &[u8]) -> Result<String, Error> {
    let mut text = String::new();
    if text.try_reserve_exact(bytes.iter().map(|byte| width(*byte)).sum()).is_err() {
        return Err(Error::from(ErrorKind::OutOfMemory { requested: bytes.len() }));
    }
    text.extend(bytes.iter().filter_map(|byte| match byte.checked_sub(0x80) {
        None => Some(char::from(*byte)),
        Some(place) => HIGH.chars().nth(place.into()),
    }));
    Ok(text)
}

/// The most bytes that the character of a byte takes.
fn width(byte: u8) -> usize {
    if byte.is_ascii() { 1 } else { 3 }
}

pub(super) fn encode(text: &str) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    if bytes.try_reserve_exact(text.chars().count()).is_err() {
        return Err(Error::from(ErrorKind::OutOfMemory { requested: text.len() }));
    }
    for (at, c) in text.char_indices() {
        let place = || HIGH.chars().position(|high| high == c);
        let byte = match c.is_ascii() {
            true => u8::try_from(c).ok(),
            false => place().and_then(|place| u8::try_from(place).ok()?.checked_add(0x80)),
        };
        bytes.push(byte.ok_or_else(|| super::invalid(LABEL, at))?);
    }
    Ok(bytes)
}
