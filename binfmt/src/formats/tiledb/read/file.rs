//! Tiles of one file of a fragment, read where they are needed and unfiltered.

use crate::formats::tiledb::filter::TileCodec;
use crate::formats::tiledb::room;
use crate::formats::tiledb::storage::{Storage, check_size, in_file, io_error};
use crate::{Error, ErrorKind, Result, Step};

/// Tiles that lie together are read together, up to so many bytes.
const SPAN: u64 = 1 << 20;

/// The tiles of one attribute, of its variable values, or of the coordinates.
pub(super) struct TileFile<'a, S> {
    storage: &'a S,
    path: String,
    offsets: &'a [u64],
    size: u64,
    /// The tiles that will be asked for, in their order.
    needed: &'a [usize],
    /// Tiles of those needed from here on are not read together with the ones before.
    end: usize,
    codec: TileCodec,
    limit: u64,
    /// The bytes of the file from `span_at` on.
    span: Vec<u8>,
    span_at: u64,
    data: Vec<u8>,
}

/// What is known of a file: its path, where its tiles begin, and its size.
pub(super) struct Tiles<'a> {
    pub(super) path: String,
    pub(super) offsets: &'a [u64],
    pub(super) size: u64,
}

impl<'a, S: Storage> TileFile<'a, S> {
    pub(super) fn open(
        storage: &'a S,
        tiles: Tiles<'a>,
        needed: &'a [usize],
        codec: TileCodec,
        limit: u64,
    ) -> Result<Self> {
        let Tiles { path, offsets, size } = tiles;
        if !needed.is_empty() {
            check_size(storage, &path, size)?;
        }
        Ok(TileFile {
            storage,
            path,
            offsets,
            size,
            needed,
            end: needed.len(),
            codec,
            limit,
            span: Vec::new(),
            span_at: 0,
            data: Vec::new(),
        })
    }

    /// From the k-th of the tiles needed on, others will be asked for by somebody else.
    pub(super) fn until(&mut self, k: usize) {
        self.end = k;
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// Where a tile is in the file.
    fn position(&self, tile: usize) -> Result<(u64, u64)> {
        let at = self.offsets.get(tile).copied();
        let end = self.offsets.get(tile + 1).copied().unwrap_or(self.size);
        match at {
            Some(at) if at <= end && end <= self.size => Ok((at, end)),
            _ => Err(in_file(ErrorKind::invalid("place of tile", tile, "").into(), &self.path)),
        }
    }

    /// The stored bytes of the k-th tile of those needed; reads those behind it too when they follow in the file.
    fn stored(&mut self, k: usize) -> Result<(u64, std::ops::Range<usize>)> {
        let tile = self.needed.get(k).copied().unwrap_or(usize::MAX);
        let (at, end) = self.position(tile)?;
        let span_end = self.span_at + self.span.len() as u64;
        if at < self.span_at || end > span_end {
            let mut until = end;
            for (i, next) in self.needed.iter().enumerate().take(self.end).skip(k + 1) {
                let (start, end) = self.position(*next)?;
                // only neighbours: bytes between them are nobody's business
                if *next != tile + (i - k) || start != until || end - at > SPAN {
                    break;
                }
                until = end;
            }
            let len = usize::try_from(until - at).unwrap_or(usize::MAX);
            room::resize(&mut self.span, len, 0).map_err(|e| in_file(e.or_at(at), &self.path))?;
            self.storage.read(&self.path, at, &mut self.span).map_err(|e| io_error(e, &self.path))?;
            self.span_at = at;
        }
        let from = (at - self.span_at) as usize;
        Ok((at, from..from + (end - at) as usize))
    }

    /// The k-th of the tiles needed, without its filters; it must have so many bytes.
    pub(super) fn tile(&mut self, k: usize, len: u64) -> Result<&[u8]> {
        let mut data = std::mem::take(&mut self.data);
        if len <= self.limit {
            // tiles of the same size are not set to zero again
            room::resize(&mut data, len as usize, 0).map_err(|e| in_file(e, &self.path))?;
            self.tile_into(k, &mut data)?;
            self.data = data;
            return Ok(&self.data);
        }
        let tile = self.needed.get(k).copied().unwrap_or(usize::MAX);
        let kind = ErrorKind::size_limit("tile", Some(len), self.limit);
        Err(in_file(Error::new(kind, self.position(tile)?.0), &self.path))
    }

    /// The same into memory of so many bytes, which the caller has compared with the limit.
    pub(super) fn tile_into(&mut self, k: usize, out: &mut [u8]) -> Result<()> {
        let (at, range) = self.stored(k)?;
        let bytes = self.span.get(range).unwrap_or_default();
        self.codec.unfilter(bytes, out).map_err(|e| {
            let tile = self.needed.get(k).copied().unwrap_or(0);
            let e = e.shifted(at).or_at(at).within(Step::Index(tile)).within(Step::Field("tiles"));
            in_file(e, &self.path)
        })
    }
}
