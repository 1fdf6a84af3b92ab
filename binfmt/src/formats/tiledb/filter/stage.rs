//! What a filter is to the pipeline: it changes the data of a chunk, and changes them back.

use super::metadata::Metadata;
use crate::formats::tiledb::layout::parts::Parts;
use crate::formats::tiledb::room::resize;
use crate::wire::amount::{plus, times};
use crate::{Encode, Error, ErrorKind, Result};

/// One filter of a pipeline, with what it keeps from chunk to chunk.
pub(crate) trait Stage: Send {
    /// Forwards, when writing: `out`, which holds anything, becomes the data of the next filter.
    fn apply(&mut self, metadata: &mut NewMetadata, data: &[u8], out: &mut Vec<u8>) -> Result<()>;
    /// Backwards, when reading: takes its metadata from the front, and gives the data that it was applied to.
    fn undo(&mut self, metadata: &mut Metadata, data: &[u8], out: Target<'_>) -> Result<()>;
}

/// The metadata of a chunk on its way through the filters: what each has put in front, the last one first.
#[derive(Debug, Default)]
pub(crate) struct NewMetadata {
    pub(crate) parts: Vec<Vec<u8>>,
}

impl NewMetadata {
    /// What leads back to the old data.
    pub(crate) fn put(&mut self, part: Vec<u8>) {
        self.parts.insert(0, part);
    }
}

/// Puts every metadata part and then the data through a filter, each by itself; the lengths of all lead back.
pub(crate) fn each_part<P>(
    metadata: &mut NewMetadata,
    data: &[u8],
    mut part: impl FnMut(&[u8]) -> Result<P>,
) -> Result<()>
where
    Parts<P>: Encode,
{
    let before = metadata.parts.iter().map(|bytes| part(bytes)).collect::<Result<Vec<_>>>()?;
    let parts = Parts { num_metadata: 0, num_data: 0, metadata: before, data: vec![part(data)?] };
    metadata.parts.clear();
    metadata.put(crate::to_vec(&parts)?);
    Ok(())
}

/// That many bytes to write over, without setting them to zero where they have been used before.
pub(crate) fn overwrite(out: &mut Vec<u8>, len: usize) -> &mut [u8] {
    out.resize(len, 0);
    out
}

/// Where the data of an undone filter go.
pub(crate) enum Target<'a> {
    /// The first filter's: that many bytes, as the chunk says.
    Exact(&'a mut [u8]),
    /// Between two filters: at most `limit` bytes.
    Between { buffer: &'a mut Vec<u8>, limit: usize },
}

impl<'a> Target<'a> {
    /// Room for `len` bytes, if they are allowed.
    pub(crate) fn room(self, len: usize) -> Result<&'a mut [u8]> {
        match self {
            Target::Exact(out) if out.len() == len => Ok(out),
            Target::Exact(out) => Err(ErrorKind::count("bytes", out.len(), len).into()),
            Target::Between { limit, .. } if len > limit => {
                Err(ErrorKind::TooLong { found: len as u64, max: limit as u64 }.into())
            }
            Target::Between { buffer, .. } => {
                resize(buffer, len, 0)?;
                Ok(buffer)
            }
        }
    }

    /// The most bytes that metadata may decompress to.
    pub(crate) fn limit(&self) -> usize {
        match self {
            Target::Exact(out) => growth(out.len()),
            Target::Between { limit, .. } => growth(*limit),
        }
    }
}

/// The most that a filter makes of `len` bytes: RLE triples single bytes, windows of one value take 7 bytes for 2.
pub(crate) fn growth(len: usize) -> usize {
    plus(times(len, 4), 4096)
}

/// The sum of lengths from the wire.
pub(crate) fn total(lens: impl Iterator<Item = u32>) -> Result<usize> {
    let sum: u64 = lens.map(u64::from).sum();
    usize::try_from(sum).map_err(|_| ErrorKind::TooLarge { of: "chunk" }.into())
}

/// The next `len` bytes of a chunk's data.
pub(crate) fn piece<'a>(data: &mut &'a [u8], len: usize) -> Result<&'a [u8]> {
    let Some((head, rest)) = data.split_at_checked(len) else {
        return Err(ErrorKind::RegionEnd { needed: len, remaining: data.len() }.into());
    };
    *data = rest;
    Ok(head)
}

/// The same of the output.
pub(crate) fn piece_mut<'a>(out: &mut &'a mut [u8], len: usize) -> Result<&'a mut [u8]> {
    let all = std::mem::take(out);
    let max = all.len() as u64;
    let Some((head, rest)) = all.split_at_mut_checked(len) else {
        return Err(ErrorKind::TooLong { found: len as u64, max }.into());
    };
    *out = rest;
    Ok(head)
}

/// All data belong to some part.
pub(crate) fn nothing_left(data: &[u8]) -> Result<()> {
    match data.len() {
        0 => Ok(()),
        n => Err(ErrorKind::UnconsumedRegion { count: n as u64 }.into()),
    }
}

/// A length that is in four bytes.
pub(crate) fn len32(len: usize) -> Result<u32> {
    u32::try_from(len)
        .map_err(|_| ErrorKind::PrefixOverflow { value: len as u64, max: u32::MAX.into() }.into())
}

/// What a filter refuses.
#[cold]
pub(crate) fn failed(codec: &'static str, reason: impl std::fmt::Display) -> Error {
    ErrorKind::Codec { codec, reason: reason.to_string().into() }.into()
}

/// What filters that calculate refuse.
#[cold]
pub(crate) fn floats(filter: &'static str) -> ErrorKind {
    ErrorKind::unsupported(filter, "floating-point values")
}
