//! Tiles through their filters and back.
//!
//! A filter sees metadata parts and data. Shuffles, bit width reduction and positive delta put a metadata part of their
//! own in front; compressors and encryption take every part and the data, each by itself, and leave one of each. What
//! is in a chunk is the metadata parts one after the other, then the data.

mod aes;
mod bit_width;
mod bitshuffle;
mod bzip;
mod compress;
mod double_delta;
mod explain;
mod gzip;
mod int;
mod lz4;
mod metadata;
mod positive_delta;
mod rle;
mod shuffle;
mod stage;
mod zstandard;

pub use aes::Key;
pub(crate) use stage::floats;

use crate::formats::tiledb::layout::{Datatype, Filter, FilterPipeline, TileChunk, TileChunks};
use crate::numbers::NumberType;
use crate::{ErrorKind, KeyProblem, Result, Step};
use compress::Compress;
use metadata::Metadata;
use stage::{NewMetadata, Stage, Target, growth};

/// Filters tiles and undoes it, for one pipeline and one kind of data. Keeps its memory from tile to tile.
///
/// ```
/// use binfmt::formats::tiledb::{Datatype, Filter, FilterPipeline, TileCodec};
/// let pipeline = FilterPipeline::new([Filter::bit_width_reduction(256)]);
/// let mut codec = TileCodec::new(&pipeline, Datatype::Int32, 4, None)?;
/// let values: Vec<u8> = [1000i32, 1001, 1126, 1002].iter().flat_map(|v| v.to_le_bytes()).collect();
/// let tile = codec.filter(&values)?;
/// assert_eq!(tile[tile.len() - 4..], [0, 1, 0x7e, 2]);
/// let mut back = [0; 16];
/// codec.unfilter(&tile, &mut back)?;
/// assert_eq!(back[..], values);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub struct TileCodec {
    stages: Vec<(Box<dyn Stage>, &'static str)>,
    /// Bytes that a chunk never splits.
    unit: usize,
    max_chunk_size: usize,
    metadata: Metadata,
    new_metadata: NewMetadata,
    /// Between two filters.
    buffers: [Vec<u8>; 2],
}

impl std::fmt::Debug for TileCodec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.stages.iter().map(|(_, name)| *name).collect();
        f.debug_struct("TileCodec").field("stages", &names).finish_non_exhaustive()
    }
}

impl TileCodec {
    /// The filters of a pipeline for cells of `cell_size` bytes, whose values are of a datatype.
    ///
    /// With a key, encryption is the last filter, whether or not the pipeline lists it.
    ///
    /// # Errors
    /// A filter or datatype that the format does not have, a filter that has no such datatype, a pipeline that is
    /// encrypted without a key, or no bytes in a cell.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Datatype, Filter, FilterPipeline, TileCodec};
    /// let unknown = Filter::Unknown { tag: 20, options: vec![] };
    /// let e = TileCodec::new(&FilterPipeline::new([unknown]), Datatype::Int8, 1, None).unwrap_err();
    /// assert_eq!(e.to_string(), "unknown filter 20");
    /// ```
    pub fn new(
        pipeline: &FilterPipeline,
        datatype: Datatype,
        cell_size: usize,
        key: Option<&Key>,
    ) -> Result<Self> {
        let kind = datatype
            .number_type()
            .ok_or_else(|| ErrorKind::UnknownCode { of: "datatype", code: datatype.code().into() })?;
        if cell_size == 0 {
            return Err(ErrorKind::invalid("cell size", 0, "").into());
        }
        let mut stages = Vec::new();
        let listed = pipeline.filters.iter().filter(|filter| !matches!(filter, Filter::Aes256Gcm(())));
        for filter in listed {
            if let Some(stage) = stage(filter, datatype, kind, cell_size)? {
                stages.push((stage, filter.name()));
            }
        }
        match key {
            Some(key) => stages.push((Box::new(aes::Aes::new(key)), "Aes256Gcm")),
            None if pipeline.filters.contains(&Filter::aes_256_gcm()) => {
                return Err(ErrorKind::Key(KeyProblem::Missing).into());
            }
            None => {}
        }
        Ok(TileCodec {
            stages,
            unit: cell_size,
            max_chunk_size: pipeline.max_chunk_size as usize,
            metadata: Metadata::default(),
            new_metadata: NewMetadata::default(),
            buffers: Default::default(),
        })
    }

