//! Index files: the indices of each chunk of a data file, a line for each.

use crate::BinFormat;
use crate::error::Result;
use crate::formats::beat::text::digits::Digits;
use alloc::string::String;
use alloc::vec::Vec;

/// An index file.
#[derive(BinFormat)]
#[binfmt(transparent)]
struct Index(#[binfmt(until_eof)] Vec<IndexLine>);

/// The indices of a chunk.
#[derive(BinFormat)]
struct IndexLine {
    #[binfmt(as = Digits<b' '>)]
    start: u64,
    #[binfmt(as = Digits<b'\n', true>, assert(end >= start, "the last index is smaller than the first"))]
    end: u64,
}

/// The text of the index file for chunks of these indices.
///
/// ```
/// assert_eq!(binfmt::formats::beat::write_index(&[(0, 0), (1, 4)])?, "0 0\n1 4\n");
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// The last index of a chunk is smaller than its first.
pub fn write_index(chunks: &[(u64, u64)]) -> Result<String> {
    let lines = chunks.iter().map(|(start, end)| IndexLine { start: *start, end: *end }).collect();
    let text = crate::to_vec(&Index(lines))?;
    Ok(text.into_iter().map(char::from).collect())
}

/// The indices of the chunks that an index file lists.
///
/// ```
/// use binfmt::formats::beat::read_index;
/// assert_eq!(read_index("0 0\n1 4\n")?, [(0, 0), (1, 4)]);
/// let e = read_index("0 0\n1\n").unwrap_err();
/// assert_eq!(e.to_string(), "[1].end at byte 0x5: expected a number, found the end of the line");
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// A line is not two integers, the first no larger than the second.
pub fn read_index(text: &str) -> Result<Vec<(u64, u64)>> {
    let Index(lines) = crate::from_slice(text.as_bytes())?;
    Ok(lines.into_iter().map(|line| (line.start, line.end)).collect())
}
