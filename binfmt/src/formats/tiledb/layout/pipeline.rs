//! Filter pipelines as they are in schemas and before generic tiles.

use crate::BinFormat;
use core::fmt;

/// Bytes of unfiltered data that TileDB puts into one chunk unless told otherwise.
pub const DEFAULT_MAX_CHUNK_SIZE: u32 = 65_536;

/// The filters that the chunks of a tile go through, in the order of writing.
///
/// | field | bytes |
/// |---|---|
/// | largest chunk | `u32` |
/// | number of filters | `u32` |
/// | filters | each `u8` type, `u32` length, that many bytes of options |
///
/// ```
/// use binfmt::formats::tiledb::{Filter, FilterPipeline};
/// let pipeline = FilterPipeline::new([Filter::bitshuffle(), Filter::zstd(3)]);
/// let bytes = binfmt::to_vec(&pipeline)?;
/// assert_eq!(bytes, [0, 0, 1, 0, 2, 0, 0, 0, 8, 0, 0, 0, 0, 2, 5, 0, 0, 0, 2, 3, 0, 0, 0]);
/// assert_eq!(binfmt::from_slice::<FilterPipeline>(&bytes)?, pipeline);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq, Eq, Hash)]
#[binfmt(le)]
pub struct FilterPipeline {
    /// The most bytes of unfiltered data in one chunk. A reader does not need it.
    pub max_chunk_size: u32,
    /// The filters, in the order of writing; reading goes from the last to the first.
    #[binfmt(length_prefixed(u32))]
    pub filters: Vec<Filter>,
}

impl FilterPipeline {
    /// These filters with TileDB's own chunk size.
    ///
    /// ```
    /// use binfmt::formats::tiledb::FilterPipeline;
    /// assert_eq!(FilterPipeline::new([]).max_chunk_size, 65536);
    /// ```
    pub fn new(filters: impl IntoIterator<Item = Filter>) -> Self {
        FilterPipeline { max_chunk_size: DEFAULT_MAX_CHUNK_SIZE, filters: filters.into_iter().collect() }
    }
}

/// No filters.
impl Default for FilterPipeline {
    fn default() -> Self {
        FilterPipeline::new([])
    }
}

