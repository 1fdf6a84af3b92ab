//! The files of a fragment: tiles are filtered as they are needed, and written one after the other.

use super::tiles::Tiles;
use crate::formats::tiledb::filter::{Key, TileCodec};
use crate::formats::tiledb::storage::{FragmentName, Storage, in_file, io_error};
use crate::formats::tiledb::work;
use crate::{Result, Step};
use std::io::{self, IoSlice};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

/// Where the files of a new fragment go.
pub(super) struct Output<'a> {
    pub(super) storage: &'a dyn Storage,
    pub(super) fragment: &'a FragmentName,
    pub(super) key: Option<&'a Key>,
    pub(super) threads: NonZeroUsize,
    /// The most bytes of a tile.
    pub(super) limit: u64,
}

/// Where the tiles of a file are.
#[derive(Debug, Default)]
pub(super) struct Positions {
    pub(super) offsets: Vec<u64>,
    pub(super) size: u64,
    /// Bytes of each tile before its filters.
    pub(super) raw: Vec<u64>,
}

impl Positions {
    /// The bytes of the next tile, which the file gets.
    pub(super) fn add<'t>(&mut self, tile: &'t Filtered) -> &'t [u8] {
        self.offsets.push(self.size);
        self.size += tile.bytes.len() as u64;
        self.raw.push(tile.raw as u64);
        &tile.bytes
    }
}

/// A tile on its way to the file.
#[derive(Default)]
pub(super) struct Filtered {
    bytes: Vec<u8>,
    raw: usize,
}

impl Filtered {
    /// Takes a tile through its filters.
    pub(super) fn filter(
        &mut self,
        source: &Tiles<'_>,
        tile: usize,
        codec: &mut TileCodec,
        scratch: &mut Vec<u8>,
    ) -> Result<()> {
        let data = source.tile(tile, scratch);
        self.raw = data.len();
        self.bytes.clear();
        let section = (data.len() / source.sections().max(1)).max(1);
        let sections: Vec<&[u8]> = data.chunks(section).collect();
        codec.filter_sections(&sections, &mut self.bytes)
    }
}

impl Output<'_> {
    /// Writes a file of all tiles of a source.
    pub(super) fn file(
        &self,
        name: &str,
        source: &Tiles<'_>,
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
        source: &Tiles<'_>,
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
            to.filter(source, tile, codec, scratch)
                .map_err(|e| in_file(e.within(Step::Index(tile)).within(Step::Field("tiles")), path))
        };
        let put = |tile: &mut Filtered| {
            out.write_all(positions.add(tile)).map_err(|e| io_error(e, path))?;
            Ok(ControlFlow::Continue(()))
        };
        work::ordered(self.threads, (0..source.num_tiles()).collect(), state, filter, put)?;
        Ok(positions)
    }
}

/// Tiles that no filter changes go to the file from where they are.
fn unfiltered(
    path: &str,
    source: &Tiles<'_>,
    codec: &TileCodec,
    out: &mut dyn io::Write,
    positions: &mut Positions,
) -> Result<()> {
    let (mut scratch, mut fronts) = (Vec::new(), Vec::new());
    for tile in 0..source.num_tiles() {
        let data = source.tile(tile, &mut scratch);
        positions.offsets.push(positions.size);
        positions.raw.push(data.len() as u64);
        let pieces = codec.pieces(data, &mut fronts)?;
        positions.size += pieces.iter().map(|piece| piece.len() as u64).sum::<u64>();
        write_pieces(out, &pieces).map_err(|e| io_error(e, path))?;
    }
    Ok(())
}

/// Puts out all pieces, as many as the writer takes at once.
fn write_pieces(out: &mut dyn io::Write, pieces: &[&[u8]]) -> io::Result<()> {
    let mut slices: Vec<IoSlice<'_>> = pieces.iter().map(|piece| IoSlice::new(piece)).collect();
    let mut rest = slices.as_mut_slice();
    // empty ones in front would look like a writer that takes nothing
    IoSlice::advance_slices(&mut rest, 0);
    while !rest.is_empty() {
        match out.write_vectored(rest) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(len) => IoSlice::advance_slices(&mut rest, len),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::write_pieces;
    use std::io::{self, IoSlice, Write};

    /// Takes a few bytes at a time, across the ends of pieces, is interrupted in between, and full in the end.
    struct Slow {
        taken: Vec<u8>,
        room: usize,
        calls: usize,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.write_vectored(&[IoSlice::new(bytes)])
        }

        fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
            self.calls += 1;
            if self.calls.is_multiple_of(2) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let all = pieces.iter().flat_map(|piece| piece.iter());
            let before = self.taken.len();
            self.taken.extend(all.take(self.room.min(3)));
            self.room -= self.taken.len() - before;
            Ok(self.taken.len() - before)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn all_pieces_are_put_out() {
        let pieces: [&[u8]; 5] = [b"", b"ab", b"cdefg", b"", b"h"];
        let mut out = Slow { taken: Vec::new(), room: 100, calls: 0 };
        write_pieces(&mut out, &pieces).unwrap();
        assert_eq!(out.taken, b"abcdefgh");
        let mut full = Slow { room: 5, taken: Vec::new(), calls: 0 };
        let e = write_pieces(&mut full, &pieces).unwrap_err();
        assert_eq!((e.kind(), full.taken.len()), (io::ErrorKind::WriteZero, 5));
        write_pieces(&mut full, &[]).unwrap();
    }
}
