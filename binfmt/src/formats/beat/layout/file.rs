//! Data files: two lines, then chunks, each after a line of its own.

use super::payload;
use crate::BinFormat;
use crate::formats::beat::text::digits::Digits;
use crate::formats::beat::text::lines;
use alloc::string::String;
use alloc::vec::Vec;

/// What is before the chunks of a data file: the line `binary`, and one that names the format.
///
/// ```
/// use binfmt::formats::beat::FileHead;
/// let head: FileHead = binfmt::from_slice(b"binary\nu/i/1\n")?;
/// assert_eq!(head.format, "u/i/1");
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq, Eq)]
pub struct FileHead {
    /// The name of the data format, or `analysis:` and the name of an algorithm.
    #[binfmt(with = lines)]
    pub format: String,
}

/// A whole data file.
///
/// The context of `T` is that of the file: none for a struct, the [`Declaration`](crate::formats::beat::Declaration) for an
/// [`Object`](super::Object).
///
/// ```
/// use binfmt::formats::beat::{Chunk, DataFile};
/// let file: DataFile<i32> = binfmt::from_slice(b"binary\nu/i/1\n0 0 5\n\x03\0\0\0\n")?;
/// assert_eq!(file.format, "u/i/1");
/// assert_eq!(file.chunks, [Chunk { start: 0, end: 0, value: 3 }]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, ctx(outer: _))]
pub struct DataFile<T> {
    /// The second line, as in [`FileHead`]: the name of the data format, or `analysis:` and the name of an algorithm.
    #[binfmt(with = lines)]
    pub format: String,
    /// The chunks in the order of the file.
    #[binfmt(until_eof, args(outer))]
    pub chunks: Vec<Chunk<T>>,
}

/// A value, and the indices of the data that it stands for: `start` to `end`, both belong to it.
///
/// On the wire: a line `start end size`, the value, and a newline, which `size` counts. A chunk whose size does not count
/// a newline and that has none is read, too.
///
/// ```
/// use binfmt::formats::beat::Chunk;
/// let chunk = Chunk { start: 3, end: 5, value: 7i32 };
/// let bytes = binfmt::to_vec(&chunk)?;
/// assert_eq!(bytes, b"3 5 5\n\x07\0\0\0\n");
/// assert_eq!(binfmt::from_slice::<Chunk<i32>>(&bytes)?, chunk);
/// let e = binfmt::from_slice::<Chunk<i16>>(&bytes).unwrap_err();
/// assert_eq!(e.to_string(), "value at byte 0x8: end of the chunk: expected a newline, found 3 bytes");
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, ctx(outer: _))]
pub struct Chunk<T> {
    /// The first index.
    #[binfmt(as = Digits<b' '>)]
    pub start: u64,
    /// The last index.
    #[binfmt(as = Digits<b' '>, assert(end >= start, "the last index is smaller than the first"))]
    pub end: u64,
    /// What the payload contains, after its size.
    #[binfmt(with = payload::<_, _>, args(outer))]
    pub value: T,
}
