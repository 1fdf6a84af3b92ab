//! Values as the text of a table's cell.

use super::Shown;
use crate::json;
use binfmt::columns::ValueRef;
use binfmt::value::Value;

/// Appends the text of a value. Numbers are those of the JSON form, and so is what is nested.
pub(crate) fn show(value: ValueRef<'_>, out: &mut Vec<u8>) -> Shown {
    match value {
        ValueRef::Text(text) => {
            out.extend_from_slice(text);
            return Shown::Text;
        }
        ValueRef::Missing(code) => return Shown::Missing(Some(code)),
        ValueRef::Bytes(bytes) => hex(bytes, out),
        ValueRef::Number(n) if !n.to_f64().is_finite() => out.extend_from_slice(odd(n.to_f64()).as_bytes()),
        // writing to memory does not fail
        other => drop(json::compact(out, &other)),
    }
    Shown::Plain
}

/// The same for a value that stands on its own.
pub(crate) fn show_value(value: &Value, out: &mut Vec<u8>) -> Shown {
    match value {
        Value::Text(text) => show(ValueRef::Text(text.as_bytes()), out),
        Value::Bytes(bytes) => show(ValueRef::Bytes(bytes), out),
        Value::Missing(code) => Shown::Missing(Some(*code)),
        Value::Number(n) => show(ValueRef::Number(*n), out),
        other => {
            // writing to memory does not fail
            drop(json::compact(out, other));
            Shown::Plain
        }
    }
}

/// A float that is no number.
fn odd(n: f64) -> &'static str {
    match n {
        f64::INFINITY => "inf",
        f64::NEG_INFINITY => "-inf",
        _ => "nan",
    }
}

fn hex(bytes: &[u8], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.extend_from_slice(b"0x");
    out.extend(bytes.iter().flat_map(|b| [DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]]));
}