/// One filter with its options. A number that the format does not have keeps its options as they are.
///
/// ```
/// use binfmt::formats::tiledb::Filter;
/// let filter: Filter = binfmt::from_slice(&[7, 4, 0, 0, 0, 0, 1, 0, 0])?;
/// assert_eq!(filter, Filter::bit_width_reduction(256));
/// let unknown: Filter = binfmt::from_slice(&[20, 1, 0, 0, 0, 9])?;
/// assert_eq!(unknown, Filter::Unknown { tag: 20, options: vec![9] });
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq, Eq, Hash)]
#[binfmt(le, tag(u8))]
#[non_exhaustive]
pub enum Filter {
    /// Leaves the data as they are.
    #[binfmt(tag = 0)]
    None(#[binfmt(length_prefixed(u32, in = bytes))] ()),
    /// Deflate in a zlib container.
    #[binfmt(tag = 1)]
    Gzip(#[binfmt(length_prefixed(u32, in = bytes))] CompressionOptions),
    /// One Zstandard frame.
    #[binfmt(tag = 2)]
    Zstd(#[binfmt(length_prefixed(u32, in = bytes))] CompressionOptions),
    /// A raw LZ4 block.
    #[binfmt(tag = 3)]
    Lz4(#[binfmt(length_prefixed(u32, in = bytes))] CompressionOptions),
    /// Runs of equal cells.
    #[binfmt(tag = 4)]
    Rle(#[binfmt(length_prefixed(u32, in = bytes))] CompressionOptions),
    /// bzip2.
    #[binfmt(tag = 5)]
    Bzip2(#[binfmt(length_prefixed(u32, in = bytes))] CompressionOptions),
    /// Differences of differences, in as few bits as the largest needs.
    #[binfmt(tag = 6)]
    DoubleDelta(#[binfmt(length_prefixed(u32, in = bytes))] CompressionOptions),
    /// Integers relative to the smallest of their window, in as few bytes as the largest needs.
    #[binfmt(tag = 7)]
    BitWidthReduction(#[binfmt(length_prefixed(u32, in = bytes))] WindowSize),
    /// First all lowest bits, then all second ones.
    #[binfmt(tag = 8)]
    Bitshuffle(#[binfmt(length_prefixed(u32, in = bytes))] ()),
    /// First all lowest bytes, then all second ones.
    #[binfmt(tag = 9)]
    Byteshuffle(#[binfmt(length_prefixed(u32, in = bytes))] ()),
    /// Differences of integers that never decrease inside a window.
    #[binfmt(tag = 10)]
    PositiveDelta(#[binfmt(length_prefixed(u32, in = bytes))] WindowSize),
    /// AES-256-GCM. Stands in the pipelines of generic tiles only: a schema does not list it.
    #[binfmt(tag = 11)]
    Aes256Gcm(#[binfmt(length_prefixed(u32, in = bytes))] ()),
    /// A filter that format version 3 does not have.
    #[binfmt(other)]
    Unknown {
        /// Its number.
        tag: u8,
        /// Its options as they are in the file.
        #[binfmt(length_prefixed(u32))]
        options: Vec<u8>,
    },
}

/// The options of a filter that compresses.
///
/// ```
/// use binfmt::formats::tiledb::{CompressionOptions, Compressor};
/// let options: CompressionOptions = binfmt::from_slice(&[2, 0xff, 0xff, 0xff, 0xff])?;
/// assert_eq!(options, CompressionOptions { compressor: Compressor::Zstd, level: -1 });
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[binfmt(le, size = 5)]
pub struct CompressionOptions {
    /// Says the filter again. Readers go by the filter.
    pub compressor: Compressor,
    /// Level; -1 is the default of the compressor. LZ4, RLE and double delta have none.
    pub level: i32,
}

/// A compressor, numbered as its filter.
///
/// ```
/// use binfmt::formats::tiledb::Compressor;
/// assert_eq!(binfmt::from_slice::<Compressor>(&[5])?, Compressor::Bzip2);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[binfmt(tag(u8))]
#[non_exhaustive]
pub enum Compressor {
    /// None.
    #[binfmt(tag = 0)]
    None,
    /// Deflate in a zlib container.
    #[binfmt(tag = 1)]
    Gzip,
    /// Zstandard.
    #[binfmt(tag = 2)]
    Zstd,
    /// LZ4.
    #[binfmt(tag = 3)]
    Lz4,
    /// Runs of equal cells.
    #[binfmt(tag = 4)]
    Rle,
    /// bzip2.
    #[binfmt(tag = 5)]
    Bzip2,
    /// Double delta.
    #[binfmt(tag = 6)]
    DoubleDelta,
    /// A number that format version 3 does not have.
    #[binfmt(other)]
    Unknown(u8),
}

/// The option of bit width reduction and positive delta.
///
/// ```
/// use binfmt::formats::tiledb::WindowSize;
/// assert_eq!(binfmt::to_vec(&WindowSize { max_window: 256 })?, [0, 1, 0, 0]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[binfmt(le, size = 4)]
pub struct WindowSize {
    /// The most bytes of input in one window.
    pub max_window: u32,
}

impl Filter {
    /// Deflate at a level from 0 to 9, or -1.
    ///
    /// ```
    /// use binfmt::formats::tiledb::Filter;
    /// assert_eq!(Filter::gzip(5).to_string(), "Gzip(level 5)");
    /// ```
    pub const fn gzip(level: i32) -> Filter {
        Filter::Gzip(CompressionOptions { compressor: Compressor::Gzip, level })
    }

    /// Zstandard at a level from 1 to 22, or -1, which is 5.
    ///
    /// ```
    /// use binfmt::formats::tiledb::Filter;
    /// assert_eq!(Filter::zstd(5).to_string(), "Zstd(level 5)");
    /// ```
    pub const fn zstd(level: i32) -> Filter {
        Filter::Zstd(CompressionOptions { compressor: Compressor::Zstd, level })
    }

    /// LZ4; it has no levels, but the number is kept in the schema.
    ///
    /// ```
    /// use binfmt::formats::tiledb::Filter;
    /// assert_eq!(Filter::lz4(5).to_string(), "Lz4(level 5)");
    /// ```
    pub const fn lz4(level: i32) -> Filter {
        Filter::Lz4(CompressionOptions { compressor: Compressor::Lz4, level })
    }

    /// Runs of equal cells; the level means nothing.
    ///
    /// ```
    /// use binfmt::formats::tiledb::Filter;
    /// assert_eq!(Filter::rle(5).to_string(), "Rle(level 5)");
    /// ```
    pub const fn rle(level: i32) -> Filter {
        Filter::Rle(CompressionOptions { compressor: Compressor::Rle, level })
    }

    /// bzip2 at a level from 1 to 9, or -1, which is 1.
    ///
    /// ```
    /// use binfmt::formats::tiledb::Filter;
    /// assert_eq!(Filter::bzip2(5).to_string(), "Bzip2(level 5)");
    /// ```
    pub const fn bzip2(level: i32) -> Filter {
        Filter::Bzip2(CompressionOptions { compressor: Compressor::Bzip2, level })
    }

    /// Double delta; the level means nothing.
    ///
    /// ```
    /// use binfmt::formats::tiledb::Filter;
    /// assert_eq!(Filter::double_delta(5).to_string(), "DoubleDelta(level 5)");
    /// ```
    pub const fn double_delta(level: i32) -> Filter {
        Filter::DoubleDelta(CompressionOptions { compressor: Compressor::DoubleDelta, level })
    }

    /// Bit width reduction in windows of that many bytes (TileDB's default is 256).
    ///
    /// ```
    /// use binfmt::formats::tiledb::Filter;
    /// assert_eq!(Filter::bit_width_reduction(256).to_string(), "BitWidthReduction(window 256)");
    /// ```
    pub const fn bit_width_reduction(max_window: u32) -> Filter {
        Filter::BitWidthReduction(WindowSize { max_window })
    }

    /// Positive delta in windows of that many bytes (TileDB's default is 1024).
    ///
    /// ```
    /// use binfmt::formats::tiledb::Filter;
    /// assert_eq!(binfmt::to_vec(&Filter::positive_delta(1024))?, [10, 4, 0, 0, 0, 0, 4, 0, 0]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub const fn positive_delta(max_window: u32) -> Filter {
        Filter::PositiveDelta(WindowSize { max_window })
    }

    /// The filter that does nothing.
    ///
    /// ```
    /// assert_eq!(binfmt::to_vec(&binfmt::formats::tiledb::Filter::none())?, [0; 5]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub const fn none() -> Filter {
        Filter::None(())
    }

    /// Bitshuffle.
    ///
    /// ```
    /// assert_eq!(binfmt::to_vec(&binfmt::formats::tiledb::Filter::bitshuffle())?, [8, 0, 0, 0, 0]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub const fn bitshuffle() -> Filter {
        Filter::Bitshuffle(())
    }

    /// Byteshuffle.
    ///
    /// ```
    /// assert_eq!(binfmt::to_vec(&binfmt::formats::tiledb::Filter::byteshuffle())?, [9, 0, 0, 0, 0]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub const fn byteshuffle() -> Filter {
        Filter::Byteshuffle(())
    }

    /// AES-256-GCM, for the pipelines of generic tiles.
    pub(crate) const fn aes_256_gcm() -> Filter {
        Filter::Aes256Gcm(())
    }

    /// The options of a filter that compresses.
    ///
    /// ```
    /// use binfmt::formats::tiledb::Filter;
    /// assert_eq!(Filter::zstd(3).compression().map(|options| options.level), Some(3));
    /// assert_eq!(Filter::bitshuffle().compression(), None);
    /// ```
    pub const fn compression(&self) -> Option<CompressionOptions> {
        match self {
            Filter::Gzip(c)
            | Filter::Zstd(c)
            | Filter::Lz4(c)
            | Filter::Rle(c)
            | Filter::Bzip2(c)
            | Filter::DoubleDelta(c) => Some(*c),
            _ => None,
        }
    }

    /// The number on disk.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::tiledb::Filter::byteshuffle().code(), 9);
    /// ```
    pub const fn code(&self) -> u8 {
        match self {
            Filter::None(()) => 0,
            Filter::Gzip(_) => 1,
            Filter::Zstd(_) => 2,
            Filter::Lz4(_) => 3,
            Filter::Rle(_) => 4,
            Filter::Bzip2(_) => 5,
            Filter::DoubleDelta(_) => 6,
            Filter::BitWidthReduction(_) => 7,
            Filter::Bitshuffle(()) => 8,
            Filter::Byteshuffle(()) => 9,
            Filter::PositiveDelta(_) => 10,
            Filter::Aes256Gcm(()) => 11,
            Filter::Unknown { tag, .. } => *tag,
        }
    }

    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Filter::None(()) => "None",
            Filter::Gzip(_) => "Gzip",
            Filter::Zstd(_) => "Zstd",
            Filter::Lz4(_) => "Lz4",
            Filter::Rle(_) => "Rle",
            Filter::Bzip2(_) => "Bzip2",
            Filter::DoubleDelta(_) => "DoubleDelta",
            Filter::BitWidthReduction(_) => "BitWidthReduction",
            Filter::Bitshuffle(()) => "Bitshuffle",
            Filter::Byteshuffle(()) => "Byteshuffle",
            Filter::PositiveDelta(_) => "PositiveDelta",
            Filter::Aes256Gcm(()) => "Aes256Gcm",
            Filter::Unknown { .. } => "Unknown",
        }
    }
}

/// Name and options, for people.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        if let Some(compression) = self.compression() {
            return write!(f, "(level {})", compression.level);
        }
        match self {
            Filter::BitWidthReduction(w) | Filter::PositiveDelta(w) => write!(f, "(window {})", w.max_window),
            Filter::Unknown { tag, options } => write!(f, "(number {tag}, {} bytes)", options.len()),
            _ => Ok(()),
        }
    }
}
