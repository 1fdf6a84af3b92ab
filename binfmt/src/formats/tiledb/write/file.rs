//! The files of a fragment: tiles are filtered as they are needed, and written one behind the other.

use super::tiles::TileSource;
use crate::formats::tiledb::array::{in_file, io_error};
use crate::formats::tiledb::filter::{Key, TileCodec};
use crate::formats::tiledb::fragment::TileOffsets;
use crate::formats::tiledb::name::FragmentName;
use crate::formats::tiledb::storage::Storage;
use crate::formats::tiledb::{FragmentMetadata, work};
use crate::{Result, Step};
use std::io;
use std::num::NonZeroUsize;

/// Where the files of a new fragment go.
pub(super) struct Output<'a, S> {
    pub(super) storage: &'a S,
    pub(super) fragment: &'a FragmentName,
    pub(super) key: Option<&'a Key>,
    pub(super) threads: NonZeroUsize,
}

/// Where the tiles of a file are.
#[derive(Debug, Default)]
pub(super) struct Positions {
    offsets: Vec<u64>,
    size: u64,
    /// Bytes of each tile before its filters.
    raw: Vec<u64>,
}

/// A tile on its way to the file.
#[derive(Default)]
struct Filtered {
    bytes: Vec<u8>,
    raw: usize,
}

impl<S: Storage> Output<'_, S> {
    /// Writes a file of all tiles of a source.
    pub(super) fn file(
        &self,
        name: &str,
        source: &impl TileSource,
        codec: impl Fn() -> Result<TileCodec>,
    ) -> Result<Positions> {
        let path = format!("{}/{name}", self.fragment);
        let mut positions = Positions::default();
        let mut failed = None;
        let written = self.storage.write_with(&path, &mut |out| {
            self.tiles(&path, source, &codec, out).map(|found| positions = found).map_err(|e| {
                failed = Some(e);
                io::Error::other("the file cannot be put together")
            })
        });
        match failed {
            Some(e) => Err(e),
            None => written.map(|()| positions).map_err(|e| io_error(e, &path)),
        }
    }

    fn tiles(
        &self,
        path: &str,
        source: &impl TileSource,
        codec: impl Fn() -> Result<TileCodec>,
        out: &mut dyn io::Write,
    ) -> Result<Positions> {
        let mut positions = Positions::default();
        if codec()?.is_empty() && source.sections() == 1 {
            unfiltered(path, source, &codec()?, out, &mut positions)?;
            return Ok(positions);
        }
        let state = || Ok((codec()?, Vec::new()));
        let filter = |(codec, scratch): &mut (TileCodec, Vec<u8>), tile: usize, to: &mut Filtered| {
            let data = source.tile(tile, scratch);
            to.raw = data.len();
            to.bytes.clear();
            let section = (data.len() / source.sections().max(1)).max(1);
            let sections: Vec<&[u8]> = data.chunks(section).collect();
            codec
                .filter_sections(&sections, &mut to.bytes)
                .map_err(|e| in_file(e.within(Step::Index(tile)).within(Step::Field("tiles")), path))
        };
        let put = |tile: &mut Filtered| {
            positions.offsets.push(positions.size);
            positions.size += tile.bytes.len() as u64;
            positions.raw.push(tile.raw as u64);
            out.write_all(&tile.bytes).map_err(|e| io_error(e, path))
        };
        work::ordered(self.threads, (0..source.num_tiles()).collect(), state, filter, put)?;
        Ok(positions)
    }
}

/// Tiles that no filter changes go to the file from where they are.
fn unfiltered(
    path: &str,
    source: &impl TileSource,
    codec: &TileCodec,
    out: &mut dyn io::Write,
    positions: &mut Positions,
) -> Result<()> {
    let mut scratch = Vec::new();
    for tile in 0..source.num_tiles() {
        let data = source.tile(tile, &mut scratch);
        positions.offsets.push(positions.size);
        positions.raw.push(data.len() as u64);
        let mut put = |piece: &[u8]| {
            positions.size += piece.len() as u64;
            out.write_all(piece).map_err(|e| io_error(e, path))
        };
        codec.chunks(data, |front, chunk| {
            put(front)?;
            put(chunk)
        })?;
    }
    Ok(())
}

/// Fills in what the files say: the positions of each attribute's tiles (of variable ones those of the offsets, then those
/// of the values), then those of the coordinates.
pub(super) fn finish(
    files: Vec<(Positions, Option<Positions>)>,
    coords: Option<Positions>,
    num_tiles: usize,
    metadata: &mut FragmentMetadata,
) {
    let zeros = || TileOffsets { values: vec![0; num_tiles] };
    let footer = &mut metadata.footer;
    for (values, var) in files {
        metadata.tile_offsets.push(TileOffsets { values: values.offsets });
        footer.file_sizes.push(values.size);
        match var {
            Some(var) => {
                metadata.tile_var_offsets.push(TileOffsets { values: var.offsets });
                metadata.tile_var_sizes.push(TileOffsets { values: var.raw });
                footer.file_var_sizes.push(var.size);
            }
            // lists of files that do not exist are there all the same
            None => {
                metadata.tile_var_offsets.push(zeros());
                metadata.tile_var_sizes.push(zeros());
                footer.file_var_sizes.push(0);
            }
        }
    }
    footer.file_sizes.push(coords.as_ref().map_or(0, |file| file.size));
    metadata.tile_offsets.push(coords.map_or_else(zeros, |file| TileOffsets { values: file.offsets }));
    let (attributes, files) = (footer.file_var_sizes.len(), footer.file_sizes.len());
    // positions of the lists: worked out when the file is put together
    footer.tile_offsets = vec![0; files];
    footer.tile_var_offsets = vec![0; attributes];
    footer.tile_var_sizes = vec![0; attributes];
}
