//! One array as an NPY file (format version 1.0 of NumPy), little-endian, the last index fastest.

use crate::error::{Error, Result};
use crate::format::Tally;
use crate::output::Target;
use binfmt::numbers::NumberType;
use std::io::Write;

/// What is counted.
const UNIT: (&str, &str) = ("array", "arrays");
/// The header is padded to a multiple of this.
const BLOCK: usize = 64;
/// Bytes before the description: the magic, the version, the length.
const FRONT: usize = 10;

/// Writes an array: `kind` is the letter of NumPy and the bytes of an element, such as `f8`.
pub(crate) fn write(kind: &str, shape: &[u64], elements: &[u8], out: &Target) -> Result<Tally> {
    let header =
        header(kind, shape).ok_or_else(|| Error::data("the array has too many dimensions for NPY"))?;
    let mut file = out.create()?;
    file.write_all(&header).and_then(|()| file.write_all(elements)).map_err(Error::output)?;
    file.finish()?;
    Ok(Tally { count: 1, unit: UNIT, bytes: (header.len() + elements.len()) as u64 })
}

/// The letter of NumPy and the bytes of a number; `None` for those that NumPy has not.
pub(crate) fn kind(number: NumberType) -> Option<String> {
    let letter = match number {
        NumberType::Bool => 'b',
        number if number.is_float() => 'f',
        number if number.is_signed() => 'i',
        _ => 'u',
    };
    (number.size() <= 8).then(|| format!("{letter}{}", number.size()))
}

fn header(kind: &str, shape: &[u64]) -> Option<Vec<u8>> {
    // a byte has no order
    let order = if kind.ends_with('1') { '|' } else { '<' };
    let dims: Vec<String> = shape.iter().map(u64::to_string).collect();
    let comma = if dims.len() == 1 { "," } else { "" };
    let shape = format!("({}{comma})", dims.join(", "));
    let mut text = format!("{{'descr': '{order}{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    while !(FRONT + text.len() + 1).is_multiple_of(BLOCK) {
        text.push(' ');
    }
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\0".to_vec();
    bytes.extend_from_slice(&u16::try_from(text.len()).ok()?.to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers() {
        let text = |kind, shape: &[u64]| {
            let header = header(kind, shape).unwrap();
            assert!(header.len().is_multiple_of(64) && header.ends_with(b"\n"));
            assert_eq!(usize::from(u16::from_le_bytes([header[8], header[9]])) + 10, header.len());
            String::from_utf8_lossy(&header[10..]).trim_end().to_owned()
        };
        assert_eq!(text("f8", &[2, 3]), "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }");
        assert_eq!(text("b1", &[7]), "{'descr': '|b1', 'fortran_order': False, 'shape': (7,), }");
        assert_eq!(text("c16", &[]), "{'descr': '<c16', 'fortran_order': False, 'shape': (), }");
    }
}
