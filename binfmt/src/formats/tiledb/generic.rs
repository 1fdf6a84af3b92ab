//! Generic tiles: a header that says how the tile behind it is filtered. Schemas and most of a fragment's metadata are
//! generic tiles.

use super::check::check_pipeline;
use super::chunk::TileChunks;
use super::datatype::Datatype;
use super::filter::{Key, TileCodec};
use super::pipeline::{Filter, FilterPipeline};
use super::room::zeros;
use super::schema::{ArraySchema, FORMAT_VERSION};
use crate::{BinFormat, Error, Result, Step};
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
/// | pipeline | so many |
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

/// A generic tile that was read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GenericTile {
    /// The bytes before the filters.
    pub(super) data: Vec<u8>,
    /// Bytes of header, pipeline and tile in the file.
    pub(super) len: u64,
}

/// The generic tile at the start of `bytes`; `limit` is the most bytes that it may have without its filters.
pub(super) fn read(bytes: &[u8], key: Option<&Key>, limit: u64) -> Result<GenericTile> {
    // other versions have other headers: nothing but the version is read of them
    let (version, _) = crate::from_prefix::<u32>(bytes).map_err(|e| e.within(Step::Field("version")))?;
    check_version(version)?;
    let (header, rest) = crate::from_prefix::<GenericTileHeader>(bytes)?;
    let at = (bytes.len() - rest.len()) as u64;
    let tile =
        usize::try_from(header.persisted_size).ok().and_then(|len| rest.get(..len)).ok_or_else(|| {
            let text = format!("a tile of {} bytes, {} remain", header.persisted_size, rest.len());
            Error::message(text, 4).within(Step::Field("persisted_size"))
        })?;
    if header.tile_size > limit {
        let text = format!("a tile of {} bytes is larger than the limit of {limit}", header.tile_size);
        return Err(Error::message(text, 12).within(Step::Field("tile_size")));
    }
    let key = match (header.encryption, key) {
        (Encryption::None, None) => None,
        // who expects encryption does not want what anybody could have put there
        (Encryption::None, Some(_)) => {
            return Err(Error::message("not encrypted: it is opened without a key", 29));
        }
        (Encryption::Aes256Gcm, Some(key)) => Some(key),
        (Encryption::Aes256Gcm, None) => {
            return Err(Error::message("encrypted with AES-256-GCM: a key is needed", 29));
        }
        (unknown, _) => return Err(Error::message(unknown.to_string(), 29).within(Step::Field("encryption"))),
    };
    let cell_size = usize::try_from(header.cell_size).unwrap_or(usize::MAX);
    check_pipeline(&header.pipeline).map_err(|e| e.shifted(34).within(Step::Field("pipeline")))?;
    let mut codec = TileCodec::new(&header.pipeline, header.datatype, cell_size, key)
        .map_err(|e| e.shifted(34).within(Step::Field("pipeline")))?;
    check_size(tile, header.tile_size).map_err(|e| e.shifted(at).within(Step::Field("tile")))?;
    let mut data = zeros(header.tile_size as usize)?;
    codec.unfilter(tile, &mut data).map_err(|e| e.shifted(at).within(Step::Field("tile")))?;
    Ok(GenericTile { data, len: at + header.persisted_size })
}

/// The chunks must say the size that the header does, before there is memory for it.
fn check_size(tile: &[u8], size: u64) -> Result<()> {
    let found = crate::from_slice::<TileChunks<'_>>(tile)?.len_original();
    if found == size {
        return Ok(());
    }
    Err(Error::message(format!("chunks of {found} bytes in a tile of {size}"), 0))
}

/// The generic tile of these bytes as libtiledb 1.6.3 writes it: through gzip at level 1, encrypted where there is a key.
pub(super) fn write(data: &[u8], key: Option<&Key>, out: &mut Vec<u8>) -> Result<()> {
    let mut pipeline = FilterPipeline::new([Filter::gzip(1)]);
    let mut codec = TileCodec::new(&pipeline, Datatype::Char, 1, key)?;
    if key.is_some() {
        pipeline.filters.push(Filter::aes_256_gcm());
    }
    let tile = codec.filter(data)?;
    let header = GenericTileHeader {
        version: FORMAT_VERSION,
        persisted_size: tile.len() as u64,
        tile_size: data.len() as u64,
        datatype: Datatype::Char,
        cell_size: 1,
        encryption: if key.is_some() { Encryption::Aes256Gcm } else { Encryption::None },
        pipeline,
    };
    crate::append(&header, out)?;
    out.extend_from_slice(&tile);
    Ok(())
}

