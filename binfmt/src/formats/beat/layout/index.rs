//! Index files: the indices of each chunk of a data file, a line for each.

use super::file::shown;
use crate::error::{Error, ErrorKind, Result, Step};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

/// The text of the index file for chunks of these indices.
///
/// ```
/// assert_eq!(binfmt::formats::beat::write_index(&[(0, 0), (1, 4)]), "0 0\n1 4\n");
/// ```
pub fn write_index(chunks: &[(u64, u64)]) -> String {
    let mut text = String::new();
    for (start, end) in chunks {
        // writing to a string does not fail
        let _ = writeln!(text, "{start} {end}");
    }
    text
}

/// The indices of the chunks that an index file lists.
///
/// ```
/// use binfmt::formats::beat::read_index;
/// assert_eq!(read_index("0 0\n1 4\n")?, [(0, 0), (1, 4)]);
/// let e = read_index("0 0\n1\n").unwrap_err();
/// assert_eq!(e.to_string(), "[1] at byte 0x4: expected `start end`, found `1`");
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// A line is not two integers, the first no larger than the second.
pub fn read_index(text: &str) -> Result<Vec<(u64, u64)>> {
    let mut chunks = Vec::new();
    let mut at = 0u64;
    for line in text.split_inclusive('\n') {
        let mut numbers = line.split_ascii_whitespace().map(str::parse::<u64>);
        match (numbers.next(), numbers.next(), numbers.next()) {
            (Some(Ok(start)), Some(Ok(end)), None) if start <= end => chunks.push((start, end)),
            _ => {
                let found = shown(line.trim_end().as_bytes());
                let e = Error::new(ErrorKind::mismatch("", "`start end`", found), at);
                return Err(e.within(Step::Index(chunks.len())));
            }
        }
        at += line.len() as u64;
    }
    Ok(chunks)
}