    /// The same for coordinates, whose chunks are cut between the values of one dimension.
    pub(crate) fn of_values(mut self, size: usize) -> Self {
        self.unit = size.max(1);
        self
    }

    /// The tile of these data.
    ///
    /// # Errors
    /// Data that a filter cannot take, such as falling values for positive delta.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Datatype, FilterPipeline, TileCodec};
    /// let mut codec = TileCodec::new(&FilterPipeline::default(), Datatype::Uint8, 1, None)?;
    /// assert_eq!(codec.filter(&[7])?.len(), 8 + 12 + 1);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn filter(&mut self, data: &[u8]) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.filter_sections(&[data], &mut out)?;
        Ok(out)
    }

    /// Appends the tile of data in several sections, no two of which share a chunk.
    pub(crate) fn filter_sections(&mut self, sections: &[&[u8]], out: &mut Vec<u8>) -> Result<()> {
        let start = out.len();
        out.extend_from_slice(&[0; 8]);
        let mut num_chunks = 0u64;
        for section in sections.iter().filter(|section| !section.is_empty()) {
            for bytes in section.chunks(self.chunk_len(section)) {
                self.filter_chunk(bytes, out).map_err(|e| e.within(Step::Index(num_chunks as usize)))?;
                num_chunks += 1;
            }
        }
        if let Some(count) = out.get_mut(start..).and_then(|tile| tile.first_chunk_mut::<8>()) {
            *count = num_chunks.to_le_bytes();
        }
        Ok(())
    }

    /// Bytes of the chunks of a section, but for the last one.
    fn chunk_len(&self, section: &[u8]) -> usize {
        (section.len().min(self.max_chunk_size) / self.unit * self.unit).max(self.unit)
    }

    /// Whether tiles are as they are, without filters.
    pub(crate) fn is_empty(&self) -> bool {
        self.stages.is_empty()
    }

    /// The tile of data that no filter changes, in pieces: what is before a chunk, put into `fronts`, and the chunk.
    pub(crate) fn pieces<'d>(&self, data: &'d [u8], fronts: &'d mut Vec<u8>) -> Result<Vec<&'d [u8]>> {
        let chunks = data.chunks(self.chunk_len(data));
        fronts.clear();
        fronts.extend_from_slice(&(chunks.len() as u64).to_le_bytes());
        for chunk in chunks.clone() {
            let len = stage::len32(chunk.len())?.to_le_bytes();
            // as long as before, and no metadata
            fronts.extend_from_slice([len, len, [0; 4]].as_flattened());
        }
        let (count, fronts) = fronts.split_at(8);
        let pairs = fronts.chunks(12).zip(chunks).flat_map(|(front, chunk)| [front, chunk]);
        Ok(std::iter::once(count).chain(pairs).collect())
    }

    fn filter_chunk(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let len_original = stage::len32(bytes.len())?;
        self.new_metadata.parts.clear();
        let [a, b] = &mut self.buffers;
        let (mut from, mut to) = (a, b);
        let mut first = true;
        for (stage, name) in &mut self.stages {
            let data = if first { bytes } else { from.as_slice() };
            stage.apply(&mut self.new_metadata, data, to).map_err(|e| e.within(Step::Field(name)))?;
            std::mem::swap(&mut from, &mut to);
            first = false;
        }
        let data = if first { bytes } else { from.as_slice() };
        let metadata = self.new_metadata.parts.concat();
        let chunk = TileChunk { len_original, len_filtered: 0, len_metadata: 0, metadata: &metadata, data };
        crate::append(&chunk, out)
    }

    /// Undoes the filters of a tile: `out` is as long as the data were.
    ///
    /// # Errors
    /// Damaged chunks, or chunks of another length than `out` in all.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Datatype, FilterPipeline, TileCodec};
    /// let mut codec = TileCodec::new(&FilterPipeline::default(), Datatype::Uint8, 1, None)?;
    /// let e = codec.unfilter(&[0; 8], &mut [0]).unwrap_err();
    /// assert_eq!(e.to_string(), "expected 1 bytes, found 0");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn unfilter(&mut self, tile: &[u8], mut out: &mut [u8]) -> Result<()> {
        let tile: TileChunks<'_> = crate::from_slice(tile)?;
        let len = tile.len_original();
        if len != out.len() as u64 {
            let expected = out.len() as u64;
            return Err(ErrorKind::CountMismatch { of: "bytes", expected, found: len }.into());
        }
        let mut at = 8u64;
        for (i, chunk) in tile.chunks.iter().enumerate() {
            let to = stage::piece_mut(&mut out, chunk.len_original as usize)?;
            at += 12;
            self.unfilter_chunk(chunk, to).map_err(|e| e.shifted(at).or_at(at).within(Step::Index(i)))?;
            at += u64::from(chunk.len_metadata) + u64::from(chunk.len_filtered);
        }
        Ok(())
    }

    fn unfilter_chunk(&mut self, chunk: &TileChunk<'_>, out: &mut [u8]) -> Result<()> {
        self.metadata.set(chunk.metadata);
        let [a, b] = &mut self.buffers;
        let (mut from, mut to) = (a, b);
        let mut first = true;
        // how large the data may be that a filter gives: its own input, made larger by the filters before it
        let limits: Vec<usize> = std::iter::successors(Some(out.len()), |len| Some(growth(*len)))
            .take(self.stages.len())
            .collect();
        for ((stage, name), limit) in self.stages.iter_mut().zip(limits).skip(1).rev() {
            let data = if first { chunk.data } else { from.as_slice() };
            let target = Target::Between { buffer: to, limit };
            stage.undo(&mut self.metadata, data, target).map_err(|e| e.within(Step::Field(name)))?;
            std::mem::swap(&mut from, &mut to);
            first = false;
        }
        let data = if first { chunk.data } else { from.as_slice() };
        match self.stages.first_mut() {
            Some((stage, name)) => stage
                .undo(&mut self.metadata, data, Target::Exact(out))
                .map_err(|e| e.within(Step::Field(name)))?,
            None => Target::Exact(out).room(data.len())?.copy_from_slice(data),
        }
        self.metadata.finish()
    }
}

