//! Numbers and bytes that are written out.

use super::parse::{Token, tokens};
use alloc::vec::Vec;

/// An integer, a character of bytes included: `-3`, `0x20`, `b' '`.
pub(crate) fn int(text: &str) -> Option<i128> {
    match tokens(text).ok()?[..] {
        [Token::Int(n)] => Some(n),
        [Token::Mark("-"), Token::Int(n)] => n.checked_neg(),
        _ => None,
    }
}

/// Bytes in quotes: `b"\x7fELF"`.
pub(crate) fn bytes(text: &str) -> Option<Vec<u8>> {
    match <[Token; 1]>::try_from(tokens(text).ok()?) {
        Ok([Token::Bytes(bytes)]) => Some(bytes),
        _ => None,
    }
}