/// Any other version than the one that is read is an error, which says who writes it.
pub(super) fn check_version(version: u32) -> Result<()> {
    if version == FORMAT_VERSION {
        return Ok(());
    }
    let by = written_by(version);
    let text = format!("format version {version}, which {by} writes; only version 3 (TileDB 1.6) is read");
    Err(Error::message(text, 0).within(Step::Field("version")))
}

/// The software that writes a version of the format.
pub(super) fn written_by(version: u32) -> &'static str {
    match version {
        FORMAT_VERSION => "TileDB 1.6",
        1 => "TileDB 1.3 to 1.4.0",
        2 => "TileDB 1.4.2 to 1.5",
        4 => "TileDB 1.7",
        5 => "TileDB 2.0",
        6 => "TileDB 2.1",
        7 => "TileDB 2.2.0 to 2.2.2",
        8 => "TileDB 2.2 from 2.2.3 on",
        9 => "TileDB 2.3",
        10 => "TileDB 2.4 to 2.6",
        11 => "TileDB 2.7",
        12 => "TileDB 2.8",
        13 => "TileDB 2.9",
        14 => "TileDB 2.10",
        15 => "TileDB 2.11",
        16 => "TileDB 2.12 to 2.13",
        17 => "TileDB 2.14",
        18 => "TileDB 2.15",
        19 => "TileDB 2.16",
        20 => "TileDB 2.17 to 2.18",
        21 => "TileDB 2.19 to 2.24",
        22 => "TileDB 2.25 or later",
        23..=99 => "a TileDB later than 2.25",
        _ => "no TileDB that is known",
    }
}

impl ArraySchema {
    /// Reads `__array_schema.tdb`.
    ///
    /// # Errors
    /// The file is damaged, of another version (the message says which TileDB writes it), or encrypted with another key.
    ///
    /// ```
    /// use binfmt::formats::tiledb::ArraySchema;
    /// let e = ArraySchema::from_file(&[4, 0, 0, 0, 0], None).unwrap_err();
    /// assert_eq!(
    ///     e.to_string(),
    ///     "version at byte 0x0: format version 4, which TileDB 1.7 writes; only version 3 (TileDB 1.6) is read"
    /// );
    /// ```
    pub fn from_file(bytes: &[u8], key: Option<&Key>) -> Result<ArraySchema> {
        Self::from_file_within(bytes, key, SCHEMA_LIMIT)
    }

    /// The same with at most so many bytes without the filters.
    pub(super) fn from_file_within(bytes: &[u8], key: Option<&Key>, limit: u64) -> Result<ArraySchema> {
        let tile = read(bytes, key, limit)?;
        let schema: ArraySchema =
            crate::from_slice(&tile.data).map_err(|e| e.within(Step::Field("schema")))?;
        schema.check().map_err(|e| e.within(Step::Field("schema")))?;
        match bytes.len() as u64 - tile.len {
            0 => Ok(schema),
            n => Err(Error::message(format!("{n} bytes behind the schema"), tile.len)),
        }
    }

    /// The bytes of `__array_schema.tdb`.
    ///
    /// # Errors
    /// What [`check`](ArraySchema::check) refuses.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Scalar::I32(1), Scalar::I32(4), Scalar::I32(2));
    /// let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
    /// let key = Key::new([1; 32]);
    /// let file = schema.to_file(Some(&key))?;
    /// assert_eq!(ArraySchema::from_file(&file, Some(&key))?, schema);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn to_file(&self, key: Option<&Key>) -> Result<Vec<u8>> {
        self.check()?;
        let mut out = Vec::new();
        write(&crate::to_vec(self)?, key, &mut out)?;
        Ok(out)
    }
}

/// No schema is so large: it is refused before it is decompressed.
const SCHEMA_LIMIT: u64 = 1 << 28;
