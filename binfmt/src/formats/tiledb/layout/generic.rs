//! The header of a generic tile.

use super::datatype::Datatype;
use super::pipeline::FilterPipeline;
use crate::BinFormat;
use core::fmt;

/// The header of a generic tile.
///
/// | field | bytes |
/// |---|---|
/// | version | `u32`, 3 |
/// | size of the tile in the file, without header and pipeline | `u64` |
/// | size of the tile before the filters | `u64` |
/// | datatype, size of a cell | `u8`, `u64`; always 4 (`CHAR`) and 1 |
/// | encryption | `u8` |
/// | size of the pipeline | `u32` |
/// | pipeline | that many |
///
/// ```
/// use binfmt::formats::tiledb::{Datatype, Encryption, FilterPipeline, GenericTileHeader};
/// let header = GenericTileHeader {
///     version: 3, persisted_size: 9, tile_size: 1, datatype: Datatype::Char, cell_size: 1,
///     encryption: Encryption::None, pipeline: FilterPipeline::new([]),
/// };
/// assert_eq!(binfmt::to_vec(&header)?.len(), 34 + 8);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq, Eq)]
#[binfmt(le)]
pub struct GenericTileHeader {
    /// The format version, 3.
    pub version: u32,
    /// Bytes of the tile in the file.
    pub persisted_size: u64,
    /// Bytes of the tile before the filters.
    pub tile_size: u64,
    /// What the filters take the bytes for.
    pub datatype: Datatype,
    /// Bytes of a cell.
    pub cell_size: u64,
    /// Whether the tile is encrypted.
    pub encryption: Encryption,
    /// The filters of the tile.
    #[binfmt(length_prefixed(u32, in = bytes))]
    pub pipeline: FilterPipeline,
}

/// How a tile is encrypted.
///
/// ```
/// use binfmt::formats::tiledb::Encryption;
/// assert_eq!(binfmt::from_slice::<Encryption>(&[1])?, Encryption::Aes256Gcm);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[binfmt(tag(u8))]
pub enum Encryption {
    /// Not at all.
    #[binfmt(tag = 0)]
    None,
    /// AES-256-GCM.
    #[binfmt(tag = 1)]
    Aes256Gcm,
    /// A number that format version 3 does not have.
    #[binfmt(other)]
    Unknown(u8),
}

impl fmt::Display for Encryption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Encryption::None => f.write_str("not encrypted"),
            Encryption::Aes256Gcm => f.write_str("AES-256-GCM"),
            Encryption::Unknown(n) => write!(f, "unknown encryption {n}"),
        }
    }
}
