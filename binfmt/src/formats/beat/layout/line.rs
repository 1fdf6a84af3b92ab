//! The line before a chunk.

use crate::BinFormat;
use crate::formats::beat::text::digits::Digits;

/// The line before a payload that is not decoded.
#[derive(BinFormat, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChunkLine {
    #[binfmt(as = Digits<b' '>)]
    pub(crate) start: u64,
    #[binfmt(as = Digits<b' '>, assert(end >= start, "the last index is smaller than the first"))]
    pub(crate) end: u64,
    #[binfmt(as = Digits<b'\n'>)]
    pub(crate) size: u64,
}

/// The end of the line before a payload.
#[derive(BinFormat)]
pub(super) struct Size {
    #[binfmt(as = Digits<b'\n'>)]
    pub(super) size: u64,
}
