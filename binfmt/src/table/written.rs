//! Values as the text of files of lines.

use crate::columns::ValueRef;
use crate::error::{Error, ErrorKind, Result};
use std::collections::HashSet;

/// Bytes that are collected before they go to the file.
pub(super) const BLOCK: usize = 64 << 10;

/// Appends a value as JSON.
pub(super) fn json(value: &impl serde::Serialize, out: &mut Vec<u8>) -> Result<()> {
    serde_json::to_writer(out, value).map_err(|e| Error::from(ErrorKind::Io(e.into())))
}

/// Appends what is neither text nor missing: numbers and bools as they are, bytes in hexadecimal, what is nested as JSON.
pub(super) fn plain(value: ValueRef<'_>, out: &mut Vec<u8>) -> Result<()> {
    match value {
        ValueRef::Number(n) if n.number_type().is_float() && !n.to_f64().is_finite() => {
            out.extend_from_slice(match n.to_f64() {
                f64::INFINITY => b"inf",
                f64::NEG_INFINITY => b"-inf",
                _ => b"nan",
            });
            Ok(())
        }
        // beyond 64 bits JSON has the digits in quotes
        ValueRef::Number(n) if !n.number_type().is_float() && n.number_type().size() > 8 => {
            let digits = n.as_i128().map(|n| n.to_string());
            out.extend_from_slice(digits.unwrap_or_else(|| n.to_string()).as_bytes());
            Ok(())
        }
        ValueRef::Bytes(bytes) => {
            out.extend_from_slice(b"0x");
            let digit = |n: u8| if n < 10 { b'0' | n } else { b'a' | (n & 7).wrapping_sub(2) };
            out.extend(bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]));
            Ok(())
        }
        other => json(&other, out),
    }
}

/// Refuses two columns of one name, of which readers would see one.
pub(super) fn named_once<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<()> {
    let mut known = HashSet::new();
    match names.into_iter().find(|name| !known.insert(*name)) {
        Some(name) => Err(Error::other(format!("two columns are called `{name}`"))),
        None => Ok(()),
    }
}