impl Filter {
    /// Whether the filter changes values of a type, or keeps something of them in the metadata: others pass through it.
    pub(crate) fn acts_on(&self, datatype: Datatype) -> bool {
        match self {
            Filter::None(()) | Filter::Aes256Gcm(()) => false,
            // windows of single bytes have nothing to give
            Filter::BitWidthReduction(_) => datatype.is_plain_integer() && datatype.size() > Some(1),
            Filter::PositiveDelta(_) => datatype.is_plain_integer(),
            _ => true,
        }
    }
}

/// The filter at work; `None` when it leaves such data as they are.
fn stage(
    filter: &Filter,
    datatype: Datatype,
    kind: NumberType,
    cell_size: usize,
) -> Result<Option<Box<dyn Stage>>> {
    if !filter.acts_on(datatype) {
        return Ok(None);
    }
    let size = kind.size();
    Ok(Some(match filter {
        Filter::None(()) | Filter::Aes256Gcm(()) => return Ok(None),
        Filter::Gzip(c) => Box::new(Compress(gzip::Gzip::new(c.level))),
        Filter::Zstd(c) => Box::new(Compress(zstandard::Zstandard::new(c.level))),
        Filter::Lz4(_) => Box::new(Compress(lz4::Lz4)),
        Filter::Rle(_) => Box::new(Compress(rle::Rle { cell_size })),
        Filter::Bzip2(c) => Box::new(Compress(bzip::Bzip { level: c.level })),
        Filter::DoubleDelta(_) => {
            Box::new(Compress(double_delta::DoubleDelta { kind: double_delta_kind(datatype, kind) }))
        }
        Filter::BitWidthReduction(w) => {
            Box::new(bit_width::BitWidth { kind, max_window: w.max_window as usize })
        }
        Filter::PositiveDelta(w) => {
            Box::new(positive_delta::PositiveDelta { kind, max_window: w.max_window as usize })
        }
        Filter::Bitshuffle(()) => Box::new(bitshuffle::Bitshuffle::new(size)),
        Filter::Byteshuffle(()) => Box::new(shuffle::Byteshuffle { size }),
        Filter::Unknown { tag, .. } => {
            return Err(ErrorKind::UnknownCode { of: "filter", code: u64::from(*tag) }.into());
        }
    }))
}

/// Characters are signed for double delta, and text is bytes regardless of its encoding.
fn double_delta_kind(datatype: Datatype, kind: NumberType) -> NumberType {
    match datatype {
        Datatype::Char => NumberType::I8,
        _ if datatype.is_string() => NumberType::U8,
        _ => kind,
    }
}
