//! Tiles of one file of a fragment, read where they are needed and unfiltered.

use super::data_file::{FragmentFile, TileContent};
use crate::formats::tiledb::array::{AnyArray, Fragment};
use crate::formats::tiledb::filter::TileCodec;
use crate::formats::tiledb::room;
use crate::formats::tiledb::storage::{Storage, check_size, io_error};
use crate::{Error, ErrorKind, Result, Step};
use std::ops::Range;

/// Tiles that lie together are read together, up to that many bytes.
const SPAN: u64 = 1 << 20;

/// The tiles of one file, of which some are needed.
pub(super) struct TileFile<'a> {
    storage: &'a dyn Storage,
    file: FragmentFile<'a>,
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

impl AnyArray<'_> {
    /// Opens the file of a fragment with this content, to read these of its tiles.
    pub(super) fn tiles<'a>(
        &'a self,
        fragment: &'a Fragment,
        content: TileContent,
        needed: &'a [usize],
    ) -> Result<TileFile<'a>> {
        let file = self.data_file(fragment, content);
        let codec = file.codec(self.key.as_ref())?;
        if !needed.is_empty() {
            check_size(&self.storage, file.path(), file.size())?;
        }
        Ok(TileFile {
            storage: &self.storage,
            file,
            needed,
            end: needed.len(),
            codec,
            limit: self.limit,
            span: Vec::new(),
            span_at: 0,
            data: Vec::new(),
        })
    }
}

impl TileFile<'_> {
    /// From the k-th of the tiles needed on, another caller will ask for the others.
    pub(super) fn until(&mut self, k: usize) {
        self.end = k;
    }

    pub(super) fn path(&self) -> &str {
        self.file.path()
    }

    /// The number of the k-th tile of those needed.
    pub(super) fn number(&self, k: usize) -> usize {
        self.needed[k]
    }

    /// The stored bytes of the k-th tile of those needed; reads those after it too when they follow in the file.
    fn stored(&mut self, k: usize) -> Result<(u64, Range<usize>)> {
        let tile = self.number(k);
        let Range { start: at, end } = self.file.range(tile)?;
        let span_end = self.span_at + self.span.len() as u64;
        if at < self.span_at || end > span_end {
            let mut until = end;
            for (i, next) in self.needed.iter().enumerate().take(self.end).skip(k + 1) {
                let Range { start, end } = self.file.range(*next)?;
                // only neighbours: bytes between them are not wanted
                if *next != tile + (i - k) || start != until || end - at > SPAN {
                    break;
                }
                until = end;
            }
            let len = usize::try_from(until - at).unwrap_or(usize::MAX);
            room::resize(&mut self.span, len, 0).map_err(|e| self.file.error(e.or_at(at)))?;
            let path = self.file.path();
            self.storage.read(path, at, &mut self.span).map_err(|e| io_error(e, path))?;
            self.span_at = at;
        }
        let from = (at - self.span_at) as usize;
        Ok((at, from..from + (end - at) as usize))
    }

    /// The k-th of the tiles needed, without its filters; it must have that many bytes.
    pub(super) fn tile(&mut self, k: usize, len: u64) -> Result<&[u8]> {
        if len > self.limit {
            let at = self.file.range(self.number(k))?.start;
            let kind = ErrorKind::size_limit("tile", Some(len), self.limit);
            return Err(self.file.error(Error::new(kind, at)));
        }
        let mut data = std::mem::take(&mut self.data);
        // tiles of the same size are not set to zero again
        room::resize(&mut data, len as usize, 0).map_err(|e| self.file.error(e))?;
        self.tile_into(k, &mut data)?;
        self.data = data;
        Ok(&self.data)
    }

    /// The same into memory of that many bytes, which the caller has compared with the limit.
    pub(super) fn tile_into(&mut self, k: usize, out: &mut [u8]) -> Result<()> {
        let (at, range) = self.stored(k)?;
        let tile = self.number(k);
        self.codec.unfilter(&self.span[range], out).map_err(|e| {
            self.file.error(e.shifted(at).or_at(at).within(Step::Index(tile)).within(Step::Field("tiles")))
        })
    }
}
