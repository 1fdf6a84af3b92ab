//! What all compressors share: every metadata part and then the data are compressed by themselves.

use super::metadata::Metadata;
use super::stage::{
    NewMetadata, Stage, Target, each_part, failed, len32, nothing_left, piece, piece_mut, total,
};
use crate::formats::tiledb::layout::parts::{Compressed, Parts};
use crate::formats::tiledb::room::zeros;
use crate::{ErrorKind, Result};

/// A compressor of one part.
pub(crate) trait Codec: Send {
    /// Appends the compressed part.
    fn compress(&mut self, part: &[u8], out: &mut Vec<u8>) -> Result<()>;
    /// Fills `out`, no more and no less.
    fn decompress(&mut self, part: &[u8], out: &mut [u8]) -> Result<()>;
}

/// A compressor as a filter.
pub(crate) struct Compress<C>(pub(crate) C);

impl<C: Codec> Stage for Compress<C> {
    fn apply(&mut self, metadata: &mut NewMetadata, data: &[u8], out: &mut Vec<u8>) -> Result<()> {
        out.clear();
        each_part(metadata, data, |bytes| {
            let at = out.len();
            self.0.compress(bytes, out)?;
            Ok(Compressed { original: len32(bytes.len())?, compressed: len32(out.len() - at)? })
        })
    }

    fn undo(&mut self, metadata: &mut Metadata, mut data: &[u8], out: Target<'_>) -> Result<()> {
        let parts: Parts<Compressed> = metadata.take()?;
        metadata.finish()?;
        let len = total(parts.metadata.iter().map(|p| p.original))?;
        if len > out.limit() {
            return Err(ErrorKind::TooLong { found: len as u64, max: out.limit() as u64 }.into());
        }
        let mut bytes = zeros(len)?;
        self.decompress_all(&parts.metadata, &mut data, &mut bytes)?;
        metadata.replace(bytes);
        let out = out.room(total(parts.data.iter().map(|p| p.original))?)?;
        self.decompress_all(&parts.data, &mut data, out)?;
        nothing_left(data)
    }
}

impl<C: Codec> Compress<C> {
    fn decompress_all(&mut self, parts: &[Compressed], data: &mut &[u8], mut out: &mut [u8]) -> Result<()> {
        for part in parts {
            let to = piece_mut(&mut out, part.original as usize)?;
            self.0.decompress(piece(data, part.compressed as usize)?, to)?;
        }
        Ok(())
    }
}

/// Lets a library write into that much room after `out`, and keeps the bytes that it says it has written.
pub(crate) fn append(
    out: &mut Vec<u8>,
    room: usize,
    write: impl FnOnce(&mut [u8]) -> Result<usize>,
) -> Result<()> {
    let at = out.len();
    out.resize(at + room, 0);
    let written = write(&mut out[at..])?;
    out.truncate(at + written);
    Ok(())
}

/// The part gives as many bytes as it should.
pub(crate) fn full(codec: &'static str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(failed(codec, format_args!("expected {expected} bytes, found {found}")))
}
