//! The bytes of a tile, explained: chunks, what filters keep in them, filtered data.

use crate::dump::{Trace, trace_with};
use crate::formats::tiledb::layout::parts::{Compressed, Encrypted, Lengths, Parts};
use crate::formats::tiledb::layout::{Datatype, Filter, FilterPipeline};
use crate::numbers::{Number, NumberType};
use crate::{BinFormat, Decode, Options};

/// What is before a chunk.
#[derive(BinFormat, Debug)]
#[binfmt(le)]
struct ChunkHead {
    len_original: u32,
    len_filtered: u32,
    len_metadata: u32,
}

/// Bytes that only their filter understands.
#[derive(BinFormat, Debug)]
#[binfmt(ctx(len: usize))]
struct Bytes<'a> {
    #[binfmt(count = len)]
    data: &'a [u8],
}

/// The metadata of bit width reduction, whose values are of a kind that is known now.
#[derive(BinFormat, Debug)]
#[binfmt(le, ctx(kind: NumberType))]
struct Reduced {
    len_original: u32,
    #[binfmt(length_prefixed(u32), args(kind))]
    windows: Vec<ReducedWindow>,
}

#[derive(BinFormat, Debug)]
#[binfmt(le, ctx(kind: NumberType))]
struct ReducedWindow {
    #[binfmt(args(kind))]
    offset: Number,
    bits: u8,
    len_original: u32,
}

/// Those of positive delta.
#[derive(BinFormat, Debug)]
#[binfmt(le, ctx(kind: NumberType))]
struct Deltas {
    #[binfmt(length_prefixed(u32), args(kind))]
    windows: Vec<DeltaWindow>,
}

#[derive(BinFormat, Debug)]
#[binfmt(le, ctx(kind: NumberType))]
struct DeltaWindow {
    #[binfmt(args(kind))]
    first: Number,
    len: u32,
}

/// What one filter keeps in a chunk; chosen by the filter.
#[derive(Clone, Copy, Debug)]
enum Kept {
    Compressed,
    Encrypted,
    Lengths,
    Reduced(NumberType),
    Deltas(NumberType),
}

impl FilterPipeline {
    /// The bytes of a tile that went through these filters, explained part by part: how many chunks there are, the lengths
    /// of each, what its filters keep, the last one first, and its data. Paths and offsets count from the tile; see
    /// [`Trace::placed`].
    ///
    /// What a compressor or encryption has taken in is not explained: [`TileCodec`](super::TileCodec) takes the filters
    /// away.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Datatype, FilterPipeline};
    /// let tile = [1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 7, 8];
    /// let traces = FilterPipeline::default().explain(Datatype::Uint8, false, &tile);
    /// let lines: String = traces.iter().map(|trace| trace.to_string()).collect();
    /// assert!(lines.contains("num_chunks: 1 (u64 le)"), "{lines}");
    /// assert!(lines.contains("chunks[0].data: 2 bytes"), "{lines}");
    /// ```
    pub fn explain(&self, datatype: Datatype, encrypted: bool, tile: &[u8]) -> Vec<Trace> {
        let kept = self.kept(datatype, encrypted);
        let mut cursor = Cursor { tile, at: 0, traces: Vec::new() };
        let Some(count) = cursor.take::<u64, _>("num_chunks", ()) else { return cursor.traces };
        for i in 0..count {
            if cursor.chunk(i, &kept).is_none() {
                return cursor.traces;
            }
        }
        if cursor.at < tile.len() {
            cursor.bytes("(after the chunks)", tile.len() - cursor.at);
        }
        cursor.traces
    }

    /// What is in a chunk's metadata, from the front on, as far as it is there as it is.
    fn kept(&self, datatype: Datatype, encrypted: bool) -> Vec<(&'static str, Kept)> {
        let mut kept = Vec::new();
        if encrypted {
            return vec![("Aes256Gcm", Kept::Encrypted)];
        }
        for filter in self.filters.iter().rev().filter(|filter| filter.acts_on(datatype)) {
            let of = match (filter, datatype.number_type()) {
                (Filter::Bitshuffle(()) | Filter::Byteshuffle(()), _) => Kept::Lengths,
                (Filter::BitWidthReduction(_), Some(kind)) => Kept::Reduced(kind),
                (Filter::PositiveDelta(_), Some(kind)) => Kept::Deltas(kind),
                _ if filter.compression().is_some() => Kept::Compressed,
                _ => continue,
            };
            kept.push((filter.name(), of));
            if let Kept::Compressed = of {
                break;
            }
        }
        kept
    }
}

/// Goes through a tile, and keeps the explanation of what it has passed.
struct Cursor<'a> {
    tile: &'a [u8],
    at: usize,
    traces: Vec<Trace>,
}

impl<'a> Cursor<'a> {
    /// The next value, if it is sound.
    fn take<T: Decode<'a, C>, C: Copy>(&mut self, path: &str, ctx: C) -> Option<T> {
        let rest = &self.tile[self.at..];
        let options = Options::new().ctx(ctx);
        let (value, len) = match crate::from_prefix_with::<T, C>(rest, &options) {
            Ok((value, after)) => (Some(value), rest.len() - after.len()),
            Err(_) => (None, rest.len()),
        };
        let trace = trace_with::<T, C>(&rest[..len], &options);
        self.traces.push(trace.placed(self.at as u64, path));
        self.at += len;
        value
    }

    fn bytes(&mut self, path: &str, len: usize) -> Option<()> {
        self.take::<Bytes<'a>, usize>(path, len).map(|_| ())
    }

    fn chunk(&mut self, i: u64, kept: &[(&'static str, Kept)]) -> Option<()> {
        let path = format!("chunks[{i}]");
        let head = self.take::<ChunkHead, ()>(&path, ())?;
        let (metadata, data) = (head.len_metadata as usize, head.len_filtered as usize);
        let rest = &self.tile[self.at..];
        if rest.get(metadata..).is_none_or(|rest| rest.len() < data) {
            // more than there is: what is missing is shown
            self.bytes(&path, metadata.checked_add(data)?);
            return None;
        }
        let end = self.at + metadata;
        let data_end = end + data;
        for (name, kept) in kept {
            let path = format!("{path}.{name}");
            match kept {
                Kept::Compressed => self.take::<Parts<Compressed>, ()>(&path, ()).map(|_| ())?,
                Kept::Encrypted => self.take::<Parts<Encrypted>, ()>(&path, ()).map(|_| ())?,
                Kept::Lengths => self.take::<Lengths, ()>(&path, ()).map(|_| ())?,
                Kept::Reduced(kind) => self.take::<Reduced, _>(&path, *kind).map(|_| ())?,
                Kept::Deltas(kind) => self.take::<Deltas, _>(&path, *kind).map(|_| ())?,
            }
        }
        if self.at < end {
            self.bytes(&format!("{path}.metadata"), end - self.at)?;
        }
        // metadata that is damaged may have gone on into the data
        self.bytes(&path, data_end.max(self.at) - self.at)
    }
}
