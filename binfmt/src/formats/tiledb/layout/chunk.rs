//! Tiles as they are in files: chunks, each filtered by itself.

use crate::BinFormat;

/// A tile in a file: the number of its chunks, then the chunks.
///
/// ```
/// use binfmt::formats::tiledb::TileChunks;
/// let bytes = [1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 7, 8];
/// let tile: TileChunks = binfmt::from_slice(&bytes)?;
/// assert_eq!((tile.chunks[0].len_original, tile.chunks[0].data), (2, &[7, 8][..]));
/// assert_eq!(binfmt::to_vec(&tile)?, bytes);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq, Eq)]
#[binfmt(le)]
pub struct TileChunks<'a> {
    /// The chunks.
    #[binfmt(length_prefixed(u64))]
    pub chunks: Vec<TileChunk<'a>>,
}

/// One chunk of a tile.
///
/// | field | bytes |
/// |---|---|
/// | length before the filters | `u32` |
/// | length of the data | `u32` |
/// | length of the metadata | `u32` |
/// | metadata, data | that many |
#[derive(BinFormat, Clone, Debug, PartialEq, Eq)]
#[binfmt(le)]
pub struct TileChunk<'a> {
    /// Bytes that the filters give when they are undone.
    pub len_original: u32,
    /// Bytes of `data`; computed when writing.
    #[binfmt(len_of(data, auto))]
    pub len_filtered: u32,
    /// Bytes of `metadata`; computed when writing.
    #[binfmt(len_of(metadata, auto))]
    pub len_metadata: u32,
    /// What the filters need for the way back, the last filter's first.
    #[binfmt(count = len_metadata)]
    pub metadata: &'a [u8],
    /// The filtered data.
    #[binfmt(count = len_filtered)]
    pub data: &'a [u8],
}

impl TileChunks<'_> {
    /// Bytes of the tile before the filters, as its chunks say.
    ///
    /// ```
    /// let tile: binfmt::formats::tiledb::TileChunks = binfmt::from_slice(&[0; 8])?;
    /// assert_eq!(tile.len_original(), 0);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn len_original(&self) -> u64 {
        self.chunks.iter().map(|chunk| u64::from(chunk.len_original)).sum()
    }
}
