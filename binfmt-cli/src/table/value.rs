//! Values as the text of a table's cell.

use super::Shown;
use binfmt::value::Value;
use std::io::Write;

/// Appends the text of a value.
pub(crate) fn show(value: &Value, out: &mut Vec<u8>) -> Shown {
    // writing to memory does not fail
    match value {
        Value::Text(text) => {
            out.extend_from_slice(text.as_bytes());
            return Shown::Text;
        }
        Value::Missing(code) => return Shown::Missing(Some(*code)),
        Value::Absent => return Shown::Missing(None),
        Value::Bytes(bytes) => {
            out.extend_from_slice(b"0x");
            bytes.iter().for_each(|b| drop(write!(out, "{b:02x}")));
        }
        nested => drop(serde_json::to_writer(out, nested)),
    }
    Shown::Plain
}
