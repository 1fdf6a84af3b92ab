//! The metadata that filters put before a chunk's data, as annotated structs.

use crate::BinFormat;

/// Compressors and encryption: how many metadata and data parts there were, and the lengths of each.
///
/// | field | bytes |
/// |---|---|
/// | metadata parts, data parts | `u32`, `u32` |
/// | lengths of each metadata part, then of each data part | `P` each |
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
pub(crate) struct Parts<P> {
    #[binfmt(len_of(metadata, auto))]
    pub(crate) num_metadata: u32,
    #[binfmt(len_of(data, auto))]
    pub(crate) num_data: u32,
    #[binfmt(count = num_metadata)]
    pub(crate) metadata: Vec<P>,
    #[binfmt(count = num_data)]
    pub(crate) data: Vec<P>,
}

/// A compressed part.
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(le)]
pub(crate) struct Compressed {
    pub(crate) original: u32,
    pub(crate) compressed: u32,
}

/// An encrypted part: both lengths are the same, and nothing but the bytes is authenticated.
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(le)]
pub(crate) struct Encrypted {
    pub(crate) original: u32,
    pub(crate) encrypted: u32,
    pub(crate) iv: [u8; 12],
    pub(crate) tag: [u8; 16],
}

/// Byteshuffle and bitshuffle: the lengths of the parts, which do not change.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
pub(crate) struct Lengths {
    #[binfmt(length_prefixed(u32))]
    pub(crate) parts: Vec<u32>,
}

/// Bit width reduction.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
pub(crate) struct Reduced<T> {
    /// Bytes of all windows before the reduction.
    pub(crate) len_original: u32,
    #[binfmt(length_prefixed(u32))]
    pub(crate) windows: Vec<ReducedWindow<T>>,
}

/// Values of a window are stored as their distance from `offset` in `bits` bits.
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(le)]
pub(crate) struct ReducedWindow<T> {
    pub(crate) offset: T,
    pub(crate) bits: u8,
    /// Bytes before the reduction.
    pub(crate) len_original: u32,
}

/// Positive delta.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
pub(crate) struct Deltas<T> {
    #[binfmt(length_prefixed(u32))]
    pub(crate) windows: Vec<DeltaWindow<T>>,
}

/// The first value of a window, which the first difference, 0, is added to.
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(le)]
pub(crate) struct DeltaWindow<T> {
    pub(crate) first: T,
    pub(crate) len: u32,
}

/// What double delta puts before the values; the first two follow raw, then the packed rest.
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(le, size = 9)]
pub(crate) struct DoubleDeltaHeader {
    /// Bits of the largest difference without its sign.
    pub(crate) bits: u8,
    pub(crate) num_values: u64,
}
