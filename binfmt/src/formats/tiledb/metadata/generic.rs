//! Generic tiles: a header that says how the tile after it is filtered. Schemas and most of a fragment's metadata are
//! generic tiles.

use super::sound::check_pipeline;
use super::version::check_version;
use crate::formats::tiledb::filter::{Key, TileCodec};
use crate::formats::tiledb::layout::{
    Datatype, Encryption, FORMAT_VERSION, Filter, FilterPipeline, GenericTileHeader, TileChunks,
};
use crate::formats::tiledb::room::zeros;
use crate::{Error, ErrorKind, KeyProblem, Result, Step};

/// A generic tile that was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GenericTile {
    /// The bytes before the filters.
    pub(crate) data: Vec<u8>,
    /// Bytes of header, pipeline and tile in the file.
    pub(crate) len: u64,
}

/// The generic tile at the start of `bytes`; `limit` is the most bytes that it may have without its filters.
pub(crate) fn read(bytes: &[u8], key: Option<&Key>, limit: u64) -> Result<GenericTile> {
    // other versions have other headers: nothing but the version is read of them
    let (version, _) = crate::from_prefix::<u32>(bytes).map_err(|e| e.within(Step::Field("version")))?;
    check_version(version).map_err(|e| e.or_at(0))?;
    let (header, rest) = crate::from_prefix::<GenericTileHeader>(bytes)?;
    let at = (bytes.len() - rest.len()) as u64;
    let tile =
        usize::try_from(header.persisted_size).ok().and_then(|len| rest.get(..len)).ok_or_else(|| {
            let (count, remaining) = (header.persisted_size, Some(rest.len() as u64));
            let kind = ErrorKind::CountTooLarge { count, needed: count, remaining, in_region: false };
            Error::new(kind, 4).within(Step::Field("persisted_size"))
        })?;
    if header.tile_size > limit {
        let kind = ErrorKind::size_limit("tile", Some(header.tile_size), limit);
        return Err(Error::new(kind, 12).within(Step::Field("tile_size")));
    }
    let key = match (header.encryption, key) {
        (Encryption::None, None) => None,
        // who expects encryption does not want what anybody could have put there
        (Encryption::None, Some(_)) => {
            return Err(Error::new(ErrorKind::Key(KeyProblem::Unneeded), 29));
        }
        (Encryption::Aes256Gcm, Some(key)) => Some(key),
        (Encryption::Aes256Gcm, None) => {
            return Err(Error::new(ErrorKind::Key(KeyProblem::Missing), 29));
        }
        (Encryption::Unknown(code), _) => {
            let kind = ErrorKind::UnknownCode { of: "encryption", code: code.into() };
            return Err(Error::new(kind, 29).within(Step::Field("encryption")));
        }
    };
    let cell_size = usize::try_from(header.cell_size).unwrap_or(usize::MAX);
    check_pipeline(&header.pipeline).map_err(|e| e.or_at(34).within(Step::Field("pipeline")))?;
    let mut codec = TileCodec::new(&header.pipeline, header.datatype, cell_size, key)
        .map_err(|e| e.or_at(34).within(Step::Field("pipeline")))?;
    check_size(tile, header.tile_size).map_err(|e| e.shifted(at).or_at(at).within(Step::Field("tile")))?;
    let mut data = zeros(header.tile_size as usize)?;
    codec.unfilter(tile, &mut data).map_err(|e| e.shifted(at).or_at(at).within(Step::Field("tile")))?;
    Ok(GenericTile { data, len: at + header.persisted_size })
}

/// The chunks must say the size that the header does, before there is memory for it.
fn check_size(tile: &[u8], size: u64) -> Result<()> {
    let found = crate::from_slice::<TileChunks<'_>>(tile)?.len_original();
    if found == size {
        return Ok(());
    }
    Err(ErrorKind::CountMismatch { of: "bytes in chunks", expected: size, found }.into())
}

/// The generic tile of these bytes as libtiledb 1.6.3 writes it: through gzip at level 1, encrypted where there is a key.
pub(crate) fn write(data: &[u8], key: Option<&Key>, out: &mut Vec<u8>) -> Result<()> {
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
